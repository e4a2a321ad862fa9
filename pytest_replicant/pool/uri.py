"""Device URIs, read. Pure; what they name is opened in ``open``.

======================================  ==============================================================
``virtual``, ``virtual:android``        a virtual Android phone; ``?knob=value&…`` sets its knobs
``virtual:N``, ``virtual:android:N``    N virtual Android phones, each of which is lent to one test at a time
``android``                             every phone that is attached through adb and can be used
``android:SERIAL``                      the attached phone of that serial
``adb://HOST:PORT/SERIAL``              a phone behind an adb server elsewhere
``virtual:ios``, ``virtual:ios:N``      a virtual iPhone, or N of them; ``?knob=value&…`` sets their knobs
``ios:http://HOST:PORT``                the iPhone whose WebDriverAgent answers there; also ``https``
``ios:http+usbmux://UDID:PORT``         the iPhone of that UDID, through this computer's usbmuxd
======================================  ==============================================================

An iPhone is named by a whole URL: in ``ios:NAME:8100`` the name could be a computer's or a phone's UDID.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import unquote

from ..drivers import Platform
from ..errors import UsageError
from .wda_url import WDA_SCHEMES, WdaUrl, parse_wda_url, told_uri

Kind = Literal["virtual", "attached", "remote", "wda"]

FORMS = (
    "virtual",
    "virtual:android",
    "virtual:N",
    "virtual?knob=value",
    "android",
    "android:SERIAL",
    "adb://HOST:PORT/SERIAL",
    "virtual:ios",
    "ios:http://HOST:PORT",
    "ios:http+usbmux://UDID:PORT",
)
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
    "seed",
)
KNOBS = (*LATENCY_KNOBS, *FAULT_KNOBS, "app", "serial")
ANDROID_KNOBS = ("shell_ms", "boot_ms")
"""Of what a virtual iPhone has none: it would be set, and nothing would change."""
DEFAULT_ADB_PORT = 5037
MOST_VIRTUAL = 64
"""So many virtual phones in one process answer as one does; far more would only be slow."""

_ANDROID = re.compile(r"virtual(:android)?(:\d+)?(\?.*)?|android(:.*)?|adb:.*")
_IOS = re.compile(r"(virtual:)?ios([:?].*)?")
_VIRTUAL = re.compile(r"virtual(:(?P<platform>android|ios))?(:(?P<count>[0-9]+))?")
_SCHEMES = ("virtual", "android", "adb", "ios")
_REMOTE = re.compile(r"adb://(?P<host>\[[0-9A-Fa-f:.]+\]|[^/:?\s]+):(?P<port>\d+)/(?P<serial>[^\s]+)")


@dataclass(frozen=True)
class DeviceUri:
    """One phone, named. ``serial`` is "" for "the one that is attached"; ``host`` and ``port`` are the adb
    server's, for ``remote`` alone, and ``url`` is WebDriverAgent's, for ``wda``; ``knobs`` are a virtual phone's,
    as they were written, and ``count`` how many of it are asked for, None for as many as anybody wants."""

    text: str
    kind: Kind
    serial: str = ""
    host: str = ""
    port: int = 0
    knobs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    platform: Platform = "android"
    url: WdaUrl | None = None
    count: int | None = None

    def __str__(self) -> str:
        return self.text


def parse_uri(text: str) -> DeviceUri:
    """Raises ``UsageError`` for what is no device URI, naming the forms and the nearest one."""
    if not isinstance(text, str):
        raise UsageError(f"device {text!r}: a device is named by a string. Forms: {', '.join(FORMS)}.")
    text = text.strip()
    _refuse_query(text)
    scheme = re.split(r"[:?]", text, maxsplit=1)[0]
    if scheme == "virtual":
        return _virtual(text)
    if text == "android":
        return DeviceUri(text, "attached")
    if scheme == "android":
        return DeviceUri(text, "attached", serial=_serial(text, text[len("android:") :]))
    if scheme == "adb":
        return _remote(text)
    if scheme == "ios":
        return DeviceUri(text, "wda", platform="ios", url=parse_wda_url(text, text[len("ios:") :]))
    raise _unknown(text, scheme)


def _refuse_query(text: str) -> None:
    """No real phone has knobs, and no serial a question mark."""
    scheme, query = re.split(r"[:?]", text, maxsplit=1)[0], text.partition("?")[2]
    if scheme in ("android", "adb", "ios") and "?" in text:
        told = told_uri(text)
        raise UsageError(
            f"device {told!r}: ?{query if scheme != 'ios' else '…'} would set knobs, and only a virtual phone has "
            f"them. Leave it out: {told.partition('?')[0]}."
        )


def is_virtual(text: str) -> bool:
    """Whether the URI asks for a virtual phone, well formed or not."""
    return re.split(r"[:?]", text.strip(), maxsplit=1)[0] == "virtual"


def is_unlimited(text: str) -> bool:
    """Whether there are as many of these phones as anybody asks for: virtual ones, of which none is named."""
    place, _, query = text.strip().partition("?")
    return is_virtual(text) and re.search(r":\d", place) is None and re.search(r"(^|&)serial=", query) is None


def platform_of(text: str) -> Platform | None:
    """What a phone of that URI runs, by the URI alone; None where only the phone itself can tell."""
    if _ANDROID.fullmatch(text.strip()):
        return "android"
    return "ios" if _IOS.fullmatch(text.strip()) else None


def _virtual(text: str) -> DeviceUri:
    place, _, query = text.partition("?")
    found = _VIRTUAL.fullmatch(place)
    if found is None:
        raise UsageError(
            f"device {text!r}: no virtual phone {place.partition(':')[2]!r}. There are: virtual, virtual:android, "
            "virtual:ios. Several of a kind: virtual:N, virtual:android:N, virtual:ios:N."
        )
    platform: Platform = "ios" if found["platform"] == "ios" else "android"
    knobs = _knobs(text, query, platform)
    count = _count(text, found["count"])
    if count is not None and "serial" in knobs:
        raise UsageError(
            f"device {text!r}: serial names one phone, and {count} are asked for. Leave one of them out."
        )
    return DeviceUri(text, "virtual", knobs=knobs, platform=platform, count=count)


def _count(text: str, number: str | None) -> int | None:
    if number is None:
        return None
    count = int(number) if len(number) < 9 else MOST_VIRTUAL + 1
    if not 1 <= count <= MOST_VIRTUAL:
        raise UsageError(
            f"device {text!r}: {number} virtual phones cannot be had; give a number from 1 to {MOST_VIRTUAL}."
        )
    return count


def _knobs(text: str, query: str, platform: Platform) -> dict[str, tuple[str, ...]]:
    known = KNOBS if platform == "android" else tuple(knob for knob in KNOBS if knob not in ANDROID_KNOBS)
    knobs: dict[str, tuple[str, ...]] = {}
    for pair in filter(None, query.split("&")):
        name, equals, value = pair.partition("=")
        if name not in known:
            kind = " on an iPhone" if name in KNOBS else ""
            raise UsageError(
                f"device {text!r}: no knob {name!r}{kind}.{_nearest(name, known)} Knobs: {', '.join(known)}."
            )
        if not equals or not value:
            raise UsageError(f"device {text!r}: knob {name} has no value; write {name}=…")
        if name in knobs and name != "app":
            raise UsageError(f"device {text!r}: knob {name} is given twice.")
        knobs[name] = (*knobs.get(name, ()), unquote(value))
    return knobs


def _remote(text: str) -> DeviceUri:
    match = _REMOTE.fullmatch(text)
    port = int(match["port"]) if match else 0
    if match is None or not 0 < port <= 65535:
        raise UsageError(
            f"device {text!r}: a remote adb server is written adb://HOST:PORT/SERIAL, "
            f"such as adb://build-host:{DEFAULT_ADB_PORT}/emulator-5554."
        )
    serial = _serial(text, match["serial"])
    return DeviceUri(text, "remote", serial=serial, host=match["host"].strip("[]"), port=port)


def _serial(text: str, serial: str) -> str:
    if not serial or re.search(r"[\s\0]", serial):
        raise UsageError(
            f"device {text!r}: {serial!r} is no serial; `adb devices` lists them. Write android:SERIAL."
        )
    return serial


def _unknown(text: str, scheme: str) -> UsageError:
    told = told_uri(text)
    meant = f" Did you mean 'ios:{told}'?" if scheme in WDA_SCHEMES else _nearest(scheme.lower(), _SCHEMES)
    return UsageError(f"device {told!r} is no device URI.{meant} Forms: {', '.join(FORMS)}.")


def _nearest(word: str, words: tuple[str, ...]) -> str:
    near = difflib.get_close_matches(word, words, 1, 0.6)
    return f" Did you mean {near[0]!r}?" if near else ""
