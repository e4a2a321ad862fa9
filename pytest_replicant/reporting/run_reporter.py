"""The end of a run, on the process that a person watches: outcomes of our own, the index page, the summary."""

from __future__ import annotations

import os
import platform
import time
from datetime import datetime, timezone
from importlib import metadata
from typing import TYPE_CHECKING

import pytest

from ..stash import OPTIONS, RUN_ID
from .artifacts.kept import kept
from .carried_rows import rows_of
from .pages.index_page import write_run
from .terminal import closing_lines
from .test_reporter import INFRA, RECOVERED
from .triage.run import run_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from .test_reporter import TestReporter
    from .triage.run_record import RunRow


class RunReporter:
    """Registered once a run, on the controller, beside the ``tests`` of its own process."""

    def __init__(self, config: pytest.Config, tests: TestReporter) -> None:
        self._tests = tests
        self._options = config.stash[OPTIONS]
        self._run_id = config.stash[RUN_ID]
        self._began = time.time()
        self._rows: dict[tuple[str, int], RunRow] = {}
        self._index: Path | None = None
        self._warnings: tuple[str, ...] = ()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._keep(rows_of(report))

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        """Tool trouble is an error of its own: it says nothing about the app. What had to be mended is no plain
        pass."""
        if report.failed and getattr(report, INFRA, False):
            return "error", "E", "INFRA"
        mended = report.passed and report.when == "call" and _was_mended(report)
        return ("recovered", "r", "RECOVERED") if mended else None

    @pytest.hookimpl(optionalhook=True)
    def pytest_html_results_table_row(self, report: pytest.TestReport, cells: list[str]) -> None:
        """pytest-html knows no outcome but its own: the cell says what kind of pass it was."""
        if _was_mended(report):
            cells[0] = cells[0].replace("Passed<", "Passed, recovered<")

    def pytest_sessionfinish(self) -> None:
        self._keep(self._tests.interrupted)
        if not self._rows or self._options.trace == "off":
            return
        began = datetime.fromtimestamp(self._began, timezone.utc).isoformat(timespec="milliseconds")
        took = round((time.time() - self._began) * 1000)
        run = run_of(self._run_id, began, took, tuple(self._rows.values()), _environment())
        warnings: list[str] = []
        with kept(warnings, "the index of the run"):
            files = write_run(run, self._options.output)
            self._index, warnings = files.index_html, [*files.warnings]
        self._warnings = tuple(warnings)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
        shown = _seen_from(self._index, config.invocation_params.dir)
        lines = closing_lines(tuple(self._rows.values()), shown, self._warnings)
        if not lines:
            return
        terminalreporter.section("replicant", sep="-")
        for line in lines:
            terminalreporter.write_line(line)

    def _keep(self, rows: Iterable[RunRow]) -> None:
        for row in rows:
            self._rows[row.nodeid, row.attempt] = row


def _environment() -> dict[str, str]:
    return {
        "python": platform.python_version(),
        "pytest": pytest.__version__,
        "pytest-replicant": _own_version(),
        "platform": f"{platform.system()} {platform.machine()}".strip(),
    }


def _own_version() -> str:
    try:
        return metadata.version("pytest-replicant")
    except metadata.PackageNotFoundError:  # a bare checkout
        return ""


def _was_mended(report: pytest.TestReport) -> bool:
    """Reports of collection carry no properties."""
    return any(name == RECOVERED for name, _ in getattr(report, "user_properties", ()))


def _seen_from(path: Path | None, folder: Path) -> Path | None:
    """The shorter way to say it, where the file lies below where the user stands."""
    if path is None or not path.is_relative_to(folder):
        return path
    return type(path)(os.path.relpath(path, folder))
