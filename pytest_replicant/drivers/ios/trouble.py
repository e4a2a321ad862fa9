"""Trouble with WebDriverAgent, as errors of ours: what happened, where, and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping

from ...errors import DeviceError, DeviceOffline, DeviceTimeout, ProtocolError
from ..translate import translated
from .answers import Refused, excerpt, refusal

_START = (
    "Is WebDriverAgent running on the phone, and its port forwarded? `xcodebuild test` of WebDriverAgentRunner or "
    "`tidevice xctest` starts it, `iproxy 8100 8100` forwards the port of a phone on a cable."
)
_ELSE = "The port belongs to something else: give the URL of WebDriverAgent, such as ios:http://127.0.0.1:8100."
_SLOW = "The phone may be asleep, overloaded or gone, or WebDriverAgent hang; nothing more was sent to it."
NEXT_FOR_DEPTH = "Show less of the app at a time, or have it nest its views less deeply."
_TOO_DEEP = f"The screen is too deep for iOS, however deep snapshotMaxDepth has it read. {NEXT_FOR_DEPTH}"
_ADVICE: Mapping[type[DeviceError], str] = {DeviceOffline: _START, DeviceTimeout: _SLOW}


class Trouble:
    """Makes the errors; ``device`` is the phone's name, ``url`` where it was looked for."""

    def __init__(self, device: str, url: str) -> None:
        self._device = device
        self._url = url

    def ours(self, error: Exception, doing: str, seconds: float) -> DeviceError:
        """For whatever facebook-wda raised. Its classes are told by name: nothing has to be imported here."""
        kind = type(error).__name__
        value = getattr(error, "value", None)
        no = refusal(value, getattr(error, "status", None))
        if no:
            return self.refused(doing, *no)
        if kind == "WDAError":
            return self.no_agent("it does not answer in JSON", error.args[-1] if error.args else "", doing)
        if kind == "WDAEmptyResponseError":
            return self.no_agent("it answers with nothing", "", doing)
        if kind == "WDABadGateway":
            return self._no_gateway(doing, error)
        inner = error.args[0] if kind == "HTTPError" and error.args else error
        if isinstance(inner, ConnectionRefusedError):
            message = f"{doing} on {self._device}: nothing listens at {self._url}. {_START}"
            return DeviceOffline(message, device=self._device)
        if isinstance(inner, TimeoutError):
            return self.overdue(doing, seconds)
        known = translated(error, device=self._device, doing=f"{doing} at {self._url}", advice=_ADVICE)
        # What is in no table is how facebook-wda stumbles over JSON of another shape than WebDriverAgent's.
        return known or self.odd(doing, f"{kind}: {error}")

    def refused(self, doing: str, error: str, said: str) -> Refused:
        first = excerpt(said.strip().splitlines()[0]) if said.strip() else "no reason given"
        advice = f" {_TOO_DEEP}" if is_too_deep(said) else ""
        return Refused(
            f"{doing} on {self._device}: WebDriverAgent refuses: {error}: {first.rstrip('.')}.{advice}",
            error=error,
            said=said,
            device=self._device,
            exchange=f"{doing} → {error}: {said[:2000]}",
        )

    def odd(self, doing: str, said: object) -> ProtocolError:
        return self.no_agent("its answer has another shape", said, doing)

    def no_agent(self, why: str, said: object, doing: str = "connecting") -> ProtocolError:
        shown = f", it says {excerpt(said)!r}" if said else ""
        message = (
            f"{doing} on {self._device}: what answers at {self._url} is no WebDriverAgent: {why}{shown}. {_ELSE}"
        )
        return ProtocolError(message, exchange=f"{doing} → {str(said)[:2000]}", device=self._device)

    def not_ready(self, said: Mapping[str, object]) -> DeviceOffline:
        told = excerpt(said.get("message") or said.get("state") or "no reason given")
        message = f"connecting on {self._device}: WebDriverAgent at {self._url} is not ready: {told}. {_START}"
        return DeviceOffline(message, device=self._device)

    def overdue(self, doing: str, seconds: float) -> DeviceTimeout:
        message = f"{doing} on {self._device}: {self._url} gave no whole answer in {seconds:.3g} s. {_SLOW}"
        return DeviceTimeout(message, device=self._device)

    def too_much(self, doing: str) -> ProtocolError:
        message = f"{doing} on {self._device}: {self._url} answers without end; it was hung up on. {_ELSE}"
        return ProtocolError(message, exchange=f"{doing} → too much", device=self._device)

    def still_hangs(self, doing: str) -> DeviceTimeout:
        message = (
            f"{doing} on {self._device}: an earlier request to {self._url} still hangs, and WebDriverAgent takes "
            "one at a time. Nothing was sent. Reconnecting waits for its end."
        )
        return DeviceTimeout(message, device=self._device)

    def _no_gateway(self, doing: str, error: Exception) -> DeviceOffline:
        message = (
            f"{doing} on {self._device}: {self._url} is a relay that reaches no WebDriverAgent (HTTP 502, "
            f"{excerpt(error.args[-1] if error.args else '')!r}). {_START}"
        )
        return DeviceOffline(message, device=self._device)


def is_too_deep(said: str) -> bool:
    return "kAXErrorIllegalArgument" in said
