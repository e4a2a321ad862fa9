"""A worker of a parallel run that died in the middle of a test: the test has no report, so one is made."""

from __future__ import annotations

import time
from collections.abc import Generator
from dataclasses import replace
from datetime import datetime, timezone
from typing import TYPE_CHECKING

import pytest

from ..pytest_private import worker_of_crash
from ..stash import ASKED, RUN_ID, SECRETS
from .junit import properties
from .report_rows import place_of, put_rows, rerun_command, rows_of

if TYPE_CHECKING:
    from ..kept import RunRow


class WorkerDeaths:
    """Registered once a run, on the controller. ``about_phones`` is whether any test asked for a phone so far."""

    def __init__(self, config: pytest.Config) -> None:
        self.about_phones = False
        self._config = config
        self._secrets = config.stash[SECRETS]
        self._begun: dict[str, pytest.TestReport] = {}
        self._attempts: dict[str, int] = {}
        self._died: list[pytest.TestReport] = []
        self._extras: dict[str, list[object]] = {}

    @pytest.hookimpl(optionalhook=True)
    def pytest_handlecrashitem(self, crashitem: str, report: pytest.TestReport) -> None:
        """The report says neither phase nor worker; a failed call is what every other report understands."""
        begun = self._begun.get(crashitem)
        shown = self._secrets.text(crashitem)
        row = row_of_death(shown, worker_of_crash(report), begun, self._attempts.get(crashitem, 0))
        put_rows(report, [replace(row, rerun=rerun_command(self._config, crashitem, self._secrets))])
        report.when = "call"
        if begun is not None:
            report.location = begun.location
        self._died.append(report)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> Generator[None, None, None]:
        self._note(report)
        yield
        if any(report is died for died in self._died):
            self._died.remove(report)
            folder = self._config.invocation_params.dir
            rows = () if self._config.pluginmanager.is_blocked("replicant-junit") else rows_of(report)
            end = end_of(report, properties(rows, folder / self._config.stash[RUN_ID], folder))
            end.extras = self._extras.get(report.nodeid, [])  # type: ignore[attr-defined]  # pytest-html's own
            self._config.hook.pytest_runtest_logreport(report=end)

    def _note(self, report: pytest.TestReport) -> None:
        if hasattr(report, ASKED):
            self.about_phones = True
            self._begun[report.nodeid] = report
        if report.when == "teardown" and hasattr(report, "extras"):
            self._extras[report.nodeid] = report.extras
        for row in rows_of(report):
            self._attempts[report.nodeid] = row.attempt + 1


def row_of_death(nodeid: str, worker: str, begun: pytest.TestReport | None, attempt: int) -> RunRow:
    """``begun`` is the report of its setup, where that one had arrived. Not redacted yet."""
    from ..kept import WORKER_DIED, RunRow, TestCause

    text = "the process that ran it died in the middle of the test"
    message = f"{text}: worker {worker}" if worker else text
    source = place_of(begun.location) if begun else nodeid.partition("::")[0]
    start = begun.start if begun else 0.0
    took = round((time.time() - start) * 1000) if begun else 0
    began = datetime.fromtimestamp(start or time.time(), timezone.utc).isoformat(timespec="milliseconds")
    return RunRow(
        nodeid,
        attempt,
        "error",
        began,
        took,
        "",
        failure=message,
        location=source,
        worker=worker,
        message=message,
        cause=TestCause(WORKER_DIED, message=text, source=source),
        test=nodeid,
        case_id=getattr(begun, ASKED, ""),
    )


def end_of(report: pytest.TestReport, properties: list[tuple[str, object]]) -> pytest.TestReport:
    """The teardown that will never come, without which other reports leave out what they know of the test."""
    end = pytest.TestReport(
        report.nodeid, report.location, {}, "passed", None, "teardown", user_properties=properties
    )
    node = getattr(report, "node", None)
    if node is not None:
        end.node = node  # type: ignore[attr-defined]  # by which JUnit tells apart what workers send
    return end
