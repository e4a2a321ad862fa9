"""An SDK with a stand-in for the emulator, in an environment that leads to it and to an adb server
of our own."""

from __future__ import annotations

import json
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from .private_adb import Adb
from .standin_emulator import Manner, behave, install

PATIENCE = 20.0
ELSEWHERE = (
    "ANDROID_SDK_ROOT",
    "ANDROID_ADB_SERVER_ADDRESS",
    "ANDROID_ADB_SERVER_HOST",
    "ANDROID_AVD_HOME",
    "ANDROID_USER_HOME",
    "ANDROID_EMULATOR_HOME",
    "ANDROID_SDK_HOME",
)


@dataclass(frozen=True)
class Sdk:
    folder: Path
    program: Path
    adb: Adb

    def behave(self, **manner: Any) -> None:
        behave(self.folder, Manner(**manner))

    def started(self, avd: str = "Pixel_6") -> dict[str, Any]:
        """What the last one of that AVD was asked, and its process."""
        found: dict[str, Any] = json.loads(
            (self.program.parent / f"{avd}.started.json").read_text(encoding="utf-8")
        )
        return found

    def child(self) -> int:
        return int((self.program.parent / "child.pid").read_text(encoding="ascii"))


def make_sdk(folder: Path, adb: Adb, monkeypatch: pytest.MonkeyPatch) -> Sdk:
    home = folder / "home"
    (home / ".android" / "avd").mkdir(parents=True)
    for avd in ("Pixel_6", "Tablet"):
        (home / ".android" / "avd" / f"{avd}.ini").touch()
    (home / ".emulator_console_auth_token").write_text("secret\n", encoding="ascii")
    for name in ELSEWHERE:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("ANDROID_HOME", str(folder / "sdk"))
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(adb.port))
    return Sdk(folder / "sdk", install(folder / "sdk", Manner()), adb)


def is_running(pid: int) -> bool:
    """Not as a zombie, which only its parent can see off."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except OSError:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        return not Path("/proc").exists()
    return state != "Z"


def soon(condition: Any) -> bool:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True
