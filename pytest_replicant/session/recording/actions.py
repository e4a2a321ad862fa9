"""The record of an action that has ended: its envelope, and its entry in the timeline."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timezone
from typing import TYPE_CHECKING

from ...errors import ActionFailed, ReplicantError
from ...model import ActionResult, ActionTarget, Element, ElementRecord, FailureRecord, TraceEvent, text_for_page
from ..arguments import describe
from ..attempt import alone
from .failures import failure_record

if TYPE_CHECKING:
    from ..attempt import Outcome
    from ..recover import RecoveryLoop
    from ..step import ActionContext
    from .trace import StepLog


def record_action(
    outcome: Outcome, log: StepLog, recovery: RecoveryLoop
) -> tuple[ActionResult, FailureRecord | None]:
    """Records an action, however it ended. Returns its envelope and the record of its failure."""
    action, after = outcome.action, outcome.after
    recorder, before = action.context.recorder, action.plan.met or action.before
    recovery.close(recovered=outcome.failure is None)
    result, failure = _envelope(outcome, log, recovery), _failure_of(outcome)
    event = TraceEvent(
        "action",
        action.step.title,
        0,
        0,
        result=result,
        failure=failure,
        diff=recorder.diff_of(action.before, after),
        before=before.id if before else None,
        after=after.id if after else None,
        target=action.acted.bounds if action.acted else None,
        touch=tuple(action.touched),
        error=text_for_page(outcome.failure, recorder.redactor.text) if outcome.failure is not None else "",
    )
    recorder.keep(event, log)
    return result, failure


def _failure_of(outcome: Outcome) -> FailureRecord | None:
    failure, action, about = outcome.failure, outcome.action, outcome.about
    if failure is None:
        return None
    meant = about or failure.target or action.step.about
    element = None if about is not None and failure.element is action.acted else failure.element
    placed = replace(failure, target=meant, element=element)
    return failure_record(placed, _exception(outcome), toasts=action.observer.toasts)


def _exception(outcome: Outcome) -> str:
    """The class of the error that is raised for it."""
    if outcome.raised is not None:
        return type(outcome.raised).__name__
    caught = outcome.failure.error if outcome.failure is not None else None
    return type(caught).__name__ if isinstance(caught, ReplicantError) else ActionFailed.__name__


def _envelope(outcome: Outcome, log: StepLog, recovery: RecoveryLoop) -> ActionResult:
    action, failure, after = outcome.action, outcome.failure, outcome.after
    return ActionResult(
        action_id=log.action_id,
        timestamp=datetime.fromtimestamp(log.stamp_ms / 1000, timezone.utc).isoformat(timespec="milliseconds"),
        action_type=action.step.kind.action_type,
        lifecycle_state="failed" if failure else "pending_verification",
        source_module="session",
        target=_target_of(action),
        success=failure is None,
        ui_fingerprint_before=action.before.fingerprint if action.before else None,
        ui_fingerprint_after=after.fingerprint if after else None,
        trace=log.trace(success=failure is None),
        device=action.context.recorder.device,
        failure_code=failure.code if failure else None,
        retryable=failure.retryable if failure else None,
        recovery=recovery.ended(failure) if failure else recovery.recovered,
        details=action.details,
    )


def _target_of(action: ActionContext) -> ActionTarget:
    named = next((ElementRecord.of(one) for one in action.step.targets[:1] if isinstance(one, Element)), None)
    acted = alone(action.acted) if action.acted is not None else None
    meant = action.step.targets or ((action.step.about,) if action.step.about is not None else ())
    return ActionTarget(", ".join(map(describe, meant)), acted, named)
