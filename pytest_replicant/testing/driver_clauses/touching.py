"""Clauses about touches and keys. What they change is the app's business; that they go through is the driver's."""

from __future__ import annotations

from functools import partial
from typing import Any

from ...drivers.base import Capability
from ...errors import DeviceError, UsageError
from ...model.geometry import Point, Rect
from .clause import Clause, Scene, refuses

_UNKNOWN_KEY: Any = "no such key"


def _every_touch_goes_through(scene: Scene) -> None:
    scene.front()
    info = scene.driver.info
    edge = Point(info.width // 2, 2)  # on the screen, and on nothing of the app
    low = Point(info.width // 2, info.height // 3)
    scene.driver.tap(edge)
    scene.driver.double_tap(edge)
    scene.driver.long_press(edge, 0.1)
    scene.driver.swipe(low, Point(low.x, low.y + 100), 0.05)


def _drag_goes_through(scene: Scene) -> None:
    scene.front()
    info = scene.driver.info
    start = Point(info.width // 2, info.height // 3)
    scene.driver.drag(start, Point(start.x, start.y + 100), 0.1)


def _pinch_goes_through(scene: Scene) -> None:
    scene.front()
    info = scene.driver.info
    side = info.width // 2
    area = Rect(side // 2, info.height // 3, side // 2 + side, info.height // 3 + side)
    scene.driver.pinch(area, 2.0, 0.1)
    scene.driver.pinch(area, 0.5, 0.1)


def _a_pinch_that_cannot_be(scene: Scene) -> None:
    area = Rect(100, 400, 500, 800)
    for scale in (0.0, -1.0, 1.0):
        refuses(partial(scene.driver.pinch, area, scale, 0.1), UsageError, f"a pinch of scale {scale}")
    refuses(lambda: scene.driver.pinch(Rect(100, 400, 102, 402), 2.0, 0.1), UsageError, "a pinch in two pixels")


def _off_the_screen(scene: Scene) -> None:
    scene.front()
    info = scene.driver.info
    for point in (Point(-5, -5), Point(info.width * 3, info.height * 3)):
        refuses(partial(scene.driver.tap, point), (DeviceError, UsageError), f"a tap at {point}")


def _unknown_keys(scene: Scene) -> None:
    refuses(lambda: scene.driver.press_key(_UNKNOWN_KEY), UsageError, "an unknown key")


TOUCHING = (
    Clause("touch", "tap, double_tap, long_press and swipe go through", _every_touch_goes_through),
    Clause("drag", "drag goes through", _drag_goes_through, Capability.DRAG),
    Clause("pinch", "two fingers go apart and together", _pinch_goes_through, Capability.PINCH),
    Clause("pinch-nothing", "a pinch that cannot be is a UsageError", _a_pinch_that_cannot_be, Capability.PINCH),
    Clause("touch-outside", "a touch outside the screen is an error, not a silent success", _off_the_screen),
    Clause("unknown-key", "an unknown key is a UsageError", _unknown_keys),
)
