"""dumpsys: what each system service says of itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...device.phone import VirtualPhone
from ...device.screen_timeout import CONNECTED, PLUGS
from ...streams import in_thread
from ..call import Call, CommandFailed
from ..registry import table
from .dump_activity import dump_activity
from .dump_display import dump_compositor, dump_display, dump_input, dump_window
from .dump_package import dump_package

Dump = Callable[[VirtualPhone, Sequence[str]], str]

_BATTERY = {  # temperature in tenths of a degree, voltage in millivolts, status 2 charging, health 2 good
    **{name: str(name == CONNECTED).lower() for name in PLUGS},
    "Max charging current": "500000",
    "Max charging voltage": "5000000",
    "Charge counter": "3000000",
    "status": "2",
    "health": "2",
    "present": "true",
    "level": "85",
    "scale": "100",
    "voltage": "4200",
    "temperature": "250",
    "technology": "Li-ion",
}
_KEYS = {"ac": "AC powered", "usb": "USB powered", "wireless": "Wireless powered", "dock": "Dock powered"}
_SHORT = {"temp": "temperature", "counter": "Charge counter"}


def _battery(phone: VirtualPhone, words: Sequence[str]) -> str:
    """Also ``set KEY VALUE``, ``unplug`` and ``reset``, which outlast the call."""
    store = phone.settings
    if words[:1] == ["set"] and len(words) > 2:
        key, value = words[1:3]
        plugged = {"0": "false", "1": "true"}
        if key in _KEYS:
            value = plugged.get(value, value)
            phone.screen_timeout.activity()
        store.put("battery", _KEYS.get(key, _SHORT.get(key, key)), value)
        return ""
    if words[:1] == ["unplug"]:
        for name in PLUGS:
            store.put("battery", name, "false")
        phone.screen_timeout.activity()
        return ""
    if words[:1] == ["reset"]:
        store.reset("battery")
        return ""
    values = {**_BATTERY, **dict(store.list("battery"))}
    return "Current Battery Service state:\n" + "".join(f"  {key}: {value}\n" for key, value in values.items())


def _power(phone: VirtualPhone, words: Sequence[str]) -> str:
    awake, power = phone.awake, phone.screen_timeout
    return (
        "POWER MANAGER (dumpsys power)\n\nPower Manager State:\n"
        f"  mWakefulness={'Awake' if awake else 'Asleep'}\n  mIsPowered={str(power.is_powered).lower()}\n"
        f"  mStayOn={str(power.stays_on).lower()}\n"
        f"  mHoldingWakeLockSuspendBlocker=false\n  mHoldingDisplaySuspendBlocker={str(awake).lower()}\n\n"
        f"Display Power: state={'ON' if awake else 'OFF'}\n"
    )


def _input_method(phone: VirtualPhone, words: Sequence[str]) -> str:
    shown = str(phone.keyboard_shown).lower()
    method = phone.settings.get("secure", "default_input_method") or "null"
    return (
        "Current Input Method Manager state:\n"
        f"  mCurMethodId={method}\n  mCurId={method} mHaveConnection=true mBoundToMethod=true\n"
        f"  mShowRequested={shown} mInputShown={shown}\n  mIsInputViewShown={shown}\n"
        f"  mInputEditorInfo:\n    inputType=0x{phone.input_type:x} imeOptions=0x2000006 privateImeOptions=null\n"
        "  mSystemReady=true mInteractive=true\n"
    )


def _deviceidle(phone: VirtualPhone, words: Sequence[str]) -> str:
    """``whitelist [+P|-P]``; the list outlasts the call."""
    if list(words[:1]) != ["whitelist"]:
        return "  Settings:\n  mState=ACTIVE mLightState=ACTIVE\n"
    said = ""
    for word in words[1:]:
        name = word[1:]
        if phone.packages.get(name) is None:
            said += f"Unknown package: {name}\n"
        elif word.startswith("+"):
            phone.settings.put("whitelist", name, "")
            said += f"Added: {name}\n"
        elif word.startswith("-") and phone.settings.delete("whitelist", name):
            said += f"Removed: {name}\n"
    if len(words) > 1:
        return said
    listed = [phone.packages.get(name) for name, _ in phone.settings.list("whitelist")]
    return "".join(f"user,{package.name},{package.user_id}\n" for package in listed if package)


def _memory(phone: VirtualPhone, words: Sequence[str]) -> str:
    names = [word for word in words if not word.startswith("-")]
    if not names:
        return "Total RAM: 8,000,000K (status normal)\n"
    pid = phone.processes().get(names[0])
    if pid is None:
        return f"No process found for: {names[0]}\n"
    return (
        f"Applications Memory Usage (in Kilobytes):\n\n** MEMINFO in pid {pid} [{names[0]}] **\n"
        "        TOTAL    80000    70000     5000        0   120000    40000    30000    10000\n\n"
        " App Summary\n           TOTAL PSS:    80000            TOTAL RSS:   120000\n"
    )


def _wifi(phone: VirtualPhone, words: Sequence[str]) -> str:
    on = phone.settings.get("global", "wifi_on") == "1"
    return f"Wi-Fi is {'enabled' if on else 'disabled'}\n"


def _nothing(phone: VirtualPhone, words: Sequence[str]) -> str:
    return ""


def _uimode(phone: VirtualPhone, words: Sequence[str]) -> str:
    mode = phone.settings.get("secure", "ui_night_mode") or "1"
    named, night = {"0": "auto", "1": "no", "2": "yes"}.get(mode, "no"), str(mode == "2").lower()
    return f"Current UI Mode Service state:\n  mNightMode={mode} ({named}) mComputedNightMode={night}\n"


DUMPS: dict[str, Dump] = {
    "SurfaceFlinger": dump_compositor,
    "activity": dump_activity,
    "battery": _battery,
    "deviceidle": _deviceidle,
    "display": dump_display,
    "input": dump_input,
    "input_method": _input_method,
    "meminfo": _memory,
    "package": dump_package,
    "power": _power,
    "uimode": _uimode,
    "wifi": _wifi,
    "window": dump_window,
    **dict.fromkeys(("alarm", "audio", "gfxinfo", "jobscheduler", "media_session", "notification"), _nothing),
}


async def _dumpsys(call: Call) -> int:
    words = list(call.words)
    while words and words[0] in ("-t", "-T", "--priority", "--skip"):
        words = words[2:]
    if not words or words[0] == "-l":
        await call.out("Currently running services:\n" + "".join(f"  {name}\n" for name in sorted(DUMPS)))
        return 0
    dump = DUMPS.get(words[0])
    if dump is None:
        raise CommandFailed(f"Can't find service: {words[0]}", 0)
    await call.out(await in_thread(_dumped, call.phone, dump, words[1:]))
    return 0


def _dumped(phone: VirtualPhone, dump: Dump, words: Sequence[str]) -> str:
    with phone.lock:
        return dump(phone, words)


COMMANDS = table("shell", dumpsys=_dumpsys)
