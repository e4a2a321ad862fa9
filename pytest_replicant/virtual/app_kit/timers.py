"""``Timers``: callbacks due later on the phone's clock. Nothing runs by itself; a caller must
poll."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field

MOST_AT_ONCE = 10_000  # an app that re-arms for ever after a long pause must not hold the phone


@dataclass(order=True)
class Timer:
    """``due`` is in seconds on the phone's clock; ``number`` keeps timers of one moment in
    order."""

    due: float
    number: int
    callback: Callable[[], object] = field(compare=False)
    owner: object = field(compare=False, default=None)
    cancelled: bool = field(compare=False, default=False)

    def cancel(self) -> None:
        self.cancelled = True


class Timers:
    """Runs due timers in order, each at its own time: a timer that a timer sets counts from that
    time."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._queue: list[Timer] = []
        self._numbers = 0
        self._running_at: float | None = None

    @property
    def now(self) -> float:
        return self._clock() if self._running_at is None else self._running_at

    def after(self, ms: int, callback: Callable[[], object], owner: object = None) -> Timer:
        """``ms`` of 0 is counted as 1: a timer never runs within the call that sets it."""
        timer = Timer(self.now + max(ms, 1) / 1000, self._numbers, callback, owner)
        self._numbers += 1
        heapq.heappush(self._queue, timer)
        return timer

    def cancel_all(self, owner: object) -> None:
        self._queue = [timer for timer in self._queue if timer.owner is not owner]
        heapq.heapify(self._queue)

    def run_due(self, run: Callable[[Timer], object]) -> None:
        """Hands every timer that is due to ``run``."""
        if self._running_at is not None:
            return
        now = self._clock()
        for _ in range(MOST_AT_ONCE):
            if not self._queue or self._queue[0].due > now:
                return
            timer = heapq.heappop(self._queue)
            if timer.cancelled:
                continue
            self._running_at = timer.due
            try:
                run(timer)
            finally:
                self._running_at = None

    def next_due(self) -> float | None:
        """When the next timer is due, on the phone's clock; None for never."""
        return self._queue[0].due if self._queue else None
