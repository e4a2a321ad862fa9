"""Commands about alerts, of the system or of the app in front."""

from __future__ import annotations

from typing import Any

from .alert import Answer, alert_now, answer_now
from .commands_device import joined, type_text
from .routes import Call, Route
from .touch import press_now


async def text(call: Call) -> Any:
    await call.agent.phone.pace.take("rpc")
    return await call.agent.on_phone(lambda: alert_now(call.agent).text)


async def set_text(call: Call) -> Any:
    """Types into the only field of the alert."""
    agent, typed = call.agent, joined(call.arguments.get("value"))
    await agent.on_phone(lambda: press_now(agent, alert_now(agent).field.frame.center))
    await type_text(agent, typed)


async def accept(call: Call) -> Any:
    await _answer(call, "accept")


async def dismiss(call: Call) -> Any:
    await _answer(call, "dismiss")


async def _answer(call: Call, answer: Answer) -> None:
    agent = call.agent
    name = call.text("name") if call.arguments.get("name") is not None else None
    await agent.phone.pace.take("gesture")
    await agent.on_phone(lambda: answer_now(agent, answer, name))


async def buttons(call: Call) -> Any:
    await call.agent.phone.pace.take("rpc")
    return await call.agent.on_phone(lambda: alert_now(call.agent).labels)


ROUTES = (
    Route("GET", "/alert/text", text, "both"),
    Route("POST", "/alert/text", set_text),
    Route("POST", "/alert/accept", accept, "both"),
    Route("POST", "/alert/dismiss", dismiss, "both"),
    Route("GET", "/wda/alert/buttons", buttons),
)
