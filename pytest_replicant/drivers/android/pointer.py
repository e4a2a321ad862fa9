"""Touches. Each is sent once; one that may have happened is never repeated."""

from __future__ import annotations

import time

from ...errors import ProtocolError, UsageError, is_told
from ...model.geometry import Point, Rect
from .adb import CALL_LIMIT
from .role import Role

__tracebackhide__ = is_told

STEPS_A_SECOND = 200  # uiautomator moves the finger once in 5 ms
LONGEST_GESTURE = 60.0
_FEWEST_STEPS = 2  # one step is no swipe
# Android takes two taps for a double tap only where at least 40 ms and at most 300 ms lie between them. A
# call takes less than that on a cable, so this pause is part of the gesture.
_BETWEEN_TAPS = 0.06
CLOSEST = 48  # pixels between two fingers; nearer, the screen takes them for one
_ANYTHING = {"mask": 0x20, "childOrSibling": [], "childOrSiblingSelector": [], "classNameMatches": ".*"}


class AndroidPointer(Role):
    def tap(self, point: Point) -> None:
        self._touch("click", point.x, point.y)

    def double_tap(self, point: Point) -> None:
        self.tap(point)
        time.sleep(_BETWEEN_TAPS)
        self.tap(point)

    def long_press(self, point: Point, seconds: float) -> None:
        self._touch("click", point.x, point.y, round(_checked(seconds) * 1000), seconds=seconds)

    def swipe(self, start: Point, end: Point, seconds: float) -> None:
        self._touch("swipe", start.x, start.y, end.x, end.y, _steps(seconds), seconds=seconds)

    def drag(self, start: Point, end: Point, seconds: float) -> None:
        self._touch("drag", start.x, start.y, end.x, end.y, _steps(seconds), seconds=seconds)

    def pinch(self, area: Rect, scale: float, seconds: float) -> None:
        """The fingers move along the longer side of ``area``, a tenth of it away from the edges."""
        (first, second), (first_end, second_end) = fingers(area, scale)
        # The server wants an object, and asks nothing of it.
        points = [{"x": point.x, "y": point.y} for point in (first, second, first_end, second_end)]
        steps = _steps(seconds)
        if self._link.send("gesture", _ANYTHING, *points, steps, seconds=CALL_LIMIT + seconds) is False:
            raise ProtocolError(
                f"pinch in {area} on {self._link.serial}: the phone did not take the gesture.",
                exchange="gesture → false",
                device=self._link.serial,
            )

    def _touch(self, method: str, *numbers: int, seconds: float = 0.0) -> None:
        if self._link.send(method, *numbers, seconds=CALL_LIMIT + seconds) is False:
            raise ProtocolError(
                f"{method}{numbers} on {self._link.serial}: the phone did not take the touch. Is the point "
                "on the screen? Some makers also ask for 'USB debugging (Security settings)' to be on.",
                exchange=f"{method}{numbers} → false",
                device=self._link.serial,
            )


def fingers(area: Rect, scale: float) -> tuple[tuple[Point, Point], tuple[Point, Point]]:
    """Where two fingers begin, and where they end. Raises ``UsageError`` where they would come too near."""
    if not 0 < scale < float("inf") or scale == 1:
        raise UsageError(f"a pinch of scale {scale}; above 1 zooms in, between 0 and 1 out. Nothing was touched.")
    longest = max(area.width, area.height) * 4 // 5
    shortest = round(longest / max(scale, 1 / scale))
    if shortest < CLOSEST:
        raise UsageError(
            f"a pinch of scale {scale:g} in {area}: the fingers would be {shortest} pixels apart, and {CLOSEST} "
            "is the least. Give a larger area, or pinch several times. Nothing was touched."
        )
    wide, narrow = _pair(area, longest), _pair(area, shortest)
    return (narrow, wide) if scale > 1 else (wide, narrow)


def _pair(area: Rect, apart: int) -> tuple[Point, Point]:
    middle, half = area.center, apart // 2
    if area.width >= area.height:
        return Point(middle.x - half, middle.y), Point(middle.x + half, middle.y)
    return Point(middle.x, middle.y - half), Point(middle.x, middle.y + half)


def _steps(seconds: float) -> int:
    return max(_FEWEST_STEPS, round(_checked(seconds) * STEPS_A_SECOND))


def _checked(seconds: float) -> float:
    if not 0 <= seconds <= LONGEST_GESTURE:
        raise UsageError(f"a gesture of {seconds} s; give 0 to {LONGEST_GESTURE:g} seconds. Nothing was touched.")
    return seconds
