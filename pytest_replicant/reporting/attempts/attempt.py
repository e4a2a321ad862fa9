"""One attempt of one test while pytest runs it: how its phases ended, which failures are reported
already, and how pytest shows an error of ours; and what makes a test answer for the soft checks
that failed."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain
from pathlib import Path
from traceback import walk_tb
from types import TracebackType
from typing import TYPE_CHECKING, Any, cast

import pytest

from ...errors import (
    UNANSWERED,
    DeviceError,
    ExpectationFailed,
    ReplayEnded,
    ReplicantError,
    SoftFailures,
    TargetError,
    Unsupported,
    raise_together,
    skips,
    what_happened,
)
from ...model import Strings, joined_frames, their_frames
from ...model.printable import seen_from
from ...pytest_private import (
    HookWrapper,
    ReportWrapper,
    add_section,
    error_of,
    forget_unittest_ending,
    innermost,
    outermost,
    place_hidden_error,
    set_summary,
    unittest_ending,
)
from ...running import OPTIONS, REPLAY, SECRETS, SESSIONS, TAPE, TestSession

if TYPE_CHECKING:
    from ...cassettes import RecordedFailure
    from ...model import Phase as PhaseName
    from ...model import RaisedError, Redactor, TestOutcome, TestTrace
    from ...options.options import Options
    from ...session import Death


KNOWN_FLAKY = "replicant_known_flaky"
"""Attribute of the report of a failure by a cause that the project has listed: its ticket."""

VERDICT = "replicant_verdict"
"""Attribute of the report of a replayed test: how it ended, as ``Ended.to_dict``."""

FAILED_THEN = "what failed on the recording"
"""Title of the section with the failure of a replayed test."""

VERDICT_LATER = "replicant_verdict_later"
"""Attribute of the report of its call, where the verdict comes with its teardown."""

PHONES = "mobile_pool"
"""The fixture that every other one of ours stands on: who asks for it is about a phone."""


@dataclass(frozen=True)
class Phase:
    """How setup, call or teardown ended, and what failed it, the raised one first."""

    outcome: TestOutcome
    failures: tuple[RaisedError, ...] = ()


@dataclass
class Attempt:
    """``calling`` is true while the test itself runs: reports that come meanwhile are those of
    subtests, and ``within`` is how those ended that failed.

    ``besides`` are soft failures that the current phase's error stands before, ``deaths`` those of
    apps. ``recorded_before`` is how much the recorders held when the trace was written, -1 before
    that. ``known_flaky`` is the ticket by which a failure does not count, and until when.
    ``failures_on_tape`` are those so far, as a replay compares them, ``broken_fixtures`` the keys
    of fixtures of a wider scope that they are of.
    """

    item: pytest.Item
    calling: bool = False
    within: list[Phase] = field(default_factory=list)
    phases: list[Phase] = field(default_factory=list)
    besides: tuple[RaisedError, ...] = ()
    deaths: list[ExpectationFailed] = field(default_factory=list)
    recorded_before: int = -1
    known_flaky: str = ""
    failures_on_tape: list[RecordedFailure] = field(default_factory=list)
    broken_fixtures: set[str] = field(default_factory=set)
    replay_ended: Any = None
    _reported: set[int] = field(default_factory=set)

    @property
    def sessions(self) -> list[TestSession]:
        return [one for one in self.item.stash.get(SESSIONS, []) if not one.of_fixture]

    @property
    def asked_for_a_phone(self) -> bool:
        return PHONES in getattr(self.item, "fixturenames", ())

    @property
    def is_about_phones(self) -> bool:
        return self.asked_for_a_phone or bool(self.sessions) or self.replay_ended is not None

    @property
    def recorded(self) -> int:
        """How much the sessions hold: actions, checks and attachments."""
        return sum(entry.recorder.size for entry in self.sessions)

    @contextmanager
    def call_phase(self) -> Iterator[None]:
        """While the test itself runs."""
        self.calling = True
        try:
            yield
        finally:
            self.calling = False

    def unreported(self) -> list[ExpectationFailed]:
        """The soft failures that no report holds yet; the caller sees to it that one does."""
        fresh = []
        for entry in self.sessions:
            for failure in entry.recorder.soft_failures:
                if id(failure) not in self._reported:  # the recorders keep it, and so its id
                    self._reported.add(id(failure))
                    fresh.append(failure)
        return fresh

    def result(self) -> Phase:
        """All phases as one: what broke first, else what was out of the ordinary, with every
        failure."""
        from ...model import BROKEN, VERDICTS

        outcomes = [phase.outcome for phase in self.phases]
        broken = [outcome for outcome in outcomes if outcome in BROKEN]
        special = [outcome for outcome in outcomes if outcome != "passed"]
        failures = tuple(chain.from_iterable(phase.failures for phase in self.phases))
        healthy: TestOutcome = "recovered" if self.recovered else "passed"
        judged = [outcome for outcome in reversed(outcomes) if outcome in VERDICTS]
        return Phase((*judged, *broken, *special, healthy)[0], failures)

    def with_subtests(self, phase: Phase) -> Phase:
        """The test's own phase, that failed where a subtest did: pytest says so only after the
        report is made."""
        if not self.within:
            return phase
        from ...model import BROKEN

        failures = tuple(raised for one in self.within for raised in one.failures)
        outcome = phase.outcome if phase.outcome in BROKEN else self.within[0].outcome
        return Phase(outcome, (*phase.failures, *failures))

    @property
    def recovered(self) -> bool:
        """Whether anything failed at first and was recovered: such a test is never a plain pass."""
        return any(one.recovered for entry in self.sessions for one in entry.recorder.recoveries)

    @property
    def _options(self) -> Options:
        return self.item.config.stash[OPTIONS]

    def outranking_a_skip(self) -> list[ExpectationFailed]:
        died = list(self.unseen_deaths())
        return [*self.unreported(), *died]

    def unseen_deaths(self) -> Iterator[ExpectationFailed]:
        """Apps that died during the test, though no check saw it. Raises ``DeviceError`` if that is
        not known."""
        for entry in self.sessions:
            if self._options.crash != "ignore" and not entry.is_over:  # else it was looked at
                from ...session import unexplained_crash

                yield from self._died(entry, unexplained_crash(entry.session))

    def late_deaths(self) -> Iterator[ExpectationFailed]:
        """The same while fixtures were torn down."""
        for entry in self.sessions:
            yield from self._died(entry, entry.late_death)

    def _died(self, entry: TestSession, death: Death | None) -> Iterator[ExpectationFailed]:
        """Adds a death that no check saw to the trace; and its failure, where that is one."""
        if death is None:
            return
        entry.recorder.deaths.append(death.record)
        if self._options.crash == "fail":
            from ...model import FailureRecord

            died = ExpectationFailed(death.message)
            died.failure = FailureRecord(
                "expect_no_crash", died.failure_code, "verify", problem="death"
            )
            yield died

    def broken_rules(self) -> Iterator[ExpectationFailed]:
        """What the options make a failure of."""
        yield from self.unseen_deaths()
        for entry in self.sessions:
            page = entry.recorder.report_page
            where = f"\nOpen: {page}" if page else ""
            for line in _rules(self._so_far(entry), self._options):
                yield ExpectationFailed(line + where)

    def failed_late(self, known: Mapping[int, int]) -> list[ExpectationFailed]:
        """What went wrong while fixtures were torn down, though none of them failed by it. Each
        session had ``known`` recoveries before, by its identity, for which the test had
        answered."""
        found = self.unreported()
        if self._options.recovery == "fail":
            from ..findings import recovered

            for entry in self.sessions:
                trace = self._so_far(entry)
                late = replace(trace, recoveries=trace.recoveries[known.get(id(entry), 0) :])
                for line in recovered(late):
                    found.append(ExpectationFailed(_RECOVERY_FAILS.format(line)))
        return [*found, *self.late_deaths()]

    def _so_far(self, entry: TestSession) -> TestTrace:
        from ...model import TestFacts

        return entry.recorder.finish(TestFacts(self.item.nodeid, 0, "passed", "", 0))


_ATTEMPT = pytest.StashKey[Attempt]()


def attempt_of(item: pytest.Item) -> Attempt:
    """The attempt that is under way; a new one after ``end``."""
    if _ATTEMPT not in item.stash:
        item.stash[_ATTEMPT] = Attempt(item)
    return item.stash[_ATTEMPT]


def end(item: pytest.Item) -> None:
    """Forgets the attempt and its sessions: the same item may be run again."""
    for entry in item.stash.get(SESSIONS, []):
        entry.recorder.close()
    keys: tuple[pytest.StashKey[Any], ...] = (SESSIONS, TAPE, REPLAY, _ATTEMPT)
    for key in keys:
        if key in item.stash:
            del item.stash[key]


@cache
def _not_the_tests() -> Strings:
    import sysconfig

    libraries = (sysconfig.get_path(name) for name in ("purelib", "platlib", "stdlib"))
    return ("<", *(f"{path}{os.sep}" for path in (Path(__file__).parents[2], *libraries)))


def phase_of(
    report: pytest.TestReport,
    error: BaseException | None,
    further: tuple[RaisedError, ...],
    sessions: Sequence[TestSession],
) -> Phase:
    """``further`` are other failures that the report has, ``sessions`` those of the attempt."""
    judged = any(hasattr(report, name) for name in (VERDICT, VERDICT_LATER))
    unsound = report.failed or hasattr(report, KNOWN_FLAKY) or (judged and error is not None)
    outcome = outcome_of(report, error)
    if not unsound:
        return Phase(outcome, ())
    if error is None:  # a strict xfail that passed: pytest says so in the report alone
        from ...model import RaisedError

        message = report.longrepr if isinstance(report.longrepr, str) else "failed"
        return Phase(outcome, (RaisedError(message, phase=report.when), *further))
    parts = parts_of(error) or (error,)
    return Phase(outcome, (*(raised(one, report.when, sessions) for one in parts), *further))


def outcome_of(report: pytest.TestReport, error: BaseException | None) -> TestOutcome:
    """``infra`` where a phone or a tool was in trouble, which says nothing about the app."""
    if hasattr(report, VERDICT):
        return cast("TestOutcome", getattr(report, VERDICT)["verdict"])
    if hasattr(report, KNOWN_FLAKY):
        return "known flaky"
    if report.failed and isinstance(error, DeviceError):
        return "infra"
    if report.failed and report.when != "call":
        return "error"
    if hasattr(report, "wasxfail"):
        return "xpassed" if report.passed else "xfailed"
    return cast("TestOutcome", report.outcome)


def raised(
    error: BaseException, phase: PhaseName, sessions: Sequence[TestSession] = ()
) -> RaisedError:
    """One error as a trace keeps it, with the facts of the step of one of the sessions that it
    ended."""
    from ...model import FailureRecord, RaisedError

    known = error.failure if isinstance(error, (ReplicantError, ExpectationFailed)) else None
    found = (entry.recorder.record_of(error) for entry in sessions)
    known = known or next((record for record in found if record is not None), None)
    if known is None and isinstance(error, TargetError):
        known = FailureRecord("find", error.code, exception=type(error).__name__)
    name = type(error).__name__
    try:
        message = str(error)
    except Exception as reason:  # the test's own class; pytest copes with it as well
        message = f"{name}, whose message cannot be had: its __str__ raised {type(reason).__name__}"
    # The innermost line on its way that is neither ours nor a library's: the test's, or that of
    # what it calls.
    source = ""
    for path, line in _way_of(error):
        if not path.startswith(_not_the_tests()):
            # As seen from where the run began, as steps of a trace name their lines.
            source = f"{seen_from(path, '.') or Path(path).as_posix()}:{line}"
    return RaisedError(
        message or name,
        name,
        source,
        phase,
        failure=known,
        detail=error.detail if isinstance(error, (DeviceError, Unsupported)) else "",
    )


def parts_of(error: BaseException) -> tuple[BaseException, ...]:
    """What a group holds; nothing for any other error, also one with a field of that name."""
    with suppress(Exception):  # a field may be a property that fails
        held = getattr(error, "exceptions", ())
        if type(held) in (list, tuple):
            return tuple(one for one in held if isinstance(one, BaseException))
    return ()


def _way_of(error: BaseException) -> list[tuple[str, int]]:
    return [(frame.f_code.co_filename, line) for frame, line in walk_tb(error.__traceback__)]


def _is_theirs(error: BaseException) -> bool:
    """Whether code of the test's own raised it that ours has called."""
    ours, *libraries = _not_the_tests()[1:]
    paths = [path for path, _ in _way_of(error) if not path.startswith(tuple(libraries))]
    way = [path.startswith(ours) for path in paths]
    return True in way and not way[-1]


# --- how pytest shows an error of ours: its first line, and a traceback that ends in the test -----


OUR_ERRORS = (ReplicantError, ExpectationFailed, SoftFailures)


class ShortTracebacks:
    """Takes the frames of this package out of the traceback of its own errors, and of those that
    the test's own code raised when it was called, before pytest makes its cut. An error in our own
    code shows the way it came."""

    @outermost
    def pytest_runtest_makereport(self, call: pytest.CallInfo[Any]) -> HookWrapper:
        error = error_of(call)
        if error is not None and (isinstance(error, OUR_ERRORS) or _is_theirs(error)):
            frames = joined_frames(their_frames(error.__traceback__), _hidden_frame())
            call.excinfo = pytest.ExceptionInfo.from_exception(error.with_traceback(frames))
        return (yield)


def _hidden_frame() -> TracebackType:
    """What a traceback ends in: where only pytest's own are left, it would show those."""
    __tracebackhide__ = True
    here = sys._getframe()
    return TracebackType(None, here, here.f_lasti, here.f_lineno)


def shorten(report: pytest.TestReport, error: BaseException | None, redactor: Redactor) -> None:
    """Changes the report of a failure: the line of pytest's short summary, which is JUnit's message
    too, and where it happened if every line on the way there is ours, as in a rule that was broken
    once the test was over."""
    if not report.failed or not isinstance(error, OUR_ERRORS):
        return
    first, *others = error.exceptions if isinstance(error, SoftFailures) else (error,)
    named = (
        f"{type(error).__name__}: {1 + len(others)} checks failed, the first"
        if others
        else type(first).__name__
    )
    set_summary(report, redactor.text(f"{named}: {what_happened(first)}"))
    place_hidden_error(report, type(error).__name__)


# --- soft checks that failed: they outrank a pass and a skip ---

HEADING = "soft checks that failed before"
DIED = "an app died before"
_RECOVERY_FAILS = "recovered, which fails here: {} (--replicant-recovery=fail)"


class SoftChecks:
    """Hooks that make a test answer for what it collected, and for what the options make a failure
    of."""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> HookWrapper:
        return (yield from _watched(item))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> HookWrapper:
        result = yield from _watched(item)
        attempt = attempt_of(item)
        skipped, expected = unittest_ending(item)
        if skipped:
            failures = attempt.outranking_a_skip()
        else:
            rules = list(attempt.broken_rules())
            failures = [*attempt.unreported(), *rules]
        if failures:
            forget_unittest_ending(item)  # or pytest would report that in place of the failures
            if expected:
                pytest.xfail(str(failures[0]))
        raise_together(failures)
        return result

    @innermost
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> ReportWrapper:
        """Adds what an error stands before to its report: soft failures, and the death of an
        app."""
        report = yield
        attempt = attempt_of(item)
        if attempt.calling:
            return report
        error = error_of(call)
        soft = attempt.unreported() if error is not None else []
        attempt.besides = tuple(raised(failure, report.when) for failure in soft)
        died = [] if isinstance(error, OUR_ERRORS) else attempt.deaths.copy()
        attempt.deaths.clear()
        for heading, failures in ((HEADING, soft), (DIED, died)):
            if failures:  # below the error of the report, wherever that is shown
                text = "\n\n".join(map(str, failures))
                add_section(report, heading, item.config.stash[SECRETS].text(text))
        return report

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> HookWrapper:
        attempt = attempt_of(item)
        known = {id(entry): len(entry.recorder.recoveries) for entry in attempt.sessions}
        try:
            result = yield
        except skips():
            raise_together(attempt.failed_late(known))
            raise
        except RUN_ENDS:
            raise
        except BaseException:
            attempt.deaths.extend(attempt.late_deaths())
            raise
        raise_together(attempt.failed_late(known))
        return result


RUN_ENDS = (KeyboardInterrupt, SystemExit, pytest.exit.Exception, ReplayEnded)


def _watched(item: pytest.Item) -> HookWrapper:
    """Soft failures outrank a skip; what fails a test, ``pytest.fail()`` included, is noted with
    the death that may be its reason."""
    attempt = attempt_of(item)
    try:
        return (yield)
    except skips():
        raise_together(attempt.outranking_a_skip())
        raise
    except RUN_ENDS:
        raise
    except BaseException:
        try:  # a phone in trouble has its own news
            attempt.deaths.extend(attempt.unseen_deaths())
        except UNANSWERED:
            pass
        except ReplayEnded:  # the failure stands, whatever else was not recorded
            item.stash[REPLAY].withdraw()
        raise


def _rules(trace: TestTrace, options: Options) -> Iterator[str]:
    from ..findings import recovered, unverified, vacuous_checks

    open_end = unverified(trace) if options.unverified == "fail" else ""
    if open_end:
        yield f"the test {open_end} (replicant_unverified = fail)"
    if options.recovery == "fail":
        yield from (_RECOVERY_FAILS.format(line) for line in recovered(trace))
    if options.vacuous == "fail":
        yield from (f"{line} (replicant_vacuous = fail)" for line in vacuous_checks(trace))
