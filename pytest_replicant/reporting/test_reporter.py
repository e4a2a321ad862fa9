"""After each phase of a test: its outcome, its trace on disk, and what the other report plugins are given."""

from __future__ import annotations

import json
from collections.abc import Generator
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ..model.test_trace import TestFacts
from ..stash import OPTIONS, RUN_ID, SESSIONS
from .artifacts import write_trace
from .findings import unverified, vacuous_checks
from .outcomes import outcome_of

if TYPE_CHECKING:
    from ..model.test_trace import TestTrace
    from ..stash import TestSession
    from .artifacts import TraceFiles

PROPERTY = "replicant"
"""Name of the user property in which a worker sends its findings to the controller: JSON, see ``_note``."""


class TestReporter:
    """Registered in every process that runs tests."""

    __test__ = False  # the name looks like a test class to pytest

    def __init__(self, config: pytest.Config) -> None:
        self._options = config.stash[OPTIONS]
        self._run_id = config.stash[RUN_ID]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        sessions = item.stash.get(SESSIONS, [])
        if report.when == "teardown" or not sessions or (report.when == "setup" and not report.failed):
            return report
        error = call.excinfo.value if call.excinfo else None
        outcome = outcome_of(report, error)
        for number, entry in enumerate(sessions):
            facts = TestFacts(
                nodeid=item.nodeid if number == 0 else f"{item.nodeid} (phone {number + 1})",
                attempt=getattr(item, "execution_count", 1) - 1,  # counted by pytest-rerunfailures
                outcome=outcome,
                started_at=_iso(entry.recorder.began_ms),
                duration_ms=entry.recorder.elapsed_ms,
                location=f"{item.location[0]}:{(item.location[1] or 0) + 1}",
            )
            trace = entry.recorder.finish(facts, (str(error),) if error is not None and report.failed else ())
            self._keep(item, report, entry, trace)
        return report

    def _keep(self, item: pytest.Item, report: pytest.TestReport, entry: TestSession, trace: TestTrace) -> None:
        options = self._options
        files: TraceFiles | None = None
        if options.trace == "on" or (options.trace == "retain-on-failure" and report.failed):
            if options.screenshot == "only-on-failure" and not report.failed:
                entry.recorder.drop_screenshots()
            files = write_trace(trace, options.output, self._run_id, entry.recorder.redactor)
        note = json.dumps(_note(trace, files, entry))
        item.user_properties.append((PROPERTY, note))
        report.user_properties.append((PROPERTY, note))


def _note(trace: TestTrace, files: TraceFiles | None, entry: TestSession) -> dict[str, object]:
    """What the end of the run says of one test."""
    page = files.trace_html if files else None
    return {
        "nodeid": trace.test.nodeid,
        "outcome": trace.test.outcome,
        "duration_ms": trace.test.duration_ms,
        "started_at": trace.test.started_at,
        "device": trace.device.get("uri", ""),
        "trace": Path(page).as_posix() if page else "",
        "unverified": entry.recorder.redactor.text(unverified(trace)),
        "vacuous": [entry.recorder.redactor.text(line) for line in vacuous_checks(trace)],
        "warnings": list(files.warnings) if files else [],
    }


def _iso(epoch_ms: int) -> str:
    return datetime.fromtimestamp(epoch_ms / 1000, timezone.utc).isoformat(timespec="milliseconds")
