"""ifconfig, ip, getevent, reboot: what lies below Android."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from ...device.digitizer import (
    BUTTON,
    LAST_ID,
    MOST_FINGERS,
    NAME,
    PATH,
    POSITION_X,
    POSITION_Y,
    SLOT,
    TRACKING_ID,
    InputEvent,
)
from ...streams import in_thread
from ..call import Call, CommandFailed, short_options
from ..registry import table

ADDRESS = "192.0.2.15"  # reserved for documentation: the phone is on no real network
_MAC = "02:00:00:00:00:01"


async def _ifconfig(call: Call) -> int:
    wanted = [word for word in call.words if not word.startswith("-")]
    if wanted and wanted[0] != "wlan0":
        raise CommandFailed(f"ifconfig: {wanted[0]}: No such device")
    await call.out(
        f"wlan0     Link encap:Ethernet  HWaddr {_MAC}\n"
        f"          inet addr:{ADDRESS}  Bcast:192.0.2.255  Mask:255.255.255.0 \n"
        "          UP BROADCAST RUNNING MULTICAST  MTU:1500  Metric:1\n\n"
    )
    return 0


async def _ip(call: Call) -> int:
    words = [word for word in call.words if not word.startswith("-")]
    if not words or words[0] not in ("addr", "address", "a", "link"):
        raise CommandFailed(f'Object "{words[0] if words else ""}" is unknown, try "ip help".', 1)
    await call.out(
        "2: wlan0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc noqueue state UP group "
        f"default\n    link/ether {_MAC} brd ff:ff:ff:ff:ff:ff\n    inet {ADDRESS}/24 brd "
        "192.0.2.255 scope global wlan0\n       valid_lft forever preferred_lft forever\n"
    )
    return 0


_AXES = {SLOT: "ABS_MT_SLOT", POSITION_X: "ABS_MT_POSITION_X", POSITION_Y: "ABS_MT_POSITION_Y",
         TRACKING_ID: "ABS_MT_TRACKING_ID"}  # fmt: skip
_NAMES = {
    0: ("EV_SYN", {0: "SYN_REPORT"}),
    1: ("EV_KEY", {BUTTON: "BTN_TOUCH"}),
    3: ("EV_ABS", _AXES),
}


async def _getevent(call: Call) -> int:
    """The glass, and with neither -p nor -i its events until it is hung up on (AOSP
    system/core/toolbox/getevent.c)."""
    options, devices = short_options(call.words, "tpilSdr", "nscv")
    glass = call.phone.digitizer
    if devices[1:] or (devices and devices[0] != PATH):
        raise CommandFailed(f"could not open {devices[0]}, No such file or directory")
    if not glass.readable:
        await call.error(f"could not open {PATH}, Permission denied")
        if devices:
            return 1
    else:
        await call.out(_described(call, options, alone=bool(devices)))
    if options.keys() & set("piS"):
        return 0
    prefix = "" if devices else f"{PATH}: "
    events: asyncio.Queue[InputEvent] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def hear(event: InputEvent) -> None:
        loop.call_soon_threadsafe(events.put_nowait, event)

    left = int(options["c"]) if options.get("c", "").isdecimal() else 0
    glass.hear += [hear] if glass.readable else []
    try:
        while left >= 0:
            event = await events.get()
            time = f"[{int(event.seconds):8d}.{round(event.seconds % 1 * 1e6) % 1_000_000:06d}] "
            await call.line(
                f"{time if 't' in options else ''}{prefix}{_event(event, 'l' in options)}"
            )
            left = left - 1 or -1 if left else 0  # with -c the last one ends it
        return 0
    finally:
        if hear in glass.hear:
            glass.hear.remove(hear)


def _event(event: InputEvent, labels: bool) -> str:
    _, kind, code, value = event
    if not labels:
        return f"{kind:04x} {code:04x} {value:08x}"
    label, codes = _NAMES[kind]
    shown = ("UP", "DOWN")[value] if kind == 1 else f"{value:08x}"
    return f"{label:<12.12} {codes[code]:<20.20} {shown:<20.20}"


def _described(call: Call, options: Mapping[str, str], *, alone: bool) -> str:
    if alone and not options.keys() & set("pi"):
        return ""
    head = f'add device 1: {PATH}\n  name:     "{NAME}"\n'
    if not options.keys() & set("pi"):
        return head
    labels, (across, down) = "l" in options, call.phone.digitizer.most
    most = {SLOT: MOST_FINGERS - 1, POSITION_X: across, POSITION_Y: down, TRACKING_ID: LAST_ID}
    axes = [
        f"{f'{_AXES[code]:<21}' if labels else f'{code:04x} '} : value 0, min 0, max {limit}, fuzz "
        "0, flat 0, resolution 0"
        for code, limit in most.items()
    ]
    button = f"{'BTN_TOUCH':<21}" if labels else f"{BUTTON:04x} "
    lines = "\n                ".join(axes)
    return (
        f"{head}  events:\n    KEY (0001): {button}\n    ABS (0003): {lines}\n"
        "  input props:\n    INPUT_PROP_DIRECT\n"
    )


async def _reboot(call: Call) -> int:
    """Ends every app, and the connection with it."""
    if call.words:  # -p powers off; bootloader, recovery and the like are systems that it has not
        raise CommandFailed(
            f"reboot: the virtual phone restarts only, and knows no {' '.join(call.words)!r}", 1
        )
    await in_thread(call.phone.restart)
    return 0


COMMANDS = {
    **table("free", ifconfig=_ifconfig, ip=_ip, getevent=_getevent),
    **table("shell", reboot=_reboot),
}
