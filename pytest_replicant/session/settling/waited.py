"""What was waited for, one thing after the other, and for how long each: for the trace and for messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...clock import Clock

_SHORTEST = 0.05  # seconds; what prints as 0.0 is not told
_MOST = 6  # what comes and goes all the time


class Waited:
    """``on(what)`` says what is waited for from now on, None that nothing is."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._spans: list[tuple[str, float]] = []
        self._what: str | None = None
        self._since = clock.now()

    def on(self, what: str | None) -> None:
        if what == self._what:
            return
        now = self._clock.now()
        if self._what is not None and now - self._since >= _SHORTEST:
            more = now - self._since
            if self._spans and self._spans[-1][0] == self._what:
                more += self._spans.pop()[1]
            self._spans.append((self._what, more))
        self._what, self._since = what, now

    @property
    def several(self) -> bool:
        """Whether it was more than one thing."""
        return len(self._ended()) > 1

    def told(self) -> str:
        """``disabled 1.2 s, then moving 0.3 s``; "" where nothing was waited for."""
        spans = self._ended()
        shown = [f"{what} {seconds:.1f} s" for what, seconds in spans[:_MOST]]
        more = [f"{len(spans) - _MOST} more"] if len(spans) > _MOST else []
        return ", then ".join(shown + more)

    def _ended(self) -> list[tuple[str, float]]:
        self.on(None)
        return self._spans
