"""One check from its first read to its record: awaited, recovered, explained; and the base of what
makes one."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...errors import DeviceError, ExpectationFailed, ReplayEnded, ReplicantError
from ...model import (
    CheckRecord,
    Failure,
    FailureRecord,
    Recovery,
    Secret,
    Selector,
    TraceEvent,
    spans,
    text_for_page,
    verb_of,
)
from ...snapshots import Snapshot
from ..arguments import Target, checked_seconds, refuse_unmatchable
from ..attempt import code_of
from ..recording.failures import failure_record
from ..recording.trace import StepLog, traceback_of_test
from ..recover import RecoveryLoop
from ..step import SessionView
from . import elements
from .check import (
    NOT_COMPARED,
    Baseline,
    Check,
    CheckOutcome,
    Ended,
    Failed,
    await_check,
    explained,
    held_before,
    judged_then,
)

if TYPE_CHECKING:
    from typing_extensions import Self


class CheckRun:
    """One check while it is awaited, recovered and recorded."""

    def __init__(self, checks: CheckBase, check: Check, seconds: float) -> None:
        self._checks = checks
        self._context = checks._context
        self._check = check
        self._seconds = seconds
        self._log = self._context.recorder.begin_check(
            checks._baseline().action_id, f"{check.kind} {check.expected}"
        )
        self._recovery = RecoveryLoop(self._context, self._log)
        self._since: float | None = None  # when a wait began for which no policy has an answer

    @property
    def _baseline(self) -> Baseline:
        return self._checks._baseline()

    def failure(self) -> ExpectationFailed | DeviceError | None:
        """Its error, recovery included, once it ended and is recorded; None if it held."""
        try:
            outcome = self._attempt()
            while self._recovers(outcome):
                outcome = self._attempt()
            if outcome.snapshot is not None:
                self._context.screens.keep_picture(outcome.snapshot, failed=not outcome.held)
        except BaseException as broken:  # a policy's own error, Ctrl-C: the trace says so too
            error = broken if isinstance(broken, ReplicantError) else None
            unknown = CheckOutcome(
                Failed(error.what if error else type(broken).__name__), error=error
            )
            failure, redactor = Failure("UNKNOWN", error=broken), self._context.recorder.redactor
            self._record(unknown, "error", broken, text_for_page(failure, redactor.text))
            raise
        if outcome.held:
            self._held(outcome)
            return None
        if outcome.verdict.excused:
            self._record(outcome, NOT_COMPARED)
            return None
        if isinstance(outcome.error, DeviceError):
            spent = self._recovery.spend(outcome.error, self._baseline.acted)
            self._record(outcome, "error", spent, str(spent))
            return spent
        return self._failed(outcome)

    def _held(self, outcome: CheckOutcome) -> None:
        """Its screen is the test's now, and the action before it is verified, if it says so."""
        context, check = self._context, self._check
        context.hand(outcome.snapshot)
        self._record(outcome, "passed")
        self._watch(outcome)
        action_id = self._log.action_id if check.verifies else ""
        if action_id and self._checks._verifies(check, outcome.snapshot):
            context.recorder.mark_verified(action_id)

    def _attempt(self) -> CheckOutcome:
        try:
            with self._log.stage("verify", expected=self._check.expected) as notes:
                context, asks = self._context, self._since is None and self._context.recovers
                outcome = await_check(
                    context,
                    self._check,
                    self._seconds,
                    self._baseline,
                    asks=asks,
                    since=self._since,
                )
                notes.update(observed=outcome.observed, reads=outcome.count)
                if found := outcome.verdict.facts.get("findings"):
                    notes["findings"] = "\n".join(found)
                if not outcome.held:
                    notes["result"] = "failure"
        except DeviceError as error:
            return CheckOutcome(Failed(error.what), error=error)
        return outcome

    def _recovers(self, outcome: CheckOutcome) -> bool:
        """Whether another attempt is made: what failed was recovered, and its action repeated if
        that is asked."""
        if outcome.held or outcome.verdict.problem == NOT_COMPARED:
            return False
        again = self._recovery.next(self._failure(outcome), self._checks._why_not)
        self._since = outcome.waits_since if again is None else None
        if again is None or again.strategy != "step_back":
            return again is not None or self._since is not None
        why = self._checks._step_back(self._log)
        if why:
            self._recovery.refuse(again, why)
        return not why

    def _failed(self, outcome: CheckOutcome) -> ExpectationFailed:
        try:
            later = self._read_on(outcome)
        except BaseException as broken:  # Ctrl-C: what failed before is in the trace
            self._record(outcome, "failed", broken)
            raise
        known, recorder = self._failure(outcome), self._context.recorder
        reads = "1 read" if outcome.count == 1 else f"{outcome.count} reads"
        failure = replace(
            known,
            observed=(*spans(known.observed), f" ({reads}, {outcome.elapsed:.1f} s)"),
            tried=(later, self._recovery.summary),
            advice=self._recovery.advice,
        )
        try:
            failure = explained(self._context, self._check, outcome, self._baseline, failure)
        except ReplayEnded:  # before its questions are answered: it has the verdict all the same
            self._context.tape.withdraw()
        failed = ExpectationFailed(
            replace(failure, page=recorder.open_line(self._baseline.action_id)),
            code=self._check.code,
            snapshot=outcome.snapshot,
            terminal=self._recovery.terminal(self._baseline.acted),
        )
        if self._checks._is_soft:
            failed.remark(f"Checked at {self._log.source}: {self._log.source_text}")
        result: Ended = NOT_COMPARED if outcome.verdict.problem == NOT_COMPARED else "failed"
        self._record(outcome, result, failed, text_for_page(failure, recorder.redactor.text))
        return failed

    def _watch(self, outcome: CheckOutcome) -> None:
        """Notes for the end of the run where a read that is made anyway, before any other gesture,
        shows the screen as it was before the action: an app took an effect back. A message that
        came and went is none."""
        context, check = self._context, self._check
        before, place = self._baseline.before or context.before_latest, context.recorder.newest
        then = judged_then(context, check, replace(self._baseline, before=before))
        lasts = check.holds == "settled" or check.proves_absence
        if (
            then is None
            or then.held
            or outcome.snapshot is None
            or not lasts
            or check.looks is not None
        ):
            return
        seen, held_at = outcome.snapshot, context.clock.now()

        def is_undone(snapshot: Snapshot) -> bool:
            now = judged_then(context, check, replace(self._baseline, before=snapshot))
            if not isinstance(now, Failed):
                return False
            change = seen.diff(before)
            undone = bool(check.wanted)
            if change.removed or change.changed:
                undone = undone or snapshot.diff(before, mask_volatile=True).empty
            if undone and now.observed == then.observed:
                context.recorder.mark_undone(
                    place, f"{context.clock.now() - held_at:.1f} s later: {now.observed}"
                )
            return True

        context.observer.watchers.append(is_undone)

    def _read_on(self, outcome: CheckOutcome) -> str:
        """Whether it came to hold soon after, for who has to explain the failure: it never changes
        the verdict. Of soft checks, and of those in a handler of an interruption, the first of a
        test alone is read on about."""
        context = self._context
        seconds = min(context.settings.read_on, context.reading_on.seconds)
        once_a_test = self._checks._is_soft or "interrupted" in context.meanwhile
        if any((not seconds, outcome.verdict.final, self._check.looks)):
            return ""
        if once_a_test and context.read_on:
            return ""
        context.read_on |= once_a_test
        began = context.clock.now()
        try:
            with (
                context.during("asking"),  # nothing is done about an interruption
                context.observer.apart(),
                self._log.stage("verify", after_the_verdict=True) as notes,
            ):
                later = await_check(context, self._check, seconds, self._baseline)
                notes.update(
                    observed=later.observed,
                    reads=later.count,
                    result="success" if later.held else "failure",
                )
        except ReplicantError:  # of whatever came after the verdict
            return ""
        except ReplayEnded:  # nor was more of it recorded
            context.tape.withdraw()
            return ""
        finally:
            context.reading_on.spend(context.clock.now() - began)
        if not later.held:
            return f"After the verdict: not in {round(seconds, 1):g} s more."
        return f"After the verdict: {self._check.came} {later.held_since:.1f} s after the deadline."

    def _failure(self, outcome: CheckOutcome) -> Failure:
        check, baseline = self._check, self._baseline
        return Failure(
            check.code if outcome.error is None else code_of(outcome.error),
            outcome.verdict.observed,
            asked=f"{check.kind} {check.expected} on {self._context.phone}",
            stage="verify",
            action_type=check.kind,
            target=check.target,
            element=baseline.acted,
            snapshot=outcome.snapshot,
            steady=outcome.steady,
            failed_reads=sum(read.failed for read in outcome.reads),
            app=self._context.newest_app,
            error=outcome.error,
            sent=baseline.action_id != "",
            idempotent=baseline.idempotent,
            check=check.facts,
        )

    def _record(
        self,
        outcome: CheckOutcome,
        result: Ended,
        raised: BaseException | None = None,
        text: str = "",
    ) -> None:
        """Records how it ended, with the error that is ``raised`` for it."""
        context, check = self._context, self._check
        self._recovery.close(recovered=outcome.held)
        facts: FailureRecord | None = None
        if not outcome.held and not outcome.verdict.excused:
            verdict, observer = outcome.verdict, context.observer
            facts = failure_record(
                self._failure(outcome),
                type(raised).__name__ if result == "error" else ExpectationFailed.__name__,
                problem=verdict.problem,
                observed=verdict.facts,
                toasts=observer.toasts,
                before=observer.record.before,
            )
        record = CheckRecord(
            self._log.action_id,
            check.kind,
            check.expected,
            outcome.observed,
            result,
            outcome.reads,
            outcome.held and self._is_vacuous(outcome),
            self._checks._is_soft,
            self._log.trace(success=outcome.held),
            self._recovery.state,
            check.facts,
            looks=check.looks(result) if check.looks is not None else None,
        )
        event = TraceEvent(
            "check",
            f"{check.kind} {check.expected}",
            0,
            0,
            check=record,
            failure=facts,
            after=outcome.snapshot.id if outcome.snapshot else None,
            error=text,
        )
        context.recorder.keep(event, self._log, raised)

    def _is_vacuous(self, outcome: CheckOutcome) -> bool:
        """Whether it would have passed without the action, and so says nothing about it. What was
        there since the action, though not before it, came and went."""
        context, target = self._context, self._check.target
        if "preparing" in context.meanwhile:
            return False
        if not held_before(context, self._check, self._baseline, outcome.snapshot):
            return False
        meant = verb_of(self._check.kind)
        if (meant.targets, meant.proves) == ("any", "absence") and isinstance(target, Selector):
            with suppress(ReplicantError):
                return not context.observer.record.showed(target, context.platform)
        return True


class CheckBase(SessionView):
    """Awaits checks and records how they ended."""

    def _check_state(
        self,
        kind: str,
        expected: object,
        timeout: float | None,
        stays: float,
        tolerance: float | None = None,
        target: Target | None = None,
    ) -> Self:
        """One state of an element, which the name of the check says; of the acted one, if there is
        no target."""
        state, differs = verb_of(kind).state, verb_of(kind).proves == "absence"
        check = elements.state_is(
            kind, target, {state: self._known(expected)}, tolerance, differs=differs
        )
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

    # --- of the screen now; what an action returns is about that action ---------------------------

    def _check_usable(self, kind: str) -> None:
        """Raises ``UsageError`` if a newer action makes this check meaningless."""

    def _baseline(self) -> Baseline:
        return Baseline(self._context.recorder.latest)

    def _verifies(self, check: Check, seen: Snapshot | None) -> bool:
        """Whether a check that held proves that the action before it worked: not one that held
        before it."""
        before = Baseline(before=self._context.before_latest)
        return not held_before(self._context, check, before, seen)

    def _why_not(self, again: Recovery) -> str:
        """Reason why the linked action must not be repeated, where ``again`` asks for that; "" if
        it may."""
        if again.strategy == "step_back":
            return "there is no action of this check to step back to"
        return ""

    def _step_back(self, log: StepLog) -> str:
        """Repeats the linked action. Returns the reason where that failed, else ""."""
        return "there is no action of this check to step back to"
