"""What a command reads from and writes to, over one stream: raw, or in the shell protocol's
packets."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod

from ..streams import Stream
from . import shell_v2

INPUT_KEPT = 1 << 18  # bytes of input taken ahead of the command


class Input:
    """Standard input: filled by the client's stream, drained by the command, bounded."""

    def __init__(self) -> None:
        self._kept = bytearray()
        self._ended = False
        self._changed = asyncio.Condition()
        self._readers = 0

    @property
    def wanted(self) -> bool:
        """The command waits for input, or has not read all of it yet."""
        return self._readers > 0 or bool(self._kept)

    async def feed(self, data: bytes) -> None:
        async with self._changed:
            await self._changed.wait_for(lambda: len(self._kept) < INPUT_KEPT or self._ended)
            if not self._ended:
                self._kept += data
            self._changed.notify_all()

    async def end(self) -> None:
        async with self._changed:
            self._ended = True
            self._changed.notify_all()

    async def read(self, limit: int = 65536) -> bytes:
        self._readers += 1
        try:
            async with self._changed:
                await self._changed.wait_for(lambda: self._kept or self._ended)
                data = bytes(self._kept[:limit])
                del self._kept[: len(data)]
                self._changed.notify_all()
                return data
        finally:
            self._readers -= 1


class ClientTerminal(ABC):
    """A ``virtual.streams.Terminal`` that a client's stream feeds. On a ``pty`` all ends with the
    client."""

    def __init__(self, stream: Stream, *, pty: bool = False) -> None:
        self._stream = stream
        self.pty = pty
        self.input = Input()

    async def read(self, limit: int = 65536) -> bytes:
        return await self.input.read(limit)

    @abstractmethod
    async def write(self, data: bytes) -> None: ...

    @abstractmethod
    async def write_error(self, data: bytes) -> None: ...

    @abstractmethod
    async def feed(self) -> None:
        """Takes what the client sends until it closes its end."""

    @abstractmethod
    async def exit(self, code: int) -> None:
        """Tells the client how the command ended, as far as the protocol can say it."""


class RawTerminal(ClientTerminal):
    """Bytes as they are; both outputs in one, no exit code."""

    async def write(self, data: bytes) -> None:
        if data:
            await self._stream.write(data)

    async def write_error(self, data: bytes) -> None:
        await self.write(data)

    async def feed(self) -> None:
        while data := await self._stream.read():
            await self.input.feed(data)

    async def exit(self, code: int) -> None:
        pass


class PacketTerminal(ClientTerminal):
    """The shell protocol, version 2."""

    async def write(self, data: bytes) -> None:
        await self._send(shell_v2.STDOUT, data)

    async def write_error(self, data: bytes) -> None:
        await self._send(shell_v2.STDERR, data)

    async def feed(self) -> None:
        try:
            while True:
                kind, size = shell_v2.unpack_header(
                    await self._stream.readexactly(shell_v2.HEADER.size)
                )
                data = await self._stream.readexactly(size)
                if kind == shell_v2.STDIN:
                    await self.input.feed(data)
                elif kind == shell_v2.CLOSE_STDIN:
                    await self.input.end()
        except (asyncio.IncompleteReadError, ValueError):
            return

    async def exit(self, code: int) -> None:
        await self._stream.write(shell_v2.exit_code(code))

    async def _send(self, kind: int, data: bytes) -> None:
        for start in range(
            0, len(data), 65536
        ):  # an empty packet would say nothing, so none is sent
            await self._stream.write(shell_v2.pack(kind, data[start : start + 65536]))
