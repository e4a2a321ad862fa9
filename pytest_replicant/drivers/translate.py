"""Errors of other libraries, translated into ours: the one table, and the one place where it is
used.

Classes are known by name, so that nothing has to be imported to recognise them; a subclass that is
not in the table counts as its nearest base that is. Drivers wrap each conversation with a phone in
``foreign_errors``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from ..errors import (
    DeviceError,
    DeviceNotFound,
    DeviceOffline,
    DeviceTimeout,
    ProtocolError,
    ReplicantError,
)
from ..model import Strings

FOREIGN_ERRORS: Mapping[type[DeviceError], Strings] = {
    DeviceNotFound: ("wda.usbmux.exceptions.BadDevError",),
    DeviceOffline: (
        "adbutils.errors.AdbConnectionError",
        "uiautomator2.exceptions.DeviceError",
        "uiautomator2.exceptions.UiAutomationNotConnectedError",
        "uiautomator2.exceptions.LaunchUiAutomationError",
        "uiautomator2.exceptions.AccessibilityServiceAlreadyRegisteredError",
        "uiautomator2.agent_cli.client.ServerNotRunningError",
        "wda.usbmux.exceptions.NotPairedError",
        "wda.usbmux.exceptions.MuxError",
        "wda.exceptions.MuxError",
        "wda.exceptions.WDABadGateway",
        "requests.exceptions.ConnectionError",
        "builtins.EOFError",
        "builtins.OSError",
    ),
    DeviceTimeout: (
        "adbutils.errors.AdbTimeout",
        "uiautomator2.exceptions.HTTPTimeoutError",
        "uiautomator2.xpath.TimeoutException",
        "requests.exceptions.Timeout",
        "builtins.TimeoutError",
    ),
    ProtocolError: (
        "adbutils.errors.AdbError",
        "uiautomator2.exceptions.BaseException",
        "uiautomator2.exceptions.AdbShellError",
        "uiautomator2.exceptions.AdbBroadcastError",
        "uiautomator2.exceptions.UiAutomationError",
        "uiautomator2.exceptions.InputIMEError",
        "uiautomator2.xpath.XPathError",
        "uiautomator2.agent_cli.client.U2CliError",
        "wda.usbmux.exceptions.HTTPError",
        "wda.usbmux.exceptions.MuxVersionError",
        "wda.usbmux.exceptions.BadCommandError",
        "wda.usbmux.exceptions.ArgumentError",
        "wda.exceptions.WDAError",
        "requests.exceptions.RequestException",
        "http.client.HTTPException",
        "json.decoder.JSONDecodeError",
        "builtins.UnicodeError",
        "struct.error",
    ),
}
"""Errors of adbutils, uiautomator2 and facebook-wda, and of what they stand on: their own bases,
sockets, streams and parsers."""
_OURS = {name: kind for kind, theirs in FOREIGN_ERRORS.items() for name in theirs}

_REPLUG = "Check the cable or the network, and that the phone is on and unlocked."
_GONE = "Is it still plugged in? `adb devices` lists the phones that adb knows."
_ADVICE: Mapping[type[DeviceError], str] = {
    DeviceNotFound: _GONE,
    DeviceOffline: _REPLUG,
    DeviceTimeout: "It may be asleep, overloaded or gone; nothing more was sent to it.",
}
# Errors that differ in their words alone, and share a class.
_BY_WORDS: tuple[tuple[str, type[DeviceError], str], ...] = (
    (r"device '.*' not found|no device with transport|no devices/emulators", DeviceNotFound, _GONE),
    (
        r"unauthori[sz]ed|still authori[sz]ing",
        DeviceOffline,
        "Accept the question about USB debugging on the phone's screen.",
    ),
    (
        r"no adb server answers at",
        DeviceOffline,
        "It may have been killed, or replaced by one of another version. Next: `adb "
        "start-server`, and run again.",
    ),
    (
        r"already registered",
        DeviceOffline,
        "Another automation tool holds the phone's accessibility service: stop it, or restart the "
        "phone.",
    ),
    (r"device offline|connection closed|^closed$|^Unknown data: b''$", DeviceOffline, _REPLUG),
    (r"time(d )?out", DeviceTimeout, _ADVICE[DeviceTimeout]),
)


def translated(error: BaseException, *, device: str, doing: str) -> DeviceError | None:
    """The ``DeviceError`` in place of the error, or None for an error of no library in the table.

    ``doing`` names the call ("tap"), ``device`` the phone, both for the message.
    """
    names = (f"{base.__module__}.{base.__qualname__}" for base in type(error).__mro__)
    by_class = next(filter(None, map(_OURS.get, names)), None)
    if by_class is None:
        return None
    words = _words(error)
    usual = by_class, _ADVICE.get(by_class, "")
    ours, advice = next(
        ((kind, advice) for pattern, kind, advice in _BY_WORDS if re.search(pattern, words)), usual
    )
    detail = (words.strip().splitlines() or [""])[0].rstrip(".")[:300]
    message = f"{doing} on {device}: {detail}. {advice}".rstrip()
    if ours is ProtocolError:
        return ProtocolError(message, exchange=words, device=device, detail=detail)
    return ours(message, device=device, detail=detail)


@dataclass(frozen=True)
class foreign_errors:
    """Raises ours in place of theirs, which stays its ``__context__`` and is in no traceback.
    Errors in our own code pass as they are. A class, since the frames of a generator's context
    would stand in every traceback."""

    device: str
    doing: str

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if not isinstance(error, Exception) or isinstance(error, ReplicantError):
            return
        ours = translated(error, device=self.device, doing=self.doing)
        if ours is not None:
            # What theirs came through says nothing of the phone.
            raise ours.sent_nothing(sent_nothing(error)) from None


def sent_nothing(error: Exception) -> bool:
    """Whether the error of another library came before anything had left this computer."""
    return bool(getattr(error, "never_sent", isinstance(error, ConnectionRefusedError)))


def _words(error: BaseException) -> str:
    """Message of the error; several arguments line by line, and not as the tuple that Python makes
    of them."""
    if len(error.args) > 1 and isinstance(error.args[0], str):
        return "\n".join(str(each) for each in error.args if each)
    try:
        return str(error) or type(error).__name__
    except (AttributeError, TypeError):  # facebook-wda's cannot all be printed
        return str(error.args[0] if error.args else type(error).__name__)
