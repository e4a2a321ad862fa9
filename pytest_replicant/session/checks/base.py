"""Base of the checks: awaits one, recovers if it fails, and records how it ended."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...errors import ExpectationFailed
from ...model import Recovery, Secret, verb_of
from ...snapshots import Snapshot
from ..arguments import Target, checked_seconds, refuse_unmatchable
from ..recording.trace import StepLog, traceback_of_test
from ..step import SessionView
from . import states
from .check import Baseline, Check, held_before
from .run import CheckRun

if TYPE_CHECKING:
    from typing_extensions import Self


class CheckBase(SessionView):
    """Awaits checks and records how they ended."""

    def _expect_one(
        self,
        kind: str,
        target: Target | None,
        expected: object,
        timeout: float | None,
        stays: float,
        tolerance: float | None = None,
    ) -> Self:
        """One state of an element, which the name of the check says; of the acted one, if there is no target."""
        state, differs = verb_of(kind).state, verb_of(kind).proves == "absence"
        check = states.state_is(kind, target, {state: self._known(expected)}, tolerance, differs=differs)
        return self._expect(check, timeout, stays)

    def _known(self, value: Any) -> Any:
        """The expected value: of a secret, as the session compares it."""
        if isinstance(value, Secret):
            return self._context.known_secret(value)
        return self._context.tape.text(value) if isinstance(value, str) else value

    def _expect(self, check: Check, timeout: float | None, stays: float = 0) -> Self:
        """Awaits one check, recovers where it fails, and records how it ended."""
        self._context.refuse_while_asking(check.kind)
        self._check_usable(check.kind)
        refuse_unmatchable(check.kind, self._context.platform, check.target, *check.absent)
        check = replace(check, stays=checked_seconds(check.kind, stays, 0.0, name="stays"))
        seconds = checked_seconds(check.kind, timeout, self._context.settings.expect_timeout)
        failure = CheckRun(self, check, seconds).failure()
        if failure is None:
            return self
        if not self._is_soft or not isinstance(failure, ExpectationFailed):
            raise failure
        self._context.recorder.soft_failures.append(failure.with_traceback(traceback_of_test()))
        return self

    # --- of the screen now; what an action returns is about that action ---------------------------------------

    def _check_usable(self, kind: str) -> None:
        """Raises ``UsageError`` where a newer action makes this check meaningless."""

    def _baseline(self) -> Baseline:
        return Baseline(self._context.recorder.latest)

    def _verifies(self, check: Check, seen: Snapshot | None) -> bool:
        """Whether a check that held proves that the action before it worked: not one that held before it."""
        acted_on = self._context.before_latest
        return held_before(self._context, check, Baseline(before=acted_on), seen) is not True

    def _why_not(self, again: Recovery) -> str:
        """Reason why the linked action must not be repeated, where ``again`` asks for that; "" if it may."""
        return "there is no action of this check to step back to" if again.strategy == "step_back" else ""

    def _step_back(self, log: StepLog) -> str:
        """Repeats the linked action. Returns the reason where that failed, else ""."""
        return "there is no action of this check to step back to"
