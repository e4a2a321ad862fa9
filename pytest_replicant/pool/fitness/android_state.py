"""The state an Android phone is in, asked in one command and read. Pure but for the question's text.

What the phone does not say is None, and never taken for good or bad.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

ANIMATIONS = ("window_animation_scale", "transition_animation_scale", "animator_duration_scale")
_QUICK = {
    "boot": "getprop sys.boot_completed",
    "power": "dumpsys power | grep mWakefulness=",
    "policy": "dumpsys window policy | grep -iE 'showing|keyguard|lockscreen|secure'",
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
_SHOWING = re.compile(
    r"\b(?:showing|mIsShowing|mShowingLockscreen|isStatusBarKeyguard|mKeyguardShowing)=(true|false)\b"
)
_SECURE = re.compile(r"^\s*secure=(true|false)\b", re.MULTILINE)
_METHOD = re.compile(r"[\w.]+/[\w.$]+")
_WAKEFULNESS = re.compile(r"mWakefulness=(\w+)")
_SIZE = re.compile(r"(\d+(?:\.\d+)?)([KMGT]?)")
_UNITS = {"": 1, "K": 1, "M": 1024, "G": 1024**2, "T": 1024**3}  # in KiB; without a unit it is KiB
_AWAKE = ("Awake", "Dreaming")
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
    battery = dict(re.findall(r"^ *(level|status): (\d+)$", said.get("battery", ""), re.MULTILINE))
    return AndroidState(
        booted=said["boot"] == "1" if "boot" in said else None,
        awake=_awake(said.get("power", "")),
        locked=_locked(said.get("policy", "")),
        secure=_secure(said.get("policy", "")),
        free_kib=_free(said.get("storage", "")),
        animations=_animations(said.get("animations", "")),
        facts=_facts(said.get("facts", "")),
        battery=int(battery["level"]) if "level" in battery else None,
        charging=battery["status"] in _CHARGING if "status" in battery else None,
        keyboard=said["keyboard"] if _METHOD.fullmatch(said.get("keyboard", "")) else None,
        clock=int(said["clock"]) if said.get("clock", "").isdecimal() else None,
        injects=_injects(said.get("miui", "")),
    )


def _awake(power: str) -> bool | None:
    found = _WAKEFULNESS.search(power)
    return found[1] in _AWAKE if found else None


def _locked(policy: str) -> bool | None:
    """Whether the keyguard is up. Its name has changed over the versions of Android."""
    said = _SHOWING.findall(policy)
    return "true" in said if said else None


def _secure(policy: str) -> bool | None:
    found = _SECURE.search(policy)
    return found[1] == "true" if found else None


def _free(listed: str) -> int | None:
    """What `df` gives as available: the column's name has changed, its place before "Use%" has not."""
    rows = [line.split() for line in listed.splitlines()[1:]]
    rows = [row for row in rows if len(row) >= 4]
    chosen = next((row for row in rows if row[-1].startswith("/data") or row[0] == "/data"), None)
    row = chosen or (rows[0] if len(rows) == 1 else None)
    found = _SIZE.fullmatch(row[3]) if row else None
    return int(float(found[1]) * _UNITS[found[2]]) if found else None


def _animations(listed: str) -> tuple[str, ...] | None:
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
