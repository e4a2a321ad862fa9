"""A loopback port and the connections that came to it, all of which end with it."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable

from .socket_stream import SocketStream
from .task_group import TaskGroup

HOST = "127.0.0.1"  # never anything else: a phone obeys any client
BACKLOG = 128  # connections that may wait to be taken
ROUNDS_TO_SETTLE = 5  # of the loop; what asyncio needs to begin, or to end, a connection
BREATHER = 0.1  # seconds without taking connections, where the process is out of descriptors


class Listening:
    """``serve`` is run for each connection, in a task of its own. ``port`` is known once started.

    Connections are taken by a callback of our own: an asyncio server that is closed in the very
    moment of a connection loses its socket.
    """

    def __init__(self, serve: Callable[[SocketStream], Awaitable[None]], name: str) -> None:
        self._serve = serve
        self._name = name
        self._connections = TaskGroup()
        self._socket: socket.socket | None = None
        self.port = 0

    async def start(self, port: int = 0) -> None:
        """Raises ``OSError`` if a fixed port is taken."""
        self._socket = socket.create_server((HOST, port), backlog=BACKLOG)
        self._socket.setblocking(False)
        self.port = self._socket.getsockname()[1]
        asyncio.get_running_loop().add_reader(self._socket, self._accept, self._socket)

    def stop(self) -> None:
        """Takes no more connections; those that are there go on."""
        if self._socket is not None:
            asyncio.get_running_loop().remove_reader(self._socket)
            self._socket.close()
            self._socket = None

    async def close(self) -> None:
        self.stop()
        await _settle()
        await self._connections.end()
        await _settle()

    def _accept(self, listener: socket.socket) -> None:
        try:
            connection, _ = listener.accept()
        except (BlockingIOError, ConnectionAbortedError):
            return  # the client went before it was taken
        except OSError:
            loop = asyncio.get_running_loop()
            loop.remove_reader(listener)
            loop.call_later(BREATHER, self._go_on, listener)
            return
        connection.setblocking(False)
        taken = _Taken(connection, self._serve)
        self._connections.start(taken.run, self._name).add_done_callback(taken.release)

    def _go_on(self, listener: socket.socket) -> None:
        if listener is self._socket:
            asyncio.get_running_loop().add_reader(listener, self._accept, listener)


class _Taken:
    """One connection, which is let go of in the end even where its task was ended before it
    began."""

    def __init__(
        self, connection: socket.socket, serve: Callable[[SocketStream], Awaitable[None]]
    ) -> None:
        self._connection = connection
        self._serve = serve
        self._stream: SocketStream | None = None

    async def run(self) -> None:
        self._stream = SocketStream(*await asyncio.open_connection(sock=self._connection))
        await self._serve(self._stream)

    def release(self, task: asyncio.Task[None]) -> None:
        if self._stream is None:
            self._connection.close()
        elif task.cancelled():
            self._stream.abort()  # the phone is switched off: no one waits until all is taken
        else:
            self._stream.release()


async def _settle() -> None:
    for _ in range(ROUNDS_TO_SETTLE):
        await asyncio.sleep(0)
