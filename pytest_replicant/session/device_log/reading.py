"""What was read of the phone's log, and which of its lines were written after a moment of the test."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ...logs import LogLine, parse_log
from .phone_clock import STAMP, STAMP_LETTERS, Moment, PhoneClock, apart

KEEPS_ORDER = 31
"""Android's API level from which on logd keeps lines in the order in which they came. Before, it sorted them by
their stamps, up to ``SORTED`` seconds back (too_far_back in LogBuffer.cpp)."""
SORTED = 5.0
_SECOND = len("MM-DD hh:mm")  # a time zone shifts all that is before it


@dataclass(frozen=True)
class Window:
    """Lines since a moment: ``sure`` are those that were written after it, ``doubtful`` those that may have been,
    ``lines`` both. ``reaches``: whether the line that was the newest then is still there; None where it is not
    known which it was."""

    lines: list[LogLine]
    sure: list[LogLine]
    doubtful: list[LogLine]
    reaches: bool | None

    def of(self, pids: Collection[int]) -> Window:
        """The same lines, of these processes only."""
        lines, sure, doubtful = (
            [one for one in lines if one.pid in pids] for lines in (self.lines, self.sure, self.doubtful)
        )
        return Window(lines, sure, doubtful, self.reaches)


class Reading:
    """Lines in the order of the log. The windows in it begin at one of ``moments``, by its index, or at
    ``began``, by -1. ``api`` is the phone's level, where it has one; ``now`` is our time."""

    def __init__(
        self,
        lines: Sequence[str],
        clock: PhoneClock,
        moments: Sequence[Moment],
        began: Moment,
        *,
        now: float,
        api: int | None,
    ) -> None:
        self.lines = lines
        self._clock = clock
        self._moments = moments
        self._began = began
        self._now = now
        self._in_order = api >= KEEPS_ORDER if api is not None else _is_unsorted(lines)
        self._from = _SECOND if clock.zones > 1 else 0
        self._newest = self._places()
        self._borders: dict[int, tuple[int, int]] = {}

    def window(self, index: int, until: int | None = None) -> Window:
        """Lines since a moment, and before the moment ``until`` where one is given."""
        verdicts = [self.is_after(at, index) for at in range(len(self.lines))]
        if until is not None:
            later = [self.is_after(at, until) for at in range(len(self.lines))]
            verdicts = [
                False if after is False or beyond else None if beyond is None else after
                for after, beyond in zip(verdicts, later, strict=True)
            ]
        judged = list(zip(self.lines, verdicts, strict=True))
        lines = parse_log([line for line, after in judged if after is not False])
        doubtful = parse_log([line for line, after in judged if after is None])
        sure = parse_log([line for line, after in judged if after]) if doubtful else lines
        return Window(lines, sure, doubtful, self.reaches(index))

    def reaches(self, index: int) -> bool | None:
        if index < 0 or not _newest_at(self._moments[index]):
            return None
        return self._newest[index] is not None

    def is_after(self, at: int, index: int) -> bool | None:
        """Whether the line at that place was written after the moment; None where that cannot be known.

        What stands behind a line that was there already is newer than that. What stands before it is older, unless
        the phone sorts its log: then a line may have got there that was stamped after the clock was set back.
        """
        before, after = self._border(index)
        if at > after:
            return True
        if at == before or (at < before and self._in_order):
            return False
        while at >= 0 and not STAMP.match(self.lines[at]):
            at -= 1
        since = self._since(index)
        if at < 0:
            return self._clock.undated(since)
        by_stamp = self._clock.is_after(self.lines[at][:STAMP_LETTERS], since, self._now)
        return None if by_stamp and at < before else by_stamp

    def has(self, line: str) -> bool:
        """Whether a line that was read in another way is among these."""
        return self._place(line) is not None

    def is_line_after(self, line: str, index: int) -> bool | None:
        """The same of such a line; the last one, where it was written twice."""
        at = self._place(line)
        return self._clock.undated(self._since(index)) if at is None else self.is_after(at, index)

    def _place(self, line: str) -> int | None:
        found = [at for at, one in enumerate(self.lines) if one.rstrip() == line.rstrip()]
        return found[-1] if found else None

    def _since(self, index: int) -> Moment:
        return self._moments[index] if index >= 0 else self._began

    def _border(self, index: int) -> tuple[int, int]:
        """The place up to which all lines are older than the moment, as far as they are in order, and the place
        behind which they are newer."""
        if index not in self._borders:
            older = [places[0] for places in self._newest[: index + 1] if places is not None]
            newer = [places[1] for places in self._newest[max(index, 0) :] if places is not None]
            self._borders[index] = max(older, default=-1), min(newer, default=len(self.lines))
        return self._borders[index]

    def _places(self) -> list[tuple[int, int] | None]:
        """By moment, the first and the last place of the line that was the newest then, since the same line may be
        written twice; before all lines, where there was none."""
        wanted = {said[self._from :] for one in self._moments if (said := _newest_at(one))}
        found: dict[str, tuple[int, int]] = {}
        for at, line in enumerate(self.lines):
            said = line[self._from :]
            if said in wanted:
                found[said] = found.get(said, (at, at))[0], at
        return [
            None if said is None else found.get(said[self._from :]) if said else (-1, -1)
            for said in map(_newest_at, self._moments)
        ]


def _newest_at(moment: Moment) -> str | None:
    return moment.look.mark.last if moment.look is not None else None


def _is_unsorted(lines: Sequence[str]) -> bool:
    """Whether a line has an earlier stamp than the one above it, by so little that a phone that sorts would have
    put it there."""
    stamps = [line[:STAMP_LETTERS] for line in lines if STAMP.match(line)]
    return any(later < earlier and apart(later, earlier) < SORTED - 1 for earlier, later in pairwise(stamps))
