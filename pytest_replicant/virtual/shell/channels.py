"""Where a command reads from and writes to, and the pipe between two commands."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

Source = Callable[[int], Awaitable[bytes]]
Sink = Callable[[bytes], Awaitable[None]]


@dataclass(frozen=True)
class Channels:
    """Standard input, output and error; redirecting replaces one of them. It is a ``Terminal``."""

    source: Source
    output: Sink
    error: Sink

    async def read(self, limit: int = 65536) -> bytes:
        return await self.source(limit)

    async def write(self, data: bytes) -> None:
        await self.output(data)

    async def write_error(self, data: bytes) -> None:
        await self.error(data)


class Pipe:
    """What one command writes and the next reads; at most ``room`` bytes wait in between."""

    def __init__(self, room: int = 65536) -> None:
        self._waiting = bytearray()
        self._room = room
        self._written = False
        self._abandoned = False
        self._changed = asyncio.Condition()

    async def read(self, limit: int = 65536) -> bytes:
        async with self._changed:
            await self._changed.wait_for(lambda: bool(self._waiting) or self._written)
            taken = bytes(self._waiting[:limit])
            del self._waiting[:limit]
            self._changed.notify_all()
            return taken

    async def write(self, data: bytes) -> None:
        """Raises ``BrokenPipeError`` once the reader has left."""
        async with self._changed:
            await self._changed.wait_for(lambda: len(self._waiting) < self._room or self._abandoned)
            if self._abandoned:
                raise BrokenPipeError("the next command of the pipeline has ended")
            self._waiting += data
            self._changed.notify_all()

    async def end(self) -> None:
        """The writer is done."""
        async with self._changed:
            self._written = True
            self._changed.notify_all()

    async def abandon(self) -> None:
        """The reader is done."""
        async with self._changed:
            self._abandoned = True
            self._changed.notify_all()


async def no_input(limit: int) -> bytes:
    """``< /dev/null``."""
    return b""


async def no_output(data: bytes) -> None:
    """``> /dev/null``."""


def bytes_source(data: bytes) -> Source:
    """Reads ``data`` once."""
    left = memoryview(data)

    async def read(limit: int) -> bytes:
        nonlocal left
        taken, left = bytes(left[:limit]), left[limit:]
        return taken

    return read
