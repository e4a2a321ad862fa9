"""Tests that a project knows to be flaky: a history lists them by cause, each with a ticket and an
expiry.

Such a test runs as ever. Failing by a listed cause is an outcome of its own, which fails no run;
any other cause does.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ..errors import UsageError
from ..model.printable import as_seen_from
from ..pytest_private import ReportWrapper
from ..running import LOSS, OPTIONS, SECRETS, attempt_number
from .attempts.attempt import KNOWN_FLAKY, attempt_of, phase_of
from .triage.history import KnownEntry, history_in, names

if TYPE_CHECKING:
    from ..kept_runs import RunRecord
    from .attempts.attempt import Attempt

STEADY = 20
"""Passes in a row after which a test is not flaky any more, as far as one can see."""


def read_known_flaky(path: Path, shown: str) -> tuple[KnownEntry, ...]:
    """Raises ``UsageError`` that names the file as ``shown``, and its fault."""
    try:
        return history_in(path).known
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(
            f"{shown}: {reason}. Next: write it as docs/how-to/flaky-tests.md shows"
        ) from None


class KnownFlaky:
    """Registered in every process, where a file is given. Raises ``UsageError``."""

    def __init__(self, config: pytest.Config) -> None:
        path = config.stash[OPTIONS].known_flaky
        assert path is not None  # else this is not registered
        self._shown = as_seen_from(path, config.rootpath).as_posix()
        self._entries = read_known_flaky(path, self._shown)
        self._secrets = config.stash[SECRETS]

    @pytest.hookimpl(
        wrapper=True, trylast=True
    )  # before all that looks for failures, such as what reruns them
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> ReportWrapper:
        report = yield
        attempt = attempt_of(item)
        if (
            not report.failed
            or call.excinfo is None
            or attempt.calling
            or not attempt.is_about_phones
        ):
            return report  # a subtest fails as ever
        if LOSS in item.stash or any(
            item.iter_markers("xfail")
        ):  # a lost phone says nothing about the test
            return report
        entries = [
            one for one in self._entries if one.is_about(item.nodeid) and not one.has_expired
        ]
        with suppress(Exception):  # then it is a failure like any other
            known = self._known(entries, attempt, report, call.excinfo.value) if entries else None
            if known is not None:
                attempt.known_flaky = str(known)
                setattr(report, KNOWN_FLAKY, str(known))
                report.outcome = (
                    "skipped"  # with a reason, as pytest itself reports an expected failure
                )
                report.wasxfail = f"known flaky: {known}"
        return report

    def _known(
        self,
        entries: Sequence[KnownEntry],
        attempt: Attempt,
        report: pytest.TestReport,
        error: BaseException,
    ) -> KnownEntry | None:
        """The entry for what failed; None if something failed that no entry is for."""
        from ..kept_runs import recorded
        from ..model import TestFacts, TestTrace
        from .triage.cause import cause_of
        from .triage.history import cause_id

        phase = phase_of(report, error, attempt.besides, attempt.sessions)
        facts = TestFacts(attempt.item.nodeid, attempt_number(attempt.item), phase.outcome, "", 0)
        runs = [
            recorded(entry.recorder.finish(facts, phase.failures), entry.recorder.redactor)
            for entry in attempt.sessions
        ]
        runs = runs or [recorded(TestTrace(facts, failures=phase.failures), self._secrets)]
        found = []
        for at in range(len(phase.failures)):
            causes = [
                cause
                for run in runs
                if (cause := cause_of(replace(run, failures=run.failures[at : at + 1])))
            ]
            key, title = cause_id(causes)
            found.append(next((one for one in entries if one.explains(key, title)), None))
        return found[0] if found and None not in found else None

    def stale(self, run: RunRecord) -> list[str]:
        """What to take out of the file: what has expired, and a test that passes all the time."""
        lines = [
            f"{one.ticket}: expired on {one.expires.isoformat()}, its failures count again"
            for one in self._entries
            if one.has_expired
        ]
        for entry in self._entries:
            for test in entry.tests:
                histories = {one.history for one in run.results if names(test, one.nodeid)}
                if histories == {"p" * STEADY}:
                    lines.append(f"{entry.ticket}: {test} passed {STEADY} times in a row")
        return [self._secrets.text(f"{self._shown} {line}") for line in lines]
