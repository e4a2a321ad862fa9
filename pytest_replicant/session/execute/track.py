"""Setting a value along a track, by touches on it or drags of its thumb."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from ...model import Point
from .control import Control, Line, is_near

Stop = Literal["between", "end", "oscillates", "stuck", "covered"]
"""Why there is nowhere left to touch: the value lies between two that are there, beyond the last one, is not to be
pinned down, never changed, or the part of the track that has it is covered."""
Span = tuple[int, int]
"""First and last position, both included; none where the first is the greater."""


class Search:
    """A secant within a bracket, and bisection where the secant creeps. Positions are whole numbers.

    ``inner`` is the part of the track that is preferred: the rest, under the edges of the screen, is only touched
    where the inner part ends too early. Which way values grow is learnt; until then they grow with the position.
    ``usable`` says of a position whether it can be touched.
    """

    def __init__(
        self,
        to: float,
        start: float,
        track: Span,
        inner: Span | None = None,
        usable: Callable[[int], bool] = lambda position: True,
    ) -> None:
        self._to = to
        self._start = start
        self._whole = track
        self._usable = usable
        self._outer = self._trimmed(track)
        self._track = self._trimmed(inner or track)
        self._sides: list[bool] = []  # of each observation, whether it was above the wanted value
        self._contradicted = False
        self.observed: dict[int, float] = {}
        self.stop: Stop | None = None  # set where next() has none

    def note(self, position: int, value: float) -> None:
        known = self.observed.get(position)
        self._contradicted |= known is not None and not is_near(known, value, 0)
        self.observed[position] = value
        self._sides.append(value > self._to)

    def next(self) -> int | None:
        """The next position to try; None, with ``stop`` set, where none is left that could have the value."""
        if self._is_contradicted():
            self.stop = "oscillates"
            return None
        position = self._best()
        if position is None and self._reach_under_the_edges():
            position = self._best()
        if position is None:
            self.stop = self._reason()
        return position

    @property
    def reacted(self) -> bool:
        return any(not is_near(value, self._start, 0) for value in self.observed.values())

    def _best(self) -> int | None:
        first, last = self._interval()
        if first > last:
            return None
        return self._usable_near(min(max(self._guess(first, last), first), last), first, last)

    def _rises(self) -> bool | None:
        """Whether values grow with the position; None where all that was observed is alike."""
        least = min(self.observed, key=lambda position: self.observed[position], default=0)
        most = max(self.observed, key=lambda position: self.observed[position], default=0)
        if least == most or is_near(self.observed[least], self.observed[most], 0):
            return None
        return least < most

    def _bracket(self) -> tuple[int | None, int | None]:
        """The nearest positions known to be on either side of the wanted value, in the order of positions."""
        below = [position for position, value in self.observed.items() if value < self._to]
        above = [position for position, value in self.observed.items() if value >= self._to]
        before, after = (above, below) if self._rises() is False else (below, above)
        return max(before, default=None), min(after, default=None)

    def _is_contradicted(self) -> bool:
        """One position had two values, or values do not lie in the order of their positions."""
        values = [self.observed[position] for position in sorted(self.observed)]
        return self._contradicted or (values != sorted(values) and values != sorted(values, reverse=True))

    def _interval(self) -> Span:
        """Which positions may have the value."""
        low, high = self._track
        if self._all_alike():
            untried = [end for end in (high, low) if end not in self.observed]
            ends = untried if self._to > self._start else untried[::-1]
            return (ends[0], ends[0]) if ends else (1, 0)
        before, after = self._bracket()
        return (low if before is None else before + 1), (high if after is None else after - 1)

    def _all_alike(self) -> bool:
        """Two touches and no difference: the ends of the track show whether it moves at all, and which way."""
        return len(self.observed) > 1 and self._rises() is None

    def _guess(self, first: int, last: int) -> int:
        before, after = self._bracket()
        middle = (first + last) // 2
        creeps = len(self._sides) > 2 and self._sides[-1] == self._sides[-2]
        if before is not None and after is not None:
            return middle if creeps else round(self._between(before, after))
        if not self.observed:
            return middle
        if creeps:
            return last if before is not None else first
        return self._extrapolated() if len(self.observed) > 1 else self._from_zero(middle)

    def _from_zero(self, otherwise: int) -> int:
        """From one observation, as if the track began at zero, as most do."""
        ((position, value),) = self.observed.items()
        low = self._track[0]
        return low + round((position - low) * self._to / value) if value > 0 else otherwise

    def _between(self, one: int, other: int) -> float:
        low, high = self.observed[one], self.observed[other]
        return one + (self._to - low) / (high - low) * (other - one)

    def _extrapolated(self) -> int:
        """Along the line through the two observations farthest apart."""
        one, other = min(self.observed), max(self.observed)
        slope = (self.observed[other] - self.observed[one]) / (other - one)
        nearest = min(self.observed, key=lambda position: abs(self.observed[position] - self._to))
        return round(nearest + (self._to - self.observed[nearest]) / slope) if slope else self._track[1]

    def _usable_near(self, wanted: int, first: int, last: int) -> int | None:
        for away in range(last - first + 1):
            for position in (wanted - away, wanted + away):
                if first <= position <= last and position not in self.observed and self._usable(position):
                    return position
        return None

    def _trimmed(self, track: Span) -> Span:
        """Without the ends that cannot be touched."""
        low, high = track
        while low <= high and not self._usable(low):
            low += 1
        while high > low and not self._usable(high):
            high -= 1
        return low, high

    def _reach_under_the_edges(self) -> bool:
        """Widens the track, once, where the value is beyond its inner part."""
        before, after = self._bracket()
        if self._track == self._outer or (before is not None and after is not None):
            return False
        self._track = self._outer
        return True

    def _reason(self) -> Stop:
        before, after = self._bracket()
        first, last = self._interval()
        if any(position not in self.observed for position in range(first, last + 1)):
            return "covered"
        if before is None or after is None:
            wanted_end = 1 if before is not None else 0
            if self._outer[wanted_end] != self._whole[wanted_end]:
                return "covered"
            return "end" if self.reacted and not self._all_alike() else "stuck"
        return "between"


MOST_TOUCHES = 24  # a bisection of a screen's width takes eleven
_SLOP_DP = 12  # a finger that moves less has not moved, with a margin
_THUMB_DP = 20  # as small as thumbs are
Move = Callable[["Line", int], None]
"""Brings the finger to a position of the line."""


def tap_track(control: Control, to: float, tolerance: float) -> Stop | None:
    """Touches the track until the value is there. None for that, else why there is nowhere left to touch."""

    def move(line: Line, position: int) -> None:
        control.touch(f"tap at {position} px", _point(line, position))

    return _converge(control, to, tolerance, move)


def drag_thumb(control: Control, to: float, tolerance: float) -> Stop | None:
    """Drags the thumb, for a track that takes no touches."""
    return _converge(control, to, tolerance, _Thumb(control).drag_to)


def _converge(control: Control, to: float, tolerance: float, move: Move) -> Stop | None:
    line = control.line()
    search = _search_of(control, line, to)
    while not is_near(control.value, to, tolerance):
        if len(search.observed) >= MOST_TOUCHES:
            return "oscillates"
        position = search.next()
        if position is None:
            return search.stop
        move(line, position)
        if is_near(control.value, to, tolerance):
            return None
        before, line = line, control.line()
        if line.length != before.length:  # a track of another length has other values
            search = _search_of(control, line, to)
        else:
            search.note(position, control.value)
    return None


def _search_of(control: Control, line: Line, to: float) -> Search:
    start = control.value if control.start is None else control.start
    return Search(to, start, line.whole, line.inner, lambda position: line.point(position) is not None)


class _Thumb:
    """Where the thumb is: unknown until a drag has moved the value, from then on where that drag ended."""

    def __init__(self, control: Control) -> None:
        self._control = control
        self._at: int | None = None
        density = control.action.query.info.density
        self._slop = round(_SLOP_DP * density)
        self._thumb = max(round(_THUMB_DP * density), 1)

    def drag_to(self, line: Line, position: int) -> None:
        if self._at is not None:
            self._drag(line, self._at, position)
            self._at = position
            return
        for grip in self._grips(line):
            before = self._control.value
            self._drag(line, grip, position)
            if not is_near(self._control.value, before, 0):
                self._at = position
                return

    def _grips(self, line: Line) -> list[int]:
        """Where the value says that it is, where the range is known, else all along the track, its ends first and
        what lies under the edges of the screen last."""
        known = self._control.element.value_range
        if known is not None and known.max > known.min:
            share = (self._control.value - known.min) / (known.max - known.min)
            return [line.at_share(min(max(share, 0.0), 1.0))]
        low, high = line.inner
        between = range(low + self._thumb, high, self._thumb)
        everywhere = (low, high, *between, *line.whole)
        return [grip for grip in dict.fromkeys(everywhere) if line.point(grip) is not None]

    def _drag(self, line: Line, start: int, end: int) -> None:
        """A way too short to count as a drag is made in two, by way of a place farther off."""
        if abs(end - start) < self._slop:
            roomy = min(start + 4 * self._slop, line.inner[1])
            away = roomy if roomy - max(start, end) >= self._slop else max(start - 4 * self._slop, line.inner[0])
            self._swipe(line, start, away)
            start, line = away, self._control.line()
        self._swipe(line, start, end)

    def _swipe(self, line: Line, start: int, end: int) -> None:
        self._control.touch(f"drag {start} px to {end} px", _point(line, start), _point(line, end))


def _point(line: Line, position: int) -> Point:
    point = line.point(position)
    assert point is not None, "the search knows the points that can be touched"
    return point
