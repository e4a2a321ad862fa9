"""``DeviceUri``: a device URI, read once into a value. The grammar of each kind is one function,
and pure.

======================================
============================================================== ``virtual``, ``virtual:android``
a virtual Android phone; ``?knob=value&…`` sets its knobs ``virtual:N``, ``virtual:android:N``    N
virtual Android phones, each acquired by one test at a time ``android``
every phone that is attached through adb and can be used ``android:SERIAL``                      the
attached phone of that serial ``adb://HOST:PORT/SERIAL``              a phone behind an adb server
elsewhere ``virtual:ios``, ``virtual:ios:N``      a virtual iPhone, or N of them; ``?knob=value&…``
sets their knobs ``ios:http://HOST:PORT``                the iPhone whose WebDriverAgent answers
there; also ``https`` ``ios:http+usbmux://UDID:PORT``         the iPhone of that UDID, through this
computer's usbmuxd ``cassette:REPORT``                     the phones of each test, as they were
recorded in that report ======================================
==============================================================

An iPhone is named by a whole URL: in ``ios:NAME:8100`` the name could be a computer's or a phone's
UDID.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal
from urllib.parse import unquote

from ..errors import DeviceError, UsageError, did_you_mean
from ..model import MASK, Strings
from .attached import DEFAULT_ADB_PORT, complaint, list_phones, server_address

if TYPE_CHECKING:
    from ..drivers import Platform

Kind = Literal["virtual", "attached", "remote", "wda", "cassette", "custom"]

LATENCY_KNOBS = (
    "latency",
    "dump_ms",
    "boot_ms",
    "gesture_ms",
    "text_ms",
    "screenshot_ms",
    "shell_ms",
    "rpc_ms",
    "launch_ms",
    "screen_change_ms",
)
FAULT_KNOBS = (
    "fail_dump",
    "truncate_dump",
    "stale_dump",
    "slow_dump",
    "slow_dump_ms",
    "kill_dump",
    "lose_tap",
    "drop_connection",
    "banners",
    "seed",
)
ANDROID_KNOBS = (
    "shell_ms",
    "boot_ms",
    "displays",
    "folded",
    "inject",
    "deepest",
    "permissions",
    "settings",
    "screen_timeout",
    "ime",
    "autofill",
    "stylus",
    "verifier",
    "clipboard",
    "windows",
)
"""Knobs that a virtual iPhone does not have."""
IPHONE_KNOBS = ("banners", "wda")
"""Knobs that a virtual Android phone does not have."""
KNOBS = (
    *LATENCY_KNOBS,
    *FAULT_KNOBS,
    "app",
    "apps",
    "serial",
    "profile",
    *ANDROID_KNOBS[2:],
    "wda",
)
DEMO_APPS = ("dev.replicant.shop", "dev.replicant.lab")
"""The ids of the apps that come with a virtual phone."""
MOST_VIRTUAL = 64
"""Virtual phones of one process at most: so many answer as fast as one does."""
DEFAULT_WDA_PORT = 8100
WDA_SCHEMES = ("http", "https", "http+usbmux")
_PORTS = {"https": 443, "http+usbmux": DEFAULT_WDA_PORT}
"""Those of a URL that names none."""

# Compiled when a URI of that kind is read: most runs read one.
_VIRTUAL = r"virtual(:(?P<platform>android|ios))?(:(?P<count>[0-9]+))?"
_REMOTE = r"adb://(?P<host>\[[0-9A-Fa-f:.]+\]|[^/:?\s]+):(?P<port>\d+)/(?P<serial>[^\s]+)"
_WDA_URL = (
    r"(?i)(?P<scheme>https?|http\+usbmux)://(?P<host>\[[0-9A-Fa-f:.]+\]|"
    r"[\w.-]+)(?::(?P<port>\d+))?(?P<path>|/[!-~]*)"
)
_UDID = r"(?P<udid>[0-9A-Fa-f]{40}|[0-9A-Fa-f]{8}-[0-9A-Fa-f]{16})(?::(?P<port>\d+))?"
_ADDRESS = r"(?P<host>\[[0-9A-Fa-f:.]+\]|[\w.-]+)(?::(?P<port>\d+))?/?"
_LOOPBACK = {"localhost": "127.0.0.1", "[::1]": "127.0.0.1"}


@dataclass(frozen=True)
class WdaUrl:
    """Address of a WebDriverAgent. ``text`` is the client's URL; ``host`` is a UDID over usbmux."""

    text: str
    host: str
    port: int

    @property
    def place(self) -> str:
        """The same for every spelling of one address, as far as the spelling shows it."""
        host = self.host.lower()
        return self.text.replace(self.host, _LOOPBACK.get(host, host), 1)


@dataclass(frozen=True, eq=False)
class DeviceUri:
    """A device URI. Two are equal where their texts are.

    ``platform`` is None if only the phone itself can say. ``serial`` is "" for "the one that is
    attached"; ``host`` and ``port`` are the adb server's, for ``remote`` alone, and ``url`` is
    WebDriverAgent's, for ``wda``. ``knobs`` are a virtual phone's, as they were written, and
    ``count`` the number of phones asked for, None for as many as needed. A ``custom`` URI is not of
    this plugin: a driver of the user's may know it; ``error`` says why. ``alias`` is the URI that
    people know the phone by, where another one reaches it.
    """

    text: str
    kind: Kind
    platform: Platform | None = None
    serial: str = ""
    host: str = ""
    port: int = 0
    knobs: Mapping[str, Strings] = field(default_factory=dict)
    url: WdaUrl | None = None
    count: int | None = None
    error: UsageError | None = field(default=None, repr=False)
    alias: DeviceUri | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DeviceUri) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __str__(self) -> str:
        return self.text

    def checked(self) -> DeviceUri:
        """This URI. Raises ``UsageError`` if it is none of this plugin's."""
        if self.error is not None:
            raise self.error
        return self

    @property
    def scheme(self) -> str:
        return re.split(r"[:?]", self.text, maxsplit=1)[0]

    @property
    def reported(self) -> str:
        """The URI in reports."""
        return (self.alias or self).text

    @property
    def is_virtual(self) -> bool:
        """Whether it asks for a virtual phone, well formed or not."""
        return self.scheme == "virtual"

    @property
    def is_unlimited(self) -> bool:
        """Whether there are as many of these phones as needed: virtual ones, without a number or a
        name."""
        return self.kind == "cassette" or (
            self.is_virtual and self.count is None and "serial" not in self.knobs
        )

    @property
    def secrets(self) -> Strings:
        """Parts of the text that are shown nowhere: user and password, and the query of an iPhone's
        URL."""
        ios = self.text.startswith("ios:")
        place, query = self.text, ""
        if ios:
            place, _, query = place.partition("?")
        scheme, _, rest = place.partition("://")
        if ios and not rest:
            rest = scheme.removeprefix("ios:")
        return tuple(filter(None, (query, rest.rpartition("@")[0])))

    @property
    def masked(self) -> str:
        """The text with its secrets hidden."""
        text = self.text
        for secret in self.secrets:
            text = text.replace(secret, MASK, 1)
        return text

    @property
    def label(self) -> str:
        """The phone for people, in a line: a virtual one by its own serial, else the masked
        text."""
        known = self.alias or self
        return known.knobs["serial"][-1] if "serial" in known.knobs else known.masked

    def lease_name(self) -> str | None:
        """Name of the phone's lease on this computer; None for a phone that needs none, or whose
        lease is not ours."""
        if self.url is not None:
            return f"ios:{self.url.place}"
        if self.kind == "remote":
            return f"adb://{self.host}:{self.port}/{self.serial}"
        if self.kind == "attached" and self.serial:
            with suppress(UsageError):
                host, port = server_address()
                return f"adb://{host}:{port}/{self.serial}"
        return None

    def expand(self) -> tuple[tuple[DeviceUri, ...], list[str]]:
        """One URI for each phone, and the attached ones that cannot be used, each with the reason.
        The URI itself where that cannot be known now: opening it reports the trouble."""
        if self.count is not None:
            return self.members, []
        if self.kind != "attached" or self.serial:
            return (self,), []
        try:
            phones = list_phones(*server_address())
        except (UsageError, DeviceError):
            phones = []
        usable, passed_over = [], []
        for phone in phones:
            if phone.usable:
                usable.append(read_attached(f"android:{phone.serial}"))
            else:
                passed_over.append(f"{phone.serial} {complaint(phone)}")
        return (tuple(usable), passed_over) if usable else ((self,), [])

    def numbered(self, number: int) -> DeviceUri:
        """A virtual phone of a kind that has as many as needed, by a name of its own."""
        return replace(self, knobs={**self.knobs, "serial": (f"{self._name}-{number}",)})

    @property
    def _name(self) -> str:
        return "virtual-iphone" if self.platform == "ios" else "virtual"

    @property
    def members(self) -> tuple[DeviceUri, ...]:
        """One URI for each of several virtual phones, which differ in their serials."""
        query = self.text.partition("?")[2]
        if query:
            query += "&"
        return tuple(
            read_virtual(f"virtual:{self.platform}?{query}serial={self._name}-{number}")
            for number in range(1, (self.count or 1) + 1)
        )


def kind_of_phone(name: str) -> str:
    """How a URI begins that asks for a phone of that name, of which the number says only which came
    first."""
    found = re.fullmatch(r"virtual(-iphone)?-\d+", name)
    if found is None:
        return name
    return "virtual:ios" if found[1] else "virtual"


def read_cassette(text: str) -> DeviceUri:
    if not text.partition(":")[2].partition("?")[0]:
        raise UsageError(
            f"device {text!r}: name the report that is replayed, such as cassette:replicant-report"
        )
    return DeviceUri(text, "cassette")


def unread(text: str) -> DeviceUri:
    """A text that none of this plugin's kinds has read."""
    return DeviceUri(text, "custom")


def read_virtual(text: str) -> DeviceUri:
    place, _, query = text.partition("?")
    found = re.fullmatch(_VIRTUAL, place)
    if found is None:
        raise UsageError(
            f"device {text!r}: no virtual phone {place.partition(':')[2]!r}. There are: virtual, "
            "virtual:android, virtual:ios. Several of a kind: virtual:N, virtual:android:N, "
            "virtual:ios:N."
        )
    platform: Platform = "ios" if found["platform"] == "ios" else "android"
    knobs = _knobs(text, query, platform)
    if not knobs.keys().isdisjoint({"profile", "apps"}):
        _check_form(text, knobs, platform)
    number = found["count"]
    if number is None:
        return DeviceUri(text, "virtual", platform, knobs=knobs)
    if len(number) > 8 or not 1 <= int(number) <= MOST_VIRTUAL:
        raise UsageError(
            f"device {text!r}: {number} virtual phones cannot be had; give a number from 1 to "
            f"{MOST_VIRTUAL}."
        )
    if "serial" in knobs:
        raise UsageError(
            f"device {text!r}: serial names one phone, and {int(number)} are asked for. Leave one "
            "of them out."
        )
    return DeviceUri(text, "virtual", platform, knobs=knobs, count=int(number))


def _check_form(text: str, knobs: Mapping[str, Strings], platform: Platform) -> None:
    """Of apps the form alone: nothing is imported before a phone is started."""
    from ..virtual import check_place, make_named

    try:
        for name in knobs.get("profile", ()):
            make_named(name, platform)
        for place in knobs.get("apps", ()):
            check_place(place, DEMO_APPS)
    except UsageError as error:
        raise UsageError(f"device {text!r}: {error}") from None


PHONES: Mapping[str, str] = {"android": "an Android phone", "ios": "an iPhone"}


def _knobs(text: str, query: str, platform: Platform) -> dict[str, Strings]:
    foreign = {"android": IPHONE_KNOBS, "ios": ANDROID_KNOBS}[platform]
    known = [knob for knob in KNOBS if knob not in foreign]
    knobs: dict[str, Strings] = {}
    for pair in filter(None, query.split("&")):
        name, _, value = pair.partition("=")
        if name not in known:
            kind = f" on {PHONES[platform]}" if name in KNOBS else ""
            near = did_you_mean(name, known, form="{!r}")
            raise UsageError(
                f"device {text!r}: no knob {name!r}{kind}.{near} Knobs: {', '.join(known)}."
            )
        if not value:
            raise UsageError(f"device {text!r}: knob {name} has no value; write {name}=…")
        if name in knobs and name not in ("app", "apps"):
            raise UsageError(f"device {text!r}: knob {name} is given twice.")
        values = unquote(value).split(",") if name == "apps" else [unquote(value)]
        knobs[name] = (*knobs.get(name, ()), *values)
    return knobs


def read_attached(text: str) -> DeviceUri:
    _refuse_knobs(text)
    if text == "android":
        return DeviceUri(text, "attached", "android")
    return DeviceUri(text, "attached", "android", _serial(text, text[len("android:") :]))


def read_remote(text: str) -> DeviceUri:
    _refuse_knobs(text)
    match = re.fullmatch(_REMOTE, text)
    port = int(match["port"]) if match else 0
    if match is None or not 0 < port <= 65535:
        raise UsageError(
            f"device {text!r}: a remote adb server is written adb://HOST:PORT/SERIAL, "
            f"such as adb://build-host:{DEFAULT_ADB_PORT}/emulator-5554."
        )
    serial = _serial(text, match["serial"])
    return DeviceUri(text, "remote", "android", serial, match["host"].strip("[]"), port)


def _serial(text: str, serial: str) -> str:
    if not serial or re.search(r"[\s\0]", serial):
        raise UsageError(
            f"device {text!r}: {serial!r} is no serial; `adb devices` lists them. Write "
            "android:SERIAL."
        )
    return serial


def read_wda(text: str) -> DeviceUri:
    _refuse_knobs(text)
    return DeviceUri(text, "wda", "ios", url=parse_wda_url(text, text[len("ios:") :]))


def _refuse_knobs(text: str) -> None:
    """No real phone has knobs, and no serial a question mark."""
    query = text.partition("?")[2]
    if "?" in text:
        masked = unread(text).masked
        raise UsageError(
            f"device {masked!r}: ?{'…' if text.startswith('ios') else query} would set knobs, and "
            f"only a virtual phone has them. Leave it out: {masked.partition('?')[0]}."
        )


def parse_wda_url(device: str, url: str) -> WdaUrl:
    """``device`` is the whole URI, for the message. Raises ``UsageError`` for any other URL."""
    masked = unread(device).masked
    if "@" in url:
        raise UsageError(
            f"device {masked!r}: a URL with a user or a password cannot be used: facebook-wda "
            "sends neither. Leave it out; a phone that is elsewhere is best reached through a "
            f"tunnel, such as ssh -L {DEFAULT_WDA_PORT}:127.0.0.1:{DEFAULT_WDA_PORT} HOST."
        )
    match = re.fullmatch(_WDA_URL, url)
    if match is None:
        words = (
            f"device {masked!r}: an iPhone is named by the URL of its WebDriverAgent, such as "
            f"ios:http://127.0.0.1:{DEFAULT_WDA_PORT} or "
            f"ios:http+usbmux://UDID:{DEFAULT_WDA_PORT}."
        )
        if meant := _nearest_wda_uri(url):
            words += f" Did you mean {meant}?"
        raise UsageError(words)
    scheme, host, path = match["scheme"].lower(), match["host"], match["path"].rstrip("/")
    if scheme == "http+usbmux" and path:
        raise UsageError(
            f"device {masked!r}: a phone over usbmux has no path; write "
            f"ios:http+usbmux://{host}:{DEFAULT_WDA_PORT}."
        )
    port = match["port"] or _PORTS.get(scheme)
    if port is None:
        raise UsageError(
            f"device {masked!r}: the URL names no port. WebDriverAgent's own is "
            f"{DEFAULT_WDA_PORT}: write ios:http://{host}:{DEFAULT_WDA_PORT}{path}."
        )
    number = int(port)
    if not 0 < number <= 65535:
        raise UsageError(f"device {masked!r}: {number} is no port (1 to 65535).")
    return WdaUrl(f"{scheme}://{host}:{number}{path}", host, number)


def _nearest_wda_uri(text: str) -> str:
    """The device URI that is nearly this, "" if there is none."""
    if text.isdecimal() and 0 < int(text) <= 65535:
        return f"ios:http://127.0.0.1:{text}"
    if match := re.fullmatch(_UDID, text):
        return f"ios:http+usbmux://{match['udid']}:{match['port'] or DEFAULT_WDA_PORT}"
    if match := re.fullmatch(_ADDRESS, text.lstrip("/")):
        return f"ios:http://{match['host']}:{match['port'] or DEFAULT_WDA_PORT}"
    return ""
