"""The phone's log: ``LogBuffer()``, bounded, written from any thread and followed from asyncio."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Literal

Level = Literal["V", "D", "I", "W", "E", "F"]
BUFFERS = ("main", "system", "crash", "events", "radio", "kernel")


@dataclass(frozen=True)
class LogEntry:
    """``number`` counts all entries ever written, ``epoch`` is in seconds since 1970."""

    number: int
    epoch: float
    level: Level
    tag: str
    message: str
    pid: int
    tid: int
    uid: int = 1000
    buffer: str = "main"


class LogBuffer:
    """Keeps the newest ``capacity`` entries. ``now`` gives seconds since 1970, the phone's time of
    day."""

    def __init__(self, capacity: int = 20_000, *, now: Callable[[], float] = time.time) -> None:
        self._lock = threading.Lock()
        self._entries: deque[LogEntry] = deque(maxlen=capacity)
        self._next = 0
        self.now = now
        self._wakers: list[Callable[[], None]] = []

    def append(
        self,
        level: Level,
        tag: str,
        message: str,
        pid: int,
        tid: int | None = None,
        *,
        uid: int = 1000,
        buffer: str = "main",
    ) -> LogEntry:
        """Writes one entry, which may have several lines; ``tid`` is the main thread if not
        given."""
        with self._lock:
            entry = LogEntry(
                self._next,
                self.now(),
                level,
                tag,
                message,
                pid,
                pid if tid is None else tid,
                uid,
                buffer,
            )
            self._next += 1
            self._entries.append(entry)
            wakers = list(self._wakers)
        for wake in wakers:
            wake()
        return entry

    def entries(self, after: int = -1) -> list[LogEntry]:
        """Those numbered above ``after`` that are still kept, oldest first."""
        with self._lock:
            newest_first = list(
                takewhile(lambda entry: entry.number > after, reversed(self._entries))
            )
        return newest_first[::-1]

    def clear(self, buffers: Sequence[str] | None = None) -> None:
        """Forgets all entries, or those in the named buffers."""
        with self._lock:
            kept = (
                []
                if buffers is None
                else [each for each in self._entries if each.buffer not in buffers]
            )
            self._entries.clear()
            self._entries.extend(kept)

    @property
    def last_number(self) -> int:
        """Of the newest entry ever written; -1 before the first."""
        with self._lock:
            return self._next - 1

    async def follow(self, after: int = -1) -> AsyncGenerator[LogEntry, None]:
        """Entries numbered above ``after``, for ever: those that are kept, then new ones as they
        come."""
        loop = asyncio.get_running_loop()
        fresh = asyncio.Event()

        def wake() -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(fresh.set)

        with self._lock:
            self._wakers.append(wake)
        try:
            while True:
                fresh.clear()
                for entry in self.entries(after):
                    after = entry.number
                    yield entry
                await fresh.wait()
        finally:
            with self._lock:
                self._wakers.remove(wake)
