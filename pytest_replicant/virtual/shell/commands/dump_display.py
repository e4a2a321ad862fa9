"""What ``dumpsys`` says of the screen: windows, displays, the compositor, input."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

from ...device.display import other_displays
from ...device.phone import VirtualPhone
from ...ui import Window
from .screen import DISPLAY_ID, MONITOR_ID, physical_displays


def token(text: str) -> str:
    """Seven hex digits that stand for an object's identity, the same each time."""
    return f"{zlib.crc32(text.encode('utf-8', 'replace')) & 0xFFFFFFF:07x}"


def _title(phone: VirtualPhone, window: Window) -> str:
    """An app's windows and dialogs go by package and activity; the system's by their own names."""
    if window.kind == "dialog":
        below = (each for each in phone.windows() if each.kind == "app" and each.package == window.package)
        return next((each.title for each in below), window.title)
    return window.title or f"{window.package}/{window.kind}"


def _named(phone: VirtualPhone, window: Window) -> str:
    title = _title(phone, window)
    return f"Window{{{token(f'{window.layer} {title}')} u0 {title}}}"


def dump_window(phone: VirtualPhone, words: Sequence[str]) -> str:
    """``dumpsys window [windows|displays|policy|…]``; without a word all of them."""
    sections = {"windows": _windows, "displays": _displays, "policy": _policy}
    aliases = {
        "w": "windows",
        "visible": "windows",
        "visible-apps": "windows",
        "d": "displays",
        "p": "policy",
    }
    plain = [word for word in words if not word.startswith("-")]
    chosen = aliases.get(plain[0], plain[0]) if plain else ""
    if chosen in ("lastanr", "tokens", "sessions", "animator", "input"):
        return f"WINDOW MANAGER {chosen.upper()} (dumpsys window {chosen})\n"
    parts = [sections[chosen]] if chosen in sections else [_policy, _displays, _windows]
    return "".join(part(phone) for part in parts)


def _windows(phone: VirtualPhone) -> str:
    windows = phone.windows()
    lines = ["WINDOW MANAGER WINDOWS (dumpsys window windows)"]
    for index, window in reversed(list(enumerate(windows))):
        bounds = window.root.bounds
        lines += [
            f"  Window #{index} {_named(phone, window)}:",
            "    mDisplayId=0 rootTaskId=1 mSession=Session{1a2b3c4 1000:u0a10100}",
            f"    mOwnerUid=10100 showForAllUsers=false package={window.package} appop=NONE",
            f"    mAttrs={{(0,0)(fillxfill) ty={_TYPES.get(window.kind, 'APPLICATION')}}}",
            f"    mHasSurface=true isReadyForDisplay()=true layer={window.layer}",
            f"    Frames: frame=[{bounds.left},{bounds.top}][{bounds.right},{bounds.bottom}]",
            "    isOnScreen=true",
            "    isVisible=true",
        ]
    lines += ["", *_focus(phone, windows), ""]
    return "\n".join(lines) + "\n"


_TYPES = {
    "app": "BASE_APPLICATION",
    "dialog": "APPLICATION",
    "popup": "APPLICATION_PANEL",
    "keyboard": "INPUT_METHOD",
    "toast": "TOAST",
    "volume_panel": "VOLUME_OVERLAY",
    "clipboard": "SCREENSHOT",
    "status_bar": "STATUS_BAR",
    "navigation_bar": "NAVIGATION_BAR",
    "system_dialog": "SYSTEM_ALERT",
}


def _focus(phone: VirtualPhone, windows: Sequence[Window]) -> list[str]:
    package, activity = phone.foreground()
    focused = next((window for window in reversed(windows) if window.focused), None)
    if focused is not None and focused.kind == "app" and not phone.is_drawn:
        focused = None  # a window below the activity in front may not have it
    keyboard = next((window for window in windows if window.kind == "keyboard"), None)
    return [
        f"  mCurrentFocus={_named(phone, focused) if focused else 'null'}",
        f"  mFocusedApp={activity_record(package, activity)}",
        f"  mInputMethodWindow={_named(phone, keyboard) if keyboard else 'null'}",
    ]


def activity_record(package: str, activity: str) -> str:
    """As the activity manager prints one; ``t1`` is its task."""
    short = activity.removeprefix(package) if activity.startswith(package + ".") else activity
    return f"ActivityRecord{{{token(f'{package}/{activity}')} u0 {package}/{short} t1}}"


def _displays(phone: VirtualPhone) -> str:
    width, height = phone.size
    profile = phone.profile
    size = f"{width}x{height}"
    return (
        "WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)\n"
        "  Display: mDisplayId=0 (organized)\n"
        f"    init={profile.width}x{profile.height} {profile.density}dpi cur={size} app={size}\n"
        f"    mCurrentRotation=ROTATION_{phone.rotation * 90} mRotation={phone.rotation}\n"
        f"    DisplayFrames w={width} h={height} r={phone.rotation}\n"
        + "\n".join(_focus(phone, phone.windows()))
        + "\n\n"
    )


def _policy(phone: VirtualPhone) -> str:
    on, state = str(phone.awake).lower(), "ON" if phone.awake else "OFF"
    locked = str(phone.keyguard.shown).lower()
    return (
        "WINDOW MANAGER POLICY STATE (dumpsys window policy)\n"
        f"    mAwake={on} mScreenOnEarly={on} mScreenOnFully={on}\n"
        f"    showing={locked}\n    secure={str(bool(phone.keyguard.pin)).lower()}\n"
        f"    isStatusBarKeyguard={locked}\n"
        f"    mShowingLockscreen={locked} mDreamingLockscreen=false\n"
        f"    screenState=SCREEN_STATE_{state}\n"
        f"    interactiveState=INTERACTIVE_STATE_{'AWAKE' if phone.awake else 'SLEEP'}\n"
        f"    mRotation={phone.rotation}\n\n"
    )


def _viewport(phone: VirtualPhone) -> str:
    width, height = phone.size
    return (
        f"DisplayViewport{{type=INTERNAL, valid=true, isActive=true, displayId=0, "
        f"uniqueId='local:{DISPLAY_ID}', physicalPort=0, orientation={phone.rotation}, "
        f"logicalFrame=Rect(0, 0 - {width}, {height}), "
        f"physicalFrame=Rect(0, 0 - {width}, {height}), deviceWidth={width}, deviceHeight={height}}}"
    )


def _monitor(window: Window) -> str:
    width, height = window.root.bounds.right, window.root.bounds.bottom
    return (
        f"DisplayViewport{{type=EXTERNAL, valid=true, isActive=true, displayId={window.display}, "
        f"uniqueId='local:{MONITOR_ID}', physicalPort=1, orientation=0, "
        f"logicalFrame=Rect(0, 0 - {width}, {height}), deviceWidth={width}, deviceHeight={height}}}"
    )


def dump_display(phone: VirtualPhone, words: Sequence[str]) -> str:
    """``dumpsys display``."""
    width, height = phone.size
    viewports = [_viewport(phone), *map(_monitor, other_displays(phone.profile))]
    return (
        "DISPLAY MANAGER (dumpsys display)\n"
        "  mOnlyCore=false\n  mGlobalDisplayState=ON\n"
        f"  mViewports=[{', '.join(viewports)}]\n"
        f"  mCurrentOrientation={phone.rotation}\n"
        f'  mBaseDisplayInfo=DisplayInfo{{"Built-in Screen", displayId 0, real {width} x {height}, '
        f'rotation {phone.rotation}, state ON, uniqueId "local:{DISPLAY_ID}"}}\n'
        "  mScreenState=ON\n"
    )


def dump_input(phone: VirtualPhone, words: Sequence[str]) -> str:
    """``dumpsys input``."""
    return (
        "INPUT MANAGER (dumpsys input)\n\nInput Reader State (Nums of device: 1):\n"
        "  Device 1: virtual_touch\n"
        "    Sources: TOUCHSCREEN\n    Touch Input Mapper (mode - DIRECT):\n"
        f"      SurfaceOrientation: {phone.rotation}\n"
        f"      SurfaceWidth: {phone.size[0]}px\n      SurfaceHeight: {phone.size[1]}px\n"
        f"  Viewport: {_viewport(phone)}\n"
    )


def dump_compositor(phone: VirtualPhone, words: Sequence[str]) -> str:
    """``dumpsys SurfaceFlinger [--display-id|--list]``."""
    if "--display-id" in words:
        return "".join(
            f'Display {each} (HWC display {index}): port={index} pnpId=QCM displayName=""\n'
            for index, each in enumerate(physical_displays(phone.profile))
        )
    if "--list" in words:
        return "".join(f"{_title(phone, window)}#{window.layer}\n" for window in phone.windows())
    width, height = phone.size
    return (
        f"Display {DISPLAY_ID} (active) HWC layers:\n"
        f"  orientation={phone.rotation}, isPoweredOn=1\n  layerStackSpace=Rect(0, 0, {width}, {height})\n"
    )
