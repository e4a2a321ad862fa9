"""A phone as a test would open it: leased, its server started, its screen read once; and let go of."""

from __future__ import annotations

import time
from collections.abc import Iterator

from ...errors import DeviceBusy
from ..fitness.finding import Finding
from ..open import open_device


def opened(uri: str, seconds: float, name: str, *, dark: bool = False) -> Iterator[Finding]:
    """Opens nothing that another run holds. Of a ``dark`` screen nothing is read, and it is left dark."""
    began = time.monotonic()
    try:
        phone = open_device(uri, timeout=seconds)
    except DeviceBusy as busy:
        yield held(busy)
        yield Finding("skip", name, "not looked at while another run uses the phone")
        return
    with phone:
        yield Finding("ok", "lease", "free")
        ready = time.monotonic() - began
        told = f"ready in {ready:.1f} s"
        if dark:
            told += f"; held {phone.driver.orientation()}; its screen is off, so nothing was read"
        else:
            size = len(phone.driver.dump_hierarchy())
            told += f", then read the screen in {time.monotonic() - began - ready:.1f} s ({size} bytes)"
    yield Finding("ok", name, f"{_version()}{told}" if name == "uiautomator2" else told)


def held(busy: DeviceBusy) -> Finding:
    """A phone that another run uses is no worse for it."""
    who = str(busy).partition(". ")[0]
    return Finding("warn", "lease", who, "wait for it: a test run does, as long as replicant_lease_timeout says")


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return f"{version('uiautomator2')}: "
    except PackageNotFoundError:
        return ""
