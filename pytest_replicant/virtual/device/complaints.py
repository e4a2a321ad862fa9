"""What Android's log says of apps that hang."""

from __future__ import annotations

import zlib


def anr_reason(component: str, waited_ms: int) -> str:
    """Why the input dispatcher gave up; ``component`` is the activity with its full name."""
    token = f"{zlib.crc32(component.encode('utf-8', 'replace')) & 0xFFFFFFF:07x}"
    return (
        f"Input dispatching timed out ({token} {component} (server) is not responding. "
        f"Waited {waited_ms + 1}ms for MotionEvent)"
    )


def anr_block(package: str, short_component: str, pid: int, reason: str) -> str:
    """As the activity manager logs it."""
    return (
        f"ANR in {package} ({short_component})\nPID: {pid}\nReason: {reason}\n"
        f"Parent: {short_component}\nFrozen: false\nLoad: 1.12 / 0.94 / 0.71"
    )
