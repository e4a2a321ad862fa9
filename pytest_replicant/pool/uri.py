"""Device URIs, read. Pure; what they name is opened in ``open``.

======================================  ==============================================================
``virtual``, ``virtual:android``        a virtual Android phone; ``?knob=value&…`` sets its knobs
``android``                             the phone that is attached through adb
``android:SERIAL``                      the attached phone of that serial
``adb://HOST:PORT/SERIAL``              a phone behind an adb server elsewhere
======================================  ==============================================================
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import unquote

from ..drivers.base import Platform
from ..errors import UsageError, is_told

__tracebackhide__ = is_told

Kind = Literal["virtual", "attached", "remote"]

FORMS = (
    "virtual",
    "virtual:android",
    "virtual?knob=value",
    "android",
    "android:SERIAL",
    "adb://HOST:PORT/SERIAL",
)
LATENCY_KNOBS = (
    "latency",
    "dump_ms",
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
    "lose_tap",
    "drop_connection",
    "seed",
)
KNOBS = (*LATENCY_KNOBS, *FAULT_KNOBS, "app")
DEFAULT_ADB_PORT = 5037

_ANDROID = re.compile(r"virtual(:android)?(\?.*)?|android(:.*)?|adb:.*")
_IOS = re.compile(r"(virtual:)?ios([:?].*)?")
_SCHEMES = ("virtual", "android", "adb", "ios")
_REMOTE = re.compile(r"adb://(?P<host>\[[0-9A-Fa-f:.]+\]|[^/:?\s]+):(?P<port>\d+)/(?P<serial>[^\s]+)")


@dataclass(frozen=True)
class DeviceUri:
    """One phone, named. ``serial`` is "" for "the one that is attached"; ``host`` and ``port`` are the adb
    server's, for ``remote`` alone; ``knobs`` are a virtual phone's, as they were written."""

    text: str
    kind: Kind
    serial: str = ""
    host: str = ""
    port: int = 0
    knobs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

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
        raise UsageError(f"device {text!r}: iPhones are not supported yet. Use one of: {', '.join(FORMS)}.")
    raise _unknown(text, scheme)


def _refuse_query(text: str) -> None:
    """No real phone has knobs, and no serial a question mark."""
    scheme, query = re.split(r"[:?]", text, maxsplit=1)[0], text.partition("?")[2]
    if scheme in ("android", "adb") and "?" in text:
        raise UsageError(
            f"device {text!r}: ?{query} would set knobs, and only a virtual phone has them. Leave it out: "
            f"{text.partition('?')[0]}."
        )


def is_virtual(text: str) -> bool:
    """Whether the URI asks for a virtual phone, well formed or not: of those there are as many as wanted."""
    return re.split(r"[:?]", text.strip(), maxsplit=1)[0] == "virtual"


def platform_of(text: str) -> Platform | None:
    """What a phone of that URI runs, by the URI alone; None where only the phone itself can tell."""
    if _ANDROID.fullmatch(text.strip()):
        return "android"
    return "ios" if _IOS.fullmatch(text.strip()) else None


def _virtual(text: str) -> DeviceUri:
    place, _, query = text.partition("?")
    variant = place.partition(":")[2]
    if place not in ("virtual", "virtual:android"):
        raise _unknown_variant(text, variant)
    return DeviceUri(text, "virtual", knobs=_knobs(text, query))


def _unknown_variant(text: str, variant: str) -> UsageError:
    if variant == "ios":
        return UsageError(f"device {text!r}: virtual iPhones are not supported yet. Use virtual:android.")
    if variant.isdecimal():
        return UsageError(
            f"device {text!r}: several virtual phones behind one URI are not supported yet. "
            "Give the option once for each: --replicant-device=virtual --replicant-device=virtual."
        )
    return UsageError(f"device {text!r}: no virtual phone {variant!r}. There are: virtual, virtual:android.")


def _knobs(text: str, query: str) -> dict[str, tuple[str, ...]]:
    knobs: dict[str, tuple[str, ...]] = {}
    for pair in filter(None, query.split("&")):
        name, equals, value = pair.partition("=")
        if name not in KNOBS:
            raise UsageError(
                f"device {text!r}: no knob {name!r}.{_nearest(name, KNOBS)} Knobs: {', '.join(KNOBS)}."
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
    return UsageError(
        f"device {text!r} is no device URI.{_nearest(scheme.lower(), _SCHEMES)} Forms: {', '.join(FORMS)}."
    )


def _nearest(word: str, words: tuple[str, ...]) -> str:
    near = difflib.get_close_matches(word, words, 1, 0.6)
    return f" Did you mean {near[0]!r}?" if near else ""
