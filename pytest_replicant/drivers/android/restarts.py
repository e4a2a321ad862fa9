"""Whether a phone is still the one that was connected to, or was restarted since, and what ran on it with it."""

from __future__ import annotations

import re

from ...errors import DeviceOffline

QUESTION = "cat /proc/sys/kernel/random/boot_id 2>/dev/null"
_BOOT_ID = re.compile(r"^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\s*$", re.MULTILINE)


def boot_of(answer: str) -> str:
    """What the kernel calls the time since it was started; "" where the phone does not tell."""
    found = _BOOT_ID.search(answer)
    return found[0].strip() if found else ""


def restarted(serial: str) -> DeviceOffline:
    """A new connection would find another state than the one that was lost."""
    error = DeviceOffline(
        f"{serial} was restarted in the middle: every app on it ended, and this says nothing about the one under "
        "test. Next: run it again; where it happens often, look at the phone's battery and heat.",
        device=serial,
    )
    error.mendable = False
    return error
