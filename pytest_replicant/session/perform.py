"""One action: attempts, and the recovery between them, until one holds or no recovery is left; then
its record. ``attempt`` has the stages of an attempt."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timezone

from ..errors import ActionFailed, DeviceError, ReplayEnded, ReplicantError
from ..model import (
    ActionResult,
    ActionTarget,
    Element,
    ElementRecord,
    Failure,
    Recovery,
    Stage,
    TraceEvent,
    headline,
    text_for_page,
)
from ..snapshots import Snapshot
from .arguments import describe
from .attempt import Attempt, alone
from .device_log.evidence import died_meanwhile, with_failed_request
from .recording.failures import failure_record
from .recording.trace import StepLog
from .recover import MAY_HAVE_ACTED, RecoveryLoop, why_not_retry
from .step import ActionContext, Plan, SessionContext, Step


@dataclass(frozen=True)
class Performed:
    """An action that was done, and its envelope."""

    action: ActionContext
    result: ActionResult


def perform(context: SessionContext, step: Step) -> Performed:
    """Performs one action. Raises ``ActionFailed``, ``UsageError`` (nothing was sent),
    ``Unsupported`` or ``DeviceError``."""
    context.refuse_while_asking(step.verb)
    action = _Action(context, step, Plan(step.targets), context.recorder.begin(step.title))
    action.make(action.plan)
    try:
        while (plan := action.next_plan()) is not None:
            action.make(plan)
        if action.failed_on:
            context.screens.keep_picture(action.failed_on, failed=True)
    except BaseException as error:  # a policy's own error, Ctrl-C: the trace says so too
        action.break_off(error)
    failure, raised = action.failure, action.raised
    if failure and raised is None:
        failure = action.explained(failure)
    action.recovery.close(recovered=failure is None)
    result = action.envelope(failure)
    event = action.event(failure, result)
    if failure and raised is None:
        raised = action.error_of(failure, result)
    context.recorder.keep(event, action.log, raised)
    context.note_action(action, failed=failure is not None)
    if raised is not None:  # which may be false, as a test made it
        raise raised
    action.watch()
    return Performed(action, result)


def perform_again(context: SessionContext, step: Step, log: StepLog) -> ActionContext | None:
    """Repeats a finished action from its beginning, for a check that steps back. Its stages go into
    the check's log; None if it failed this time."""
    action = Attempt(context, step, Plan(step.targets), log)
    action.make(action.plan)
    if action.raised is not None:
        raise action.raised
    if not action.failure:
        return action
    error = action.failure.error
    if (
        isinstance(error, ReplicantError) and not error.recoverable
    ):  # as one of a handler of the test's own
        raise error
    return None


@dataclass(eq=False)
class _Action(Attempt):
    """An action with the recovery between its attempts."""

    def __post_init__(self) -> None:
        self.recovery = RecoveryLoop(self.context, self.log)

    # --- when an attempt failed -------------------------------------------------------------------

    def next_plan(self) -> Plan | None:
        """How the next attempt is made, the remedies of its recovery performed; None if there is
        none."""
        failure = self.failure
        if not failure or self.raised is not None:
            return None
        again = self.recovery.next(failure, self._why_not)
        if not again:  # what lies over the target may go by itself
            waits = replace(self.plan, waits_since=self.waits_since)
            return waits if self.waits_since is not None else None
        return self._planned(failure, again)

    def _planned(self, failure: Failure, again: Recovery) -> Plan:
        """A second look goes on where it failed, all else starts over."""
        params = {**self.plan.params, **again.params}
        plan = replace(self.plan, begin="resolve", lost=None, params=params, waits_since=None)
        if again.before and not self.sent:
            plan = replace(plan, met=plan.met or self.failed_on)
        if again.target is not None and plan.targets:
            targets = list(self.step.targets)
            targets[self.at] = again.target
            plan = replace(plan, targets=tuple(targets))
        if not self._only_looks(again):
            return plan
        begin: Stage = "stabilize" if failure.stage == "stabilize" else "verify"
        return replace(plan, begin=begin, lost=self.lost)

    def _only_looks(self, again: Recovery) -> bool:
        """Whether a retry sends nothing: the action was sent, and its effect is looked at again; or
        its answer was lost, and whether it was done is looked at for the first time."""
        failure, step = self.failure, self.step
        if again.strategy != "state_refresh" or not failure:
            return False
        if self.lost and failure.error is self.lost:
            return failure.stage == "execute" and step.kind.looks_first and step.proof is not None
        return failure.stage in ("stabilize", "verify")

    def _why_not(self, again: Recovery) -> str:
        """A second look is always allowed; a second dispatch is guarded."""
        if self._only_looks(again) or not self.may_have_acted:
            return ""
        watch, lost = self.context.settings.action_timeout, self.lost is not None
        return why_not_retry(self.context, self.step, self.before, watch, lost=lost)

    # --- when the last attempt ended --------------------------------------------------------------

    def explained(self, failure: Failure) -> Failure:
        """The failure with the death of the app that may be the reason, the recoveries that were
        tried, and what remains unknown."""
        if not isinstance(failure.error, ReplicantError):
            try:
                death = died_meanwhile(self.context)
                if death:
                    failure = replace(failure, meanwhile=(death,))
                else:
                    failure = with_failed_request(self.context, failure)
            except ReplayEnded:  # a question for the explanation alone
                self.context.tape.withdraw()
                return failure
        tried = (self.recovery.summary, self._doubt(failure))
        return replace(failure, tried=tried, advice=self.recovery.advice or failure.advice)

    def _doubt(self, failure: Failure) -> str:
        """Says of an action that ends by the phone's trouble that it may have been done; "" if it
        certainly was not, if doing it again does no harm, and if the recovery has said so."""
        known = self.step.is_harmless(lost=self.lost is not None) or not self.may_have_acted
        if known or self.recovery.refused_a_repeat or not isinstance(failure.error, DeviceError):
            return ""
        return (
            f"{self.step.verb} {MAY_HAVE_ACTED}: nothing proves that it had none, and it was not "
            "sent again."
        )

    def error_of(self, failure: Failure, result: ActionResult) -> BaseException:
        """The error of an action that failed."""
        error = failure.error
        if isinstance(error, DeviceError):
            spent = self.recovery.spend(error, self.acted)
            spent.remark(self._doubt(failure))
            return spent
        if isinstance(error, ReplicantError):
            return error
        return ActionFailed(
            replace(failure, page=self.context.recorder.open_line(result.action_id)),
            result=result,
            snapshot=self.failed_on,
            terminal=self.recovery.terminal(self.acted),
        )

    def watch(self) -> None:
        """Notes for the end of the run if a read that is made anyway shows that what was set is set
        back."""
        clock, postcondition = self.context.clock, self.step.postcondition
        if postcondition is None or not self.step.kind.lasts:
            return
        began = clock.now()

        def is_undone(snapshot: Snapshot) -> bool:
            failure, _ = postcondition(self, snapshot)
            if failure is not None:
                seconds = clock.now() - began
                self.details["undone"] = f"{seconds:.1f} s later: {headline(failure)}"
            return failure is not None

        self.observer.watchers.append(is_undone)

    def event(self, failure: Failure | None, result: ActionResult) -> TraceEvent:
        """What the timeline has of an action, however it ended."""
        recorder, after = self.context.recorder, self.failed_on or self.after
        before = self.plan.met or self.before
        event = TraceEvent(
            "action",
            self.step.title,
            0,
            0,
            result=result,
            diff=recorder.diff_of(self.before, after),
            before=before.id if before else None,
            after=after.id if after else None,
            target=self.acted.bounds if self.acted else None,
            touch=tuple(self.touched),
        )
        if not failure:
            return event
        about, error = self.about, self.raised or failure.error
        placed = replace(failure, target=about or failure.target or self.step.about)
        if about is not None and failure.element is self.acted:
            placed = replace(placed, element=None)
        exception = ActionFailed if error is None else type(error)  # that is raised for it
        record = failure_record(placed, exception.__name__, toasts=self.observer.toasts)
        text = text_for_page(failure, recorder.redactor.text)
        return replace(event, failure=record, error=text)

    def envelope(self, failure: Failure | None) -> ActionResult:
        log, before, after = self.log, self.before, self.failed_on or self.after
        stamp = datetime.fromtimestamp(log.stamp_ms / 1000, timezone.utc)
        targets, about = self.step.targets, self.step.about
        first = targets[0] if targets else None
        named = ElementRecord.of(first) if isinstance(first, Element) else None
        acted = alone(self.acted) if self.acted else None
        meant = targets or ((about,) if about is not None else ())
        result = ActionResult(
            log.action_id,
            stamp.isoformat(timespec="milliseconds"),
            self.step.kind.action_type,
            "pending_verification",
            "session",
            ActionTarget(", ".join(map(describe, meant)), acted, named),
            failure is None,
            before.fingerprint if before else None,
            after.fingerprint if after else None,
            log.trace(success=failure is None),
            self.context.recorder.device,
            recovery=self.recovery.ended(failure),
            details=self.details,
        )
        if not failure:
            return result
        return replace(
            result,
            lifecycle_state="failed",
            failure_code=failure.code,
            retryable=failure.retryable,
        )
