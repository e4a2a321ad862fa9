"""``Collector``: makes a capture of what a phone shows and says while it is proven or recorded."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from ..cassettes import TICKS
from ..drivers import Driver, Exchange, ObjectNotFound, OurDriver, Refused
from ..errors import DeviceError, ProtocolError
from ..model import SystemClock
from ..pool import OpenDevice
from .capture import Capture, CapturedScreen, ProofRow, Reached
from .learned import PROPERTIES, facts_of, refused_in

QUESTIONS = (
    f"getprop | grep -E '^.({'|'.join(PROPERTIES)})]'",
    "settings get secure default_input_method",
    "settings get secure autofill_service",
    "settings get system screen_off_timeout",
    "cmd package resolve-activity --brief -a android.content.pm.action.REQUEST_PERMISSIONS",
    "dumpsys window displays | grep -oE 'DisplayCutout[{]insets=Rect[^)]*[)]' | head -n 4",
)
"""Asked of an Android phone: nothing that lists its apps, its accounts or its log."""
ASK_SECONDS = 10.0

_KINDS = {
    "call": (  # kinds, as the virtual phone's ``Latency`` names them, by the call's method or path
        ("dump_ms", r"dumpWindowHierarchy|source\b.*"),
        ("text_ms", r"setText|clearTextField|wda/keys|element/ID/(?:value|clear)"),
        ("gesture_ms", r"click|drag|swipe|gesture|wda/(?:tap|doubleTap).*|actions"),
        ("screenshot_ms", r"screenshot"),
        ("launch_ms", r"wda/apps/launch"),
        ("rpc_ms", r".*"),
    ),
    "command": (
        ("screenshot_ms", r"screencap\b.*"),
        ("launch_ms", r"am start\b.*"),
        (
            "",
            r"(?:logcat|uiautomator|pm|input|am)\b.*|.*\bsleep\b.*",
        ),  # their own work, and not the shell's
        ("shell_ms", r".*"),
    ),
}
_REFUSED = re.compile(
    r"SecurityException|permission|denied|INJECT_EVENTS|not allowed", re.IGNORECASE
)
_TALKS = r"\b(?:dumpsys|logcat|cat|pm|uiautomator)\b"  # what they print is no answer to us


class Collector:
    """The hierarchy of each stop, how long calls take, refusals. It changes nothing, and breaks no
    proof: what cannot be had is named."""

    def __init__(self) -> None:
        self.screens: list[CapturedScreen] = []
        self.private: list[str] = []  # names and numbers of this one phone
        self._answers: dict[str, str] = {}
        self._refused: set[str] = set()
        self._seconds: defaultdict[str, list[float]] = defaultdict(list)
        self._unknown: dict[str, str] = {}
        self._clock = SystemClock()
        self._began = self._clock.now()
        self._driver: Driver

    def opened(self, device: OpenDevice) -> None:
        """The phone, before anything is done on it."""
        self._driver = driver = device.driver
        self._is_virtual = device.phone is not None
        info = driver.info
        given = (info.serial, *(str(info.extra.get(name) or "") for name in _PRIVATE))
        self.private = [*filter(None, given)]
        if info.platform == "android":
            for command in QUESTIONS:
                try:
                    self._answers[command] = driver.shell(command, ASK_SECONDS).stdout
                except DeviceError as error:
                    self._unknown[command] = str(error)
        if isinstance(driver, OurDriver):
            driver.exchanges.listener = self._hear

    def seen(self, name: str, reached: Reached) -> None:
        """Keeps the screen of a stop, which stands still; one of a name that is known replaces that
        one."""
        driver = self._driver
        at = round((self._clock.now() - self._began) * TICKS)
        try:
            front = driver.app_in_front()
            how = driver.orientation(), driver.keyboard_shown(), reached, driver.dump_hierarchy()
        except DeviceError as error:
            self._unknown[f"screen {name}"] = str(error)
            return
        screen = CapturedScreen(name, front.app, front.activity, *how, at)
        self.screens = [*(each for each in self.screens if each.name != name), screen]

    def capture(self, made: Mapping[str, str], rows: Iterable[ProofRow] = ()) -> Capture:
        """All so far, as it was shown: nothing is redacted. ``made`` as in ``Capture``. After
        ``opened`` alone."""
        info = self._driver.info
        extra = {name: value for name, value in info.extra.items() if name not in _PRIVATE}
        device = replace(info, serial="", extra=extra)
        said = facts_of(device, self._answers, self._refused, self._seconds)
        unknown = {**said.unknown, **self._unknown}
        if self._is_virtual:
            made = {**made, "phone": "virtual"}
        return Capture(made, device, tuple(self.screens), said.facts, tuple(rows), unknown)

    def _hear(self, exchange: Exchange) -> None:
        doing = re.sub(r"(?<=^session)/[^/]+$|^session/[^/]+/", "", exchange.doing)
        if exchange.error is None:
            kinds = _KINDS[exchange.kind]
            kind = next(each for each, pattern in kinds if re.fullmatch(pattern, doing, re.DOTALL))
            if kind:
                self._seconds[kind].append(exchange.seconds)
            if (
                exchange.kind == "command"
                and not re.search(_TALKS, doing)
                and _REFUSED.search(exchange.words)
            ):
                self._refused |= refused_in(f"{doing} {exchange.words}")
        elif isinstance(exchange.error, ProtocolError) and not _is_usual(exchange.error):
            self._refused |= refused_in(f"{doing} {exchange.error.exchange}")


_PRIVATE = ("serialno", "name")
_USUAL = ("no such element", "stale element reference", "invalid session id")


def _is_usual(error: ProtocolError) -> bool:
    """Whether it is an answer, and no refusal: what was typed there says nothing of the phone."""
    return isinstance(error, ObjectNotFound) or (
        isinstance(error, Refused) and error.error in _USUAL
    )
