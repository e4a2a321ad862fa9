"""``Track``: a tape with the place that a replay has come to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .recording import EPOCH
from .tape import PHASE, STEP, TICKS, Entry


@dataclass
class Track:
    """A tape with the place that the replay has come to: ``at`` is the last entry that was served, ``moved`` the
    seconds by which the replay is later than the recording."""

    entries: Sequence[Entry]
    at: int = 0
    moved: float = 0.0
    latest: int = 0  # the last call that was served, by its place
    begins: bool = False  # with the first call, whenever that comes

    def time(self, ticks: int) -> float:
        return EPOCH + self.moved + ticks / TICKS

    def go(self, place: int) -> None:
        """Goes on from that entry."""
        self.at = place

    def serve(self, place: int) -> None:
        """That call was asked for, and is served."""
        self.at = self.latest = place

    def begin(self, now: float, place: int) -> None:
        """The first call is asked for now, if it is the first one."""
        if self.begins:
            self.begins, self.moved = False, now - EPOCH - self.entries[place].asked / TICKS

    def be_late(self, seconds: float) -> None:
        """The replay is later than the recording by that much more."""
        self.moved += max(seconds, 0.0)

    def limit(self) -> int:
        """Where the next call that may change a phone, or the next phase, stands."""
        return self._next(lambda one: one.method == PHASE or one.is_send)

    def phase_end(self) -> int:
        return self._next(lambda one: one.method == PHASE)

    def next_call(self) -> int:
        return self._next(lambda one: one.method != STEP)

    def _next(self, wanted: Callable[[Entry], bool]) -> int:
        """The place of the next such entry, or the end."""
        places = range(self.at + 1, len(self.entries))
        return next((one for one in places if wanted(self.entries[one])), len(self.entries))

    def sends_left(self) -> list[int]:
        """Those of this phase that no one has asked for."""
        return [one for one in range(self.at + 1, self.phase_end()) if self.entries[one].is_send]

    def episode(self) -> int:
        """The place of the last call that may have changed a phone, or of the beginning."""
        for place in range(self.at, 0, -1):
            if self.entries[place].method == PHASE or self.entries[place].is_send:
                return place
        return 0

    def title_of(self, place: int) -> str:
        """Of the step that a call belongs to."""
        for each in range(place, -1, -1):
            if self.entries[each].method == STEP:
                return str(self.entries[each].args[1])
            if self.entries[each].method == PHASE:
                break
        return ""
