"""cmd, svc, ime, appops: small system services."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from ...streams import in_thread
from ...system.settings import RADIOS
from ..call import Call, CommandFailed
from ..registry import table
from .adb_keyboards import ADB_KEYBOARD
from .input import CMD_INPUT_SDK

_NO_SERVICE = 20  # the exit code of `cmd` for a service that is not there
_SPOKEN_BY = {  # services whose commands are a program's own
    "activity": "am",
    "appops": "appops",
    "input": "input",
    "input_method": "ime",
    "package": "pm",
    "settings": "settings",
    "window": "wm",
}
_SWITCHES = {"bluetooth": "bluetooth_on", "nfc": "nfc_on"}


async def _cmd(call: Call) -> int:
    words = [word for word in call.words if word != "-w"]
    service = words[0] if words else ""
    if service == "input" and call.phone.profile.sdk < CMD_INPUT_SDK:
        await call.error(
            "No shell command implementation."
        )  # Binder.onShellCommand of a service that has none
        return 0
    if service in _SPOKEN_BY:
        return await call.spawn([_SPOKEN_BY[service], *words[1:]], call.channels)
    if service not in _OWN:
        raise CommandFailed(f"cmd: Can't find service: {service}", _NO_SERVICE)
    await call.phone.pace.take("shell")
    return await _OWN[service](call.shifted(len(call.words) - len(words) + 1))


async def _uimode(call: Call) -> int:
    modes = {"yes": "2", "no": "1", "auto": "0"}
    if list(call.words[:1]) != ["night"] or (len(call.words) > 1 and call.words[1] not in modes):
        raise CommandFailed("UiModeManager service (uimode) commands: night [yes|no|auto]", 255)
    if len(call.words) > 1:
        call.phone.settings.put("secure", "ui_night_mode", modes[call.words[1]])
    now = call.phone.settings.get("secure", "ui_night_mode") or "1"
    await call.line(
        f"Night mode: {next((name for name, value in modes.items() if value == now), 'no')}"
    )
    return 0


async def _wifi(call: Call) -> int:
    on = call.phone.settings.get("global", "wifi_on") == "1"
    if list(call.words[:1]) == ["set-wifi-enabled"] and len(call.words) > 1:
        await in_thread(call.phone.set_radio, "wifi", call.words[1] == "enabled")
        return 0
    await call.line(f"Wifi is {'enabled' if on else 'disabled'}")
    return 0


async def _connectivity(call: Call) -> int:
    words = list(call.words)
    if words[:1] != ["airplane-mode"] or words[1:2] not in ([], ["enable"], ["disable"]):
        raise CommandFailed("Connectivity service commands: airplane-mode [enable|disable]", 255)
    if len(words) > 1:
        await in_thread(call.phone.set_radio, "airplane", words[1] == "enable")
        return 0
    on = call.phone.settings.get("global", "airplane_mode_on") == "1"
    await call.line("enabled" if on else "disabled")
    return 0


_OWN: dict[str, Callable[[Call], Awaitable[int]]] = {
    "connectivity": _connectivity,
    "uimode": _uimode,
    "wifi": _wifi,
}


async def _svc(call: Call) -> int:
    what, verb, *rest = [*call.words, "", ""]
    if (what, verb) == ("power", "stayon"):
        call.phone.settings.put(
            "global", "stay_on_while_plugged_in", "0" if rest[:1] == ["false"] else "7"
        )
    elif what == "power":
        raise CommandFailed(f"svc power: the virtual phone knows stayon, not {verb!r}", 1)
    elif verb not in ("enable", "disable") or what not in (*_SWITCHES, *RADIOS):
        raise CommandFailed("Available commands: bluetooth data nfc power wifi", 1)
    elif what in RADIOS:
        await in_thread(call.phone.set_radio, what, verb == "enable")
    else:
        call.phone.settings.put("global", _SWITCHES[what], str(int(verb == "enable")))
    return 0


def _methods(call: Call) -> list[str]:
    """Input methods on the phone: its own, and those of installed packages that are known to bring
    one."""
    return [
        call.phone.profile.keyboard,
        *([ADB_KEYBOARD] if call.phone.packages.get(ADB_KEYBOARD.partition("/")[0]) else []),
    ]


def _enabled(call: Call) -> list[str]:
    value = call.phone.settings.get("secure", "enabled_input_methods") or ""
    return [each for each in value.split(":") if each in _methods(call)]


async def _ime(call: Call) -> int:
    words = [word for word in call.words if word not in ("--user", "0")]
    verb = words[0] if words else ""
    if verb == "list":
        return await _ime_list(call, words[1:])
    if verb == "reset":
        for name in ("enabled_input_methods", "default_input_method"):
            call.phone.settings.put("secure", name, call.phone.profile.keyboard)
        return 0
    if verb not in ("enable", "disable", "set") or len(words) < 2:
        raise CommandFailed("ime <command>: list enable disable set reset", 255)
    return await _ime_change(call, verb, words[1])


async def _ime_list(call: Call, words: list[str]) -> int:
    shown = _methods(call) if "-a" in words else _enabled(call)
    for method in shown:
        package = method.partition("/")[0]
        await call.out(
            f"{method}\n"
            if "-s" in words
            else f"{method}:\n  mId={method}\n  packageName={package}\n"
        )
    return 0


async def _ime_change(call: Call, verb: str, method: str) -> int:
    enabled, settings = _enabled(call), call.phone.settings
    passive = {"enable": "enabled", "disable": "disabled", "set": "selected"}[verb]
    if method not in _methods(call) or (verb == "set" and method not in enabled):
        raise CommandFailed(f"Unknown input method {method} cannot be {passive} for user #0", 255)
    if verb == "set":
        settings.put("secure", "default_input_method", method)
        await call.line(f"Input method {method} selected for user #0")
        return 0
    adverb = "already" if (method in enabled) == (verb == "enable") else "now"
    changed = [each for each in enabled if each != method] + ([method] if verb == "enable" else [])
    settings.put("secure", "enabled_input_methods", ":".join(changed))
    await call.line(f"Input method {method}: {adverb} {passive} for user #0")
    return 0


async def _appops(call: Call) -> int:
    """``appops set PACKAGE OPERATION MODE``, which changes nothing that an app of the virtual phone
    could see."""
    words = [word for word in call.words if word not in ("--uid", "--user", "0")]
    if words[:1] != ["set"] or len(words) < 2:
        raise CommandFailed("AppOps service (appops) commands: set", 255)
    if call.phone.packages.get(words[1]) is None:
        raise CommandFailed(f"Error: No UID for {words[1]} in user 0", 255)
    if len(words) < 4:
        raise CommandFailed("Error: Mode not specified!", 255)
    return 0


COMMANDS = {**table("own", cmd=_cmd), **table("shell", svc=_svc, ime=_ime, appops=_appops)}
