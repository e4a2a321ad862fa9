"""How each fault is made on the phone of a stage, as real phones and their surroundings make it."""

from __future__ import annotations

import itertools
import json
import os
import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_replicant.virtual import UIAUTOMATOR2_MAIN, DumpFault

from .stage import SERIAL

if TYPE_CHECKING:
    from collections.abc import Callable

    from .stage import Stage

AHEAD = 3 * 3600.0  # seconds that a clock jumps


def adb_killed(stage: Stage) -> None:
    stage.server.close()


def adb_restarted(stage: Stage) -> None:
    stage.come_back()


def offline(stage: Stage) -> None:
    """The next touch arrives, and the cable is out before its answer is."""
    _before_touch(stage, lambda: stage.server.set_state(SERIAL, "offline"))


def server_killed(stage: Stage) -> None:
    """The next touch arrives, and the process that made it is gone before it says so."""
    _before_touch(stage, lambda: stage.phone.kill_program(UIAUTOMATOR2_MAIN))


def server_gone(stage: Stage) -> None:
    """As the system kills it for want of memory, while nothing is asked of it."""
    stage.phone.kill_program(UIAUTOMATOR2_MAIN)


def dump_killed(stage: Stage) -> None:
    """From now on, whatever dumps the screen is killed at it."""
    begin = stage.phone.begin_dump

    def killed() -> object:
        return DumpFault(killed=True), begin()[1]

    stage.phone.begin_dump = killed  # type: ignore[method-assign,assignment]


def one_dump_killed(stage: Stage) -> None:
    """The next dump is killed, and no other."""
    begin = stage.phone.begin_dump

    def killed() -> object:
        stage.phone.begin_dump = begin  # type: ignore[method-assign]
        return DumpFault(killed=True), begin()[1]

    stage.phone.begin_dump = killed  # type: ignore[method-assign,assignment]


def unauthorised(stage: Stage) -> None:
    stage.server.set_state(SERIAL, "unauthorized")


def restarted(stage: Stage) -> None:
    stage.phone.restart()


def storage_full(stage: Stage) -> None:
    stage.phone.files.capacity = stage.phone.files.used


def storage_nearly_full(stage: Stage) -> None:
    """The package can be pushed, and not be installed beside itself."""
    stage.phone.files.capacity = (
        stage.phone.files.used + (stage.folder / "parcel.apk").stat().st_size + 100
    )


def other_processor(stage: Stage) -> None:
    """The package holds native code, and none for this phone."""
    _package(stage.folder, "lib/x86_64/libparcel.so")


def nothing(stage: Stage) -> None:
    """The fault is in the app: nothing is done to the phone."""


def airplane(stage: Stage) -> None:
    stage.phone.set_radio("airplane", True)


def clock_ahead(stage: Stage) -> None:
    stage.phone.set_clock(AHEAD)


def clock_back(stage: Stage) -> None:
    stage.phone.set_clock(-AHEAD)


def disk_full(stage: Stage, files: int = 1_000_000) -> None:
    """So many of the files that are begun in the report's folder end up on a device that is full:
    what is told is the kernel's own ENOSPC."""
    make, left = tempfile.mkstemp, itertools.count(files, -1)
    output = str(stage.folder / "out")

    def full(*args: object, **named: object) -> tuple[int, str]:
        handle, path = make(*args, **named)  # type: ignore[call-overload]
        if str(path).startswith(output) and next(left) > 0:
            device = os.open("/dev/full", os.O_WRONLY)
            os.dup2(device, handle)
            os.close(device)
        return handle, path

    tempfile.mkstemp = full  # type: ignore[assignment]
    stage.undo.append(lambda: setattr(tempfile, "mkstemp", make))


def disk_full_for_a_while(stage: Stage) -> None:
    """Until somebody makes room."""
    disk_full(stage, files=3)


def package(stage: Stage) -> None:
    """What the test inside installs, where nothing is wrong with it."""
    _package(stage.folder, "lib/arm64-v8a/libparcel.so")


def _package(folder: Path, *names: str) -> None:
    with zipfile.ZipFile(folder / "parcel.apk", "w") as archive:
        archive.writestr("replicant-app.json", json.dumps({"package": "dev.example.parcel"}))
        for name in names:
            archive.writestr(name, b"\x7fELF" + b"\0" * 4096)


def _before_touch(stage: Stage, happens: Callable[[], object]) -> None:
    touch = stage.phone.tap

    def tap(x: int, y: int) -> None:
        stage.phone.tap = touch  # type: ignore[method-assign]
        touch(x, y)
        happens()

    stage.phone.tap = tap  # type: ignore[method-assign]
