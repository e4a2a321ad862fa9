"""Trouble with WebDriverAgent, as errors of ours: what happened, where, and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping
from http.client import HTTPException
from typing import TypeVar

from ...errors import DeviceError, DeviceNotFound, DeviceOffline, DeviceTimeout, ProtocolError
from ..translate import translated
from .answers import Refused, excerpt, refusal

E = TypeVar("E", bound=DeviceError)

CONNECTING = "connecting"
DEPTH_REFUSED = "kAXErrorIllegalArgument"
NEXT_FOR_DEPTH = "Show less of the app at a time, or have it nest its views less deeply."
_START = (
    "Is it running on the phone, and its port forwarded? `xcodebuild test` of WebDriverAgentRunner or "
    "`tidevice xctest` starts it, `iproxy 8100 8100` forwards the port of a phone on a cable."
)
_ELSE = "The port belongs to something else: give the URL of WebDriverAgent, such as ios:http://127.0.0.1:8100."
_PLUG = "Is it plugged in, and does it trust this computer? `idevice_id -l` lists the phones that are there."
_SLOW = "The phone may be asleep, overloaded or gone, or WebDriverAgent hang; nothing more was sent to it."
_BY_WORDS: Mapping[str, str] = {
    DEPTH_REFUSED: f"The screen is too deep for iOS, however deep snapshotMaxDepth has it read. {NEXT_FOR_DEPTH}",
    "session not created": "Most often the phone is locked: unlock it, or give it no passcode.",
    "possibly crashed": "The app has ended by itself; what is in front now is another one.",
}


class Trouble:
    """Makes the errors. ``device`` is the phone's name, which at first is its ``url``."""

    def __init__(self, device: str, url: str) -> None:
        self._device = device
        self._url = url
        self._is_known = device != url
        agent = f"WebDriverAgent at {url}"
        self.place = f"{device} ({agent})" if self._is_known else agent

    def ours(self, error: Exception, doing: str, seconds: float, heard: bytes) -> DeviceError:
        """For whatever facebook-wda raised; ``heard`` is how the answer began. Its classes are told by name:
        nothing has to be imported here."""
        kind = type(error).__name__
        no = refusal(getattr(error, "value", None), getattr(error, "status", None))
        if no:
            return self.refused(doing, *no)
        if kind == "WDABadGateway":
            return self._no_gateway(doing, heard)
        inner = error.args[0] if kind == "HTTPError" and error.args else error
        if isinstance(inner, TimeoutError):
            return self.overdue(doing, seconds)
        if isinstance(inner, ConnectionRefusedError):
            return self.offline(doing, f"nothing listens at {self._url}")
        if isinstance(inner, OSError) or _is_of_usbmux(inner):
            return self._lost(inner, doing)
        if isinstance(inner, HTTPException):
            return self.no_agent("it does not speak HTTP as it should", heard or inner, doing)
        if kind == "WDAEmptyResponseError":
            return self.no_agent("it answers with nothing", "", doing)
        # All else is how facebook-wda stumbles over what is not JSON, or JSON of another shape than the agent's.
        if self._is_known and heard.lstrip().startswith(b"{"):
            words = excerpt(heard.decode("utf-8", "replace"))
            return self.senseless(doing, f"an answer that breaks off or is damaged: {words!r}.", exchange=words)
        return self.no_agent("its answer is none of an agent's", heard or f"{kind}: {error}", doing)

    def refused(self, doing: str, error: str, said: str) -> Refused:
        first = excerpt(said.strip().splitlines()[0]) if said.strip() else "no reason given"
        advice = next((f" {advice}" for words, advice in _BY_WORDS.items() if words in f"{error} {said}"), "")
        return Refused(
            f"{self._head(doing)}: it refuses: {error}: {first.rstrip('.')}.{advice}",
            error=error,
            said=said,
            device=self._device,
            exchange=f"{doing} → {error}: {said[:2000]}",
        )

    def odd(self, doing: str, said: object) -> ProtocolError:
        """For what a WebDriverAgent does not answer; that it is one was seen before."""
        words = excerpt(said)
        return self.senseless(doing, f"an answer that makes no sense: {words!r}. Read again.", exchange=words)

    def no_agent(self, why: str, said: object, doing: str = CONNECTING) -> ProtocolError:
        words = excerpt(said.decode("utf-8", "replace") if isinstance(said, bytes) else said)
        shown = f", it says {words!r}" if words else ""
        told = f"what answers at {self._url} is no WebDriverAgent: {why}{shown}. {_ELSE}"
        return self.senseless(doing, told, exchange=words)

    def senseless(self, doing: str, told: str, *, exchange: str) -> ProtocolError:
        """For an answer that cannot be used."""
        message = f"{self._head(doing)}: {told}"
        return _alone(ProtocolError(message, exchange=f"{doing} → {exchange[:2000]}", device=self._device))

    def offline(self, doing: str, why: str) -> DeviceOffline:
        return _alone(DeviceOffline(f"{self._head(doing)}: {why}. {_START}", device=self._device))

    def not_ready(self, said: Mapping[str, object]) -> DeviceOffline:
        told = excerpt(said.get("message") or said.get("state") or "no reason given")
        return self.offline(CONNECTING, f"it is not ready: {told}")

    def overdue(self, doing: str, seconds: float) -> DeviceTimeout:
        message = f"{self._head(doing)}: it gave no whole answer in {seconds:.3g} s. {_SLOW}"
        return DeviceTimeout(message, device=self._device)

    def too_much(self, doing: str) -> ProtocolError:
        return self.senseless(doing, f"an answer without end; it was hung up on. {_ELSE}", exchange="too much")

    def still_hangs(self, doing: str) -> DeviceTimeout:
        message = (
            f"{self._head(doing)}: an earlier request to it still hangs, and it takes one at a time. Nothing "
            "was sent. Reconnecting waits for its end."
        )
        return _alone(DeviceTimeout(message, device=self._device))

    def _head(self, doing: str) -> str:
        return f"{doing} {'to' if doing == CONNECTING else 'on'} {self.place}"

    def _no_gateway(self, doing: str, heard: bytes) -> DeviceOffline:
        words = excerpt(heard.decode("utf-8", "replace"))
        return self.offline(
            doing, f"what answers there is a relay that reaches no WebDriverAgent (HTTP 502, {words!r})"
        )

    def _lost(self, inner: Exception, doing: str) -> DeviceError:
        """The connection, by whatever broke it; which class that is, the table says."""
        if "make_http_connection" in str(inner):  # facebook-wda found none, and goes on with nothing
            message = f"{self._head(doing)}: this computer's usbmuxd knows no phone of that UDID. {_PLUG}"
            return DeviceNotFound(message, device=self._device)
        words = excerpt(inner).rstrip(".")
        why = f"this computer's usbmuxd: {words}" if self._url.startswith("http+usbmux") else words
        known = translated(inner, device=self._device, doing=doing)
        if isinstance(known, (DeviceNotFound, ProtocolError)):
            return type(known)(f"{self._head(doing)}: {why}. {_PLUG}", device=self._device)
        return self.offline(doing, why)


def _alone(error: E) -> E:
    """What it came through says nothing of the phone, and is in no traceback."""
    error.__suppress_context__ = True
    return error


def _is_of_usbmux(error: BaseException) -> bool:
    """Said by the connection to a phone on a cable, and not what wraps everything else."""
    kind = type(error)
    is_its_own = kind.__module__ == "wda.usbmux.exceptions" and kind.__name__ != "HTTPError"
    return is_its_own or "make_http_connection" in str(error)
