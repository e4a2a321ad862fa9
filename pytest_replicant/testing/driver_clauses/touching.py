"""Clauses about touches and keys. What they change is the app's business; that they go through is the driver's."""

from __future__ import annotations

from functools import partial
from typing import Any, get_args

from ...drivers import Capability, Key
from ...errors import DeviceError, Unsupported, UsageError
from ...model import Point, Rect
from .clause import Clause, Scene, must, refuses
from .typing import focus

_UNKNOWN_KEY: Any = "no such key"


def _edge(scene: Scene) -> Point:
    """On the screen, and on nothing of the app."""
    return Point(scene.driver.info.width // 2, 2)


def _tap_goes_through(scene: Scene) -> None:
    scene.front()
    scene.driver.tap(_edge(scene))


def _double_tap_goes_through(scene: Scene) -> None:
    scene.front()
    scene.driver.double_tap(_edge(scene))


def _long_press_goes_through(scene: Scene) -> None:
    scene.front()
    scene.driver.long_press(_edge(scene), 0.1)


def _swipe_goes_through(scene: Scene) -> None:
    scene.front()
    info = scene.driver.info
    low = Point(info.width // 2, info.height // 3)
    scene.driver.swipe(low, Point(low.x, low.y + 100), 0.05)


def _a_tap_lands_on_its_pixel(scene: Scene) -> None:
    field = focus(scene)
    must(
        _holds(field.bounds, scene.text_field), f"a tap at {scene.text_field} went to the field at {field.bounds}"
    )


def _holds(bounds: Rect, point: Point | None) -> bool:
    return point is None or (bounds.left <= point.x < bounds.right and bounds.top <= point.y < bounds.bottom)


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
    touches = {
        "tap": scene.driver.tap,
        "double_tap": scene.driver.double_tap,
        "long_press": lambda point: scene.driver.long_press(point, 0.1),
        "swipe": lambda point: scene.driver.swipe(point, _edge(scene), 0.05),
    }
    for point in (Point(-5, -5), Point(info.width * 3, info.height * 3)):
        for name, touch in touches.items():
            refuses(partial(touch, point), (DeviceError, UsageError), f"{name} at {point}")


def _every_key_does_something(scene: Scene) -> None:
    """The home key last: what comes after it meets another screen."""
    for key in sorted(get_args(Key), key=lambda each: each == "home"):
        if key == "power":  # whether a screen that is off comes back is the phone's lock's business
            continue
        scene.front()
        try:
            scene.driver.press_key(key)
        except (Unsupported, UsageError) as error:
            must(key in str(error).casefold().replace(" ", "_"), f"{key} is refused without its name: {error}")


def _unknown_keys(scene: Scene) -> None:
    refuses(lambda: scene.driver.press_key(_UNKNOWN_KEY), UsageError, "an unknown key")


TOUCHING = (
    Clause("tap", "a tap goes through", _tap_goes_through),
    Clause("tap-place", "a tap lands on its pixel", _a_tap_lands_on_its_pixel, needs_field=True),
    Clause("double-tap", "a double tap goes through", _double_tap_goes_through),
    Clause("long-press", "a long press goes through", _long_press_goes_through),
    Clause("swipe", "a swipe goes through", _swipe_goes_through),
    Clause("drag", "drag goes through", _drag_goes_through, Capability.DRAG),
    Clause("pinch", "two fingers go apart and together", _pinch_goes_through, Capability.PINCH),
    Clause("pinch-nothing", "a pinch that cannot be is a UsageError", _a_pinch_that_cannot_be, Capability.PINCH),
    Clause("touch-outside", "a touch outside the screen is an error, not a silent success", _off_the_screen),
    Clause("keys", "each key is pressed, or refused by name", _every_key_does_something),
    Clause("unknown-key", "an unknown key is a UsageError", _unknown_keys),
)
