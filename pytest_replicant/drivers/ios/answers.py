"""Answers of WebDriverAgent: values, refusals, and errors with the place and the next step.
Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any, TypeVar

from ...errors import DeviceError, DeviceNotFound, DeviceOffline, DeviceTimeout, ProtocolError
from ...model import one_line
from ..translate import translated

_SYSTEMS = re.compile(r"ios|ipados|iphone ?os|tvos", re.IGNORECASE)
_EXCERPT = 200
# The parts of an NSError that are sentences. The innermost comes last, and says most.
_REASON = r"NSLocalized(?:FailureReason|Description)=([^,}]+)"


class Refused(ProtocolError):
    """Refusal by WebDriverAgent. ``error`` is the protocol's name for it, ``said`` its words."""

    def __init__(self, message: str, *, error: str, said: str, device: str, exchange: str) -> None:
        super().__init__(
            message, exchange=exchange, device=device, detail=f"{error}: {gist(said)}".rstrip(": ")
        )
        self.error = error
        self.said = said
        self.app_died = self.is_app_dead

    @property
    def is_session_lost(self) -> bool:
        return self.error == "invalid session id"

    @property
    def is_app_dead(self) -> bool:
        return "possibly crashed" in self.said


def refusal(value: object) -> tuple[str, str] | None:
    """Name and words of a refusal; None if the answer is no refusal."""
    if isinstance(value, dict) and isinstance(value.get("error"), str) and value["error"]:
        return value["error"], str(value.get("message") or "")
    return None


def read_answer(content: bytes) -> Mapping[str, Any] | None:
    """The JSON object of an answer, which has a "value"; None if it is no such object."""
    try:
        answer = json.loads(content)
    except (ValueError, RecursionError):  # no JSON, no UTF-8, or nested without end
        return None
    return answer if isinstance(answer, dict) and "value" in answer else None


def is_status(value: object) -> bool:
    """Whether this is a WebDriverAgent's status. Appium's own server, a browser's driver and the
    server of uiautomator2 answer the same question with another kind of phone, or none."""
    if not isinstance(value, dict):
        return False
    system = value.get("os")
    if not isinstance(system, dict):
        return False
    return bool(system.get("version") and _SYSTEMS.fullmatch(str(system.get("name") or "iOS")))


def gist(said: str) -> str:
    """The sentence for people in an NSError, without codes and addresses, which differ from run to
    run."""
    reasons: list[str] = re.findall(_REASON, said) or re.findall(
        r'Code=-?\d+ "(.*?)"(?= UserInfo|$)', said
    )
    if reasons:
        said = reasons[-1].rstrip(".") + "."
    return excerpt(said)


def excerpt(said: object) -> str:
    """The words on one line, cut to a length that fits into a message."""
    return one_line(str(said), _EXCERPT)


E = TypeVar("E", bound=DeviceError)

CONNECTING = "connecting"
DEPTH_REFUSED = "kAXErrorIllegalArgument"
NEXT_FOR_DEPTH = "Show less of the app at a time, or have it nest its views less deeply."
_START = (
    "is it running on the phone, and its port forwarded? `xcodebuild test` of "
    "WebDriverAgentRunner or go-ios' `ios runwda`, from iOS 17 on after `ios tunnel start`, "
    "starts it; `iproxy 8100 8100` forwards the port of a phone on a cable"
)
_ELSE = (
    "the port belongs to something else: give the URL of WebDriverAgent, such as "
    "ios:http://127.0.0.1:8100"
)
_PLUG = (
    "is it plugged in, and does it trust this computer? `idevice_id -l` lists the phones that "
    "are there"
)
_SLOW = (
    "The phone may be asleep, overloaded or gone, or WebDriverAgent hang; nothing more was sent "
    "to it."
)
_BY_WORDS: Mapping[str, str] = {
    DEPTH_REFUSED: "The screen is too deep for iOS, however deep snapshotMaxDepth has it read. "
    f"{NEXT_FOR_DEPTH}",
    "session not created": "Most often the phone is locked: unlock it, or give it no passcode.",
    "possibly crashed": "The app has ended by itself; another one is in front now.",
}


@dataclass(eq=False)
class Agent:
    """A WebDriverAgent, as errors of the conversation with it name it. ``name`` is the phone's,
    which at first is its ``url``."""

    name: str
    url: str

    @property
    def place(self) -> str:
        agent = f"WebDriverAgent at {self.url}"
        return agent if self.name == self.url else f"{self.name} ({agent})"

    def error_of(
        self, error: Exception, doing: str, seconds: float, received: bytes = b""
    ) -> DeviceError:
        """The error for what the connection raised. ``received`` is the part of the answer that had
        come."""
        if isinstance(error, TimeoutError):
            return self.timed_out(doing, seconds)
        if isinstance(error, ConnectionRefusedError):
            return self.offline(doing, f"nothing listens at {self.url}")
        if isinstance(error, OSError) or _is_of_usbmux(error):
            return self._lost(error, doing)
        if isinstance(error, HTTPException):
            return self.no_agent("it does not speak HTTP as it should", received or error, doing)
        return self.no_agent(
            "its answer is none of an agent's", f"{type(error).__name__}: {error}", doing
        )

    def unreadable(self, doing: str, content: bytes) -> ProtocolError:
        """The error for an answer that is no JSON object."""
        if not content.strip():
            return self.no_agent("it answers with nothing", "", doing)
        if self.name != self.url and content.lstrip().startswith(b"{"):
            words = excerpt(content.decode("utf-8", "replace"))
            return self.invalid(
                doing, f"an answer that breaks off or is damaged: {words!r}.", words
            )
        return self.no_agent("its answer is none of an agent's", content, doing)

    def bad_gateway(self, doing: str, content: bytes) -> DeviceOffline:
        words = excerpt(content.decode("utf-8", "replace"))
        return self.offline(
            doing,
            f"what answers there is a relay that reaches no WebDriverAgent (HTTP 502, {words!r})",
        )

    def refused(self, doing: str, error: str, said: str) -> Refused:
        first = excerpt(said.strip().splitlines()[0]) if said.strip() else "no reason given"
        advice = next(
            (f" {advice}" for words, advice in _BY_WORDS.items() if words in f"{error} {said}"), ""
        )
        return Refused(
            f"{self._head(doing)}: it refuses: {error}: {first.rstrip('.')}.{advice}",
            error=error,
            said=said,
            device=self.name,
            exchange=f"{doing} → {error}: {said[:2000]}",
        )

    def unexpected(self, doing: str, said: object) -> ProtocolError:
        """The error for an answer of another form than a WebDriverAgent gives."""
        words = excerpt(said)
        return self.invalid(doing, f"an answer that makes no sense: {words!r}. Read again.", words)

    def no_agent(self, why: str, said: object, doing: str = CONNECTING) -> ProtocolError:
        words = excerpt(said.decode("utf-8", "replace") if isinstance(said, bytes) else said)
        shown = f", it says {words!r}" if words else ""
        message = f"what answers at {self.url} is no WebDriverAgent: {why}{shown}"
        return self.invalid(doing, message, words, _ELSE)

    def invalid(self, doing: str, why: str, said: str, advice: str = "") -> ProtocolError:
        """The error for an answer that cannot be used."""
        message, exchange = f"{self._head(doing)}: {why}", f"{doing} → {said[:2000]}"
        return _alone(
            ProtocolError(message, exchange=exchange, device=self.name, detail=why, advice=advice)
        )

    def offline(self, doing: str, why: str) -> DeviceOffline:
        words = f"{self._head(doing)}: {why}"
        return _alone(DeviceOffline(words, device=self.name, detail=why, advice=_START))

    def not_ready(self, said: Mapping[str, object]) -> DeviceOffline:
        why = excerpt(said.get("message") or said.get("state") or "no reason given")
        return self.offline(CONNECTING, f"it is not ready: {why}")

    def timed_out(self, doing: str, seconds: float) -> DeviceTimeout:
        late = f"it gave no whole answer in {seconds:.3g} s. {_SLOW}"
        return DeviceTimeout(f"{self._head(doing)}: {late}", device=self.name)

    def too_large(self, doing: str) -> ProtocolError:
        return self.invalid(doing, "an answer without end; it was hung up on", "too large", _ELSE)

    def _head(self, doing: str) -> str:
        return f"{doing} {'to' if doing == CONNECTING else 'on'} {self.place}"

    def _lost(self, inner: Exception, doing: str) -> DeviceError:
        """Error for a broken connection, of the class that the table has for it."""
        if "make_http_connection" in str(inner):  # facebook-wda found none, and goes on with None
            why = "this computer's usbmuxd knows no phone of that UDID"
            return DeviceNotFound(
                f"{self._head(doing)}: {why}", device=self.name, detail=why, advice=_PLUG
            )
        words = excerpt(inner).rstrip(".")
        why = f"this computer's usbmuxd: {words}" if self.url.startswith("http+usbmux") else words
        known = translated(inner, device=self.name, doing=doing)
        if isinstance(known, (DeviceNotFound, ProtocolError)):
            return type(known)(
                f"{self._head(doing)}: {why}", device=self.name, detail=why, advice=_PLUG
            )
        return self.offline(doing, why)


def _alone(error: E) -> E:
    """The error without its context, which says nothing of the phone."""
    error.__suppress_context__ = True
    return error


def _is_of_usbmux(error: BaseException) -> bool:
    """Whether it comes from usbmuxd, the connection to a phone on a cable."""
    return type(error).__module__ == "wda.usbmux.exceptions" or "make_http_connection" in str(error)
