"""Jobs of several threads for the one that owns the phone: one at a time, in their order."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from ...clock import Clock
from ...errors import ReplicantError

TICK_SECONDS = 0.5  # between two looks at the clock
Result = TypeVar("Result")


class Ended(ReplicantError):
    """The inspector ends, and nothing more is done."""


class Busy(ReplicantError):
    """Another job runs, and this one was not to wait."""


@dataclass(eq=False)
class _Turn:
    job: Callable[[], Any]
    future: Future[Any] = field(default_factory=Future)


class Turns:
    """``run`` belongs to the thread that owns the phone, ``ask`` and ``end`` to any other."""

    def __init__(self, clock: Clock, idle_seconds: float) -> None:
        self._clock, self._idle_seconds = clock, idle_seconds
        self._waiting: SimpleQueue[_Turn | None] = SimpleQueue()
        self._used_at = clock.now()
        self._lock = threading.Lock()
        self._asked = 0  # jobs that wait or run
        self._ending = self._over = False
        self.was_idle = False

    def ask(self, job: Callable[[], Result], *, counts: bool = True, waits: bool = True) -> Result:
        """The result of the job, which raises here what it raises. A job that does not count leaves the inspector
        idle. Raises ``Busy`` where others are before it and it does not wait, and ``Ended``."""
        turn = _Turn(job)
        with self._lock:
            if self._over or self._ending:
                raise Ended("the inspector has ended. Next: start it again")
            if self._asked and not waits:
                raise Busy("the phone is busy")
            self._asked += 1
            self._waiting.put(turn)
        try:
            result: Result = turn.future.result()
            return result
        finally:
            with self._lock:
                self._asked -= 1
            if counts:
                self.touch()

    def touch(self) -> None:
        """Someone is there: it is not idle."""
        self._used_at = self._clock.now()

    def end(self) -> None:
        """No further job is begun."""
        self._ending = True
        self._waiting.put(None)  # wakes it

    def run(self) -> None:
        """Does the jobs until ``end``, Ctrl-C, or none that counts for the idle seconds."""
        try:
            while not self._ending:
                with suppress(Empty):
                    self._do(self._waiting.get(timeout=TICK_SECONDS))
                if not self._asked and self._clock.now() - self._used_at >= self._idle_seconds:
                    self._ending = self.was_idle = True
        except KeyboardInterrupt:
            pass
        finally:
            self._dismiss()

    def _do(self, turn: _Turn | None) -> None:
        if turn is None or self._ending:
            self._waiting.put(turn)  # for whoever dismisses it
            return
        try:
            result = turn.job()
        except KeyboardInterrupt:
            turn.future.set_exception(Ended("cut short, as the inspector ends"))
            raise
        except BaseException as error:
            turn.future.set_exception(error)
        else:
            turn.future.set_result(result)

    def _dismiss(self) -> None:
        with self._lock:
            self._over = True
        with suppress(Empty):
            while True:
                if (turn := self._waiting.get_nowait()) is not None:
                    turn.future.set_exception(Ended("the inspector has ended"))
