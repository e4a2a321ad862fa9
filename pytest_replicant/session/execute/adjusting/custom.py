"""Controls that an app draws by itself: no buttons, no known class, only a number that is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ....errors import is_told
from ...reachable import not_interactable
from .levers import Lever, press_until
from .track import tap_track

if TYPE_CHECKING:
    from .control import Control, Line
    from .search import Stop

__tracebackhide__ = is_told

_LESS, _MORE = 0.25, 0.75  # of its long side
_NEAR_END, _FAR_END = 0.2, 0.8


def tap_halves(control: Control, to: float, tolerance: float) -> Stop | None:
    """Touches the half for more, or for less. Where touching the same place again does no more, the place itself
    has a value: then it is a track."""
    stop = press_until(control, lambda: _halves(control), to, tolerance)
    moved = [now.value != before for now, before in zip(control.series, _values(control), strict=False)]
    is_track = len(moved) > 1 and moved[0] and not moved[1]
    return tap_track(control, to, tolerance) if stop is not None and is_track else stop


def swipe_inside(control: Control, to: float, tolerance: float) -> Stop | None:
    """Swipes along it, one way for more and the other for less."""
    return press_until(control, lambda: _swipes(control), to, tolerance)


def _values(control: Control) -> list[float | None]:
    return [control.start, *(reading.value for reading in control.series)]


def _halves(control: Control) -> list[Lever]:
    line = control.line()

    def press(share: float, told: str) -> Callable[[], None]:
        return lambda: _tap(control, line, share, told)

    upper = ("right half", "left half") if line.lies else ("upper half", "lower half")
    return [Lever("less", -1, press(_LESS, upper[1])), Lever("more", 1, press(_MORE, upper[0]))]


def _swipes(control: Control) -> list[Lever]:
    line = control.line()

    def press(start: float, end: float) -> Callable[[], None]:
        return lambda: _swipe(control, line, start, end)

    return [
        Lever("back", -1, press(_FAR_END, _NEAR_END)),
        Lever("forth", 1, press(_NEAR_END, _FAR_END)),
    ]


def _tap(control: Control, line: Line, share: float, told: str) -> None:
    point = line.point(line.at_share(share))
    if point is None:
        raise not_interactable(control.snapshot, control.element, f"its {told} is covered")
    control.tap(point, f"tap on the {told}")


def _swipe(control: Control, line: Line, start: float, end: float) -> None:
    points = [line.point(line.at_share(share)) for share in (start, end)]
    if points[0] is None or points[1] is None:
        raise not_interactable(control.snapshot, control.element, "a part of it is covered")
    control.swipe(points[0], points[1], f"swipe {start:.0%} to {end:.0%}")
