"""Readiness of a phone for tests: started, awake, unlocked. One command asks, its answer is read,
each fact has a finding, and a run waits or acts on it.

A fact that an Android phone does not report is None, and never taken for good or bad.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Literal

from ..drivers import Capability, Driver
from ..errors import DeviceError, DeviceTimeout, ReplicantError
from ..logs import SCREEN_QUESTION, ScreenState, screen_state
from ..model import Clock, SystemClock, come_true

Status = Literal["ok", "warn", "fail", "skip"]


class PhoneUnfit(DeviceError):
    """The phone answers, and no test can begin on it until a person has acted on it."""


@dataclass(frozen=True)
class Finding:
    """Result of a check. ``found`` is the observation, ``next`` the next step: an exact command or
    setting, "" if nothing has to be done. ``group`` is the computer or the phone it is about."""

    status: Status
    name: str
    found: str
    next: str = ""
    group: str = ""

    def to_dict(self) -> dict[str, str]:
        said = asdict(self)
        return {key: said[key] for key in ("group", "name", "status", "found", "next")}

    def __str__(self) -> str:
        """As a sentence of an error."""
        return f"{self.found}. Next: {self.next}" if self.next else self.found


def verdict(findings: Iterable[Finding]) -> Status:
    """The worst of them; what was skipped says nothing."""
    seen = {finding.status for finding in findings}
    worst: tuple[Status, ...] = ("fail", "warn")
    return next((status for status in worst if status in seen), "ok")


def failed(name: str, error: Exception) -> Finding:
    """An error as a finding. Ours say what happened and then what to do; any other gives its type
    and message."""
    if isinstance(error, ReplicantError):
        return Finding("fail", name, error.what or type(error).__name__, error.advice)
    words = str(error).strip()
    text = f"{type(error).__name__}: {words}" if words else type(error).__name__
    return Finding("fail", name, text, "run it again; if it stays so, report it with these words")


ANIMATIONS = ("window_animation_scale", "transition_animation_scale", "animator_duration_scale")
_QUICK = {
    "boot": "getprop sys.boot_completed",
    **SCREEN_QUESTION,
    "storage": "df /data",
    "animations": "; ".join(f"settings get global {name}" for name in ANIMATIONS),
}
_FULL = {
    **_QUICK,
    "facts": "getprop ro.product.model; getprop ro.build.version.release; "
    "getprop ro.build.version.sdk; getprop ro.product.cpu.abi",
    "battery": "dumpsys battery",
    "keyboard": "settings get secure default_input_method",
    "clock": "date +%s",
    "miui": "getprop ro.miui.ui.version.name; getprop persist.security.adbinput",
}


def _asked(commands: Mapping[str, str]) -> str:
    return "; ".join(f"echo @{name}; {command}" for name, command in commands.items())


QUICK_QUESTION = _asked(_QUICK)
FULL_QUESTION = _asked(_FULL)

Said = Mapping[str, str]
"""The parts of a phone's answer, by the names of their questions."""
_SECTION = re.compile(r"^@(\w+)\r?\n(.*?)(?=^@\w+\r?$|\Z)", re.MULTILINE | re.DOTALL)
_UNITS = {"": 1, "K": 1, "M": 1024, "G": 1024**2, "T": 1024**3}  # in KiB; without a unit it is KiB
_CHARGING = ("2", "5")  # BatteryManager: charging, full


def parts_of(answer: str) -> Said:
    """Of the answer to either question."""
    return {name: text.replace("\r", "").strip() for name, text in _SECTION.findall(answer)}


FULL_KIB, LOW_KIB = 100 * 1024, 500 * 1024
LOW_BATTERY = 15  # percent; many phones turn on battery saving there, which slows them
CLOCK_SECONDS = 60


def _unsaid(name: str) -> Finding:
    return Finding("skip", name, "the phone does not say")


def boot(said: Said) -> Finding:
    if "boot" not in said:
        return _unsaid("boot")
    if said["boot"] == "1":
        return Finding("ok", "boot", "completed")
    return Finding(
        "fail", "boot", "the phone is still starting", "wait until its home screen shows"
    )


def _screen(said: Said) -> ScreenState:
    return screen_state(f"{said.get('power', '')}\n{said.get('policy', '')}")


def screen(said: Said) -> Finding:
    """A test run wakes it by itself."""
    awake = _screen(said).awake
    if awake is None:
        return _unsaid("screen")
    if awake:
        return Finding("ok", "screen", "on")
    advice = "Developer options > Stay awake keeps it on while charging"
    return Finding("warn", "screen", "off; a test run turns it on", advice)


LOCKED = Finding(
    "fail",
    "lock",
    "the lock screen is up, so no app can be reached",
    "unlock it, and set Settings > Security > Screen lock to None",
)


def lock(said: Said) -> Finding:
    state = _screen(said)
    if state.locked is None:
        return _unsaid("lock")
    if not state.locked:
        return Finding("ok", "lock", "unlocked")
    if state.secure is not False:
        return LOCKED
    harmless = "the lock screen is up, and asks for nothing; a test run opens it"
    return Finding("warn", "lock", harmless, LOCKED.next)


def storage(said: Said) -> Finding:
    kib = free_kib(said.get("storage", ""))
    if kib is None:
        return _unsaid("storage")
    free = f"{kib / 1024**2:.1f} GiB" if kib >= 1024**2 else f"{kib // 1024} MiB"
    if kib >= LOW_KIB:
        return Finding("ok", "storage", f"{free} free on /data")
    found = f"full: {free} free, so an app may not install and the phone may be slow"
    advice = "delete files or apps that it does not need"
    if kib < FULL_KIB:
        return Finding("fail", "storage", f"/data is {found}", advice)
    return Finding("warn", "storage", f"/data is nearly {found}", advice)


def free_kib(listed: str) -> int | None:
    """What `df` gives as available: the column's name has changed, its place before "Use%" has
    not."""
    rows = [row for line in listed.splitlines()[1:] if len(row := line.split()) >= 4]
    of_data = [row for row in rows if row[-1].startswith("/data") or row[0] == "/data"]
    if of_data:
        rows = of_data[:1]
    if len(rows) != 1:
        return None
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([KMGT]?)", rows[0][3])
    return int(float(found[1]) * _UNITS[found[2]]) if found else None


def animations(said: Said) -> Finding:
    """A test run turns them off by itself. A scale that is not set ("null") is 1."""
    values = said.get("animations", "").split()
    if len(values) != len(ANIMATIONS):
        return _unsaid("animations")
    on = [
        name
        for name, value in zip(ANIMATIONS, values, strict=True)
        if not re.fullmatch(r"0+(\.0*)?", value)
    ]
    if not on:
        return Finding("ok", "animations", "off")
    return Finding(
        "warn",
        "animations",
        f"on ({', '.join(on)}); a test run turns them off while it uses the phone",
        "leave it to the word animations of replicant_prepare, as by default; or set all three "
        "scales to off in Developer options",
    )


def system(said: Said) -> Finding:
    facts = [line.strip() for line in said.get("facts", "").splitlines()]
    if len(facts) != 4:
        return _unsaid("system")
    model, release, api, abi = facts
    return Finding("ok", "system", f"{model or 'unnamed'}, Android {release}, API {api}, {abi}")


def battery(said: Said) -> Finding:
    found = dict(re.findall(r"^ *(level|status): (\d+)$", said.get("battery", ""), re.MULTILINE))
    if "level" not in found:
        return _unsaid("battery")
    charging, text = found.get("status") in _CHARGING, f"{found['level']} %"
    if charging:
        text += ", charging"
    if charging or int(found["level"]) > LOW_BATTERY:
        return Finding("ok", "battery", text)
    return Finding(
        "warn",
        "battery",
        f"{text}, and not charging",
        "charge it: battery saving slows a phone down",
    )


def keyboard(said: Said) -> Finding:
    """Text does not go through it: it is set by the accessibility service."""
    name = said.get("keyboard", "")
    text = "none is set; text is typed without one"
    if re.fullmatch(r"[\w.]+/[\w.$]+", name):
        text = f"{name}; text is typed without it, by accessibility"
    return Finding("ok", "keyboard", text)


def clock(said: Said, now: float | None = None) -> Finding:
    """``now`` is this computer's time in epoch seconds, by default the present."""
    its = said.get("clock", "")
    if not its.isdecimal():
        return _unsaid("clock")
    off = round(int(its) - (time.time() if now is None else now))
    if abs(off) <= CLOCK_SECONDS:
        return Finding("ok", "clock", "agrees with this computer's")
    way = "ahead of" if off > 0 else "behind"
    return Finding(
        "warn",
        "clock",
        f"{duration_text(abs(off))} {way} this computer's; certificates may be refused, and log "
        "times mislead",
        "Settings > Date & time > Set time automatically",
    )


def injection(said: Said) -> Finding | None:
    """None if the phone has no such setting: the developer setting "USB debugging (Security
    settings)" is of MIUI."""
    version, _, allowed = said.get("miui", "").partition("\n")
    if not version.strip():
        return None
    if allowed.strip() == "1":
        return Finding("ok", "input", "adb may inject taps")
    return Finding(
        "fail",
        "input",
        "MIUI does not let adb inject taps",
        "turn on Developer options > USB debugging (Security settings), then restart the phone",
    )


QUICK_CHECKS: tuple[Callable[[Said], Finding], ...] = (boot, screen, lock, storage, animations)
"""The checks that ``QUICK_QUESTION`` answers, before a phone is used."""
FULL_CHECKS: tuple[Callable[[Said], Finding | None], ...] = (
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


def duration_text(seconds: int) -> str:
    for size, unit in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= 2 * size:
            return f"{seconds // size} {unit}s"
    return f"{seconds} s"


ASK_SECONDS = 10.0
_BOOT_POLL = 0.5
_LIT_SECONDS = 3.0  # the window manager shows a little later what was asked of it
_LIT_POLL = 0.1
_UNLOCK = ("wm", "dismiss-keyguard")  # one with a PIN asks for it, and stays


def quick_checks(driver: Driver) -> tuple[Finding, ...]:
    """One command on Android. None elsewhere: connecting to WebDriverAgent has asked what can
    be."""
    if not driver.traits.android_commands or Capability.SHELL not in driver.capabilities:
        return ()
    return quick_findings(driver.shell(QUICK_QUESTION, ASK_SECONDS).stdout)


def quick_findings(answer: str) -> tuple[Finding, ...]:
    """Of the answer to ``QUICK_QUESTION``."""
    said = parts_of(answer)
    return tuple(check(said) for check in QUICK_CHECKS)


def why_unfit(host: str, port: int, serial: str, seconds: float = ASK_SECONDS) -> str:
    """Why no test can begin on a phone behind an adb server, "" if one can. Opens nothing there;
    asked in threads, many phones take no longer than one. One that is still starting will be waited
    for."""
    from ..drivers import ask

    try:
        findings = quick_findings(ask(host, port, serial, QUICK_QUESTION, seconds))
    except DeviceError as error:
        return str(error)
    for finding in findings:  # other failures are waited for or only reported
        if finding.name == "lock" and finding.status == "fail":
            return finding.found
    return ""


def why_unusable(driver: Driver) -> str:
    """Why a phone in use can be used no more, "" if nothing is known against it. One that only
    shows a dark screen, or a lock screen that asks for nothing, can be."""
    try:
        if Capability.LOCK in driver.capabilities:
            return LOCKED.found if driver.is_locked() else ""
        driver.app_in_front()  # whether it answers at all
        return ""
    except DeviceError as error:
        return str(error)


def make_ready(driver: Driver, timeout: float, clock: Clock | None = None) -> tuple[Finding, ...]:
    """Waits for a phone that is still starting, turns its screen on, opens a lock screen that asks
    for nothing. Returns warnings for the run.

    Raises ``DeviceTimeout`` if it has not started within ``timeout`` seconds, ``PhoneUnfit`` if it
    stays locked.
    """
    clock = clock or SystemClock()
    amiss: dict[str, Finding] = {}

    def looks_fine(name: str) -> bool:
        """Also if nothing is known about it: that is no reason to do without the phone."""
        amiss.clear()
        for finding in quick_checks(driver):
            if finding.status in ("warn", "fail"):
                amiss[finding.name] = finding
        return name not in amiss

    def comes_to(name: str, seconds: float, poll: float) -> bool:
        """Whether it is fine in time. Looks at least once."""
        return come_true(clock, lambda: looks_fine(name), seconds, poll)

    if not comes_to("boot", timeout, _BOOT_POLL):
        raise still_starting(driver.uri, timeout)
    if "screen" in amiss:
        driver.wake()
        comes_to("screen", _LIT_SECONDS, _LIT_POLL)
    if "lock" in amiss:
        driver.shell(_UNLOCK, ASK_SECONDS)
        if not comes_to("lock", _LIT_SECONDS, _LIT_POLL):
            raise PhoneUnfit(f"{driver.uri} cannot be tested on: {LOCKED}", device=driver.uri)
    return (amiss["storage"],) if "storage" in amiss else ()


_START_POLL = 0.5
_START_ASK_SECONDS = 5.0


def await_start(
    started: Callable[[float], bool], uri: str, timeout: float, clock: Clock | None = None
) -> float:
    """Waits for a phone that says that it is still starting; one that does not answer is left to
    what connects to it. Returns the seconds that are left.

    Raises ``DeviceTimeout`` if it has not started within ``timeout`` seconds.
    """
    clock = clock or SystemClock()
    deadline = clock.now() + timeout
    seen = False
    while True:
        with suppress(DeviceError):  # one that is starting drops off adb now and then
            seen = not started(_START_ASK_SECONDS)
        if not seen:
            return max(deadline - clock.now(), 1.0)
        if clock.now() + _START_POLL >= deadline:
            raise still_starting(uri, timeout)
        clock.sleep(_START_POLL)


def has_started(host: str, port: int, serial: str, seconds: float) -> bool:
    """Whether Android is up, as it says itself. Raises ``DeviceError``."""
    from ..drivers import ask

    return ask(host, port, serial, "getprop sys.boot_completed", seconds).strip() == "1"


def still_starting(uri: str, timeout: float) -> DeviceTimeout:
    return DeviceTimeout(
        f"{uri} was still starting after {timeout:g} s. Next: wait until its home screen shows, or "
        "set a longer replicant_device_timeout",
        device=uri,
    )
