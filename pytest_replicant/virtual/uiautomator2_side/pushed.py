"""What a client's first connection leaves on a phone: the program that it pushes, and the next one
finds."""

from __future__ import annotations

import functools
import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..device.phone import VirtualPhone

SERVER = "/data/local/tmp/u2.jar"


def used_before(phone: VirtualPhone) -> VirtualPhone:
    """The phone, with the program of the installed uiautomator2 on it: pushing that, 4 MB, would be
    half the time of a start."""
    program = _program()
    if program and phone.profile.platform == "android":
        phone.files.write(SERVER, program)
    return phone


@functools.cache
def _program() -> bytes:
    """Empty if another uiautomator2 is installed than we know; it is pushed then. Imports nothing
    of it."""
    package = importlib.util.find_spec("uiautomator2")
    place = (
        Path(package.origin).parent / "assets" / "u2.jar" if package and package.origin else None
    )
    return place.read_bytes() if place is not None and place.is_file() else b""
