"""One action: attempts, and the recovery between them, until one holds or no recovery is left; then its record.
``attempt`` has the stages of an attempt."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from ..errors import ActionFailed, DeviceError, ReplayEnded, ReplicantError
from ..model import ActionResult, Failure, headline
from .attempt import Outcome, attempt, broken
from .device_log.evidence import died_meanwhile, with_failed_request
from .recording.actions import record_action
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
    """Performs one action. Raises ``ActionFailed``, ``UsageError`` (nothing was sent), ``Unsupported`` or
    ``DeviceError``."""
    context.refuse_while_asking(step.verb)
    log = context.recorder.begin(step.title)
    recovery = RecoveryLoop(context, log, step.kind.action_type)
    first = Plan(step.targets)
    outcome = attempt(ActionContext(context, step, first), first, log)
    try:
        while outcome.failure is not None and (plan := _next_plan(outcome, outcome.failure, recovery)) is not None:
            outcome = attempt(outcome.action, plan, log)
        if outcome.failed_on is not None:
            context.recorder.keep_screenshot(outcome.failed_on, failed=True)
    except BaseException as error:  # a policy's own error, Ctrl-C: the trace says so too
        outcome = broken(outcome.action, error)
    failure = outcome.failure
    if failure is not None and outcome.raised is None:
        failure = _explained(outcome, failure, recovery)
        outcome = replace(outcome, failure=failure)
    result, record = record_action(outcome, log, recovery)
    context.note_action(outcome.action, failed=failure is not None)
    if failure is None:
        _watch(outcome.action)
        return Performed(outcome.action, result)
    raised = outcome.raised or _raised(outcome, failure, recovery, result)
    context.recorder.link(raised, record)
    raise raised


def perform_again(context: SessionContext, step: Step, log: StepLog) -> ActionContext | None:
    """Repeats a finished action from its beginning, for a check that steps back. Its stages go into the check's
    log; None if it failed this time."""
    first = Plan(step.targets)
    outcome = attempt(ActionContext(context, step, first), first, log)
    if outcome.raised is not None:
        raise outcome.raised
    if outcome.failure is None:
        return outcome.action
    error = outcome.failure.error
    if isinstance(error, ReplicantError) and not error.recoverable:  # as one of a handler of the test's own
        raise error
    return None


# --- when an attempt failed ------------------------------------------------------------------------------


def _next_plan(outcome: Outcome, failure: Failure, recovery: RecoveryLoop) -> Plan | None:
    """How the next attempt is made, the remedies of its recovery performed; None if there is none."""
    if outcome.raised is not None:
        return None
    again = recovery.next(failure, partial(_why_not, outcome))
    if again is not None:
        return _planned(outcome, failure, again)
    if outcome.waits_since is not None:  # what lies over the target may go by itself
        return replace(outcome.action.plan, waits_since=outcome.waits_since)
    return None


def _planned(outcome: Outcome, failure: Failure, again: Recovery) -> Plan:
    """A second look goes on where it failed, all else starts over."""
    action = outcome.action
    plan = replace(action.plan, begin="resolve", lost=None, params={**action.plan.params, **again.params})
    if again.before and not action.sent:
        plan = replace(plan, met=plan.met or outcome.failed_on)
    plan = replace(plan, waits_since=None)
    if again.target is not None and plan.targets:
        targets = list(action.step.targets)
        targets[action.at] = again.target
        plan = replace(plan, targets=tuple(targets))
    if not _only_looks(outcome, again):
        return plan
    return replace(plan, begin="stabilize" if failure.stage == "stabilize" else "verify", lost=outcome.lost)


def _only_looks(outcome: Outcome, again: Recovery) -> bool:
    """Whether a retry sends nothing: the action was sent, and its effect is looked at again; or its answer was
    lost, and whether it was done is looked at for the first time."""
    failure, step = outcome.failure, outcome.action.step
    if again.strategy != "state_refresh" or failure is None:
        return False
    if outcome.lost is not None and failure.error is outcome.lost:
        return failure.stage == "execute" and step.kind.looks_first and step.proof is not None
    return failure.stage in ("stabilize", "verify")


def _why_not(outcome: Outcome, again: Recovery) -> str:
    """A second look is always allowed; a second dispatch is guarded."""
    action = outcome.action
    if _only_looks(outcome, again) or not action.may_have_acted:
        return ""
    watch, lost = action.context.settings.action_timeout, outcome.lost is not None
    return why_not_retry(action.context, action.step, action.before, watch, lost=lost)


# --- when the last attempt ended -------------------------------------------------------------------------


def _explained(outcome: Outcome, failure: Failure, recovery: RecoveryLoop) -> Failure:
    """The failure with the death of the app that may be the reason, the recoveries that were tried, and what
    remains unknown."""
    context = outcome.action.context
    if not isinstance(failure.error, ReplicantError):
        try:
            death = died_meanwhile(context)
            failure = replace(failure, meanwhile=(death,)) if death else with_failed_request(context, failure)
        except ReplayEnded:  # a question for the explanation alone
            context.tape.withdraw()
            return failure
    tried = (recovery.summary, _doubt(outcome, failure, recovery))
    return replace(failure, tried=tried, advice=recovery.advice or failure.advice)


def _doubt(outcome: Outcome, failure: Failure, recovery: RecoveryLoop) -> str:
    """Says of an action that ends by the phone's trouble that it may have been done; "" if it certainly was not,
    if doing it again does no harm, and if the recovery has said so."""
    action = outcome.action
    known = action.step.is_harmless(lost=outcome.lost is not None) or not action.may_have_acted
    if known or recovery.refused_a_repeat or not isinstance(failure.error, DeviceError):
        return ""
    return f"{action.step.verb} {MAY_HAVE_ACTED}: nothing proves that it had none, and it was not sent again."


def _raised(outcome: Outcome, failure: Failure, recovery: RecoveryLoop, result: ActionResult) -> BaseException:
    """The error of an action that failed."""
    action, error = outcome.action, failure.error
    if isinstance(error, DeviceError):
        spent = recovery.spend(error, action.acted)
        spent.remark(_doubt(outcome, failure, recovery))
        return spent
    if isinstance(error, ReplicantError):
        return error
    page = action.context.recorder.open_line(result.action_id)
    return ActionFailed(
        replace(failure, page=page),
        result=result,
        snapshot=outcome.failed_on,
        terminal=recovery.terminal(action.acted),
    )


def _watch(action: ActionContext) -> None:
    """Notes for the end of the run if a read that is made anyway shows that what was set is set back."""
    postcondition, began = action.step.postcondition, action.context.clock.now()
    if postcondition is None or not action.step.kind.lasts:
        return

    def is_undone(snapshot: Snapshot) -> bool:
        failure, _ = postcondition(action, snapshot)
        if failure is not None:
            action.details["undone"] = f"{action.context.clock.now() - began:.1f} s later: {headline(failure)}"
        return failure is not None

    action.observer.watchers.append(is_undone)
