"""One action: attempts, and the recovery between them, until one holds or no recovery is left; then
its record. ``attempt`` has the stages of an attempt."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timezone
from functools import partial
from typing import TYPE_CHECKING

from ..errors import ActionFailed, DeviceError, ReplayEnded, ReplicantError
from ..model import (
    ActionResult,
    ActionTarget,
    Element,
    ElementRecord,
    Failure,
    FailureRecord,
    TraceEvent,
    headline,
    text_for_page,
)
from .arguments import describe
from .attempt import Attempt, alone
from .device_log.evidence import died_meanwhile, with_failed_request
from .recording.failures import failure_record
from .recover import MAY_HAVE_ACTED, RecoveryLoop, why_not_retry
from .step import ActionContext, Plan, SessionContext, Step

if TYPE_CHECKING:
    from ..model import Recovery
    from ..snapshots import Snapshot
    from .recording.trace import StepLog


@dataclass(frozen=True)
class Performed:
    """An action that was done, and its envelope."""

    action: ActionContext
    result: ActionResult


def perform(context: SessionContext, step: Step) -> Performed:
    """Performs one action. Raises ``ActionFailed``, ``UsageError`` (nothing was sent),
    ``Unsupported`` or ``DeviceError``."""
    context.refuse_while_asking(step.verb)
    log = context.recorder.begin(step.title)
    recovery = RecoveryLoop(context, log)
    action = Attempt(context, step, Plan(step.targets), log)
    action.make(action.plan)
    try:
        while (
            action.failure is not None
            and (plan := _next_plan(action, action.failure, recovery)) is not None
        ):
            action.make(plan)
        if action.failed_on is not None:
            context.screens.keep_picture(action.failed_on, failed=True)
    except BaseException as error:  # a policy's own error, Ctrl-C: the trace says so too
        action.break_off(error)
    failure = action.failure
    if failure is not None and action.raised is None:
        failure = _explained(action, failure, recovery)
    result, record = _record(action, failure, recovery)
    context.note_action(action, failed=failure is not None)
    if failure is None:
        _watch(action)
        return Performed(action, result)
    raised = action.raised or _raised(action, failure, recovery, result)
    context.recorder.link(raised, record)
    raise raised


def perform_again(context: SessionContext, step: Step, log: StepLog) -> ActionContext | None:
    """Repeats a finished action from its beginning, for a check that steps back. Its stages go into
    the check's log; None if it failed this time."""
    action = Attempt(context, step, Plan(step.targets), log)
    action.make(action.plan)
    if action.raised is not None:
        raise action.raised
    if action.failure is None:
        return action
    error = action.failure.error
    if (
        isinstance(error, ReplicantError) and not error.recoverable
    ):  # as one of a handler of the test's own
        raise error
    return None


# --- when an attempt failed -----------------------------------------------------------------------


def _next_plan(action: Attempt, failure: Failure, recovery: RecoveryLoop) -> Plan | None:
    """How the next attempt is made, the remedies of its recovery performed; None if there is
    none."""
    if action.raised is not None:
        return None
    again = recovery.next(failure, partial(_why_not, action))
    if again is not None:
        return _planned(action, failure, again)
    if action.waits_since is not None:  # what lies over the target may go by itself
        return replace(action.plan, waits_since=action.waits_since)
    return None


def _planned(action: Attempt, failure: Failure, again: Recovery) -> Plan:
    """A second look goes on where it failed, all else starts over."""
    plan = replace(
        action.plan, begin="resolve", lost=None, params={**action.plan.params, **again.params}
    )
    if again.before and not action.sent:
        plan = replace(plan, met=plan.met or action.failed_on)
    plan = replace(plan, waits_since=None)
    if again.target is not None and plan.targets:
        targets = list(action.step.targets)
        targets[action.at] = again.target
        plan = replace(plan, targets=tuple(targets))
    if not _only_looks(action, again):
        return plan
    return replace(
        plan, begin="stabilize" if failure.stage == "stabilize" else "verify", lost=action.lost
    )


def _only_looks(action: Attempt, again: Recovery) -> bool:
    """Whether a retry sends nothing: the action was sent, and its effect is looked at again; or its
    answer was lost, and whether it was done is looked at for the first time."""
    failure, step = action.failure, action.step
    if again.strategy != "state_refresh" or failure is None:
        return False
    if action.lost is not None and failure.error is action.lost:
        return failure.stage == "execute" and step.kind.looks_first and step.proof is not None
    return failure.stage in ("stabilize", "verify")


def _why_not(action: Attempt, again: Recovery) -> str:
    """A second look is always allowed; a second dispatch is guarded."""
    if _only_looks(action, again) or not action.may_have_acted:
        return ""
    watch, lost = action.context.settings.action_timeout, action.lost is not None
    return why_not_retry(action.context, action.step, action.before, watch, lost=lost)


# --- when the last attempt ended ------------------------------------------------------------------


def _explained(action: Attempt, failure: Failure, recovery: RecoveryLoop) -> Failure:
    """The failure with the death of the app that may be the reason, the recoveries that were tried,
    and what remains unknown."""
    context = action.context
    if not isinstance(failure.error, ReplicantError):
        try:
            death = died_meanwhile(context)
            failure = (
                replace(failure, meanwhile=(death,))
                if death
                else with_failed_request(context, failure)
            )
        except ReplayEnded:  # a question for the explanation alone
            context.tape.withdraw()
            return failure
    tried = (recovery.summary, _doubt(action, failure, recovery))
    return replace(failure, tried=tried, advice=recovery.advice or failure.advice)


def _doubt(action: Attempt, failure: Failure, recovery: RecoveryLoop) -> str:
    """Says of an action that ends by the phone's trouble that it may have been done; "" if it
    certainly was not, if doing it again does no harm, and if the recovery has said so."""
    known = action.step.is_harmless(lost=action.lost is not None) or not action.may_have_acted
    if known or recovery.refused_a_repeat or not isinstance(failure.error, DeviceError):
        return ""
    return (
        f"{action.step.verb} {MAY_HAVE_ACTED}: nothing proves that it had none, and it was not "
        "sent again."
    )


def _raised(
    action: Attempt, failure: Failure, recovery: RecoveryLoop, result: ActionResult
) -> BaseException:
    """The error of an action that failed."""
    error = failure.error
    if isinstance(error, DeviceError):
        spent = recovery.spend(error, action.acted)
        spent.remark(_doubt(action, failure, recovery))
        return spent
    if isinstance(error, ReplicantError):
        return error
    page = action.context.recorder.open_line(result.action_id)
    return ActionFailed(
        replace(failure, page=page),
        result=result,
        snapshot=action.failed_on,
        terminal=recovery.terminal(action.acted),
    )


def _watch(action: ActionContext) -> None:
    """Notes for the end of the run if a read that is made anyway shows that what was set is set
    back."""
    postcondition, began = action.step.postcondition, action.context.clock.now()
    if postcondition is None or not action.step.kind.lasts:
        return

    def is_undone(snapshot: Snapshot) -> bool:
        failure, _ = postcondition(action, snapshot)
        if failure is not None:
            action.details["undone"] = (
                f"{action.context.clock.now() - began:.1f} s later: {headline(failure)}"
            )
        return failure is not None

    action.observer.watchers.append(is_undone)


def _record(
    action: Attempt, failure: Failure | None, recovery: RecoveryLoop
) -> tuple[ActionResult, FailureRecord | None]:
    """Records an action, however it ended. Returns its envelope and the record of its failure."""
    recorder, after = action.context.recorder, action.failed_on or action.after
    before = action.plan.met or action.before
    recovery.close(recovered=failure is None)
    result, record = (
        _envelope(action, failure, recovery),
        _failure_of(action, failure) if failure else None,
    )
    event = TraceEvent(
        "action",
        action.step.title,
        0,
        0,
        result=result,
        failure=record,
        diff=recorder.diff_of(action.before, after),
        before=before.id if before else None,
        after=after.id if after else None,
        target=action.acted.bounds if action.acted else None,
        touch=tuple(action.touched),
        error=text_for_page(failure, recorder.redactor.text) if failure else "",
    )
    recorder.keep(event, action.log)
    return result, record


def _envelope(action: Attempt, failure: Failure | None, recovery: RecoveryLoop) -> ActionResult:
    log, before, after = action.log, action.before, action.failed_on or action.after
    return ActionResult(
        action_id=log.action_id,
        timestamp=datetime.fromtimestamp(log.stamp_ms / 1000, timezone.utc).isoformat(
            timespec="milliseconds"
        ),
        action_type=action.step.kind.action_type,
        lifecycle_state="failed" if failure else "pending_verification",
        source_module="session",
        target=_target_of(action),
        success=failure is None,
        ui_fingerprint_before=before.fingerprint if before else None,
        ui_fingerprint_after=after.fingerprint if after else None,
        trace=log.trace(success=failure is None),
        device=action.context.recorder.device,
        failure_code=failure.code if failure else None,
        retryable=failure.retryable if failure else None,
        recovery=recovery.ended(failure) if failure else recovery.recovered,
        details=action.details,
    )


def _failure_of(action: Attempt, failure: Failure) -> FailureRecord:
    """Its record, with the class of the error that is raised for it."""
    about, error = action.about, action.raised or failure.error
    element = None if about is not None and failure.element is action.acted else failure.element
    placed = replace(failure, target=about or failure.target or action.step.about, element=element)
    exception = ActionFailed if error is None else type(error)
    return failure_record(placed, exception.__name__, toasts=action.observer.toasts)


def _target_of(action: ActionContext) -> ActionTarget:
    named = next(
        (ElementRecord.of(one) for one in action.step.targets[:1] if isinstance(one, Element)), None
    )
    acted = alone(action.acted) if action.acted is not None else None
    meant = action.step.targets or ((action.step.about,) if action.step.about is not None else ())
    return ActionTarget(", ".join(map(describe, meant)), acted, named)
