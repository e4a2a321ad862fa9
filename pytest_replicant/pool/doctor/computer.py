"""The checks of this computer."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from . import adb_tools, other_tools, python, room
from .check import Check, Subject

GROUP = "computer"
_SECONDS = 15.0


def computer(report: Path) -> Subject:
    """``report`` is where a run would write its report."""

    def checks() -> Iterator[Check]:
        yield Check("Python", _SECONDS, python.python)
        yield Check("pytest-replicant", _SECONDS, python.plugin)
        yield Check("libraries", 2 * _SECONDS, python.libraries)
        yield Check("pytest-xdist", _SECONDS, python.parallel)
        yield Check("adb", 2 * _SECONDS, adb_tools.adb)
        yield Check("emulator", _SECONDS, other_tools.emulator)
        yield Check("Allure", _SECONDS, other_tools.allure)
        yield Check("Chromium", _SECONDS, other_tools.browser)
        yield Check("leases", _SECONDS, room.leases)
        yield Check("report", _SECONDS, partial(room.report, report))

    return Subject(GROUP, checks)
