"""W3C actions, and how long any gesture takes. What touches answers that it did, never what it led
to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .actions import perform_now, seconds_of, strokes
from .agent import Agent
from .failures import invalid_argument
from .routes import Call, Route
from .touch import Place

LONGEST_HOLD = 60.0  # seconds


async def gesture(agent: Agent, seconds: float, act: Callable[[], object]) -> None:
    """Takes as long as it would, then is done on the phone. The active app has to be alive for
    it."""
    await agent.phone.pace.take("gesture", agent.gesture_ms(min(seconds, LONGEST_HOLD)))

    def with_app() -> None:
        agent.active_now()
        act()

    await agent.on_phone(with_app)


def held(call: Call, name: str = "duration") -> float:
    seconds = call.number(name, None if name == "duration" else 0)
    if not 0 <= seconds <= LONGEST_HOLD:
        raise invalid_argument(
            f"'{name}' has to be from 0 to {LONGEST_HOLD:g} seconds, not {seconds}"
        )
    return seconds


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
    Route("POST", "/actions", actions, pace=""),
    Route("DELETE", "/actions", release_actions, pace=""),
)
