"""After a test: its outcome, its trace on disk, and what the other report plugins are given."""

from __future__ import annotations

import json
from collections.abc import Generator
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ..model.test_trace import TestFacts
from ..stash import OPTIONS, RUN_ID, SESSIONS, TRACE_PAGE
from .allure import allure_active, attach_to_allure
from .artifacts import write_trace
from .folder_names import folder_name
from .outcomes import outcome_of
from .pytest_html import html_extras
from .redacted_report import redact_report
from .run_record import run_row

if TYPE_CHECKING:
    from ..model.secret import Redactor
    from ..model.test_trace import TestTrace
    from ..stash import TestSession
    from .artifacts import TraceFiles

ROW = "replicant"
"""Name of the user property in which a test's row of the run index travels to the controller, as JSON."""


class TestReporter:
    """Registered in every process that runs tests."""

    __test__ = False  # the name looks like a test class to pytest

    def __init__(self, config: pytest.Config) -> None:
        self._options = config.stash[OPTIONS]
        self._run_folder = self._options.output / config.stash[RUN_ID]
        self._allure = allure_active(config)
        html = config.getoption("htmlpath", None) if config.pluginmanager.hasplugin("html") else None
        self._html = Path(html).absolute() if html else None
        config.stash[TRACE_PAGE] = self._page_of
        self._seen_from = config.invocation_params.dir

    @pytest.hookimpl(wrapper=True, trylast=True)  # before other plugins read what is redacted here
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        sessions = item.stash.get(SESSIONS, [])
        for entry in sessions:
            redact_report(report, entry.recorder.redactor)
        over = report.when == "call" or (report.when == "setup" and not report.passed)
        if over:
            error = call.excinfo.value if call.excinfo else None
            for entry in sessions:
                trace = entry.recorder.finish(_facts(item, entry, report, error), _failures(report, error))
                self._publish(item, report, entry, trace)
        return report

    def _page_of(self, nodeid: str, attempt: int, redactor: Redactor) -> str:
        """Where a test's page will be, as a message names it before it is written; "" where none will be."""
        if self._options.trace == "off":
            return ""
        path = self._run_folder / folder_name(nodeid, redactor.text(nodeid), attempt) / "trace.html"
        near = path.is_relative_to(self._seen_from)
        return (path.relative_to(self._seen_from) if near else path).as_posix()

    def _publish(self, item: pytest.Item, report: pytest.TestReport, entry: TestSession, trace: TestTrace) -> None:
        redactor = entry.recorder.redactor
        files = self._write(report, entry, trace)
        row = json.dumps(run_row(trace, files, self._run_folder, redactor).to_dict())
        item.user_properties.append((ROW, row))  # JUnit reads those of the teardown's report
        report.user_properties.append((ROW, row))
        if files is None:
            return
        if self._html is not None:
            extras = html_extras(trace, files, self._html, redactor)
            report.extras = [*getattr(report, "extras", []), *extras]  # type: ignore[attr-defined]  # pytest-html's
        if self._allure:
            attach_to_allure(trace, files, redactor)

    def _write(self, report: pytest.TestReport, entry: TestSession, trace: TestTrace) -> TraceFiles | None:
        options = self._options
        if options.trace == "off" or (options.trace == "retain-on-failure" and not report.failed):
            return None
        if options.screenshot == "only-on-failure" and not report.failed:
            entry.recorder.drop_screenshots()
        return write_trace(trace, options.output, self._run_folder.name, entry.recorder.redactor)


def _facts(
    item: pytest.Item, entry: TestSession, report: pytest.TestReport, error: BaseException | None
) -> TestFacts:
    path, line, _ = item.location
    began = datetime.fromtimestamp(entry.recorder.began_ms / 1000, timezone.utc)
    return TestFacts(
        nodeid=entry.nodeid,
        attempt=entry.attempt,
        outcome=outcome_of(report, error),
        started_at=began.isoformat(timespec="milliseconds"),
        duration_ms=entry.recorder.elapsed_ms,
        location=f"{Path(path).as_posix()}:{(line or 0) + 1}",
    )


def _failures(report: pytest.TestReport, error: BaseException | None) -> tuple[str, ...]:
    if error is None or not report.failed:
        return ()
    several = getattr(error, "exceptions", None)
    return tuple(str(one) for one in several) if several else (str(error) or type(error).__name__,)
