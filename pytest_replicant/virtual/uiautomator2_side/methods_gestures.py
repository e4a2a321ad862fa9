"""Methods that touch the screen. They answer whether the touch was on it, never what it led to."""

from __future__ import annotations

import asyncio
import math
from functools import partial

from ...model import Point, Rect
from .automation import Automation, Object, Touch
from .failures import java_exception
from .rpc import Method, Result

CLICK_MS = 100  # how long UI Automator keeps its finger down
LONG_CLICK_MS = 500  # from here on the phone takes a touch for a long one
# One step of a swipe: each move is injected synchronously, so it ends with the app's next frame,
# and 5 ms follow (InteractionController.swipe of openatx/android-uiautomator-server-jar). With a
# frame's work these miss the next frame at 120 Hz, too.
STEP_MS = 17
FINGER = 20  # pixels from the middle of a finger to its edge
SLOP_DP = 8  # a finger that stays within this distance has not moved
DOWN, UP, MOVE = 0, 1, 2


async def click_at(automation: Automation, x: int, y: int, length_ms: int = CLICK_MS) -> Result:
    await automation.inject(length_ms)
    return await automation.on_phone(lambda: _press_now(automation, Point(x, y), length_ms))


async def swipe(automation: Automation, x1: int, y1: int, x2: int, y2: int, steps: int) -> Result:
    return await swipe_between(automation, Point(x1, y1), Point(x2, y2), steps)


async def swipe_between(automation: Automation, start: Point, end: Point, steps: int) -> bool:
    """A swipe of so many steps; True if it began on the screen."""
    length_ms = max(steps - 1, 1) * STEP_MS
    await automation.inject(length_ms)

    def act() -> bool:
        _move_now(automation, start, end, length_ms)
        return on_screen(automation, start)

    return await automation.on_phone(act)


async def swipe_object(
    automation: Automation, wanted: Object, direction: str, percent: float, steps: int
) -> Result:
    """From the middle to an edge; ``percent`` is 0 to 1."""
    rect = await _bounds_of(automation, wanted)
    middle, share = rect.center, min(max(percent, 0.0), 1.0)
    ends = {
        "up": Point(middle.x, round(middle.y - share * (middle.y - rect.top))),
        "down": Point(middle.x, round(middle.y + share * (rect.bottom - 1 - middle.y))),
        "left": Point(round(middle.x - share * (middle.x - rect.left)), middle.y),
        "right": Point(round(middle.x + share * (rect.right - 1 - middle.x)), middle.y),
    }
    end = ends.get((direction or "").lower())
    return end is not None and await swipe_between(automation, middle, end, steps)


async def swipe_points(automation: Automation, numbers: list[int], steps: int) -> Result:
    """x, y, x, y, …; ``steps`` for each leg. The phone moves its finger straight from the first
    point to the last one, in the time that the whole way would take."""
    points = [Point(x, y) for x, y in zip(numbers[::2], numbers[1::2], strict=False)]
    if len(points) < 2:
        return False
    return await swipe_between(automation, points[0], points[-1], steps * (len(points) - 1))


async def drag(automation: Automation, x1: int, y1: int, x2: int, y2: int, steps: int) -> Result:
    return await _drag_between(automation, Point(x1, y1), Point(x2, y2), steps)


async def drag_object_at(
    automation: Automation, wanted: Object, x: int, y: int, steps: int
) -> Result:
    rect = await _bounds_of(automation, wanted)
    return await _drag_between(automation, rect.center, Point(x, y), steps)


async def drag_object_to(
    automation: Automation, wanted: Object, target: Object, steps: int
) -> Result:
    rect = await _bounds_of(automation, wanted)
    return await _drag_between(
        automation, rect.center, (await _bounds_of(automation, target)).center, steps
    )


async def two_fingers(
    automation: Automation,
    wanted: Object,
    start1: Point,
    start2: Point,
    end1: Point,
    end2: Point,
    steps: int,
) -> Result:
    """Two fingers at once. The object has to be there, and is asked nothing."""
    await _bounds_of(automation, wanted)
    await automation.inject(steps * STEP_MS)
    await automation.on_phone(lambda: automation.phone.pinch((start1, start2), (end1, end2)))
    return on_screen(automation, start1) and on_screen(automation, start2)


async def pinch_in(automation: Automation, wanted: Object, percent: int, steps: int) -> Result:
    near, far = _fingers(await _bounds_of(automation, wanted), percent)
    return await two_fingers(automation, wanted, *far, *near, steps)


async def pinch_out(automation: Automation, wanted: Object, percent: int, steps: int) -> Result:
    near, far = _fingers(await _bounds_of(automation, wanted), percent)
    return await two_fingers(automation, wanted, *near, *far, steps)


def _fingers(rect: Rect, percent: int) -> tuple[tuple[Point, Point], tuple[Point, Point]]:
    """Next to the middle, and ``percent`` of the way from there to the edges."""
    if rect.width <= 2 * FINGER:
        raise java_exception(
            "java.lang.IllegalStateException", "Object width is too small for operation"
        )
    middle, half = rect.center, (rect.width // 2 - 1) * min(max(percent, 0), 100) // 100
    pairs = [(Point(middle.x - x, middle.y), Point(middle.x + x, middle.y)) for x in (FINGER, half)]
    return pairs[0], pairs[1]


async def inject_touch(
    automation: Automation, action: int, x: float, y: float, _meta: int
) -> Result:
    """A finger going down, moving, coming up; what it was, the phone learns when it comes up."""
    mark = (int(x), int(y), asyncio.get_running_loop().time())
    if action == DOWN:
        automation.touch = Touch([mark])
        return on_screen(automation, Point(int(x), int(y)))
    if automation.touch is None or action not in (MOVE, UP):
        return False
    automation.touch.trail.append(mark)
    if action == UP:
        trail, automation.touch = automation.touch.trail, None
        await automation.on_phone(lambda: _lift_now(automation, trail))
    return True


def _lift_now(automation: Automation, trail: list[tuple[int, int, float]]) -> None:
    (x1, y1, began), (x2, y2, ended) = trail[0], trail[-1]
    start, end = Point(x1, y1), Point(x2, y2)
    length_ms = int((ended - began) * 1000)
    leaving = next((at for x, y, at in trail if _is_move(automation, start, Point(x, y))), ended)
    if (leaving - began) * 1000 >= LONG_CLICK_MS and _is_move(automation, start, end):
        automation.phone.drag(x1, y1, x2, y2, length_ms)
    else:
        _move_now(automation, start, end, length_ms)


def _move_now(automation: Automation, start: Point, end: Point, length_ms: int) -> None:
    """A finger that hardly moves has clicked."""
    if _is_move(automation, start, end):
        automation.phone.swipe(start.x, start.y, end.x, end.y, max(length_ms, 1))
    else:
        _press_now(automation, start, length_ms)


def _is_move(automation: Automation, start: Point, end: Point) -> bool:
    return math.dist((start.x, start.y), (end.x, end.y)) > SLOP_DP * automation.phone.profile.scale


def _press_now(automation: Automation, point: Point, length_ms: int) -> bool:
    if not on_screen(automation, point):
        return False
    if length_ms >= LONG_CLICK_MS:
        automation.phone.long_press(point.x, point.y, length_ms)
    else:
        if automation.phone.latency.gesture_ms:
            automation.phone.finger_down = automation.phone.now() - length_ms / 1000
        automation.phone.tap(point.x, point.y)
    return True


async def _press_object(automation: Automation, wanted: Object, length_ms: int) -> bool:
    await automation.inject(length_ms)

    def act() -> bool:
        return _press_now(automation, automation.find_one_now(wanted).bounds.center, length_ms)

    return await automation.on_phone(act)


async def _drag_between(automation: Automation, start: Point, end: Point, steps: int) -> bool:
    length_ms = LONG_CLICK_MS + max(steps - 1, 1) * STEP_MS + CLICK_MS
    await automation.inject(length_ms)

    def act() -> bool:
        automation.phone.drag(start.x, start.y, end.x, end.y, length_ms)
        return on_screen(automation, start)

    return await automation.on_phone(act)


async def _bounds_of(automation: Automation, wanted: Object) -> Rect:
    return await automation.on_phone(lambda: automation.find_one_now(wanted).bounds)


def on_screen(automation: Automation, point: Point) -> bool:
    width, height = automation.phone.size
    return 0 <= point.x < width and 0 <= point.y < height


METHODS = (
    Method("click", ("int", "int"), click_at, ""),
    Method("click", ("int", "int", "long"), click_at, ""),
    Method("click", ("object",), partial(_press_object, length_ms=CLICK_MS), ""),
    Method("longClick", ("object",), partial(_press_object, length_ms=LONG_CLICK_MS), ""),
    Method("swipe", ("int", "int", "int", "int", "int"), swipe, ""),
    Method("swipe", ("selector", "text", "float", "int"), swipe_object, ""),
    Method("swipePoints", ("ints", "int"), swipe_points, ""),
    Method("drag", ("int", "int", "int", "int", "int"), drag, ""),
    Method("dragTo", ("object", "int", "int", "int"), drag_object_at, ""),
    Method("dragTo", ("object", "selector", "int"), drag_object_to, ""),
    Method("gesture", ("object", "point", "point", "point", "point", "int"), two_fingers, ""),
    Method("pinchIn", ("object", "int", "int"), pinch_in, ""),
    Method("pinchOut", ("object", "int", "int"), pinch_out, ""),
    Method("injectInputEvent", ("int", "float", "float", "int"), inject_touch),
)
