"""After a test: its outcome, its trace on disk, and what the other report plugins are given."""

from __future__ import annotations

import os
from collections.abc import Generator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timezone
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ..errors import is_told
from ..model.test_trace import RaisedError, TestFacts, TestTrace
from ..stash import OPTIONS, PICTURE_TAKEN, RUN_ID, SECRETS, TRACE_PAGE, attempt_number
from .allure.active import allure_active
from .allure.results import AllureResults
from .artifacts.bound import ArtifactBound
from .artifacts.folder_names import folder_name, shown_id
from .artifacts.kept import kept
from .artifacts.picture_packing import PicturePacking
from .artifacts.storage import NEWS
from .artifacts.trace_files import write_trace
from .attempts.attempt import BROKEN, Attempt, Phase, attempt_of, end
from .attempts.outcomes import phase_of, raised
from .carried_rows import leave_rows, put_rows
from .failure_lines import shorten
from .junit import attachments, numbered, print_attachments, properties
from .pytest_html import html_extras
from .redacting.redacted_report import redact_report
from .triage.baseline import Baselines
from .triage.run_row import bare_row, run_row, with_files
from .worker_deaths import ASKED

if TYPE_CHECKING:
    from ..model.secret import Redactor
    from ..stash import TestSession
    from .artifacts.trace_files import TraceFiles
    from .triage.divergence import Divergence
    from .triage.run_record import RunRow

__tracebackhide__ = is_told

RECOVERED = "recovered"
"""Name of the user property of a test in which something was mended; JUnit shows it. One a recovery."""

PHONES = "mobile_pool"
"""The fixture that every other one of ours stands on: who asks for it is about a phone."""

INFRA = "replicant_infra"
"""Attribute of a report that tells of tool trouble; it travels to the controller as well."""


class TestReporter:
    """Registered in every process that runs tests. ``interrupted`` are the rows of a test that never ended."""

    __test__ = False  # the name looks like a test class to pytest

    def __init__(self, config: pytest.Config) -> None:
        self.interrupted: list[RunRow] = []
        self._config = config
        self._options = config.stash[OPTIONS]
        self._secrets = config.stash[SECRETS]
        self._run_folder = self._options.output / config.stash[RUN_ID]
        self._allure = AllureResults(self._secrets) if allure_active(config) else None
        html = config.getoption("htmlpath", None) if config.pluginmanager.hasplugin("html") else None
        self._html = Path(html).absolute() if html else None
        xml = config.getoption("xmlpath", None)
        self._junit = Path(os.path.expandvars(xml)).expanduser().absolute() if xml else None
        self._properties: list[tuple[str, object]] = []
        self._attachments: list[Path] = []
        config.stash[TRACE_PAGE] = self._page_of
        self._bound = ArtifactBound(self._options.max_artifacts_mb, _workers(config))
        self._pictures = PicturePacking()
        if (self._options.trace, self._options.screenshot) == ("on", "on"):  # else most are not kept
            config.stash[PICTURE_TAKEN] = self._pictures.begin
        self._seen_from = config.invocation_params.dir
        self._running: pytest.Item | None = None
        self._interruption = "the run ended while the test ran"

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        self._running = item
        self._put_properties(item, None, ())  # in the place of those of an earlier attempt

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
        redact_report(report, self._secrets)
        shorten(report, call.excinfo.value if call.excinfo else None, self._secrets)
        attempt = attempt_of(item)
        if attempt.calling:
            return report
        error = call.excinfo.value if call.excinfo else None
        phase = phase_of(report, error, attempt.beside)
        if self._allure and all(earlier.outcome not in BROKEN for earlier in attempt.phases):
            self._allure.settle(error)
        attempt.phases.append(phase)
        setattr(report, INFRA, phase.outcome == "infra")
        if report.when == "setup":
            setattr(report, ASKED, PHONES in getattr(item, "fixturenames", ()))
        if _is_news(attempt, report, phase):
            rows = [self._publish(attempt, entry, report) for entry in attempt.sessions]
            if not rows and PHONES in getattr(item, "fixturenames", ()):
                rows = [self._without_phone(attempt)]
            put_rows(report, rows)
            self._put_properties(item, report, rows)
            attempt.published = attempt.recorded
        if report.when == "teardown" and self._allure:
            self._tell_allure(report)
        if report.when == "teardown":
            self._keep_pass(attempt)
            print_attachments(report, self._attachments, os.environ.get("CI_PROJECT_DIR", ""))
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
        soft = tuple(raised(failure, "call") for failure in attempt.untold())
        attempt.phases.append(Phase("error", (RaisedError(self._interruption), *soft)))
        self.interrupted = [self._publish(attempt, entry, None) for entry in attempt.sessions]
        worker = os.environ.get("PYTEST_XDIST_WORKER", "")
        if worker and self._options.trace != "off":
            with kept([], "what the test did until it was interrupted"):
                leave_rows(self.interrupted, self._run_folder, worker)

    def pytest_unconfigure(self) -> None:
        self._pictures.close()
        if self._running is not None:
            end(self._running)

    def _put_properties(self, item: pytest.Item, report: pytest.TestReport | None, rows: Sequence[RunRow]) -> None:
        """On the item as well: JUnit reads those of the teardown's report, which gets the item's."""
        earlier = self._properties
        self._attachments = attachments(rows, self._run_folder) if self._junit else []
        self._properties = [
            *properties(rows, self._run_folder, self._seen_from),
            *(numbered(self._attachments, self._junit.parent) if self._junit else ()),
        ]
        for held in (item, report):
            if held is not None:
                others = [each for each in held.user_properties if each not in earlier]
                held.user_properties[:] = [*others, *self._properties]

    def _page_of(self, nodeid: str, attempt: int, redactor: Redactor) -> str:
        """Where a test's page will be, as a message names it before it is written; "" where none will be."""
        if self._options.trace == "off":
            return ""
        path = self._run_folder / folder_name(nodeid, redactor.text(nodeid), attempt) / "trace.html"
        near = path.is_relative_to(self._seen_from)
        return (path.relative_to(self._seen_from) if near else path).as_posix()

    def _publish(self, attempt: Attempt, entry: TestSession, report: pytest.TestReport | None) -> RunRow:
        """Writes the trace of one session, again where there is more of it. Never raises. ``report`` is None
        where there is none, as the test was interrupted."""
        redactor = entry.recorder.redactor
        result = attempt.result()
        if report is not None and attempt.published < 0 and result.outcome != "infra":
            _keep_log(entry)
        facts = _facts(attempt.item, entry, result)
        row = bare_row(facts, redactor)
        problems: list[str] = []
        with kept(problems, f"{row.nodeid} not recorded in full"):
            trace = entry.recorder.finish(facts, result.failures)
            row = run_row(trace, None, self._run_folder, redactor)
            divergence = self._compared(trace, redactor, problems)
            if self._allure:
                self._allure.keep(trace, None)  # steps and labels, should nothing else come of it
            files = self._write(trace, redactor, divergence)
            if self._allure:
                self._allure.keep(trace, files)
            row = with_files(row, files, self._run_folder, redactor) if files else row
            if divergence is not None and (divergence.baseline or self._baselines.asked_for):
                row = replace(row, divergence=divergence.sentence)
            if files is not None and report is not None and entry.nodeid not in attempt.shown:
                attempt.shown.add(entry.nodeid)
                self._show(report, trace, files, redactor)
        warnings = (*row.warnings, *(redactor.text(line) for line in problems))
        nodeid = attempt.item.nodeid
        return replace(row, test=shown_id(nodeid, redactor.text(nodeid)), warnings=warnings)

    def _without_phone(self, attempt: Attempt) -> RunRow:
        """A test that asked for a phone and never had one: skipped, or none could be had."""
        result = attempt.result()
        item = attempt.item
        now = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
        facts = TestFacts(item.nodeid, attempt_number(item), result.outcome, now, 0, _location(item))
        trace = TestTrace(facts, failures=result.failures)
        if self._allure:
            self._allure.keep(trace, None)
        return run_row(trace, None, self._run_folder, self._secrets)

    def _tell_allure(self, report: pytest.TestReport) -> None:
        """All that there is of the attempt, also what its teardown added."""
        assert self._allure is not None
        problems: list[str] = []
        with kept(problems, "not all of it is in Allure"):
            self._allure.tell()
        report.sections += [("Allure", self._secrets.text(line)) for line in problems]

    @cached_property
    def _baselines(self) -> Baselines:
        cache: pytest.Cache | None = getattr(self._config, "cache", None)  # None with -p no:cacheprovider
        folder = None
        with suppress(OSError):  # which pytest itself warns of
            folder = cache.mkdir("replicant") if cache is not None else None
        return Baselines(self._options.baseline, folder)

    def _compared(self, trace: TestTrace, redactor: Redactor, problems: list[str]) -> Divergence | None:
        """How a failure differs from the last pass of its test."""
        if self._options.trace == "off" or trace.test.outcome not in BROKEN:
            return None
        with kept(problems, "not compared with the last pass"):
            return self._baselines.compare(trace, redactor)
        return None

    def _keep_pass(self, attempt: Attempt) -> None:
        """What a later failure is compared with. A pass that had to be mended is no measure."""
        result = attempt.result()
        if self._options.trace == "off" or result.outcome != "passed":
            return
        for entry in attempt.sessions:
            with suppress(Exception):  # a later failure then says that no pass is at hand
                trace = entry.recorder.finish(_facts(attempt.item, entry, result))
                self._baselines.keep(trace, entry.recorder.redactor)

    def _write(self, trace: TestTrace, redactor: Redactor, divergence: Divergence | None) -> TraceFiles | None:
        options = self._options
        news = trace.test.outcome in NEWS
        if options.trace == "off" or (options.trace == "retain-on-failure" and not news):
            return None
        if options.screenshot == "only-on-failure" and not news:
            trace = replace(trace, screenshots={})
        told = divergence.to_dict() if divergence is not None else None
        bound, packed = self._bound, self._pictures.packed
        run_id = self._run_folder.name
        return write_trace(trace, options.output, run_id, redactor, told, bound=bound, packed=packed)

    def _show(self, report: pytest.TestReport, trace: TestTrace, files: TraceFiles, redactor: Redactor) -> None:
        if self._html is not None:
            extras = html_extras(trace, files, self._html, redactor)
            report.extras = [*getattr(report, "extras", []), *extras]  # type: ignore[attr-defined]  # pytest-html's


def _is_news(attempt: Attempt, report: pytest.TestReport, phase: Phase) -> bool:
    """Whether the trace is to be written: the test is over, or its teardown broke or recorded more."""
    if report.when == "setup":
        return not report.passed
    return report.when == "call" or phase.outcome in BROKEN or attempt.recorded > attempt.published


def _keep_log(entry: TestSession) -> None:
    from ..session.aftermath.kept_log import keep_log  # where there is a session its modules are loaded

    keep_log(entry.session)


def _facts(item: pytest.Item, entry: TestSession, result: Phase) -> TestFacts:
    began = datetime.fromtimestamp(entry.recorder.began_ms / 1000, timezone.utc)
    return TestFacts(
        nodeid=entry.nodeid,
        attempt=entry.attempt,
        outcome=result.outcome,
        started_at=began.isoformat(timespec="milliseconds"),
        duration_ms=entry.recorder.elapsed_ms,
        location=_location(item),
    )


def _location(item: pytest.Item) -> str:
    path, line, _ = item.location
    return f"{Path(path).as_posix()}:{(line or 0) + 1}"


def _workers(config: pytest.Config) -> int:
    """How many processes run the tests of this run."""
    told: dict[str, object] = getattr(config, "workerinput", {})
    count = told.get("workercount", 1)
    return count if isinstance(count, int) else 1
