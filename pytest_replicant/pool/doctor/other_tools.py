"""What only some need: emulators, Allure's command, a browser."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from ..fitness.finding import Finding
from .programs import find_all

_MOST = 8


def emulator(environment: Mapping[str, str] = os.environ) -> Iterator[Finding]:
    binaries = find_all("emulator", "emulator", environment)
    names = avds(environment)
    told = ", ".join(names[:_MOST]) + (f" and {len(names) - _MOST} more" if len(names) > _MOST else "")
    if not binaries:
        found = "no emulator command found; only needed for avd:NAME"
        yield Finding("skip", "emulator", found, "install the Android SDK's emulator, or set ANDROID_HOME")
    elif not names:
        yield Finding("skip", "emulator", f"{binaries[0]}, without any virtual device", "avdmanager create avd")
    else:
        yield Finding("ok", "emulator", f"{binaries[0]}; virtual devices: {told}")


def avds(environment: Mapping[str, str]) -> list[str]:
    """Their names, as the emulator finds them."""
    home = environment.get("ANDROID_USER_HOME") or str(Path(environment.get("HOME") or Path.home()) / ".android")
    folder = Path(environment.get("ANDROID_AVD_HOME") or Path(home) / "avd")
    try:
        return sorted(path.stem for path in folder.glob("*.ini"))
    except OSError:
        return []


def allure(environment: Mapping[str, str] = os.environ) -> Iterator[Finding]:
    place = shutil.which("allure", path=environment.get("PATH", ""))
    if place:
        yield Finding("ok", "Allure", f"{place} shows what --alluredir wrote")
        return
    found = "no allure command found; only needed to look at what --alluredir wrote"
    yield Finding("skip", "Allure", found, "npm install -g allure")


def browser() -> Iterator[Finding]:
    yield Finding("ok", "Chromium", "not needed: reports are plain HTML files for any browser")
