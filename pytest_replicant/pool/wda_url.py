"""The URL of a WebDriverAgent, as ``ios:URL`` names it. Pure; no phone is asked."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..errors import UsageError
from ..model import MASK

DEFAULT_WDA_PORT = 8100
WDA_SCHEMES = ("http", "https", "http+usbmux")

_PARTS = re.compile(
    r"(?P<scheme>https?|http\+usbmux)://(?P<host>\[[0-9A-Fa-f:.]+\]|[\w.-]+)(?::(?P<port>\d+))?(?P<path>/[!-~]*)?",
    re.IGNORECASE,
)
_UDID = re.compile(r"(?P<udid>[0-9A-Fa-f]{40}|[0-9A-Fa-f]{8}-[0-9A-Fa-f]{16})(?::(?P<port>\d+))?")
_ADDRESS = re.compile(r"(?P<host>\[[0-9A-Fa-f:.]+\]|[\w.-]+)(?::(?P<port>\d+))?/?")
_LOOPBACK = {"localhost": "127.0.0.1", "[::1]": "127.0.0.1"}


@dataclass(frozen=True)
class WdaUrl:
    """Where WebDriverAgent answers. ``text`` is what a client is given; ``host`` is a UDID over usbmux."""

    text: str
    host: str
    port: int

    @property
    def place(self) -> str:
        """The same for every spelling of one address, as far as the spelling tells."""
        host = self.host.lower()
        return self.text.replace(self.host, _LOOPBACK.get(host, host), 1)


def parse_wda_url(device: str, url: str) -> WdaUrl:
    """``device`` is the whole URI, for the message. Raises ``UsageError`` for what is no such URL."""
    told = told_uri(device)
    if "@" in url:
        raise UsageError(
            f"device {told!r}: a URL with a user or a password cannot be used: facebook-wda sends neither. "
            "Leave it out; a phone that is elsewhere is best reached through a tunnel, such as "
            f"ssh -L {DEFAULT_WDA_PORT}:127.0.0.1:{DEFAULT_WDA_PORT} HOST."
        )
    match = _PARTS.fullmatch(url)
    if match is None:
        raise UsageError(f"device {told!r}: {_what_to_write(url)}")
    scheme, host, path = match["scheme"].lower(), match["host"], (match["path"] or "").rstrip("/")
    usbmux = scheme == "http+usbmux"
    if usbmux and path:
        raise UsageError(
            f"device {told!r}: a phone over usbmux has no path; write ios:http+usbmux://{host}:{DEFAULT_WDA_PORT}."
        )
    if match["port"] is None and scheme == "http":
        raise UsageError(
            f"device {told!r}: the URL names no port. WebDriverAgent's own is {DEFAULT_WDA_PORT}: write "
            f"ios:http://{host}:{DEFAULT_WDA_PORT}{path}."
        )
    port = int(match["port"] or (DEFAULT_WDA_PORT if usbmux else 443))
    if not 0 < port <= 65535:
        raise UsageError(f"device {told!r}: {port} is no port (1 to 65535).")
    return WdaUrl(f"{scheme}://{host}:{port}{path}", host, port)


def told_uri(text: str) -> str:
    """A device URI as it may be shown: without a user or password that somebody wrote into it, and without what
    follows the ``?`` of an iPhone's URL, which may be a token."""
    for hidden in hidden_in(text):
        text = text.replace(hidden, MASK, 1)
    return text


def hidden_in(text: str) -> tuple[str, ...]:
    """What of a device URI is shown nowhere."""
    shown, _, query = text.partition("?") if text.startswith("ios:") else (text, "", "")
    start = shown.find("://") + 3 if "://" in shown else len("ios:") if shown.startswith("ios:") else len(shown)
    user = shown[start:].rpartition("@")[0]
    return tuple(part for part in (query, user) if part)


def meant_url(text: str) -> str:
    """The device URI that somebody meant by what is nearly one, "" where that cannot be told."""
    if text.isdecimal() and 0 < int(text) <= 65535:
        return f"ios:http://127.0.0.1:{text}"
    if match := _UDID.fullmatch(text):
        return f"ios:http+usbmux://{match['udid']}:{match['port'] or DEFAULT_WDA_PORT}"
    if match := _ADDRESS.fullmatch(text.lstrip("/")):
        return f"ios:http://{match['host']}:{match['port'] or DEFAULT_WDA_PORT}"
    return ""


def _what_to_write(url: str) -> str:
    meant = meant_url(url)
    suggested = f" Did you mean {meant}?" if meant else ""
    return (
        "an iPhone is named by the URL of its WebDriverAgent, such as "
        f"ios:http://127.0.0.1:{DEFAULT_WDA_PORT} or ios:http+usbmux://UDID:{DEFAULT_WDA_PORT}.{suggested}"
    )
