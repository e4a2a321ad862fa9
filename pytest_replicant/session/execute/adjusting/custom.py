"""Controls that an app draws by itself: no buttons, no known class, only a number that is told."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
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
    return tap_track(control, to, tolerance) if stop is not None and _is_track(control) else stop


def swipe_inside(control: Control, to: float, tolerance: float) -> Stop | None:
    """Swipes along it, one way for more and the other for less."""
    return press_until(control, lambda: _swipes(control), to, tolerance)


def _is_track(control: Control) -> bool:
    """Steps are alike in both directions, or are taken again by the same touch; of a track neither is so."""
    if not control.reacted:
        return False
    values = [control.start, *(reading.value for reading in control.series)]
    moves = [0.0 if now is None or before is None else now - before for before, now in pairwise(values)]
    told = [reading.gesture for reading in control.series]
    again = [move for move, (before, now) in zip(moves[1:], pairwise(told), strict=True) if before == now]
    if again:
        return not again[0] and bool(moves[0])
    if len({abs(move) for move in moves}) < len(moves):
        return False
    line, before = control.line(), control.value
    share, name = next((share, name) for share, name in _names(line) if told[-1].endswith(name))
    _tap(control, line, share, name)
    return control.value == before


def _names(line: Line) -> tuple[tuple[float, str], tuple[float, str]]:
    return (
        ((_LESS, "left half"), (_MORE, "right half"))
        if line.lies
        else ((_LESS, "lower half"), (_MORE, "upper half"))
    )


def _halves(control: Control) -> list[Lever]:
    line = control.line()

    def press(share: float, told: str) -> Callable[[], None]:
        return lambda: _tap(control, line, share, told)

    less, more = _names(line)
    return [Lever("less", -1, press(*less)), Lever("more", 1, press(*more))]


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
