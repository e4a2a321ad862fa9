"""ifconfig, ip, getevent, reboot: what lies below Android."""

from __future__ import annotations

import asyncio

from ...streams import in_thread
from ..call import Call, CommandFailed
from ..registry import table

ADDRESS = "192.0.2.15"  # reserved for documentation: the phone is on no real network
_MAC = "02:00:00:00:00:01"


async def _ifconfig(call: Call) -> int:
    wanted = [word for word in call.words if not word.startswith("-")]
    if wanted and wanted[0] not in ("wlan0", "lo"):
        raise CommandFailed(f"ifconfig: {wanted[0]}: No such device")
    if not wanted or wanted[0] == "wlan0":
        await call.out(
            f"wlan0     Link encap:Ethernet  HWaddr {_MAC}\n"
            f"          inet addr:{ADDRESS}  Bcast:192.0.2.255  Mask:255.255.255.0 \n"
            "          UP BROADCAST RUNNING MULTICAST  MTU:1500  Metric:1\n\n"
        )
    if not wanted or wanted[0] == "lo":
        await call.out(
            "lo        Link encap:Local Loopback  \n          inet addr:127.0.0.1  Mask:255.0.0.0 \n"
            "          UP LOOPBACK RUNNING  MTU:65536  Metric:1\n\n"
        )
    return 0


async def _ip(call: Call) -> int:
    words = [word for word in call.words if not word.startswith("-")]
    if words and words[0] in ("route", "r"):
        await call.line(f"192.0.2.0/24 dev wlan0 proto kernel scope link src {ADDRESS}")
        return 0
    if not words or words[0] not in ("addr", "address", "a", "link"):
        raise CommandFailed(f'Object "{words[0] if words else ""}" is unknown, try "ip help".', 1)
    if words[-1] not in ("lo",):
        await call.out(
            "2: wlan0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc noqueue state UP group default\n"
            f"    link/ether {_MAC} brd ff:ff:ff:ff:ff:ff\n"
            f"    inet {ADDRESS}/24 brd 192.0.2.255 scope global wlan0\n"
            "       valid_lft forever preferred_lft forever\n"
        )
    return 0


async def _getevent(call: Call) -> int:
    """What the touch screen can report; without -p it waits for events, which never come."""
    if not set(call.words) & {"-p", "-lp", "-pl", "-i", "-il"}:
        await asyncio.Event().wait()
    width, height = call.phone.profile.width, call.phone.profile.height
    ranges = ((0x2F, 9), (0x35, width - 1), (0x36, height - 1), (0x39, 65535))
    lines = [f"{code:04x}  : value 0, min 0, max {most}, fuzz 0, flat 0, resolution 0" for code, most in ranges]
    await call.out(
        'add device 1: /dev/input/event1\n  name:     "virtual_touch"\n  events:\n'
        "    KEY (0001): 014a\n    ABS (0003): " + "\n                ".join(lines) + "\n"
        "  input props:\n    INPUT_PROP_DIRECT\n"
    )
    return 0


async def _reboot(call: Call) -> int:
    """Ends every app, and the connection with it."""
    if call.words:  # -p powers off; bootloader, recovery and the like are systems that it has not
        raise CommandFailed(f"reboot: the virtual phone restarts only, and knows no {' '.join(call.words)!r}", 1)
    await in_thread(call.phone.restart)
    return 0


COMMANDS = {
    **table("free", ifconfig=_ifconfig, ip=_ip, getevent=_getevent),
    **table("shell", reboot=_reboot),
}
