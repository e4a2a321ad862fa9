"""The boot of an emulator: conditions in order, each seen to hold, asked through its adb server.

A read that fails is no evidence: the condition stays open, and the failure is its last observation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Protocol

from ..clock import Clock
from ..drivers import KnownPhone, ask, known_phones
from ..errors import DeviceError, DeviceTimeout
from .emulator import Console, console_port

POLL_SECONDS = 0.5

_WINDOW = r"Window\{\S+ u\d+ (.+?)\}$"
_WAIT = r'<node [^>]*resource-id="android:id/aerr_wait"[^>]*bounds="\[(\d+),(\d+)\]\[(\d+),(\d+)\]"'
_BEFORE_UNLOCK = "FallbackHome"  # Android's own stand-in, until the user's storage can be read
_HANGS = "Application Not Responding:"
_HOME = (
    "cmd package resolve-activity --brief -a android.intent.action.MAIN -c android.intent.category.HOME "
    "|| echo code $?"
)
_DUMP = "/data/local/tmp/replicant-boot.xml"


class Booting(Protocol):
    """How an emulator is asked. Both raise ``DeviceError``."""

    def state(self) -> str:
        """adb's word, "" where adb does not know it."""
        ...

    def shell(self, command: str) -> str: ...


Condition = tuple[str, Callable[[Booting], str]]
"""Its name, and what says what was seen instead, "" if it holds."""


def _attached(phone: Booting) -> str:
    return "" if phone.state() else "the adb server does not know it yet"


def _online(phone: Booting) -> str:
    state = phone.state()
    return "" if state == "device" else f"adb says {state or 'that it is gone'}"


def _booted(phone: Booting) -> str:
    """``dev.bootcomplete`` is older and not on every image, and an animation that was never started has no
    state: only what contradicts counts against them."""
    said = phone.shell("getprop sys.boot_completed; getprop dev.bootcomplete; getprop init.svc.bootanim; echo end")
    lines = [line.strip() for line in said.splitlines()]
    if len(lines) != 4 or lines[3] != "end":
        return f"getprop answers {said.strip()[:100]!r}"
    completed, older, animation = lines[:3]
    if completed != "1" or older not in ("", "1"):
        return f"sys.boot_completed={completed or '(unset)'}, dev.bootcomplete={older or '(unset)'}"
    return "" if animation in ("", "stopped") else f"its boot animation is {animation}"


def _packages(phone: Booting) -> str:
    said = phone.shell("pm path android")
    return "" if said.startswith("package:/") else f"`pm path android` answers {_first(said)}"


def _home(phone: Booting) -> str:
    """Until the user is unlocked only Android's stand-in answers to HOME. Before Android 7 there is no such
    command, nor such a lock."""
    said = phone.shell(_HOME)
    if re.search(r"cmd: (inaccessible or )?not found", said):
        return ""
    last = (said.strip().splitlines() or [""])[-1].strip()
    if _BEFORE_UNLOCK in last:
        return "the user is not unlocked yet: Android's stand-in is the home screen"
    if re.fullmatch(r"[\w.]+/[\w.$]+", last):
        return ""
    return f"nothing answers to HOME: {_first(said)}"


def _settings(phone: Booting) -> str:
    said = phone.shell("settings get global window_animation_scale").strip()
    return "" if re.fullmatch(r"null|\d+(\.\d+)?", said) else f"`settings get` answers {_first(said)}"


@dataclass
class _InFront:
    """A window that can be used. An app that hangs, as the system's own does on a slow computer, is given the
    time that it asks for, once."""

    _waited: bool = False

    def __call__(self, phone: Booting) -> str:
        found = re.findall(r"^\s*mCurrentFocus=(.*)$", phone.shell("dumpsys window"), re.MULTILINE)
        windows = [window[1] for each in found if (window := re.match(_WINDOW, each.strip()))]
        if not windows:
            return "no window has the focus"
        hanging = next((name for name in windows if name.startswith(_HANGS)), None)
        if hanging is not None:
            return self._wait(phone, hanging)
        return "the user is not unlocked yet" if _BEFORE_UNLOCK in windows[0] else ""

    def _wait(self, phone: Booting, hanging: str) -> str:
        if self._waited:
            return f"{hanging} (its Wait was pressed once)"
        dump = phone.shell(f"uiautomator dump {_DUMP} >/dev/null && cat {_DUMP}; rm -f {_DUMP}")
        button = re.search(_WAIT, dump)
        if button is None:
            return f"{hanging} (its Wait button was not found)"
        left, top, right, bottom = map(int, button.groups())
        self._waited = True
        phone.shell(f"input tap {(left + right) // 2} {(top + bottom) // 2}")
        return f"{hanging} (its Wait was pressed)"


def conditions() -> list[Condition]:
    """In the order in which an emulator meets them. Animations are turned off as a phone is prepared for a test;
    here only what does it must answer."""
    return [
        ("attached to adb", _attached),
        ("online", _online),
        ("boot completed", _booted),
        ("package manager", _packages),
        ("home screen, user unlocked", _home),
        ("settings", _settings),
        ("a window in front, no app that hangs", _InFront()),
    ]


@dataclass
class BootGate:
    """One emulator's way through. ``check_alive`` raises where its process has ended, which is not always ours
    to know."""

    name: str
    phone: Booting
    check_alive: Callable[[], object] = bool
    last_seen: str = "nothing yet"
    _conditions: list[Condition] = field(default_factory=conditions)
    _met: int = 0

    @property
    def open(self) -> bool:
        return self._met == len(self._conditions)

    @property
    def standing(self) -> str:
        """What it waits for, for the terminal."""
        if self.open:
            return "ready"
        return f"{self._conditions[self._met][0]} ({self._met + 1}/{len(self._conditions)})"

    def look(self) -> bool:
        """Goes as far as it gets now; True where it is through."""
        self.check_alive()
        while not self.open:
            try:
                self.last_seen = self._conditions[self._met][1](self.phone)
            except DeviceError as error:
                self.last_seen = f"the question failed: {_first(str(error))}"
            if self.last_seen:
                return False
            self._met += 1
        return True


def pass_gates(
    gates: Sequence[BootGate],
    timeout: float,
    clock: Clock,
    report: Callable[[Sequence[BootGate], float], object] = lambda gates, elapsed: None,
    setting: str = "avd:NAME?timeout",
) -> None:
    """Waits until all are open, side by side. ``report`` is called at every look, with the seconds so far;
    ``setting`` is where the time comes from. Raises ``DeviceTimeout`` that says at what each stands, and what
    ``check_alive`` raises."""
    began = clock.now()
    while True:
        closed = [gate for gate in gates if not gate.look()]
        elapsed = clock.now() - began
        report(gates, elapsed)
        if not closed:
            return
        if elapsed >= timeout:
            raise DeviceTimeout(_stuck(closed, f"{setting} = {timeout:g} s"), device=closed[0].name)
        clock.sleep(min(POLL_SECONDS, timeout - elapsed))


def _stuck(gates: Sequence[BootGate], limit: str) -> str:
    lines = [f"  {gate.name} stands at: {gate.standing}; last seen: {gate.last_seen}" for gate in gates]
    return f"not ready within {limit}:\n" + "\n".join(lines)


def _first(text: str) -> str:
    line = (text.strip().splitlines() or ["nothing"])[0]
    return line[:200]


ASK_SECONDS = 10.0  # a shell may hang while the system starts; the next look asks again
_NAMES = "getprop ro.boot.qemu.avd_name; getprop ro.kernel.qemu.avd_name"


@dataclass(frozen=True)
class AdbBooting:
    """Asked again each time: an earlier answer of a system that starts is none."""

    host: str
    port: int
    serial: str

    def state(self) -> str:
        phones = known_phones(self.host, self.port, ASK_SECONDS)
        return next((phone.state for phone in phones if phone.serial == self.serial), "")

    def shell(self, command: str) -> str:
        return ask(self.host, self.port, self.serial, command, ASK_SECONDS)


def running_avds(host: str, port: int, phones: Iterable[KnownPhone]) -> dict[str, str]:
    """AVD to serial, of the emulators that an adb server of this computer knows. One that does not say whose it
    is, by its console or by adb, is left out."""
    found: dict[str, str] = {}
    for phone in phones:
        number = console_port(phone.serial)
        if number is None:
            continue
        name = ""
        with suppress(DeviceError):
            name = Console(number).avd_name()
        if not name and phone.usable:
            with suppress(DeviceError):
                said = AdbBooting(host, port, phone.serial).shell(_NAMES).split()
                name = said[0] if said else ""
        if name:
            found[name] = phone.serial
    return found
