"""A connection that the phone closes: what it wrote last arrives, whatever the client sends
meanwhile."""

from __future__ import annotations

import asyncio
import socket
import threading

from pytest_replicant.virtual.socket_stream import SocketStream

SAID = b"x" * 5000


def test_what_was_written_last_arrives_at_a_client_that_still_sends() -> None:
    """As the end of its input behind a command that has ended by then."""
    sent, closed = threading.Event(), threading.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        stream = SocketStream(reader, writer)
        await stream.write(SAID)
        sent.wait(5)  # the loop stands still: what the client sends lies in the kernel, unread
        parting = asyncio.ensure_future(stream.close())
        await asyncio.sleep(0.05)
        closed.set()
        await parting

    async def talk() -> bytes:
        async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
            return await asyncio.to_thread(client, server.sockets[0].getsockname()[1])

    def client(port: int) -> bytes:
        with socket.create_connection(("127.0.0.1", port), 5) as connection:
            said = connection.recv(1)
            connection.sendall(b"end of input")
            sent.set()
            closed.wait(5)
            while chunk := connection.recv(1000):
                said += chunk
            return said

    assert asyncio.run(asyncio.wait_for(talk(), 10)) == SAID
