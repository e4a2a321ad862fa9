"""Commands that touch the screen at points. They answer that the touch was made, never what it led to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .actions import perform_now, seconds_of, strokes
from .agent import Agent
from .failures import invalid_argument
from .routes import Call, Route
from .touch import SWIPE_MS, Place, move_now, pinch_now, press_now

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
