"""Commands that touch the screen at points. They answer that the touch was made, never what it led to."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ...model import Point
from .actions import perform_now, seconds_of, strokes
from .agent import Agent
from .failures import WdaError, invalid_argument
from .routes import Call, Route

LONG_PRESS_MS = 500  # from here on the phone takes a touch for a long one
SWIPE_MS = 300  # how long a finger takes from one point to another by default
SLOP_POINTS = 8  # a finger that stays within this distance has not moved

Place = tuple[float, float]


def press_now(agent: Agent, place: Place, length_ms: int = 0) -> None:
    """A finger that goes down and comes up; outside the screen there is nothing to touch."""
    point = agent.point(*place)
    width, height = agent.phone.size
    if not (0 <= point.x < width and 0 <= point.y < height):
        return
    if length_ms >= LONG_PRESS_MS:
        agent.phone.long_press(point.x, point.y, length_ms)
    else:
        agent.phone.tap(point.x, point.y)


def move_now(agent: Agent, start: Place, end: Place, held_ms: int = 0, length_ms: int = SWIPE_MS) -> None:
    """A finger that holds, then moves; one that hardly moves has pressed."""
    if math.dist(start, end) <= SLOP_POINTS:
        press_now(agent, start, held_ms + length_ms if held_ms else length_ms)
        return
    first, last = agent.point(*start), agent.point(*end)
    if held_ms >= LONG_PRESS_MS:
        agent.phone.drag(first.x, first.y, last.x, last.y, held_ms + length_ms)
    else:
        agent.phone.swipe(first.x, first.y, last.x, last.y, max(held_ms + length_ms, 1))


def two_fingers_now(agent: Agent, starts: tuple[Place, Place], ends: tuple[Place, Place]) -> None:
    def pixels(places: tuple[Place, Place]) -> tuple[Point, Point]:
        return agent.point(*places[0]), agent.point(*places[1])

    agent.phone.pinch(pixels(starts), pixels(ends))


def pinch_now(agent: Agent, x: float, y: float, width: float, height: float, scale: float) -> None:
    """Two fingers within a rectangle, ``scale`` times as far apart in the end; raises ``WdaError`` for none."""
    if scale <= 0:
        raise WdaError("invalid argument", f"'scale' has to be above 0, not {scale}")
    middle, longest = (x + width / 2, y + height / 2), max(width / 2 - 1, 1)
    far = min(longest, 100.0)
    near = far / max(scale, 1 / scale)
    first, last = (near, far) if scale >= 1 else (far, near)

    def apart(distance: float) -> tuple[Place, Place]:
        return (middle[0] - distance, middle[1]), (middle[0] + distance, middle[1])

    two_fingers_now(agent, apart(first), apart(last))


LONGEST_HOLD = 60.0  # seconds


async def gesture(agent: Agent, seconds: float, act: Callable[[], object]) -> None:
    """Takes as long as it would, then is done on the phone. The active app has to be alive for it."""
    await agent.phone.pace.take("gesture", agent.gesture_ms(min(seconds, LONGEST_HOLD)))

    def with_app() -> None:
        agent.active_now()
        act()

    await agent.on_phone(with_app)


def _place(call: Call, x: str = "x", y: str = "y") -> Place:
    return call.number(x), call.number(y)


def held(call: Call, name: str = "duration", default: float | None = None) -> float:
    seconds = call.number(name, default)
    if not 0 <= seconds <= LONGEST_HOLD:
        raise invalid_argument(f"'{name}' has to be from 0 to {LONGEST_HOLD:g} seconds, not {seconds}")
    return seconds


async def tap(call: Call) -> Any:
    agent, place = call.agent, _place(call)
    await gesture(agent, 0, lambda: press_now(agent, place))


async def double_tap(call: Call) -> Any:
    agent, place = call.agent, _place(call)

    def act() -> None:
        press_now(agent, place)
        press_now(agent, place)

    await gesture(agent, 0, act)


async def touch_and_hold(call: Call) -> Any:
    agent, place, seconds = call.agent, _place(call), held(call)
    await gesture(agent, seconds, lambda: press_now(agent, place, round(seconds * 1000)))


async def drag(call: Call) -> Any:
    """Holds for ``duration`` seconds, then moves."""
    agent, seconds = call.agent, held(call)
    start, end = _place(call, "fromX", "fromY"), _place(call, "toX", "toY")
    held_ms = round(seconds * 1000)
    await gesture(agent, seconds + SWIPE_MS / 1000, lambda: move_now(agent, start, end, held_ms))


async def drag_with_velocity(call: Call) -> Any:
    agent, seconds = call.agent, held(call, "pressDuration", 0)
    start, end = _place(call, "fromX", "fromY"), _place(call, "toX", "toY")
    length = held(call, "holdDuration", 0) + SWIPE_MS / 1000
    held_ms = round(seconds * 1000)
    await gesture(agent, seconds + length, lambda: move_now(agent, start, end, held_ms))


async def pinch(call: Call) -> Any:
    """In the middle of the screen."""
    agent, scale = call.agent, call.number("scale")

    def act() -> None:
        width, height = (side / agent.scale for side in agent.phone.size)
        pinch_now(agent, 0, 0, width, height, scale)

    await gesture(agent, SWIPE_MS / 1000, act)


async def actions(call: Call) -> Any:
    """W3C actions: pointers of touch, one finger or two."""
    agent, session = call.agent, call.session

    def middle_now(identity: str) -> Place:
        return agent.element_now(session, identity).frame.center

    fingers = await agent.on_phone(lambda: strokes(call.arguments.get("actions"), middle_now))
    await gesture(agent, seconds_of(fingers), lambda: perform_now(agent, fingers))


async def release_actions(call: Call) -> Any:
    """Every finger has been lifted already."""
    return None


ROUTES = (
    Route("POST", "/wda/tap", tap),
    Route("POST", "/wda/tap/:element", tap),
    Route("POST", "/wda/doubleTap", double_tap),
    Route("POST", "/wda/touchAndHold", touch_and_hold),
    Route("POST", "/wda/dragfromtoforduration", drag),
    Route("POST", "/wda/drag", drag_with_velocity),
    Route("POST", "/wda/pressAndDragWithVelocity", drag_with_velocity),
    Route("POST", "/wda/pinch", pinch),
    Route("POST", "/actions", actions),
    Route("DELETE", "/actions", release_actions),
)
