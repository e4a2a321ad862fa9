"""Time, as a value that is handed in: waits cost nothing on a ``ManualClock`` or a
``SharedClock``."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Protocol


class Clock(Protocol):
    def now(self) -> float:
        """Seconds on a clock that never goes back."""
        ...

    def epoch_ms(self) -> int:
        """Wall-clock time in ms since 1970, for stamps that people read."""
        ...

    def sleep(self, seconds: float) -> None: ...


def come_true(clock: Clock, condition: Callable[[], bool], seconds: float, every: float) -> bool:
    """Waits until the condition holds, looking ``every`` so many seconds; False if it does not in
    time."""
    deadline = clock.now() + seconds
    while not condition():
        if clock.now() >= deadline:
            return False
        clock.sleep(every)
    return True


class SystemClock:
    """The machine's own clock."""

    def now(self) -> float:
        return time.monotonic()

    def epoch_ms(self) -> int:
        return time.time_ns() // 1_000_000

    def sleep(self, seconds: float) -> None:
        if seconds > 0:
            time.sleep(seconds)


class ManualClock:
    """Moves only by a sleep on it or calls ``advance``. For tests."""

    def __init__(self, start: float = 1000.0) -> None:
        self._now = start

    def now(self) -> float:
        return self._now

    def epoch_ms(self) -> int:
        return round(self._now * 1000)

    def sleep(self, seconds: float) -> None:
        self.advance(max(seconds, 0.0))

    def advance(self, seconds: float) -> None:
        self._now += seconds


class SharedClock:
    """One clock for a session and a virtual phone: it moves only while one of them waits, and then
    at once.

    A wait passes in steps of ``STEP`` seconds; each of ``on_step`` is called after each, so that
    what looks at a phone meanwhile sees every change. Each ``now`` moves the clock by ``TICK``,
    because nothing takes no time at all; the phone reads without moving it. May be used from any
    thread.
    """

    STEP = 0.02
    TICK = 0.001

    def __init__(self, start: float = 1000.0) -> None:
        self._now = start
        self._lock = threading.Lock()
        self.on_step: list[Callable[[], object]] = []

    def read(self) -> float:
        """The time in seconds, as the phone reads it: reading takes none."""
        with self._lock:
            return self._now

    def now(self) -> float:
        self._advance(self.TICK)
        return self._now

    def epoch_ms(self) -> int:
        return round(self._now * 1000)

    def sleep(self, seconds: float) -> None:
        end = self._now + max(seconds, 0.0)
        while (left := end - self._now) > 0:
            self._advance(min(self.STEP, left))

    def _advance(self, seconds: float) -> None:
        with self._lock:
            self._now += seconds
        for look in self.on_step:
            look()
