"""Touches. Each is sent once; one that may have happened is never repeated."""

from __future__ import annotations

import time

from ...errors import ProtocolError
from ...model import Point, Rect
from ..gestures import checked_length, fingers
from .adb import CALL_LIMIT
from .role import Role

STEPS_A_SECOND = 200  # uiautomator moves the finger once in 5 ms
_FEWEST_STEPS = 2  # one step is no swipe
# Android takes two taps for a double tap only where at least 40 ms and at most 300 ms lie between them. A
# call takes less than that on a cable, so this pause is part of the gesture.
_BETWEEN_TAPS = 0.06
_ANYTHING = {"mask": 0x20, "childOrSibling": [], "childOrSiblingSelector": [], "classNameMatches": ".*"}


class AndroidPointer(Role):
    def tap(self, point: Point) -> None:
        self._touch("click", point.x, point.y)

    def double_tap(self, point: Point) -> None:
        self.tap(point)
        time.sleep(_BETWEEN_TAPS)
        self.tap(point)

    def long_press(self, point: Point, seconds: float) -> None:
        self._touch("click", point.x, point.y, round(checked_length(seconds) * 1000), seconds=seconds)

    def swipe(self, start: Point, end: Point, seconds: float) -> None:
        self._touch("swipe", start.x, start.y, end.x, end.y, _steps(seconds), seconds=seconds)

    def drag(self, start: Point, end: Point, seconds: float) -> None:
        self._touch("drag", start.x, start.y, end.x, end.y, _steps(seconds), seconds=seconds)

    def pinch(self, area: Rect, scale: float, seconds: float) -> None:
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


def _steps(seconds: float) -> int:
    return max(_FEWEST_STEPS, round(checked_length(seconds) * STEPS_A_SECOND))
