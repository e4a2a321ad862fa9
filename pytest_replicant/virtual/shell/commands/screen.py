"""uiautomator dump, screencap, wm."""

from __future__ import annotations

from typing import Literal

from ...device.phone import VirtualPhone
from ...profile import Profile
from ...renderers.uiautomator import active_window, render_hierarchy
from ...streams import in_thread
from ...ui import Window
from ..call import Call, CommandFailed, short_options
from ..registry import table
from .java import KILLED

DISPLAY_ID = "4619827259835644672"
INNER_ID = "4619827259835644416"  # of a phone that is folded: its large panel, which is off
MONITOR_ID = "4619827259835644673"
_SEVERAL = (  # AOSP cmds/screencap/screencap.cpp
    "[Warning] Multiple displays were found, but no display id was specified! Defaulting to the "
    "first display "
    "found, however this default is not guaranteed to be consistent across captures. A display "
    "id should be "
    "specified.\n"
    "A display ID can be specified with the [-d display-id] option.\n"
    'See "dumpsys SurfaceFlinger --display-id" for valid display IDs.'
)
_QUIET, _IDLE_LIMIT, _LOOK_EVERY = 1.0, 10.0, 0.05  # seconds
_NOT_IDLE = "ERROR: could not get idle state."
_NO_ROOT = "ERROR: null root node returned by UiTestAutomationBridge."


async def _uiautomator(call: Call) -> int:
    """``uiautomator dump [FILE]``; ``--compressed`` is taken and leaves nothing out."""
    if not call.words or call.words[0] != "dump":
        raise CommandFailed(
            "Usage: uiautomator <subcommand> [options]\n    dump [--compressed] [file]", 1
        )
    names = [word for word in call.words[1:] if not word.startswith("--")]
    name = names[0] if names else "/sdcard/window_dump.xml"
    fault, former = await in_thread(call.phone.begin_dump)
    await call.phone.pace.take("dump", fault.extra_ms)
    if fault.killed:
        raise CommandFailed("Killed", KILLED)
    if fault.fails or not await _idle(call.phone):
        raise CommandFailed(_NOT_IDLE, 0)
    hierarchy = (
        b""
        if fault.no_window
        else fault.cut(await in_thread(_hierarchy, call, fault.stale and former))
    )
    if not hierarchy:
        raise CommandFailed(_NO_ROOT, 0)
    await call.save(name, hierarchy)
    await call.line(f"UI hierchary dumped to: {name}")
    return 0


async def _idle(phone: VirtualPhone) -> bool:
    """Whether the screen stood still for a second within ten (AOSP DumpCommand.java:
    ``waitForIdle(1000, 1000 * 10)``). A phone without latency does not wait if nothing is to
    come."""
    pace, version = phone.pace, await in_thread(phone.version)
    began = quiet_since = pace.now()
    if not phone.latency.dump_ms and not await in_thread(phone.is_due_within, _QUIET):
        return True
    while pace.now() - quiet_since <= _QUIET:
        if pace.now() - began > _IDLE_LIMIT:
            return False
        await pace.sleep(_LOOK_EVERY)
        if (now := await in_thread(phone.version)) != version:
            version, quiet_since = now, pace.now()
    return True


def _hierarchy(call: Call, former: tuple[list[Window], int] | Literal[False]) -> bytes:
    with call.phone.lock:
        windows, rotation = former or (call.phone.windows(), call.phone.rotation)
        window = active_window(windows)
        return render_hierarchy([window], rotation) if window is not None else b""


def physical_displays(profile: Profile) -> list[str]:
    """Panels and monitors by their ids, in the compositor's order: a folded phone's large panel
    comes first."""
    inner = [INNER_ID] if profile.folded else []
    return [*inner, DISPLAY_ID, *([MONITOR_ID] if profile.displays > 1 else [])]


def _picture(call: Call, display: str, as_png: bool) -> bytes:
    from .pictures import dark, monitor, png, raw  # Pillow takes a tenth of a second to import

    drawn = {INNER_ID: dark, MONITOR_ID: monitor}.get(display, png)(call.phone)
    return drawn if as_png else raw(drawn)


async def _screencap(call: Call) -> int:
    options, names = short_options(call.words, "ahpj", "d")
    displays = physical_displays(call.phone.profile)
    display = options.get("d", displays[0])
    if display not in displays:
        raise CommandFailed(f"Display Id '{display}' is not valid.", 1)
    if "d" not in options and len(displays) > 1:
        await call.error(_SEVERAL)
    await call.phone.pace.take("screenshot")
    name = names[0] if names else "/dev/stdout"
    await call.save(
        name, await in_thread(_picture, call, display, "p" in options or name.endswith(".png"))
    )
    return 0


async def _wm(call: Call) -> int:
    words = list(call.words)
    command = words.pop(0) if words else ""
    profile = call.phone.profile
    if command in ("size", "density"):
        if words:
            raise CommandFailed(f"Error: the virtual phone cannot change its {command}", 255)
        value = f"{profile.width}x{profile.height}" if command == "size" else str(profile.density)
        await call.line(f"Physical {command}: {value}")
        return 0
    if command == "dismiss-keyguard":
        await in_thread(call.phone.dismiss_keyguard)
        return 0
    raise CommandFailed(
        f"Unknown command: {command}\nWindow manager (window) commands: size density", 255
    )


COMMANDS = {
    **table("own", uiautomator=_uiautomator, screencap=_screencap),
    **table("shell", wm=_wm),
}
