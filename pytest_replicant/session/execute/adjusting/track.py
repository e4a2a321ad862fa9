"""Along a track: touches on it, or its thumb dragged, by what each of them made of the value."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from .numbers import is_near
from .search import Search, Stop

if TYPE_CHECKING:
    from ....model import Point
    from .control import Control, Line

MOST_TOUCHES = 24  # a bisection of a screen's width takes eleven
_SLOP_DP = 12  # a finger that moves less has not moved, with a margin
_THUMB_DP = 20  # as small as thumbs are
Move = Callable[["Line", int], None]
"""Brings the finger to a position of the line."""


def tap_track(control: Control, to: float, tolerance: float) -> Stop | None:
    """Touches the track until the value is there. None for that, else why there is nowhere left to touch."""

    def move(line: Line, position: int) -> None:
        control.tap(_point(line, position), f"tap at {position} px")

    return _converge(control, to, tolerance, move)


def drag_thumb(control: Control, to: float, tolerance: float) -> Stop | None:
    """Drags the thumb, for a track that takes no touches."""
    return _converge(control, to, tolerance, _Thumb(control).drag_to)


def _converge(control: Control, to: float, tolerance: float, move: Move) -> Stop | None:
    line = control.line()
    search = _search(control, line, to)
    while not is_near(control.value, to, tolerance):
        if len(search.observed) >= MOST_TOUCHES:
            return "oscillates"
        position = search.next()
        if position is None:
            return search.stop
        move(line, position)
        before, line = line, control.line()
        if line.length != before.length:  # a track of another length has other values
            search = _search(control, line, to)
        else:
            search.note(position, control.value)
    return None


def _search(control: Control, line: Line, to: float) -> Search:
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
            start = away
        self._swipe(line, start, end)

    def _swipe(self, line: Line, start: int, end: int) -> None:
        self._control.swipe(_point(line, start), _point(line, end), f"drag {start} px to {end} px")


def _point(line: Line, position: int) -> Point:
    point = line.point(position)
    assert point is not None, "the search was told what can be touched"
    return point
