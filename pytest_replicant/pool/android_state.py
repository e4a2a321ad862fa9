"""The state of an Android phone: one command, its answer read, and a finding for each fact.

A fact that the phone does not report is None, and never taken for good or bad.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ..logs import SCREEN_QUESTION, screen_state
from .findings import Finding

ANIMATIONS = ("window_animation_scale", "transition_animation_scale", "animator_duration_scale")
_QUICK = {
    "boot": "getprop sys.boot_completed",
    **SCREEN_QUESTION,
    "storage": "df /data",
    "animations": "; ".join(f"settings get global {name}" for name in ANIMATIONS),
}
_FULL = {
    **_QUICK,
    "facts": "getprop ro.product.model; getprop ro.build.version.release; getprop ro.build.version.sdk; "
    "getprop ro.product.cpu.abi",
    "battery": "dumpsys battery",
    "keyboard": "settings get secure default_input_method",
    "clock": "date +%s",
    "miui": "getprop ro.miui.ui.version.name; getprop persist.security.adbinput",
}


def _asked(commands: Mapping[str, str]) -> str:
    return "; ".join(f"echo @{name}; {command}" for name, command in commands.items())


QUICK_QUESTION = _asked(_QUICK)
FULL_QUESTION = _asked(_FULL)

_SECTION = re.compile(r"^@(\w+)\r?\n(.*?)(?=^@\w+\r?$|\Z)", re.MULTILINE | re.DOTALL)
_UNITS = {"": 1, "K": 1, "M": 1024, "G": 1024**2, "T": 1024**3}  # in KiB; without a unit it is KiB
_CHARGING = ("2", "5")  # BatteryManager: charging, full


@dataclass(frozen=True)
class AndroidState:
    """``animations`` are the scales that are not 0. ``battery`` is in percent, ``clock`` in seconds since 1970."""

    booted: bool | None = None
    awake: bool | None = None
    locked: bool | None = None
    secure: bool | None = None  # whether the lock screen asks for something, such as a PIN
    free_kib: int | None = None
    animations: tuple[str, ...] | None = None
    facts: tuple[str, str, str, str] | None = None  # model, Android's version, API level, ABI
    battery: int | None = None
    charging: bool | None = None
    keyboard: str | None = None
    clock: int | None = None
    injects: bool | None = None  # whether MIUI lets adb inject input; None on all other phones


def read_state(answer: str) -> AndroidState:
    """The answer to either question."""
    said = {name: text.replace("\r", "").strip() for name, text in _SECTION.findall(answer)}
    lit = screen_state(f"{said.get('power', '')}\n{said.get('policy', '')}")
    battery = dict(re.findall(r"^ *(level|status): (\d+)$", said.get("battery", ""), re.MULTILINE))
    return AndroidState(
        booted=said["boot"] == "1" if "boot" in said else None,
        **lit._asdict(),
        free_kib=_free(said.get("storage", "")),
        animations=_read_animations(said.get("animations", "")),
        facts=_facts(said.get("facts", "")),
        battery=int(battery["level"]) if "level" in battery else None,
        charging=battery["status"] in _CHARGING if "status" in battery else None,
        keyboard=said["keyboard"] if re.fullmatch(r"[\w.]+/[\w.$]+", said.get("keyboard", "")) else None,
        clock=int(said["clock"]) if said.get("clock", "").isdecimal() else None,
        injects=_injects(said.get("miui", "")),
    )


def _free(listed: str) -> int | None:
    """What `df` gives as available: the column's name has changed, its place before "Use%" has not."""
    rows = [line.split() for line in listed.splitlines()[1:]]
    rows = [row for row in rows if len(row) >= 4]
    chosen = next((row for row in rows if row[-1].startswith("/data") or row[0] == "/data"), None)
    row = chosen or (rows[0] if len(rows) == 1 else None)
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([KMGT]?)", row[3]) if row else None
    return int(float(found[1]) * _UNITS[found[2]]) if found else None


def _read_animations(listed: str) -> tuple[str, ...] | None:
    values = listed.split()
    if len(values) != len(ANIMATIONS):
        return None
    return tuple(name for name, value in zip(ANIMATIONS, values, strict=True) if not _is_zero(value))


def _is_zero(value: str) -> bool:
    """A scale that is not set ("null") is 1."""
    try:
        return float(value) == 0
    except ValueError:
        return False


def _facts(said: str) -> tuple[str, str, str, str] | None:
    lines = [line.strip() for line in said.splitlines()]
    return (lines[0], lines[1], lines[2], lines[3]) if len(lines) == 4 else None


def _injects(said: str) -> bool | None:
    """The developer setting "USB debugging (Security settings)"."""
    version, _, allowed = said.partition("\n")
    return allowed.strip() == "1" if version.strip() else None


FULL_KIB, LOW_KIB = 100 * 1024, 500 * 1024
LOW_BATTERY = 15  # percent; many phones turn on battery saving there, which slows them
CLOCK_SECONDS = 60
_UNSAID = "the phone does not say"


def _judged(fact: bool | None, good: str, otherwise: Finding) -> Finding:
    """``good`` where the fact holds, ``otherwise`` where it does not, and neither where the phone does not say."""
    if fact is None:
        return Finding("skip", otherwise.name, _UNSAID)
    return Finding("ok", otherwise.name, good) if fact else otherwise


def boot(state: AndroidState) -> Finding:
    starting = Finding("fail", "boot", "the phone is still starting", "wait until its home screen shows")
    return _judged(state.booted, "completed", starting)


def screen(state: AndroidState) -> Finding:
    """A test run wakes it by itself."""
    advice = "Developer options > Stay awake keeps it on while charging"
    return _judged(state.awake, "on", Finding("warn", "screen", "off; a test run turns it on", advice))


LOCKED = Finding(
    "fail",
    "lock",
    "the lock screen is up, so no app can be reached",
    "unlock it, and set Settings > Security > Screen lock to None",
)


def lock(state: AndroidState) -> Finding:
    harmless = "the lock screen is up, and asks for nothing; a test run opens it"
    locked = Finding("warn", "lock", harmless, LOCKED.next) if state.secure is False else LOCKED
    return _judged(None if state.locked is None else not state.locked, "unlocked", locked)


def storage(state: AndroidState) -> Finding:
    if state.free_kib is None:
        return Finding("skip", "storage", _UNSAID)
    free = size_text(state.free_kib)
    if state.free_kib >= LOW_KIB:
        return Finding("ok", "storage", f"{free} free on /data")
    full = state.free_kib < FULL_KIB
    trouble = "full" if full else "nearly full"
    return Finding(
        "fail" if full else "warn",
        "storage",
        f"/data is {trouble}: {free} free, so an app may not install and the phone may be slow",
        "delete files or apps that it does not need",
    )


def animations(state: AndroidState) -> Finding:
    """A test run turns them off by itself."""
    on = Finding(
        "warn",
        "animations",
        f"on ({', '.join(state.animations or ())}); a test run turns them off while it uses the phone",
        "leave it to the word animations of replicant_prepare, as by default; or set all three scales to off in "
        "Developer options",
    )
    return _judged(None if state.animations is None else not state.animations, "off", on)


def system(state: AndroidState) -> Finding:
    if state.facts is None:
        return Finding("skip", "system", _UNSAID)
    model, release, api, abi = state.facts
    return Finding("ok", "system", f"{model or 'unnamed'}, Android {release}, API {api}, {abi}")


def battery(state: AndroidState) -> Finding:
    if state.battery is None:
        return Finding("skip", "battery", _UNSAID)
    text = f"{state.battery} %" + (", charging" if state.charging else "")
    if state.battery > LOW_BATTERY or state.charging:
        return Finding("ok", "battery", text)
    return Finding("warn", "battery", f"{text}, and not charging", "charge it: battery saving slows a phone down")


def keyboard(state: AndroidState) -> Finding:
    """Text does not go through it: it is set by the accessibility service."""
    if state.keyboard is None:
        return Finding("ok", "keyboard", "none is set; text is typed without one")
    return Finding("ok", "keyboard", f"{state.keyboard}; text is typed without it, by accessibility")


def clock(state: AndroidState, now: float | None = None) -> Finding:
    """``now`` is this computer's time in epoch seconds, by default the present."""
    if state.clock is None:
        return Finding("skip", "clock", _UNSAID)
    off = round(state.clock - (time.time() if now is None else now))
    if abs(off) <= CLOCK_SECONDS:
        return Finding("ok", "clock", "agrees with this computer's")
    way = "ahead of" if off > 0 else "behind"
    return Finding(
        "warn",
        "clock",
        f"{duration_text(abs(off))} {way} this computer's; certificates may be refused, and log times mislead",
        "Settings > Date & time > Set time automatically",
    )


def injection(state: AndroidState) -> Finding | None:
    """None where the phone has no such setting."""
    if state.injects is None:
        return None
    if state.injects:
        return Finding("ok", "input", "adb may inject taps")
    return Finding(
        "fail",
        "input",
        "MIUI does not let adb inject taps",
        "turn on Developer options > USB debugging (Security settings), then restart the phone",
    )


QUICK_CHECKS: tuple[Callable[[AndroidState], Finding], ...] = (boot, screen, lock, storage, animations)
"""The checks that ``QUICK_QUESTION`` answers, before a phone is used."""
FULL_CHECKS: tuple[Callable[[AndroidState], Finding | None], ...] = (
    system,
    boot,
    screen,
    lock,
    animations,
    storage,
    battery,
    keyboard,
    clock,
    injection,
)
"""The checks that ``FULL_QUESTION`` answers, for the doctor, in its order."""


def size_text(kib: int) -> str:
    return f"{kib / 1024**2:.1f} GiB" if kib >= 1024**2 else f"{kib // 1024} MiB"


def duration_text(seconds: int) -> str:
    for size, unit in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= 2 * size:
            return f"{seconds // size} {unit}s"
    return f"{seconds} s"
