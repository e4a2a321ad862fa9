"""A TCP connection as the phone's services see one."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
from collections.abc import Iterator

CLOSE_PATIENCE = 1.0  # seconds
PARTING_PATIENCE = 0.2


class SocketStream:
    """``virtual.streams.Stream`` over a connected socket."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._draining = asyncio.Lock()
        self._closed = False
        self._socket: socket.socket | None = writer.get_extra_info("socket")
        self._set(socket.IPPROTO_TCP, socket.TCP_NODELAY)

    @classmethod
    async def connect(cls, host: str, port: int) -> SocketStream:
        """Raises ``OSError`` if no server listens."""
        return cls(*await asyncio.open_connection(host, port))

    async def read(self, limit: int = 65536) -> bytes:
        self.acknowledge()
        return await self._reader.read(limit)

    async def readexactly(self, count: int) -> bytes:
        self.acknowledge()
        return await self._reader.readexactly(count)

    async def readexactly_within(self, count: int, seconds: float) -> bytes:
        """Raises ``asyncio.TimeoutError``, after which nothing more can be read."""
        with self._no_longer_than(seconds):
            return await self.readexactly(count)

    async def write(self, data: bytes) -> None:
        if self._writer.is_closing():
            raise ConnectionResetError("the client closed the connection")
        self._writer.write(data)
        async with self._draining:
            await self._writer.drain()

    async def close(self) -> None:
        """Waits a moment for what was written to be taken; a client that takes nothing is cut
        off."""
        if self._closed:
            return
        self._closed = True
        try:
            await self._part()
            self._writer.close()
            cut_off = asyncio.get_running_loop().call_later(CLOSE_PATIENCE, self.abort)
            try:
                await self._writer.wait_closed()
            finally:
                cut_off.cancel()
        except asyncio.CancelledError:
            self.abort()
            raise
        except OSError:
            pass  # the client closed first

    async def _part(self) -> None:
        """Says that no more comes, and reads on until the client has closed too, for a moment: with
        something left unread the kernel would reset the connection, and the client lose what was
        written last."""
        with contextlib.suppress(
            OSError, RuntimeError, asyncio.TimeoutError
        ):  # it was first; somebody else reads
            if self._writer.can_write_eof():
                self._writer.write_eof()
            with self._no_longer_than(PARTING_PATIENCE):
                while await self._reader.read(65536):
                    pass

    @contextlib.contextmanager
    def _no_longer_than(self, seconds: float) -> Iterator[None]:
        """Ends a read with ``asyncio.TimeoutError``. Costs neither a task nor rounds of the loop,
        as ``wait_for`` does."""
        limit = asyncio.get_running_loop().call_later(
            seconds, self._reader.set_exception, asyncio.TimeoutError()
        )
        try:
            yield
        finally:
            limit.cancel()

    def release(self) -> None:
        """As ``close``, without waiting."""
        self._writer.close()

    def abort(self) -> None:
        """Drops the connection and what was not sent yet."""
        self._writer.transport.abort()

    def acknowledge(self) -> None:
        """Has the kernel acknowledge what comes next at once. Clients that send a request in two
        pieces otherwise wait 40 ms for it, by Nagle's algorithm; Linux forgets the wish, so it is
        repeated."""
        if sys.platform == "linux":
            self._set(socket.IPPROTO_TCP, socket.TCP_QUICKACK)

    def _set(self, level: int, option: int) -> None:
        if self._socket is not None:
            with contextlib.suppress(OSError):  # the client may be gone already
                self._socket.setsockopt(level, option, 1)
