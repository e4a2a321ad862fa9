"""One stream among the many that share an adb transport."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from . import packets

Send = Callable[[int, int, int, bytes], Awaitable[None]]
"""(command, arg0, arg1, payload): sends one packet."""


QUEUED = 16 << 20  # bytes that wait to be read; a stream that brings more is closed


class ChannelStream:
    """``virtual.streams.Stream`` over a transport. What comes is acknowledged once it has been read, which is how
    a slow reader holds the sender back. A server whose client was killed sends what it still holds without waiting
    (its ``fdevent`` takes the hang-up for data), and adbd queues it (``sockets.cpp local_socket_enqueue``)."""

    def __init__(self, send: Send, local_id: int, remote_id: int, limit: int) -> None:
        self._send = send
        self.local_id = local_id
        self.remote_id = remote_id  # 0 until the other side has accepted
        self._limit = limit
        self._received = bytearray()
        self._owes_okay = False
        self._ended = False
        self._reported = False
        self._may_send = remote_id != 0
        self._changed = asyncio.Condition()
        self._writing = asyncio.Lock()

    async def read(self, limit: int = 65536) -> bytes:
        async with self._changed:
            await self._changed.wait_for(lambda: self._received or self._ended)
            data = bytes(self._received[:limit])
            del self._received[: len(data)]
            owes = self._owes_okay and not self._received and not self._ended
            if owes:
                self._owes_okay = False
        if owes:
            await self._send(packets.OKAY, self.local_id, self.remote_id, b"")
        return data

    async def readexactly(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            more = await self.read(count - len(data))
            if not more:
                raise asyncio.IncompleteReadError(data, count)
            data += more
        return data

    async def write(self, data: bytes) -> None:
        async with self._writing:
            for start in range(0, len(data), self._limit):
                await self._until_acknowledged()
                self._may_send = False
                piece = data[start : start + self._limit]
                await self._send(packets.WRTE, self.local_id, self.remote_id, piece)

    async def close(self) -> None:
        """What was written has arrived before the other side hears of the end."""
        async with self._changed:
            self._ended = True
            self._changed.notify_all()
        if not self._reported:
            self._reported = True
            await self._send(packets.CLSE, self.local_id, self.remote_id, b"")

    async def accepted(self) -> None:
        """Waits for the answer to our own OPEN. Raises ``ConnectionRefusedError``."""
        async with self._changed:
            await self._changed.wait_for(lambda: self.remote_id or self._ended)
        if not self.remote_id:
            raise ConnectionRefusedError("the computer refused the stream")

    # --- what the transport hears ---------------------------------------------------------------------------
    async def heard_data(self, data: bytes) -> None:
        """Queues it. A client that never waits for our acknowledgement loses this stream, and no other."""
        async with self._changed:
            if self._ended:
                return
            self._received += data
            self._owes_okay = True
            self._changed.notify_all()
        if len(self._received) > QUEUED:
            self._received.clear()
            await self.close()

    async def heard_okay(self, remote_id: int) -> None:
        async with self._changed:
            self.remote_id = self.remote_id or remote_id
            self._may_send = True
            self._changed.notify_all()

    async def heard_close(self) -> None:
        async with self._changed:
            self._ended = True
            self._changed.notify_all()

    async def _until_acknowledged(self) -> None:
        async with self._changed:
            await self._changed.wait_for(lambda: self._may_send or self._ended)
            if self._ended:
                raise ConnectionResetError("the client closed the stream")
