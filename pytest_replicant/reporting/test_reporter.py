"""The outcome of a test and its trace on disk, and the call of the hook that other reports are made by."""

from __future__ import annotations

import os
from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from ..model import BROKEN, RaisedError
from ..stash import ASKED, OPTIONS, SECRETS
from .artifacts.storage import never_raises
from .attempts.attempt import Attempt, Phase, attempt_of, end, phase_of, raised
from .attempts.tracebacks import shorten
from .carried_rows import leave_rows, put_rows
from .hook_calls import call_each
from .publishing import Publisher
from .redaction import redact_report, redacted_trace

if TYPE_CHECKING:
    from .publishing import Published
    from .triage.run_record import RunRow

INFRA = "replicant_infra"
"""Attribute of a report of tool trouble; it travels to the controller as well."""


class TestReporter:
    """Registered in every process that runs tests. ``interrupted`` are the rows of a test that never ended."""

    __test__ = False  # the name looks like a test class to pytest

    def __init__(self, config: pytest.Config) -> None:
        self.interrupted: list[RunRow] = []
        self._secrets = config.stash[SECRETS]
        self._writes = config.stash[OPTIONS].trace != "off"
        self._publisher = Publisher(config)
        self._published: Sequence[Published] = ()
        self._running: pytest.Item | None = None
        self._interruption = "the run ended while the test ran"

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        self._running = item
        self._published = ()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, object, object]:
        attempt = attempt_of(item)
        attempt.calling = True
        try:
            return (yield)
        finally:
            attempt.calling = False

    @pytest.hookimpl(wrapper=True, tryfirst=True)  # the outcome is what every other plugin has made of it
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        error = call.excinfo.value if call.excinfo else None
        redact_report(report, self._secrets)
        shorten(report, error, self._secrets)
        attempt = attempt_of(item)
        if attempt.calling:
            attempt.within += [phase_of(report, error)] if report.failed else []
            return report
        phase = self._ended(attempt, report, error)
        if _should_publish(attempt, report, phase):
            self._publish(attempt, report)
        if report.when == "teardown":
            self._publisher.keep_pass(attempt)
            self._complete(attempt, report)
            end(item)
            self._running = None
        return report

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        self._interruption = self._secrets.text(excinfo.exconly()).partition("\n")[0]

    @pytest.hookimpl(tryfirst=True)  # before fixtures are torn down, and before the index is written
    def pytest_sessionfinish(self) -> None:
        if self._running is None:
            return
        attempt = attempt_of(self._running)
        soft = tuple(raised(failure, "call") for failure in attempt.unreported())
        attempt.phases.append(Phase("error", (RaisedError(self._interruption), *soft)))
        if attempt.sessions:
            self.interrupted = [one.row for one in self._publisher.publish(attempt, interrupted=True)]
        worker = os.environ.get("PYTEST_XDIST_WORKER", "")
        if worker and self._writes:
            with never_raises([], "what the test did until it was interrupted"):
                leave_rows(self.interrupted, self._publisher.folder, worker)

    def pytest_unconfigure(self) -> None:
        self._publisher.close()
        if self._running is not None:
            end(self._running)

    def _ended(self, attempt: Attempt, report: pytest.TestReport, error: BaseException | None) -> Phase:
        """One phase of the attempt."""
        phase = phase_of(report, error, attempt.besides)
        phase = attempt.with_subtests(phase) if report.when == "call" else phase
        attempt.phases.append(phase)
        setattr(report, INFRA, phase.outcome == "infra")
        if report.when == "setup":
            setattr(report, ASKED, attempt.asked_for_a_phone)
        return phase

    def _publish(self, attempt: Attempt, report: pytest.TestReport) -> None:
        self._published = self._publisher.publish(attempt)
        put_rows(report, [one.row for one in self._published])
        attempt.recorded_before = attempt.recorded

    def _complete(self, attempt: Attempt, report: pytest.TestReport) -> None:
        """Calls the report hook for each phone of the attempt."""
        hook = attempt.item.ihook.pytest_replicant_trace
        rows = []
        for one in self._published:
            problems: list[str] = []
            with never_raises(problems, "the trace could not be given to other reports"):
                trace = redacted_trace(one.trace, self._secrets)
                problems += call_each(
                    hook, item=attempt.item, report=report, trace=trace, files=one.files, row=one.row
                )
            lines = tuple(self._secrets.text(line) for line in problems)
            rows.append(replace(one.row, warnings=(*one.row.warnings, *lines)))
        if any(row.warnings != one.row.warnings for row, one in zip(rows, self._published, strict=True)):
            put_rows(report, rows)
        self._published = ()


def _should_publish(attempt: Attempt, report: pytest.TestReport, phase: Phase) -> bool:
    """Whether the trace is to be written: the test is over, or its teardown broke or recorded more."""
    if report.when == "setup":
        return not report.passed
    return report.when == "call" or phase.outcome in BROKEN or attempt.recorded > attempt.recorded_before
