"""The outcome of a test and its trace on disk, and the call of the hook that other reports are made
by.

Its name is not that of a test: PYTEST_DONT_REWRITE.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ..errors import DeviceError, UsageError, skips
from ..model import first_line
from ..model.printable import as_seen_from, printable
from ..options.marks import case_id
from ..pytest_private import HookWrapper, ReportWrapper, error_of, outermost
from ..running import (
    ASKED,
    BASELINES,
    OPTIONS,
    PICTURE_TAKEN,
    REPLAY,
    RUN_ID,
    SECRETS,
    TAPE,
    TRACE_PAGE,
    broken_fixtures,
    no_part_of_the_test,
    tape_of,
)
from .attempts.attempt import (
    RUN_ENDS,
    VERDICT,
    Attempt,
    Phase,
    attempt_of,
    end,
    phase_of,
    raised,
    shorten,
)
from .redaction import redact_report, redacted_trace
from .report_rows import TravellingRows, leave_rows, put_rows

if TYPE_CHECKING:
    from pluggy import HookCaller

    from ..kept_runs import RunRow
    from ..session import BaselineKind
    from .publisher import Published, Publisher


INFRA = "replicant_infra"
"""Attribute of a report of tool trouble; it travels to the controller as well."""


WRITTEN = "replicant_written"
"""Attribute of a report of a teardown: a line for each baseline that was written, or was to be; it
travels too."""


class TestReporter(TravellingRows):
    """Registered in every process that runs tests. ``interrupted`` are the rows of a test that
    never ended."""

    __test__ = False  # the name looks like a test class to pytest

    def __init__(self, config: pytest.Config) -> None:
        self.interrupted: list[RunRow] = []
        self._config = config
        self._secrets = config.stash[SECRETS]
        options = config.stash[OPTIONS]
        self._writes = options.trace != "off"
        config.stash[TRACE_PAGE] = self._page_of
        config.stash[BASELINES] = self._baselines_of
        if (options.trace, options.screenshot) == ("on", "on"):  # else most are not kept
            config.stash[PICTURE_TAKEN] = self._take_picture
        self._published: Sequence[Published] = ()
        self._running: pytest.Item | None = None
        self._interruption = "the run ended while the test ran"
        self._interrupted_by: BaseException | None = None  # as far as pytest says
        self._baselines: FilesOfTest | None = None  # of the attempt under way
        self._told = False  # of the test that an interrupt ended

    @cached_property
    def _publisher(self) -> Publisher:
        from .publisher import Publisher  # heavy, and of no use before a test asks for a phone

        publisher = Publisher(self._config)
        self._config.add_cleanup(publisher.close)
        return publisher

    def _page_of(self, nodeid: str, attempt: int) -> str:
        """Where a test's page will be, as a message names it before it is written; "" if none will
        be."""
        if not self._writes:
            return ""
        from .artifacts.storage import folder_name

        folder = self._publisher.folder / folder_name(nodeid, attempt, self._secrets)
        return as_seen_from(folder / "trace.html", self._config.invocation_params.dir).as_posix()

    def _take_picture(self, png: bytes) -> None:
        self._publisher.take_picture(png)  # which is made late, as it is heavy

    def _baselines_of(self, item: pytest.Item) -> FilesOfTest:
        if self._baselines is None or self._baselines.item is not item:
            self._baselines = FilesOfTest(item)
        return self._baselines

    @outermost
    def pytest_runtest_setup(self, item: pytest.Item) -> HookWrapper:
        self._running = item
        self._published, self._baselines = (), None
        try:
            return (yield)
        except BaseException as error:
            _read_last(attempt_of(item), error)
            raise

    @outermost
    def pytest_runtest_call(self, item: pytest.Item) -> HookWrapper:
        attempt = attempt_of(item)
        try:
            with attempt.call_phase():
                result = yield
        except BaseException as error:
            _read_last(attempt, error)
            raise
        _read_last(attempt)
        return result

    @pytest.hookimpl(
        wrapper=True, tryfirst=True
    )  # the outcome is what every other plugin has made of it
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> ReportWrapper:
        report = yield
        error = error_of(call)
        redact_report(report, self._secrets)
        shorten(report, error, self._secrets)
        attempt = attempt_of(item)
        if attempt.calling:
            if report.failed:
                attempt.within.append(phase_of(report, error, (), attempt.sessions))
            self._note_on_tape(attempt, report, error)
            return report
        phase = self._ended(attempt, report, error)
        if attempt.is_about_phones and _should_publish(attempt, report, phase):
            self._published = self._publisher.publish(attempt)
            put_rows(report, [one.row for one in self._published])
            attempt.recorded_before = attempt.recorded
        if report.when == "teardown":
            if attempt.sessions:
                self._publisher.keep_pass(attempt)
            self._complete(attempt, report)
            self._write_baselines(attempt, report)
            end(item)
            self._running = None
        return report

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        self._interruption = first_line(self._secrets.text(excinfo.exconly()))
        self._interrupted_by = excinfo.value

    @pytest.hookimpl(
        tryfirst=True
    )  # before fixtures are torn down, and before the index is written
    def pytest_sessionfinish(self) -> None:
        if self._running is None or self._told:
            return
        self._told = True
        attempt = attempt_of(self._running)
        if not attempt.is_about_phones:
            return
        from ..model import RaisedError
        from .artifacts.storage import never_raises

        ended = RaisedError(self._interruption)
        if self._interrupted_by is not None:
            known = raised(self._interrupted_by, "call", attempt.sessions)
            ended = replace(known, message=self._interruption)
        soft = tuple(raised(failure, "call") for failure in attempt.unreported())
        attempt.phases.append(Phase("error", (ended, *soft)))
        self.interrupted = [one.row for one in self._publisher.publish(attempt)]
        worker = os.environ.get("PYTEST_XDIST_WORKER", "")
        if worker and self._writes:
            with never_raises([], "what the test did until it was interrupted"):
                leave_rows(self.interrupted, self._publisher.folder, worker)

    def pytest_unconfigure(self) -> None:
        if self._running is not None:
            end(self._running)

    def _ended(
        self, attempt: Attempt, report: pytest.TestReport, error: BaseException | None
    ) -> Phase:
        """One phase of the attempt."""
        phase = phase_of(report, error, attempt.besides, attempt.sessions)
        phase = attempt.with_subtests(phase) if report.when == "call" else phase
        attempt.phases.append(phase)
        self._note_on_tape(attempt, report, error)
        if phase.outcome == "infra":
            setattr(report, INFRA, True)
        if report.when == "setup" and attempt.asked_for_a_phone:
            setattr(report, ASKED, case_id(attempt.item))
        return phase

    def _note_on_tape(
        self, attempt: Attempt, report: pytest.TestReport, error: BaseException | None
    ) -> None:
        fails = report.failed if error is None else not isinstance(error, skips())
        if not fails or not attempt.is_about_phones:
            return
        from .trace_files import failures_of, passed_though_expected_to_fail

        tape, phase = attempt.item.stash.get(TAPE, None), report.when or "call"
        attempt.failures_on_tape.extend(
            failures_of(error, phase, attempt.sessions, tape, self._secrets)
        )
        if error is not None and (broken := broken_fixtures(error)) is not None:
            attempt.broken_fixtures.update(broken.keys)
        if error is None:
            text = self._secrets.text(str(report.longrepr))
            attempt.failures_on_tape.append(passed_though_expected_to_fail(text, phase))

    def _write_baselines(self, attempt: Attempt, report: pytest.TestReport) -> None:
        """Those that the test proposes: only what passed all the way through is a measure."""
        if self._baselines is not None and self._baselines.proposed:
            green = all(one.outcome == "passed" for one in (*attempt.within, *attempt.phases))
            lines = self._baselines.write(green=green)
            setattr(report, WRITTEN, list(map(self._secrets.text, lines)))

    def _complete(self, attempt: Attempt, report: pytest.TestReport) -> None:
        """Calls the report hook for each phone of the attempt."""
        if not self._published:
            return
        from .artifacts.storage import never_raises

        hook = attempt.item.ihook.pytest_replicant_trace
        rows = []
        for one in self._published:
            problems: list[str] = []
            with never_raises(problems, "the trace could not be given to other reports"):
                trace = redacted_trace(one.trace, self._secrets)
                problems += call_each(
                    hook, item=attempt.item, report=report, trace=trace, files=one.files,
                    row=one.row,
                )  # fmt: skip
            warnings = (*one.row.warnings, *map(self._secrets.text, problems))
            rows.append(replace(one.row, warnings=warnings))
        if rows != [one.row for one in self._published]:
            put_rows(report, rows)
        self._published = ()


def _read_last(attempt: Attempt, error: BaseException | None = None) -> None:
    """What a report says of the phones at the end of a phase, by which a report itself asks none.
    ``error`` ended the phase; of a phone in trouble, and once the run ends, nothing is read."""
    if not attempt.sessions or isinstance(error, (DeviceError, *RUN_ENDS)):
        return
    from ..session import keep_log  # heavy, and of no use before a phone was used

    if (tape := tape_of(attempt.item)) is not None:
        tape.phase("report")
    for entry in attempt.sessions:
        with no_part_of_the_test(attempt.item):
            keep_log(entry.session)


def _should_publish(attempt: Attempt, report: pytest.TestReport, phase: Phase) -> bool:
    """Whether the trace is to be written: the test is over, or its teardown broke or recorded
    more."""
    from ..model import UNSOUND

    if report.when == "setup":
        return not report.passed
    judged = hasattr(report, VERDICT)
    return (
        report.when == "call"
        or judged
        or phase.outcome in UNSOUND
        or attempt.recorded > attempt.recorded_before
    )


# --- calls of the report hooks: one that raises costs no other its turn, and no test its result ---

RAISED = (Exception, pytest.fail.Exception, pytest.skip.Exception)
"""Errors that end one implementation. ``pytest.exit`` and Ctrl-C end the run, as they do
everywhere."""


def call_each(hook: HookCaller, **arguments: Any) -> list[str]:
    """Calls each implementation, in pluggy's order, and returns a line for each that failed."""
    problems = []
    for one in reversed(hook.get_hookimpls()):
        # A plugin's name, or a file as seen from where pytest runs.
        named = f"{hook.name} of {as_seen_from(Path(one.plugin_name), Path.cwd()).as_posix()}"
        try:
            if one.wrapper or one.hookwrapper:
                problems.append(f"{named} is a wrapper, which this hook does not call")
            else:
                one.function(*(arguments[each] for each in one.argnames))
        except RAISED as error:
            from .artifacts.storage import named_error

            problems.append(f"{named}: {named_error(error)}; the result stands")
    return problems


@dataclass
class FilesOfTest:
    """The files of one attempt of a test, as its sessions are given them
    (``session.BaselineFiles``). ``proposed`` are to be written when it has ended green."""

    item: pytest.Item
    proposed: dict[Path, Callable[[bytes | None], bytes]] = field(default_factory=dict)

    def folder(self, kind: BaselineKind) -> Path:
        return self.item.path.parent / kind / self.item.path.stem

    def shown(self, path: Path) -> str:
        return printable(as_seen_from(path, self.item.config.rootpath).as_posix())

    def updates(self, kind: BaselineKind) -> bool:
        return kind in self.item.config.stash[OPTIONS].update and REPLAY not in self.item.stash

    def propose(self, path: Path, make: Callable[[bytes | None], bytes]) -> None:
        if not path.is_relative_to(self.item.path.parent):
            raise UsageError(
                f"{self.shown(path)} is not below the folder of the test file, and is not written"
            )
        earlier = self.proposed.get(path)
        self.proposed[path] = make if earlier is None else lambda present: make(earlier(present))

    def write(self, *, green: bool) -> list[str]:
        """Writes what was proposed, where the test is ``green``. Returns a line for each file."""
        from filelock import FileLock

        from ..kept_runs.whole_file import write_whole

        lines = []
        for path, make in self.proposed.items():
            shown, became = self.shown(path), "written"
            if not green:
                lines.append(f"not written: {shown}, as {printable(self.item.nodeid)} did not pass")
                continue
            try:
                name = f"{self.item.config.stash[RUN_ID]} {path}".encode(errors="replace")
                digest = hashlib.sha256(name).hexdigest()[:16]
                lock = os.path.join(tempfile.gettempdir(), f"replicant-{digest}.lock")
                with FileLock(lock):  # no other worker adds to the same file meanwhile
                    present = path.read_bytes() if path.is_file() else None
                    data = make(present)
                    if present is not None:
                        became = "unchanged" if data == present else "written again"
                    if data != present:
                        write_whole(path, data)
                lines.append(f"{became}: {shown}")
                with suppress(OSError):  # another worker has it open, and the last one removes it
                    os.unlink(lock)
            except (OSError, UsageError) as error:  # another has made no baseline of it meanwhile
                lines.append(f"not written: {shown}: {error}")
        return lines
