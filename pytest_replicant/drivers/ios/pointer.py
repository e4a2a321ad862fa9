"""Touches. Each is sent once; one that may have happened is never repeated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...errors import UsageError
from ...model import Point, Rect
from ..checks import checked_length, fingers
from .answers import Refused
from .link import CALL_LIMIT
from .screen import Role

Place = Mapping[str, float]


def stroke(
    start: Place, end: Place, seconds: float, *, hold: float = 0.0, rest: float = 0.0
) -> list[dict[str, Any]]:
    """Down at ``start``, still for ``hold``, to ``end`` within ``seconds``, still for ``rest``, up."""
    steps: list[dict[str, Any]] = [
        {"type": "pointerMove", "duration": 0, **start},
        {"type": "pointerDown", "button": 0},
    ]
    if hold:
        steps.append(_pause(hold))
    steps.append({"type": "pointerMove", "duration": _milliseconds(seconds), **end})
    if rest:
        steps.append(_pause(rest))
    return [*steps, {"type": "pointerUp", "button": 0}]


def fingers_doing(*strokes: list[dict[str, Any]]) -> dict[str, Any]:
    """Body of the request: a finger for each stroke, all at once."""
    return {
        "actions": [
            {
                "type": "pointer",
                "id": f"finger{number}",
                "parameters": {"pointerType": "touch"},
                "actions": steps,
            }
            for number, steps in enumerate(strokes, 1)
        ]
    }


def _pause(seconds: float) -> dict[str, Any]:
    return {"type": "pause", "duration": _milliseconds(seconds)}


def _milliseconds(seconds: float) -> int:
    return max(round(seconds * 1000), 1)


LIFT_SECONDS = 0.6  # iOS takes what lies under a finger off the screen after half a second
REST_SECONDS = 0.1  # a finger that is lifted while it moves throws what it holds


class IosPointer(Role):
    _taps_by = "wda/tap"

    def tap(self, point: Point) -> None:
        place = self._place(point)
        try:
            self._link.post(self._taps_by, place)
        except Refused as refused:
            if not refused.is_unknown_call or self._taps_by != "wda/tap":
                raise
            self._taps_by = "wda/tap/0"  # before 2024; nothing was touched at the address that it does not know
            self._link.post(self._taps_by, place)

    def double_tap(self, point: Point) -> None:
        self._link.post("wda/doubleTap", self._place(point))

    def long_press(self, point: Point, seconds: float) -> None:
        body = {**self._place(point), "duration": checked_length(seconds)}
        self._link.post("wda/touchAndHold", body, seconds=CALL_LIMIT + seconds)

    def swipe(self, start: Point, end: Point, seconds: float) -> None:
        """In W3C's words: the ``duration`` of WebDriverAgent's own drag is how long it presses before."""
        checked_length(seconds)
        self._gesture(stroke(self._place(start), self._place(end), seconds), seconds=seconds)

    def drag(self, start: Point, end: Point, seconds: float) -> None:
        """Holds the finger still first, until the element under it is lifted."""
        checked_length(seconds)
        path = stroke(self._place(start), self._place(end), seconds, hold=LIFT_SECONDS, rest=REST_SECONDS)
        self._gesture(path, seconds=seconds + LIFT_SECONDS + REST_SECONDS)

    def pinch(self, area: Rect, scale: float, seconds: float) -> None:
        checked_length(seconds)
        begin, end = fingers(area, scale)
        paths = [
            stroke(self._place(first), self._place(last), seconds) for first, last in zip(begin, end, strict=True)
        ]
        self._gesture(*paths, seconds=seconds)

    def _gesture(self, *paths: list[dict[str, Any]], seconds: float) -> None:
        self._link.post("actions", fingers_doing(*paths), seconds=CALL_LIMIT + seconds)

    def _place(self, point: Point) -> dict[str, float]:
        """In points. Raises ``UsageError`` off the screen: WebDriverAgent would touch nothing there, and not
        report it."""
        if not self._screen.shows(point):
            self._look_how_large()  # it may have been turned
        if not self._screen.shows(point):
            size = self._screen.size
            raise UsageError(
                f"a touch at ({point.x}, {point.y}) on {self._link.name}: the screen has {size} pixels. "
                "Nothing was touched."
            )
        return self._screen.in_points(point)
