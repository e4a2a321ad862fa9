"""The outcome of a test and its trace on disk, and the call of the hook that other reports are made by."""

from __future__ import annotations

import inspect
import os
from collections.abc import Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from functools import cached_property
from pathlib import Path
from traceback import extract_tb
from typing import TYPE_CHECKING, Any

import pytest

from ..model import BROKEN, RaisedError, Redactor, TestFacts, TestTrace
from ..stash import (
    ASKED,
    EARLIER_ATTEMPTS,
    LOSS,
    OPTIONS,
    PICTURE_TAKEN,
    RUN_ID,
    SECRETS,
    TRACE_PAGE,
    TestSession,
    attempt_number,
)
from .artifacts.document import plain
from .artifacts.folder_names import folder_name, shown_id
from .artifacts.pictures import PicturePacking
from .artifacts.storage import NEWS, ArtifactBound, never_raises
from .attempts.attempt import Attempt, Phase, attempt_of, end, phase_of, raised, shorten
from .printable import as_seen_from
from .redaction import redact_report, redacted_trace
from .run_row import bare_row, leave_rows, place_of, put_rows, run_row, with_files
from .trace_files import TraceFiles, write_trace
from .triage.baseline import Baselines
from .triage.divergence import Divergence
from .triage.recorded_run import RecordedRun, recorded
from .triage.run_record import RunRow

if TYPE_CHECKING:
    import pytest
    from pluggy import HookCaller, HookImpl


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
        self._told = False  # of the test that an interrupt ended

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
            self._published = self._publisher.publish(attempt)
            put_rows(report, [one.row for one in self._published])
            attempt.recorded_before = attempt.recorded
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
        if self._running is None or self._told:
            return
        self._told = True
        attempt = attempt_of(self._running)
        soft = tuple(raised(failure, "call") for failure in attempt.unreported())
        attempt.phases.append(Phase("error", (RaisedError(self._interruption), *soft)))
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
        if phase.outcome == "infra":
            setattr(report, INFRA, True)
        if report.when == "setup" and attempt.asked_for_a_phone:
            setattr(report, ASKED, True)
        return phase

    def _complete(self, attempt: Attempt, report: pytest.TestReport) -> None:
        """Calls the report hook for each phone of the attempt."""
        if not self._published:
            return
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


# --- calls of the report hooks: one that raises costs no other its turn, and no test its result ------------

RAISED = (Exception, pytest.fail.Exception, pytest.skip.Exception)
"""Errors that end one implementation. ``pytest.exit`` and Ctrl-C end the run, as they do everywhere."""


def call_each(hook: HookCaller, **arguments: Any) -> list[str]:
    """Calls each implementation, in pluggy's order, and returns a line for each that failed."""
    problems = []
    for one in reversed(hook.get_hookimpls()):
        named = f"{hook.name} of {_shown(one.plugin_name)}"
        try:
            if one.wrapper or one.hookwrapper:
                problems.append(f"{named} is a wrapper, which this hook does not call")
            else:
                one.function(*(arguments[each] for each in one.argnames))
        except RAISED as error:
            problems.append(f"{named}: {_described(error, one)}")
    return problems


def _described(error: BaseException, implementation: HookImpl) -> str:
    """The error and the line of the implementation's own file that it came from."""
    try:
        detail = str(error).partition("\n")[0]
    except Exception:  # an error of the user's own, which has no readable text
        detail = ""
    own = inspect.getsourcefile(inspect.unwrap(implementation.function))
    lines = [frame for frame in extract_tb(error.__traceback__) if frame.filename == own]
    place = f" ({_shown(lines[-1].filename)}:{lines[-1].lineno})" if lines else ""
    return f"{type(error).__name__}{': ' if detail else ''}{detail}{place}; the result stands"


def _shown(path: str) -> str:
    """A plugin's name, or a file as seen from where pytest runs."""
    return as_seen_from(Path(path), Path.cwd()).as_posix()


# --- from what a session recorded to a trace on disk and a row of the run ------------------------------------


@dataclass(frozen=True)
class Published:
    """What one session of an attempt left behind. ``trace`` is not redacted; ``files`` is None where nothing was
    written."""

    trace: TestTrace
    files: TraceFiles | None
    row: RunRow


class Publisher:
    """One in each process that runs tests. ``folder`` is the run's."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._options = config.stash[OPTIONS]
        self._secrets = config.stash[SECRETS]
        self.folder = self._options.output / config.stash[RUN_ID]
        self._seen_from = config.invocation_params.dir
        workers = getattr(config, "workerinput", {}).get("workercount", 1)
        self._bound = ArtifactBound(self._options.max_artifacts_mb, workers)
        self._pictures = PicturePacking()
        config.stash[TRACE_PAGE] = self._page_of
        if (self._options.trace, self._options.screenshot) == ("on", "on"):  # else most are not kept
            config.stash[PICTURE_TAKEN] = self._pictures.begin

    def publish(self, attempt: Attempt, *, interrupted: bool = False) -> list[Published]:
        """Writes the trace of each session, again where there is more of it. Never raises."""
        if attempt.sessions:
            return [self._published(attempt, entry, interrupted) for entry in attempt.sessions]
        return [self._without_phone(attempt)] if attempt.asked_for_a_phone else []

    def keep_pass(self, attempt: Attempt) -> None:
        """The pass that a later failure is compared with. A recovered one is no measure."""
        if self._options.trace == "off" or not attempt.sessions:
            return
        result = attempt.result()
        if result.outcome != "passed":
            return
        for entry in attempt.sessions:
            with suppress(Exception):  # a later failure then says that no pass is at hand
                trace = entry.recorder.finish(_facts(attempt.item, entry, result))
                self._baselines.keep(trace, entry.recorder.redactor)

    def close(self) -> None:
        self._pictures.close()

    def _page_of(self, nodeid: str, attempt: int, redactor: Redactor) -> str:
        """Where a test's page will be, as a message names it before it is written; "" where none will be."""
        if self._options.trace == "off":
            return ""
        path = self.folder / folder_name(nodeid, redactor.text(nodeid), attempt) / "trace.html"
        return as_seen_from(path, self._seen_from).as_posix()

    def _published(self, attempt: Attempt, entry: TestSession, interrupted: bool) -> Published:
        redactor = entry.recorder.redactor
        result = attempt.result()
        if not interrupted and attempt.recorded_before < 0 and result.outcome != "infra":
            from ..session import keep_log  # heavy, and of no use before a phone was used

            keep_log(entry.session)
        facts = _facts(attempt.item, entry, result)
        trace, files, row = TestTrace(facts, failures=result.failures), None, bare_row(facts, redactor)
        problems: list[str] = []
        with never_raises(problems, f"{row.nodeid} not recorded in full"):
            trace = entry.recorder.finish(facts, result.failures)
            run = recorded(trace, redactor) if trace.failures or result.outcome in BROKEN else None
            row = run_row(trace, None, self.folder, redactor, run)
            divergence = self._compared(trace, run, redactor, problems)
            files = self._write(trace, redactor, divergence)
            row = with_files(row, files, self.folder, redactor) if files else row
            if divergence is not None and (divergence.baseline or self._baselines.asked_for):
                row = replace(row, divergence=divergence.sentence)
        warnings = (*row.warnings, *(redactor.text(line) for line in problems))
        nodeid = attempt.item.nodeid
        row = replace(row, test=shown_id(nodeid, redactor.text(nodeid)), warnings=warnings)
        return Published(trace, files, row)

    def _without_phone(self, attempt: Attempt) -> Published:
        """A test that asked for a phone and never had one: skipped, or none could be had."""
        result = attempt.result()
        item = attempt.item
        now = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
        loss = item.stash.get(LOSS, None)
        facts = replace(
            TestFacts(item.nodeid, attempt_number(item), result.outcome, now, 0, place_of(item.location)),
            requeues=int(EARLIER_ATTEMPTS in item.stash),
            lost=loss.reason if loss is not None else "",
        )
        trace = TestTrace(facts, {"uri": loss.uri} if loss is not None else {}, failures=result.failures)
        return Published(trace, None, run_row(trace, None, self.folder, self._secrets))

    @cached_property
    def _baselines(self) -> Baselines:
        cache: pytest.Cache | None = getattr(self._config, "cache", None)  # None with -p no:cacheprovider
        folder = None
        with suppress(OSError):  # which pytest itself warns of
            folder = cache.mkdir("replicant") if cache is not None else None
        return Baselines(self._options.baseline, folder)

    def _compared(
        self, trace: TestTrace, run: RecordedRun | None, redactor: Redactor, problems: list[str]
    ) -> Divergence | None:
        """How a failure differs from the last pass of its test."""
        if self._options.trace == "off" or trace.test.outcome not in BROKEN or run is None:
            return None
        with never_raises(problems, "not compared with the last pass"):
            return self._baselines.compare(trace.test.nodeid, run, redactor)
        return None

    def _write(self, trace: TestTrace, redactor: Redactor, divergence: Divergence | None) -> TraceFiles | None:
        options = self._options
        news = trace.test.outcome in NEWS
        if options.trace == "off" or (options.trace == "retain-on-failure" and not news):
            return None
        if options.screenshot == "only-on-failure" and not news:
            trace = replace(trace, screenshots={})
        parted = plain(divergence)
        bound, packed = self._bound, self._pictures.packed
        return write_trace(trace, options.output, self.folder.name, redactor, parted, bound=bound, packed=packed)


def _facts(item: pytest.Item, entry: TestSession, result: Phase) -> TestFacts:
    began = datetime.fromtimestamp(entry.recorder.began_ms / 1000, timezone.utc)
    loss = item.stash.get(LOSS, None)  # of a test with several phones, of one of them
    return TestFacts(
        nodeid=entry.nodeid,
        attempt=entry.attempt,
        outcome=result.outcome,
        started_at=began.isoformat(timespec="milliseconds"),
        duration_ms=entry.recorder.elapsed_ms,
        location=place_of(item.location),
        requeues=int(EARLIER_ATTEMPTS in item.stash),
        lost=loss.reason if loss is not None and loss.named == entry.recorder.device.get("uri") else "",
    )
