"""dumpsys: what each system service says of itself."""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Sequence

from ...designs.material.permissions import RUNTIME
from ...device.display import other_displays
from ...device.phone import VirtualPhone
from ...device.screen_timeout import CONNECTED, PLUGS
from ...streams import in_thread
from ...system.packages import Package
from ...ui import Window
from ..call import Call, CommandFailed
from ..registry import table
from .intent import LAUNCHER, MAIN, short_component
from .screen import DISPLAY_ID, MONITOR_ID, physical_displays


def token(text: str) -> str:
    """Seven hex digits that stand for an object's identity, the same each time."""
    return f"{zlib.crc32(text.encode('utf-8', 'replace')) & 0xFFFFFFF:07x}"


def _title(phone: VirtualPhone, window: Window) -> str:
    """An app's windows and dialogs go by package and activity; the system's by their own names."""
    if window.kind == "dialog":
        below = (
            each
            for each in phone.windows()
            if each.kind == "app" and each.package == window.package
        )
        return next((each.title for each in below), window.title)
    return window.title or f"{window.package}/{window.kind}"


def _named(phone: VirtualPhone, window: Window) -> str:
    title = _title(phone, window)
    return f"Window{{{token(f'{window.layer} {title}')} u0 {title}}}"


def dump_window(phone: VirtualPhone, words: Sequence[str]) -> str:
    """``dumpsys window [windows|displays|policy|…]``; without a word all of them."""
    sections = {"windows": _windows, "displays": _displays, "policy": _policy}
    plain = [word for word in words if not word.startswith("-")]
    parts = (
        [sections[plain[0]]] if plain and plain[0] in sections else [_policy, _displays, _windows]
    )
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
    cutout = round(profile.cutout * profile.density / 160)
    edges = f"{cutout}, 0" if width > height else f"0, {cutout}"
    return (
        "WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)\n"
        "  Display: mDisplayId=0 (organized)\n"
        f"    init={profile.width}x{profile.height} {profile.density}dpi cur={size} app={size}\n"
        f"    mCurrentRotation=ROTATION_{phone.rotation * 90} mRotation={phone.rotation}\n"
        f"    DisplayFrames w={width} h={height} r={phone.rotation}\n"
        f"    displayCutout=DisplayCutout{{insets=Rect({edges} - 0, 0)}}\n"
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
        f"logicalFrame=Rect(0, 0 - {width}, {height}), physicalFrame=Rect(0, 0 - {width}, "
        f"{height}), deviceWidth={width}, deviceHeight={height}}}"
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


def dump_compositor(phone: VirtualPhone, words: Sequence[str]) -> str:
    """``dumpsys SurfaceFlinger [--display-id]``."""
    if "--display-id" in words:
        return "".join(
            f'Display {each} (HWC display {index}): port={index} pnpId=QCM displayName=""\n'
            for index, each in enumerate(physical_displays(phone.profile))
        )
    width, height = phone.size
    return (
        f"Display {DISPLAY_ID} (active) HWC layers:\n  orientation={phone.rotation}, "
        f"isPoweredOn=1\n  layerStackSpace=Rect(0, 0, {width}, {height})\n"
    )


def dump_package(phone: VirtualPhone, words: Sequence[str]) -> str:
    """``dumpsys package [P]``; of all packages without one."""
    plain = [word for word in words if not word.startswith("-")]
    if plain:
        found = phone.packages.get(plain[-1])
        if found is None:
            return f"\nDexopt state:\n  Unable to find package: {plain[-1]}\n"
        chosen = [found]
    else:
        chosen = phone.packages.installed()
    return (
        "".join(_resolver(package) for package in chosen)
        + "\nPackages:\n"
        + "".join(_package(phone, package) for package in chosen)
    )


def _resolver(package: Package) -> str:
    launcher = [(f"{MAIN} {LAUNCHER}", package.activity)] if package.activity else []
    lines = []
    for intent, activity in (*launcher, *package.answers):
        action, *categories = intent.split()
        lines += [
            f"      {action}:",
            f"        {token(package.name)} {package.component(activity)} filter {token(activity)}",
            f'          Action: "{action}"',
            *(f'          Category: "{category}"' for category in categories),
        ]
    return (
        "\n".join(["Activity Resolver Table:", "  Non-Data Actions:", *lines, ""]) if lines else ""
    )


def _package(phone: VirtualPhone, package: Package) -> str:
    kind = "SYSTEM HAS_CODE" if package.system else "HAS_CODE ALLOW_CLEAR_USER_DATA"
    lines = [
        f"  Package [{package.name}] ({token(package.name)}):",
        f"    userId={package.user_id}",
        f"    pkg=Package{{{token(package.path)} {package.name}}}",
        f"    codePath={package.path.rpartition('/')[0]}",
        f"    resourcePath={package.path.rpartition('/')[0]}",
        f"    primaryCpuAbi={phone.profile.abi}",
        f"    versionCode={package.version_code} minSdk={package.min_sdk} "
        f"targetSdk={package.target_sdk}",
        f"    versionName={package.version_name}",
        f"    flags=[ {kind} ]",
        f"    pkgFlags=[ {kind} ]",
        f"    dataDir=/data/user/0/{package.name}",
        f"    firstInstallTime={_moment(package.installed_at)}",
        f"    lastUpdateTime={_moment(package.updated_at)}",
        f"    signatures=PackageSignatures{{{token(package.name)} version:2, "
        f"signatures:[{package.signature}]}}",
        "    requested permissions:",
        *(f"      {name}" for name in package.requested),
        "    install permissions:",
        *(f"      {name}: granted=true" for name in package.requested if name not in RUNTIME),
        "    User 0: ceDataInode=1000 installed=true hidden=false suspended=false stopped=false "
        "enabled=0",
        "      runtime permissions:",
        *(
            f"        {name}: granted={str(name in package.granted).lower()}, flags=[ "
            f"{_flags(package, name)}]"
            for name in sorted({*package.requested, *package.granted} & RUNTIME.keys())
        ),
        "",
    ]
    return "\n".join(lines) + "\n"


def _flags(package: Package, permission: str) -> str:
    flags = {
        "USER_SET": package.user_set,
        "USER_FIXED": package.user_fixed,
        "ONE_TIME": package.one_time,
    }
    names = "|".join(flag for flag, held in flags.items() if permission in held)
    return f"{names} " if names else ""


def _moment(epoch: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(epoch))


def dump_activity(phone: VirtualPhone, words: Sequence[str]) -> str:
    """``dumpsys activity [activities|top|services|processes|…]``; without a word most of them."""
    sections = {
        "activities": _activities,
        "top": _top,
        "services": _services,
        "processes": _processes,
    }
    plain = [word for word in words if not word.startswith("-")]
    if not plain:
        return f"{'-' * 79}\n".join(
            section(phone) for section in (_services, _activities, _processes)
        )
    section = sections.get(plain[0])
    if section is None:
        return f"ACTIVITY MANAGER {plain[0].upper()} (dumpsys activity {plain[0]})\n  (nothing)\n"
    return section(phone)


def _activities(phone: VirtualPhone) -> str:
    """The displays from the top down, each with what it has resumed; then what has the focus of
    each (AOSP's RootWindowContainer.dumpActivities)."""
    front = [(0, *phone.foreground())]
    front += [
        (window.display, window.package, f".{window.title}")
        for window in other_displays(phone.profile)
    ]
    records = {display: activity_record(package, activity) for display, package, activity in front}
    lines = ["ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)"]
    for display, package, activity in reversed(front):
        lines += [
            f"Display #{display} (activities from top to bottom):",
            f"  * Task{{{token(package)} #{display + 1} type=standard A=10100:{package} U=0 "
            f"visible=true}}",
            f"    mResumedActivity: {records[display]}",
            f"    topResumedActivity={records[display]}",
            f"    * Hist  #0: {records[display]}",
            f"      packageName={package} processName={package}",
            f"      mActivityComponent={short_component(package, activity)}",
            "      state=RESUMED",
            "  Resumed activities in task display areas (from top to bottom):",
            f"    Resumed: {records[display]}",
        ]
    lines += [f"  ResumedActivity: {records[0]}", "ActivityTaskSupervisor state:"]
    for display, record in records.items():
        lines += [f"  Display: mDisplayId={display} (organized)", f"  mFocusedApp={record}"]
    return "\n".join(lines) + "\n  KeyguardController:\n    mKeyguardShowing=false\n"


def _top(phone: VirtualPhone) -> str:
    package, activity = phone.foreground()
    pid = phone.processes().get(package, "(not running)")
    component = short_component(package, activity)
    return (
        f"TASK 10100:{package} id=1 userId=0\n"
        f"  ACTIVITY {component} {token(f'{package}/{activity}')} pid={pid}\n"
        f"    Local Activity {token(component)} State:\n"
        "      mResumed=true mStopped=false mFinished=false\n"
    )


def _services(phone: VirtualPhone) -> str:
    return "ACTIVITY MANAGER SERVICES (dumpsys activity services)\n  (nothing)\n"


def _processes(phone: VirtualPhone) -> str:
    lines = ["ACTIVITY MANAGER RUNNING PROCESSES (dumpsys activity processes)"]
    for name, pid in phone.processes().items():
        package = phone.packages.get(name)
        owner = (
            f"u0a{package.user_id - 10_000}" if package and package.user_id >= 10_000 else "1000"
        )
        lines.append(f"  *APP* UID {owner} ProcessRecord{{{token(name)} {pid}:{name}/{owner}}}")
    return "\n".join(lines) + "\n"


Dump = Callable[[VirtualPhone, Sequence[str]], str]

# temperature in tenths of a degree, voltage in millivolts, status 2 charging, health 2 good
_BATTERY = {
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
_KEYS = {
    "ac": "AC powered",
    "usb": "USB powered",
    "wireless": "Wireless powered",
    "dock": "Dock powered",
}
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
    return "Current Battery Service state:\n" + "".join(
        f"  {key}: {value}\n" for key, value in values.items()
    )


def _power(phone: VirtualPhone, words: Sequence[str]) -> str:
    awake, power = phone.awake, phone.screen_timeout
    return (
        "POWER MANAGER (dumpsys power)\n\nPower Manager State:\n  "
        f"mWakefulness={'Awake' if awake else 'Asleep'}\n  "
        f"mIsPowered={str(power.is_powered).lower()}\n  mStayOn={str(power.stays_on).lower()}\n  "
        "mHoldingWakeLockSuspendBlocker=false\n  "
        f"mHoldingDisplaySuspendBlocker={str(awake).lower()}\n\nDisplay Power: "
        f"state={'ON' if awake else 'OFF'}\n"
    )


def _input_method(phone: VirtualPhone, words: Sequence[str]) -> str:
    shown = str(phone.keyboard_shown).lower()
    method = phone.settings.get("secure", "default_input_method") or "null"
    return (
        f"Current Input Method Manager state:\n  mCurMethodId={method}\n  mCurId={method} "
        f"mHaveConnection=true mBoundToMethod=true\n  mShowRequested={shown} "
        f"mInputShown={shown}\n  mIsInputViewShown={shown}\n  mInputEditorInfo:\n    "
        f"inputType=0x{phone.input_type:x} imeOptions=0x2000006 privateImeOptions=null\n  "
        "mSystemReady=true mInteractive=true\n"
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


def _uimode(phone: VirtualPhone, words: Sequence[str]) -> str:
    mode = phone.settings.get("secure", "ui_night_mode") or "1"
    named, night = {"0": "auto", "1": "no", "2": "yes"}.get(mode, "no"), str(mode == "2").lower()
    return (
        f"Current UI Mode Service state:\n  mNightMode={mode} ({named}) "
        f"mComputedNightMode={night}\n"
    )


DUMPS: dict[str, Dump] = {
    "SurfaceFlinger": dump_compositor,
    "activity": dump_activity,
    "battery": _battery,
    "deviceidle": _deviceidle,
    "display": dump_display,
    "input_method": _input_method,
    "package": dump_package,
    "power": _power,
    "uimode": _uimode,
    "window": dump_window,
}


async def _dumpsys(call: Call) -> int:
    words = list(call.words)
    while words and words[0] in ("-t", "-T", "--priority", "--skip"):
        words = words[2:]
    if not words or words[0] == "-l":
        await call.out(
            "Currently running services:\n" + "".join(f"  {name}\n" for name in sorted(DUMPS))
        )
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
