"""What the state of an Android phone means for tests, and what to do about it. Pure."""

from __future__ import annotations

from .android_state import AndroidState
from .finding import Finding

FULL_KIB, LOW_KIB = 100 * 1024, 500 * 1024
LOW_BATTERY = 15  # percent; many phones turn on battery saving there, which slows them
CLOCK_SECONDS = 60
_UNSAID = "the phone does not say"


def boot(state: AndroidState) -> Finding:
    if state.booted is None:
        return Finding("skip", "boot", _UNSAID)
    if state.booted:
        return Finding("ok", "boot", "completed")
    return Finding("fail", "boot", "the phone is still starting", "wait until its home screen shows")


def screen(state: AndroidState) -> Finding:
    """A test run wakes it by itself."""
    if state.awake is None:
        return Finding("skip", "screen", _UNSAID)
    if state.awake:
        return Finding("ok", "screen", "on")
    return Finding(
        "warn",
        "screen",
        "off; a test run turns it on",
        "Developer options > Stay awake keeps it on while charging",
    )


LOCKED = Finding(
    "fail",
    "lock",
    "the lock screen is up, so no app can be reached",
    "unlock it, and set Settings > Security > Screen lock to None",
)


def lock(state: AndroidState) -> Finding:
    if state.locked is None:
        return Finding("skip", "lock", _UNSAID)
    if not state.locked:
        return Finding("ok", "lock", "unlocked")
    if state.secure is False:
        return Finding(
            "warn", "lock", "the lock screen is up, and asks for nothing; a test run opens it", LOCKED.next
        )
    return LOCKED


def storage(state: AndroidState) -> Finding:
    if state.free_kib is None:
        return Finding("skip", "storage", _UNSAID)
    free = told_kib(state.free_kib)
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
    if state.animations is None:
        return Finding("skip", "animations", _UNSAID)
    if not state.animations:
        return Finding("ok", "animations", "off")
    return Finding(
        "warn",
        "animations",
        f"on ({', '.join(state.animations)}); a test run turns them off while it uses the phone",
        "leave it to replicant_prepare = animations, as by default; or set all three scales to off in "
        "Developer options",
    )


def system(state: AndroidState) -> Finding:
    if state.facts is None:
        return Finding("skip", "system", _UNSAID)
    model, release, api, abi = state.facts
    return Finding("ok", "system", f"{model or 'unnamed'}, Android {release}, API {api}, {abi}")


def battery(state: AndroidState) -> Finding:
    if state.battery is None:
        return Finding("skip", "battery", _UNSAID)
    told = f"{state.battery} %" + (", charging" if state.charging else "")
    if state.battery > LOW_BATTERY or state.charging:
        return Finding("ok", "battery", told)
    return Finding("warn", "battery", f"{told}, and not charging", "charge it: battery saving slows a phone down")


def keyboard(state: AndroidState) -> Finding:
    """Text does not go through it: it is set by the accessibility service, or pasted."""
    if state.keyboard is None:
        return Finding("ok", "keyboard", "none is set; text is typed without one")
    return Finding("ok", "keyboard", f"{state.keyboard}; text is typed without it, by accessibility or clipboard")


def clock(state: AndroidState, now: float) -> Finding:
    if state.clock is None:
        return Finding("skip", "clock", _UNSAID)
    off = round(state.clock - now)
    if abs(off) <= CLOCK_SECONDS:
        return Finding("ok", "clock", "agrees with this computer's")
    way = "ahead of" if off > 0 else "behind"
    return Finding(
        "warn",
        "clock",
        f"{told_seconds(abs(off))} {way} this computer's; certificates may be refused, and log times mislead",
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


def told_kib(kib: int) -> str:
    return f"{kib / 1024**2:.1f} GiB" if kib >= 1024**2 else f"{kib // 1024} MiB"


def told_seconds(seconds: int) -> str:
    for size, unit in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= 2 * size:
            return f"{seconds // size} {unit}s"
    return f"{seconds} s"
