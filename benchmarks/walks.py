"""How many functions and files one request passes on its way through the house: what a newcomer has
to read."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from inspect import CO_OPTIMIZED
from io import StringIO
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from pytest_replicant import Mobile, Snapshot, connect

from .table import Table

PACKAGE = Path(__file__).parents[1] / "pytest_replicant"
PHONE = "virtual?latency=0"


@dataclass
class Walk:
    """Of a comprehension, a class and a module nothing is counted: their lines are read where they
    stand."""

    calls: int = 0
    functions: set[tuple[str, str, int]] = field(default_factory=set)

    @property
    def files(self) -> set[str]:
        return {file for file, _, _ in self.functions}

    def note(self, frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event != "call" or code.co_name.startswith("<") or not code.co_flags & CO_OPTIMIZED:
            return
        if (place := _place(code.co_filename)) is not None:
            self.calls += 1
            self.functions.add((place, code.co_name, code.co_firstlineno))


def _place(name: str) -> str | None:
    """A file as named below the package; None outside of it."""
    if not name.startswith(str(PACKAGE)):
        return None
    place = Path(name).relative_to(PACKAGE).as_posix()
    # the phone is no part of the way from a test to a driver
    return None if place.startswith("virtual") else place


@contextmanager
def walked() -> Iterator[Walk]:
    walk = Walk()
    sys.setprofile(walk.note)
    try:
        yield walk
    finally:
        sys.setprofile(None)


def measure() -> Table:
    walks: dict[str, Walk] = {}
    with walked() as walks["a URI to a phone"], connect(PHONE) as mobile:
        sys.setprofile(None)
        mobile.launch("dev.replicant.shop")
        source = mobile._context.driver.dump_hierarchy()
        for name, step in _steps(mobile, source).items():
            with walked() as walks[name]:
                step()
    walks["a failed test to the report of its run"], walks["a replay of that test"] = _of_a_run(
        "Not there"
    )
    walks["a replay of a test that holds"] = _of_a_run("Reset password")[1]
    rows = tuple(
        (name, len(walk.functions), len(walk.files), walk.calls) for name, walk in walks.items()
    )
    return Table(
        "walks", "Walks through the house", "python -m benchmarks walks",
        ("from", "functions", "files", "calls"), rows,
    )  # fmt: skip


def _steps(mobile: Mobile, source: str | bytes) -> dict[str, Callable[[], object]]:
    before = Snapshot.parse(source, "android")
    after = mobile.snapshot()
    return {
        "a dump to its outline": lambda: Snapshot.parse(source, "android").outline(),
        "two snapshots to their diff": lambda: str(after.diff(before)),
        "tap(text=) to the driver, and back": lambda: mobile.tap(text="Forgot password?"),
        "a check that holds": lambda: mobile.expect_screen("Reset password"),
    }


TEST = """
def test_one(mobile):
    mobile.launch("dev.replicant.shop")
    mobile.tap(text="Forgot password?")
    mobile.expect_visible(text="%s", timeout=0.3)
"""


class _Reporting:
    """A plugin that walks along with a report: from the end of each phase of a test to the index of
    the run."""

    def __init__(self) -> None:
        self.walk = Walk()

    def pytest_sessionstart(self, session: pytest.Session) -> None:
        """A wrapper that is registered later encloses those before."""
        session.config.pluginmanager.unregister(self)
        session.config.pluginmanager.register(self)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self) -> Generator[None, object, object]:
        sys.setprofile(self.walk.note)
        try:
            return (yield)
        finally:
            sys.setprofile(None)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        sys.setprofile(self.walk.note)

    @pytest.hookimpl(tryfirst=True)
    def pytest_replicant_run(self) -> None:
        sys.setprofile(None)


def _of_a_run(expected: str) -> tuple[Walk, Walk]:
    reporting = _Reporting()
    with tempfile.TemporaryDirectory() as folder, redirect_stdout(StringIO()):
        (Path(folder) / f"test_{Path(folder).name}.py").write_text(
            TEST % expected, encoding="utf-8"
        )
        report = f"{folder}/report"
        options = [folder, f"--rootdir={folder}", f"--replicant-output={report}", "-pno:randomly"]
        pytest.main([*options, f"--replicant-device={PHONE}"], plugins=[reporting])
        with walked() as replay:
            pytest.main([*options, f"--replicant-device=cassette:{report}"])
    return reporting.walk, replay
