"""Soft checks that failed: they outrank a pass and a skip, and stand next to an error, never lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from ...errors import (
    UNANSWERED,
    ExpectationFailed,
    ReplayEnded,
    raise_together,
    skips,
)
from ...pytest_private import HookWrapper, ReportWrapper, add_section, forget_unittest_ending, unittest_ending
from ...stash import OPTIONS, REPLAY, SECRETS, TestSession
from .attempt import OUR_ERRORS, attempt_of, raised

if TYPE_CHECKING:
    from ...model import TestTrace
    from ...options import Options
    from ...session import Death

HEADING = "soft checks that failed before"
DIED = "an app died before"
_RECOVERY_FAILS = "recovered, which fails here: {} (--replicant-recovery=fail)"

Phase = HookWrapper


class SoftChecks:
    """Hooks that make a test answer for what it collected, and for what the options make a failure of."""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Phase:
        return (yield from _watched(item))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Phase:
        result = yield from _watched(item)
        skipped, expected = unittest_ending(item)
        if skipped:
            failures = _outranking_a_skip(item)
        else:
            rules = list(_broken_rules(item, item.config.stash[OPTIONS]))
            failures = [*attempt_of(item).unreported(), *rules]
        if failures:
            forget_unittest_ending(item)  # or pytest would report that in place of the failures
            if expected:
                pytest.xfail(str(failures[0]))
        raise_together(failures)
        return result

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> ReportWrapper:
        """Adds what an error stands before to its report: soft failures, and the death of an app."""
        report = yield
        attempt = attempt_of(item)
        if attempt.calling:
            return report
        error = call.excinfo.value if call.excinfo is not None else None
        soft = attempt.unreported() if error is not None else []
        attempt.besides = tuple(raised(failure, report.when) for failure in soft)
        died = attempt.deaths.copy()
        attempt.deaths.clear()
        for heading, failures in ((HEADING, soft), (DIED, [] if isinstance(error, OUR_ERRORS) else died)):
            if failures:
                below = "\n\n".join(map(str, failures))  # the error of the report, wherever that is shown
                add_section(report, heading, item.config.stash[SECRETS].text(below))
        return report

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Phase:
        known = {id(entry): len(entry.recorder.recoveries) for entry in attempt_of(item).sessions}
        try:
            result = yield
        except skips():
            raise_together(_failed_late(item, known))
            raise
        except RUN_ENDS:
            raise
        except BaseException:
            attempt_of(item).deaths.extend(_died_late(item))
            raise
        raise_together(_failed_late(item, known))
        return result


RUN_ENDS = (KeyboardInterrupt, SystemExit, pytest.exit.Exception, ReplayEnded)


def _watched(item: pytest.Item) -> Phase:
    """Soft failures outrank a skip; what fails a test, ``pytest.fail()`` included, is noted with the death
    that may be its reason."""
    try:
        return (yield)
    except skips():
        raise_together(_outranking_a_skip(item))
        raise
    except RUN_ENDS:
        raise
    except BaseException:
        _note_deaths(item)
        raise


def _outranking_a_skip(item: pytest.Item) -> list[ExpectationFailed]:
    attempt, options = attempt_of(item), item.config.stash[OPTIONS]
    soft = attempt.unreported()
    return [*soft, *(died for entry in attempt.sessions for died in _deaths(entry, options))]


def _broken_rules(item: pytest.Item, options: Options) -> Iterator[ExpectationFailed]:
    for entry in attempt_of(item).sessions:
        yield from _deaths(entry, options)
        so_far = _so_far(entry, item)
        page = entry.recorder.report_page
        where = f"\nOpen: {page}" if page else ""
        yield from (ExpectationFailed(line + where) for line in _rules(so_far, options))


def _failed_late(item: pytest.Item, known: Mapping[int, int]) -> list[ExpectationFailed]:
    """What went wrong while fixtures were torn down, though none of them failed by it."""
    fails = item.config.stash[OPTIONS].recovery == "fail"
    recoveries = _recovered_late(item, known) if fails else ()
    return [*attempt_of(item).unreported(), *recoveries, *_died_late(item)]


def _died_late(item: pytest.Item) -> list[ExpectationFailed]:
    options = item.config.stash[OPTIONS]
    return [died for entry in attempt_of(item).sessions for died in _died(entry, entry.late_death, options)]


def _recovered_late(item: pytest.Item, known: Mapping[int, int]) -> Iterator[ExpectationFailed]:
    """Recoveries while fixtures were torn down, when the test had answered for all before."""
    for entry in attempt_of(item).sessions:
        from ..findings import recovered

        trace = _so_far(entry, item)
        late = replace(trace, recoveries=trace.recoveries[known.get(id(entry), 0) :])
        yield from (ExpectationFailed(_RECOVERY_FAILS.format(line)) for line in recovered(late))


def _so_far(entry: TestSession, item: pytest.Item) -> TestTrace:
    from ...model import TestFacts

    return entry.recorder.finish(TestFacts(item.nodeid, 0, "passed", "", 0))


def _deaths(entry: TestSession, options: Options) -> Iterator[ExpectationFailed]:
    """An app that died during the test, though no check saw it. Raises ``DeviceError`` where that is not known."""
    if options.crash != "ignore" and not entry.is_over:  # which was looked at when it ended
        from ...session import unexplained_crash

        yield from _died(entry, unexplained_crash(entry.session), options)


def _died(entry: TestSession, death: Death | None, options: Options) -> Iterator[ExpectationFailed]:
    """Adds a death that no check saw to the trace; and its failure, where that is one."""
    if death is None:
        return
    entry.recorder.deaths.append(death.record)
    if options.crash == "fail":
        from ...model import FailureRecord

        died = ExpectationFailed(death.message)
        died.failure = FailureRecord("expect_no_crash", died.failure_code, "verify", problem="death")
        yield died


def _note_deaths(item: pytest.Item) -> None:
    """Next to what failed a test: the death that may be its reason. A phone in trouble has its own news."""
    if item.config.stash[OPTIONS].crash == "ignore":
        return
    attempt = attempt_of(item)
    try:
        for entry in attempt.sessions:
            attempt.deaths.extend(_deaths(entry, item.config.stash[OPTIONS]))
    except UNANSWERED:
        pass
    except ReplayEnded:  # the failure stands, whatever else was not recorded
        item.stash[REPLAY].withdraw()


def _rules(trace: TestTrace, options: Options) -> Iterator[str]:
    from ..findings import recovered, unverified, vacuous_checks

    open_end = unverified(trace) if options.unverified == "fail" else ""
    if open_end:
        yield f"the test {open_end} (replicant_unverified = fail)"
    if options.recovery == "fail":
        yield from (_RECOVERY_FAILS.format(line) for line in recovered(trace))
    if options.vacuous == "fail":
        yield from (f"{line} (replicant_vacuous = fail)" for line in vacuous_checks(trace))
