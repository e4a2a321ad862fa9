"""Controls that an app draws by itself: no buttons, no known class, only a number that is told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ...aiming.reachable import not_interactable
from .levers import Stepper, press_until
from .track import drag_thumb, tap_track

if TYPE_CHECKING:
    from ....model import Point
    from .control import Control, Line
    from .search import Stop

_LESS, _MORE = 0.25, 0.75  # of its long side: the middle of each half
_NEAR_END, _FAR_END = 0.2, 0.8
Levers = Callable[[], Sequence[Stepper]]


def tap_halves(control: Control, to: float, tolerance: float) -> Stop | None:
    """Touches the half for more, or for less. Where touching the same place again does no more, the place itself
    has a value: then it is a track."""
    stop = press_until(control, lambda: _halves(control), to, tolerance)
    is_track = stop is not None and _is_track(control, lambda: _halves(control))
    return tap_track(control, to, tolerance) if is_track else stop


def swipe_inside(control: Control, to: float, tolerance: float) -> Stop | None:
    """Swipes along it, one way for more and the other for less; where it is the end of the swipe that counts, to
    the place that has the value."""
    stop = press_until(control, lambda: _swipes(control), to, tolerance)
    is_track = stop is not None and _is_track(control, lambda: _swipes(control))
    return drag_thumb(control, to, tolerance) if is_track else stop


def _is_track(control: Control, levers: Levers) -> bool:
    """Whether one gesture leads to one value, wherever it began: a step leads on. Tried once more to see, where no
    gesture was made twice."""
    if not control.reacted:
        return False
    made = [reading.gesture for reading in control.series]
    if len(set(made)) == len(made):
        next(lever for lever in levers() if lever.key == made[-1]).press()
    values = [control.start, *(reading.value for reading in control.series)]
    led_to: dict[str, tuple[float | None, float | None]] = {}  # by gesture: from where, to where
    for reading, before in zip(control.series, values, strict=False):
        known = led_to.setdefault(reading.gesture, (before, reading.value))
        if known[0] != before:
            return known[1] == reading.value
    return False


def _halves(control: Control) -> list[Stepper]:
    line = control.line()
    less, more = ("left half", "right half") if line.lies else ("lower half", "upper half")
    return [_half(control, line, -1, _LESS, less), _half(control, line, 1, _MORE, more)]


def _half(control: Control, line: Line, hint: int, share: float, name: str) -> Stepper:
    told = f"tap on the {name}"
    return Stepper(told, hint, lambda: control.tap(_point(control, line, share), told))


def _swipes(control: Control) -> list[Stepper]:
    line = control.line()
    return [
        _swiped(control, line, -1, _FAR_END, _NEAR_END),
        _swiped(control, line, 1, _NEAR_END, _FAR_END),
    ]


def _swiped(control: Control, line: Line, hint: int, start: float, end: float) -> Stepper:
    told = f"swipe from {start:.0%} to {end:.0%}"

    def press() -> None:
        control.swipe(_point(control, line, start), _point(control, line, end), told)

    return Stepper(told, hint, press)


def _point(control: Control, line: Line, share: float) -> Point:
    point = line.point(line.at_share(share))
    if point is None:
        raise not_interactable(control.snapshot, control.element, "a part of it is covered")
    return point
