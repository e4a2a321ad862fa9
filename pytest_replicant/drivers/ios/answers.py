"""What WebDriverAgent answers, read: values, refusals old and new, and what is no WebDriverAgent at all. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ...errors import ProtocolError

# Before the W3C protocol, a refusal was a number and a text.
_NUMBERED: Mapping[int, str] = {
    6: "invalid session id",
    7: "no such element",
    9: "unknown command",
    10: "stale element reference",
    11: "element not visible",
    12: "invalid element state",
    13: "unknown error",
    21: "timeout",
    27: "no such alert",
    33: "session not created",
}
_SYSTEMS = re.compile(r"ios|ipados|iphone ?os|tvos", re.IGNORECASE)
_EXCERPT = 200
# The parts of an NSError that are sentences. The innermost comes last, and says most.
_REASON = re.compile(r"NSLocalized(?:FailureReason|Description)=([^,}]+)")
_DESCRIBED = re.compile(r'Code=-?\d+ "(.*?)"(?= UserInfo|$)')


class Refused(ProtocolError):
    """WebDriverAgent said that it will not or cannot. ``error`` is the protocol's name for it, ``said`` its
    words."""

    def __init__(self, message: str, *, error: str, said: str, device: str, exchange: str) -> None:
        super().__init__(message, exchange=exchange, device=device)
        self.error = error
        self.said = said

    @property
    def is_session_lost(self) -> bool:
        return self.error == "invalid session id"

    @property
    def is_app_dead(self) -> bool:
        return "possibly crashed" in self.said

    @property
    def is_unknown_call(self) -> bool:
        """An older WebDriverAgent: it did nothing."""
        return self.error in ("unknown command", "unknown method")


def refusal(value: object, status: object) -> tuple[str, str] | None:
    """The name and the words of a refusal; None where the answer is none."""
    if isinstance(value, dict) and isinstance(value.get("error"), str) and value["error"]:
        return value["error"], str(value.get("message") or "")
    if isinstance(status, int) and status != 0:
        return _NUMBERED.get(status, f"status {status}"), str(value or "")
    return None


def session_id(answer: Mapping[str, Any]) -> str:
    """Of the session that was opened; "" where the answer names none."""
    value = answer.get("value")
    inner = value.get("sessionId") if isinstance(value, dict) else None
    found = answer.get("sessionId") or inner
    return found if isinstance(found, str) else ""


def is_status(value: object) -> bool:
    """Whether this is what WebDriverAgent says of itself. Appium's own server, a browser's driver and the server
    of uiautomator2 answer the same question with another kind of phone, or none."""
    if not isinstance(value, dict):
        return False
    system = value.get("os")
    if not isinstance(system, dict):
        return False
    return bool(system.get("version")) and bool(_SYSTEMS.fullmatch(str(system.get("name") or "iOS")))


def gist(said: str) -> str:
    """Of what iOS says, the sentence meant for people: an NSError has one among its codes and addresses, which
    differ from run to run."""
    reasons: list[str] = _REASON.findall(said) or _DESCRIBED.findall(said)
    return excerpt(reasons[-1].rstrip(".") + ".") if reasons else excerpt(said)


def excerpt(said: object) -> str:
    """For a message: on one line, and not too much."""
    words = " ".join(str(said).split())
    return words if len(words) <= _EXCERPT else words[:_EXCERPT] + "…"
