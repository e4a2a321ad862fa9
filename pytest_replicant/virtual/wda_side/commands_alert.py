"""Commands about alerts, of the system or of the app in front."""

from __future__ import annotations

from typing import Any

from .alert import Answer, alert_now, answer_now
from .commands_device import joined, type_text
from .routes import Call, Command, Route, look
from .touch import press_now


async def set_text(call: Call) -> Any:
    """Types into the only field of the alert."""
    agent, typed = call.agent, joined(call.arguments.get("value"))
    await agent.on_phone(lambda: press_now(agent, alert_now(agent).field.frame.center))
    await type_text(agent, typed)


def _answering(answer: Answer) -> Command:
    def act(call: Call) -> None:
        name = call.text("name") if call.arguments.get("name") is not None else None
        answer_now(call.agent, answer, name)

    return look(act)


ROUTES = (
    Route("GET", "/alert/text", look(lambda call: alert_now(call.agent).text), "both"),
    Route("POST", "/alert/text", set_text, pace=""),
    Route("POST", "/alert/accept", _answering("accept"), "both", "gesture"),
    Route("POST", "/alert/dismiss", _answering("dismiss"), "both", "gesture"),
    Route("GET", "/wda/alert/buttons", look(lambda call: alert_now(call.agent).labels)),
)
