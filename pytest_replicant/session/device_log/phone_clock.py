"""The phone's clock while a test runs, when a line of its log was written by ours, and the lines
since a moment.

Phones correct their clocks. So the clock is looked at with each action and each reading of the log.
As long as it runs as ours does, that is one *regime*; where it parts from ours, it was set, and
another regime has begun between two looks. A stamp alone is ambiguous then: it has one time by ours
for each regime in which it may be from.
"""

from __future__ import annotations

import calendar
import re
import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from ...drivers import LogMark
from ...logs import LogLine, parse_log

STAMP = re.compile(r"(?:0[1-9]|1[0-2])-\d\d \d\d:\d\d:\d\d\.\d{3}")
STAMP_LETTERS = 18
SECONDS = re.compile(r"\d+(?:\.(\d+))?\Z")
GRAIN = 0.001  # seconds; stamps have no finer one
_ROUNDED = 1e-5  # numbers of so many seconds are not exact
_FREE = 0.02  # seconds; two clocks that no one sets part by no more between two looks,
_DRIFT = 2e-4  # and by this for each second between them
_HALF_A_YEAR = 182 * 86_400.0
_QUARTER = 900.0  # seconds; time zones are apart by a multiple


@dataclass(frozen=True)
class Look:
    """One look at the phone's clock: what it said, and our time before and after it was asked.
    ``seconds`` is the clock since 1970, at least, None if the driver's moments are no seconds;
    ``width`` is how much later it may have been: a ``date`` without fractions tells the second
    alone. ``regime`` is which it belongs to."""

    mark: LogMark
    asked: float
    got: float
    seconds: float | None = None
    width: float = 0.0
    zone: float | None = None  # seconds east of Greenwich, None where the phone does not say
    regime: int = -1


class Moment(NamedTuple):
    """Where a window of the log begins: at our time ``at``, with the look at the phone's clock that
    was taken for it, if one was."""

    at: float
    look: Look | None = None
    action_id: str = ""


@dataclass
class _Regime:
    """The phone's clock was ``low`` to ``high`` seconds ahead of ours on all looks from ``first``
    to ``last``."""

    low: float
    high: float
    first: Look
    last: Look

    @property
    def slack(self) -> float:
        return _FREE + _DRIFT * (self.last.got - self.first.asked)


class Written(NamedTuple):
    """A time by our clock, ``low`` to ``high`` and most likely ``at``, when a line may have been
    written: in this regime."""

    regime: int
    low: float
    high: float
    at: float


class PhoneClock:
    """All looks at a phone's clock in one test."""

    def __init__(self) -> None:
        self._regimes: list[_Regime] = []
        self.zones: list[float] = []  # all that there were, none if the phone does not say
        self.latest: Look | None = None
        self.first: Look | None = None

    @property
    def regimes(self) -> int:
        return len(self._regimes)

    def note(self, mark: LogMark, asked: float, got: float) -> Look:
        """Takes a look into account."""
        look = _look(mark, asked, got)
        if look.seconds is not None:
            if look.zone is not None and look.zone not in self.zones:
                self.zones.append(look.zone)
            look = self._placed(look, look.seconds)
        self.first, self.latest = self.first or look, look
        return look

    def _placed(self, look: Look, seconds: float) -> Look:
        low, high = seconds - look.got, seconds + look.width - look.asked
        for now in self._regimes[-1:]:
            drift = _FREE + _DRIFT * (look.got - now.last.asked)
            for free in (0.0, drift):
                begin, end = max(low, now.low - free), min(high, now.high + free)
                if begin <= end:  # the two have that in common
                    look = replace(look, regime=len(self._regimes) - 1)
                    self._regimes[-1] = _Regime(begin, end, now.first, look)
                    return look
        look = replace(look, regime=len(self._regimes))
        self._regimes.append(_Regime(low, high, look, look))
        return look

    def earliest(self, since: Moment) -> float:
        """The least that the phone's clock can have shown, in seconds since 1970, at any time since
        a moment."""
        shown = [
            max(self._span(index)[0], since.at) + regime.low
            for index, regime in enumerate(self._regimes)
            if self._span(index)[1] >= since.at
        ]
        look = since.look
        if look is not None and look.seconds is not None:
            shown.append(look.seconds)
            if look.zone is not None and STAMP.match(look.mark.last or ""):
                shown.append(self._utc(look.mark.last or "", look.zone))
        return min(shown) - _FREE

    def undated(self, since: Moment) -> bool | None:
        """The same as ``is_after`` of a line without a stamp: what was read begins at the moment,
        by the clock of then."""
        regime = since.look.regime if since.look is not None else 0
        return True if regime >= len(self._regimes) - 1 else None

    def is_after(self, line: str, since: Moment, now: float) -> bool | None:
        """Whether a line was written after a moment, by its stamp alone; None if that cannot be
        known."""
        if not self.zones:
            return self.undated(since)
        before = after = False
        for zone in self.zones:
            stamp = self._utc(line, zone)
            for written in self.times(stamp, now):
                earlier, later = self._sides(stamp, written, since)
                before, after = before or earlier, after or later
        return after if before != after else None

    def _sides(self, stamp: float, written: Written, since: Moment) -> tuple[bool, bool]:
        """Whether a line that was written then may be from before the moment, and from after it."""
        look = since.look
        if look is None or look.seconds is None:
            return written.low < since.at, written.high > since.at
        if written.regime != look.regime:
            return written.regime < look.regime, written.regime > look.regime
        least, most = look.seconds, look.seconds + look.width
        if look.width:
            regime = self._regimes[look.regime]
            least = max(least, look.asked + regime.low - regime.slack)
            most = min(most, look.got + regime.high + regime.slack)
        end = stamp + GRAIN + _ROUNDED
        return end <= most, end > least

    def times(self, stamp: float, now: float) -> Iterator[Written]:
        """All times by our clock at which the phone's can have shown this, in seconds since 1970,
        up to now."""
        for index, regime in enumerate(self._regimes):
            begins, ends = self._span(index)
            low = max(stamp - regime.high - regime.slack, begins)
            high = min(stamp + GRAIN - regime.low + regime.slack, ends, now + _FREE)
            if low <= high:
                yield Written(index, low, high, stamp - (regime.low + regime.high) / 2)

    def line_times(self, line: str, now: float) -> list[float]:
        """The likeliest of these for a line, by regime and zone."""
        return [
            written.at for zone in self.zones for written in self.times(self._utc(line, zone), now)
        ]

    def _span(self, index: int) -> tuple[float, float]:
        """Our times between which the regime began, at the earliest, and ended, at the latest. By
        another time zone each line of this hour is one of another as well: then none is so old."""
        begins = float("-inf")
        if len(self.zones) > 1:
            begins = self._regimes[0].first.asked - _QUARTER / 2
        if index:
            begins = self._regimes[index - 1].last.asked
        return begins, self._regimes[index + 1].first.got if index + 1 < self.regimes else float(
            "inf"
        )

    def _utc(self, line: str, zone: float) -> float:
        """Seconds since 1970 of a line's stamp, in the year that is nearest to the clock's: a log
        has none."""
        assert self.latest is not None
        return _nearest(line, (self.latest.seconds or 0.0) + zone) - zone


def _look(mark: LogMark, asked: float, got: float) -> Look:
    found = SECONDS.match(mark.moment)
    if not found:
        return Look(mark, asked, got)
    whole = re.fullmatch("0{0,3}", found[1] or "") is not None
    seconds = float(mark.moment)
    zone = None
    if mark.local:
        zone = round((_nearest(mark.local, seconds) - seconds) / _QUARTER) * _QUARTER
    return Look(mark, asked, got, seconds, 1.0 if whole else 0.0, zone)


def _nearest(stamp: str, shown: float) -> float:
    """Seconds of a stamp on the calendar that shows so many seconds now."""
    year = time.gmtime(shown).tm_year
    at = _seconds(stamp, year)
    if abs(at - shown) < _HALF_A_YEAR:
        return at
    return _seconds(stamp, year + (1 if at < shown else -1))


def _seconds(stamp: str, year: int) -> float:
    month, day, hour, minute, second = (int(stamp[at : at + 2]) for at in (0, 3, 6, 9, 12))
    rest = float(f"0{stamp[14:STAMP_LETTERS]}") if stamp[14:15] == "." else 0.0
    return calendar.timegm((year, month, day, hour, minute, second)) + rest


KEEPS_ORDER = 31
"""Android's API level from which on logd keeps lines in the order in which they came. Before, it
sorted them by their stamps, up to five seconds back (too_far_back in LogBuffer.cpp)."""
_SECOND = len("MM-DD hh:mm")  # a time zone shifts all that is before it


@dataclass(frozen=True)
class Window:
    """Lines since a moment: ``sure`` are those that were written after it, ``doubtful`` those that
    may have been, ``lines`` both. ``reaches``: whether the line that was the newest then is still
    there; None if it is not known which it was."""

    lines: list[LogLine]
    sure: list[LogLine]
    doubtful: list[LogLine]
    reaches: bool | None

    def of(self, pids: Collection[int]) -> Window:
        """The same lines, of these processes only."""
        lines, sure, doubtful = (
            [one for one in lines if one.pid in pids]
            for lines in (self.lines, self.sure, self.doubtful)
        )
        return Window(lines, sure, doubtful, self.reaches)


@dataclass
class Reading:
    """Lines in the order of the log. The windows in it begin at one of ``moments``, by its index,
    or at ``began``, by -1. ``api`` is the phone's level, where it has one; ``now`` is our time."""

    lines: Sequence[str]
    clock: PhoneClock
    moments: Sequence[Moment]
    began: Moment
    now: float
    api: int | None
    _borders: dict[int, tuple[int, int]] = field(default_factory=dict)

    def window(self, index: int, until: int | None = None) -> Window:
        """Lines since a moment, and before the moment ``until`` if one is given."""
        every, sure, doubtful = list[str](), list[str](), list[str]()
        for at, line in enumerate(self.lines):
            after = self.is_after(at, index)
            beyond = until is not None and self.is_after(at, until)
            if after is False or beyond:
                continue
            every.append(line)
            (doubtful if None in (after, beyond) else sure).append(line)
        lines = parse_log(every)
        parsed = parse_log(sure) if doubtful else lines
        return Window(lines, parsed, parse_log(doubtful), self.reaches(index))

    def reaches(self, index: int) -> bool | None:
        if index < 0 or not _newest_at(self.moments[index]):
            return None
        return self._newest[index] is not None

    def is_after(self, at: int, index: int) -> bool | None:
        """Whether the line at that place was written after the moment; None if that cannot be
        known.

        What stands behind a line that was there already is newer than that. What stands before it
        is older, unless the phone sorts its log: then a line may have got there that was stamped
        after the clock was set back.
        """
        before, after = self._border(index)
        if at > after:
            return True
        if at == before or (at < before and (self.api or 0) >= KEEPS_ORDER):
            return False
        while at >= 0 and not STAMP.match(self.lines[at]):
            at -= 1
        since = self._since(index)
        if at < 0:
            return self.clock.undated(since)
        by_stamp = self.clock.is_after(self.lines[at][:STAMP_LETTERS], since, self.now)
        return None if by_stamp and at < before else by_stamp

    def is_line_after(self, line: str, index: int) -> bool | None:
        """The same of a line that was read in another way."""
        at = self.place_of(line)
        return self.clock.undated(self._since(index)) if at is None else self.is_after(at, index)

    def place_of(self, line: str) -> int | None:
        """Where it is; the last place, if it was written twice."""
        for at in reversed(range(len(self.lines))):
            if self.lines[at].rstrip() == line.rstrip():
                return at
        return None

    def _since(self, index: int) -> Moment:
        return self.moments[index] if index >= 0 else self.began

    def _border(self, index: int) -> tuple[int, int]:
        """The place up to which all lines are older than the moment, as far as they are in order,
        and the place behind which they are newer."""
        if index not in self._borders:
            older = [places[0] for places in self._newest[: index + 1] if places is not None]
            newer = [places[1] for places in self._newest[max(index, 0) :] if places is not None]
            self._borders[index] = max(older, default=-1), min(newer, default=len(self.lines))
        return self._borders[index]

    @cached_property
    def _newest(self) -> list[tuple[int, int] | None]:
        """By moment, the first and the last place of the line that was the newest then, since the
        same line may be written twice; before all lines, where there was none."""
        begin = _SECOND if len(self.clock.zones) > 1 else 0
        wanted = {said[begin:] for one in self.moments if (said := _newest_at(one))}
        found: dict[str, tuple[int, int]] = {}
        for at, line in enumerate(self.lines):
            said = line[begin:]
            if said in wanted:
                found[said] = found.get(said, (at, at))[0], at
        return [
            None if said is None else found.get(said[begin:]) if said else (-1, -1)
            for said in map(_newest_at, self.moments)
        ]


def _newest_at(moment: Moment) -> str | None:
    return moment.look.mark.last if moment.look is not None else None
