"""The flow of one action: before-snapshot → resolve → execute → stabilize → verify → on failure recover and retry.
Each stage is in the trace."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timezone
from functools import partial
from typing import TYPE_CHECKING

from ..errors import (
    WRONG_CALLS,
    ActionFailed,
    DeviceError,
    DeviceTimeout,
    ProtocolError,
    ReplayEnded,
    ReplicantError,
    SnapshotError,
    UndecidableText,
    UsageError,
)
from ..model import (
    ActionResult,
    ActionTarget,
    Element,
    ElementRecord,
    Failure,
    Selector,
    TraceEvent,
    headline,
    text_for_page,
)
from . import keyboard
from .actionability import await_actionable, undecidable
from .arguments import describe
from .by_picture import await_drawn
from .device_log.crashes import died_meanwhile
from .drawn import DrawnElement
from .photos import still_there
from .places import handed_after
from .recording.failures import failure_record
from .recover import MAY_HAVE_ACTED, RecoveryLoop, is_harmless, why_not_retry
from .settings import GESTURE_FRESH_FOR
from .stabilize.reads import settle
from .step import ActionContext, Postcondition, ResolvedTarget, SessionContext, StageFailed, Step, failure_on

if TYPE_CHECKING:
    from ..model import FailureCode, FailureRecord, Recovery
    from ..snapshots import Snapshot
    from .recording.trace import StepLog

PATIENT = 2  # times as long as usual, where a recovery asks for it


def perform(context: SessionContext, step: Step) -> ActionContext:
    """Performs one action. Raises ``ActionFailed``, ``UsageError`` (nothing was sent), ``Unsupported`` or
    ``DeviceError``."""
    context.refuse_while_asking(step.verb)
    log = context.recorder.begin(step.title)
    action = ActionContext(context, step)
    recovery = RecoveryLoop(context, log, step.kind.action_type)
    try:
        while (failure := _failure_of_attempt(action, log)) is not None:
            again = recovery.next(failure, partial(_why_not, action, failure))
            if again is None:
                break
            _prepare_retry(action, again, failure)
        if action.failed_on is not None:
            context.recorder.keep_screenshot(action.failed_on)
    except BaseException as error:  # a wrong call, a policy's own error, Ctrl-C: the trace says so too
        code: FailureCode = "ACTION_REJECTED" if isinstance(error, WRONG_CALLS) else "UNKNOWN"
        failure = _placed(action, Failure(code, error=error), None)
        event = _close(action, log, recovery, failure, exception=type(error).__name__)
        context.recorder.link(error, event.failure)
        raise
    if failure is None:
        _close(action, log, recovery)
        _watch(action)
        return action
    try:
        failure = _explained(action, recovery, failure)
    except ReplayEnded:  # questions for the explanation alone
        context.tape.withdraw()
    caught = failure.error
    exception = type(caught).__name__ if isinstance(caught, ReplicantError) else ActionFailed.__name__
    event = _close(action, log, recovery, failure, exception=exception)
    raised = _raised(action, recovery, failure)
    context.recorder.link(raised, event.failure)
    raise raised


def _watch(action: ActionContext) -> None:
    """Notes for the end of the run where a read that is made anyway shows that what was set is set back."""
    postcondition, began = action.step.postcondition, action.context.clock.now()
    if postcondition is None or not action.step.kind.lasts:
        return

    def is_undone(snapshot: Snapshot) -> bool:
        failure, _ = postcondition(action, snapshot)
        if failure is not None:
            action.details["undone"] = f"{action.context.clock.now() - began:.1f} s later: {headline(failure)}"
        return failure is not None

    action.context.observer.watchers.append(is_undone)


def perform_again(context: SessionContext, step: Step, log: StepLog) -> ActionContext | None:
    """Repeats a finished action from its beginning, for a check that steps back. Its stages go into the check's
    log; None where it failed this time."""
    action = ActionContext(context, step)
    try:
        _attempt(action, log)
    except (StageFailed, DeviceError, SnapshotError) as error:
        if isinstance(error, ReplicantError) and not error.recoverable:  # as one of a handler of the test's own
            raise
        return None
    return action


def _failure_of_attempt(action: ActionContext, log: StepLog) -> Failure | None:
    """Makes one attempt; None where it succeeded. Usage errors are not recoverable."""
    try:
        _attempt(action, log)
    except StageFailed as failed:
        return _placed(action, failed.failure, failed.snapshot)
    except UndecidableText as error:  # of an option, or of a field's own text
        unknown = undecidable(action.context.observer.latest, error)
        return _placed(action, unknown.failure, unknown.snapshot)
    except (DeviceError, SnapshotError) as error:
        if isinstance(error, DeviceError) and error.app_died and (failure := _died(action, error)) is not None:
            return _placed(action, failure, failure.snapshot)
        if action.stage == "execute" and action.may_have_acted and error is not action.unsent:
            action.lost = error
        return _placed(action, Failure(code_of(error), error=error), None)
    return None


def _died(action: ActionContext, error: DeviceError) -> Failure | None:
    """The failure of an action before which the app had died: that is no trouble of the phone's, where the phone
    confirms it."""
    if not died_meanwhile(action.context):
        return None
    wrong = f"the app had died before it was touched: {error.detail}"
    try:
        snapshot = action.context.observer.read().snapshot
    except (DeviceError, SnapshotError):
        return Failure("ACTION_REJECTED", wrong)
    return failure_on(snapshot, "ACTION_REJECTED", wrong)


def _only_looks(action: ActionContext, again: Recovery, failure: Failure) -> bool:
    """Whether a retry sends nothing: the action was sent, and its effect is looked at again; or its answer was
    lost, and whether it was done is looked at for the first time."""
    if again.strategy != "state_refresh":
        return False
    if action.lost is not None and failure.error is action.lost:
        return failure.stage == "execute" and action.step.kind.looks_first and action.step.proof is not None
    return failure.stage in ("stabilize", "verify")


def _prepare_retry(action: ActionContext, again: Recovery, failure: Failure) -> None:
    """Sets the beginning of the next attempt: a second look goes on where it failed, all else starts over."""
    only_looks = _only_looks(action, again, failure)
    action.begin = "resolve" if not only_looks else "stabilize" if failure.stage == "stabilize" else "verify"
    action.lost = action.lost if only_looks else None
    action.params = {**action.params, **again.params}
    if again.target is not None and action.targets:
        targets = list(action.step.targets)
        targets[action.at] = again.target
        action.targets = tuple(targets)
    action.failed_on = None


def _attempt(action: ActionContext, log: StepLog) -> None:
    """Runs the stages from ``action.begin`` to the end. Raises what a stage raises."""
    step = action.step
    if action.begin == "resolve":
        try:
            _send(action, log)
        except DeviceError as error:
            if not error.look_again or action.sent:
                raise
            _send(action, log)
    if action.lost is not None:
        action.stage = "verify"
        _prove(action, action.lost, log)
        return
    if not step.silent and action.begin in ("resolve", "stabilize"):
        action.stage = "stabilize"
        _stabilize(action, log)
    if step.postcondition is not None:
        action.stage = "verify"
        _verify(action, step.postcondition, log)


def _send(action: ActionContext, log: StepLog) -> None:
    action.stage = "resolve"
    if action.before is None or not (action.step.targets or action.sent):
        action.before = _before(action)
    if action.step.targets:
        _resolve(action, log)
    elif action.before is not None and action.step.verb != "launch":  # nothing waits for that picture but the test
        action.context.recorder.keep_screenshot(action.before)
    _begin(action, log)
    action.stage = "execute"
    action.touched.clear()
    with log.stage("execute") as notes:
        try:
            notes.update(action.step.dispatch(action))
        finally:
            action.context.observer.invalidate()
        action.details.update(notes)


def _before(action: ActionContext) -> Snapshot | None:
    """The screen before, as far as it is known or cheap; a target brings its own."""
    if action.step.targets or action.step.silent:
        return None
    try:
        return action.context.observer.fresh().snapshot
    except (DeviceTimeout, ProtocolError, SnapshotError):
        return None  # best effort: the action may be what makes the screen readable


def _resolve(action: ActionContext, log: StepLog) -> None:
    context = action.context
    with log.stage("resolve", target=" → ".join(describe(target) for target in action.targets)) as notes:
        if any(keyboard.is_pushed_out(context, target) for target in action.targets):
            with suppress(UsageError):  # one that stays
                keyboard.press_away(action)
            context.observer.invalidate()
            notes["keyboard"] = "hidden, since there was no room for the target above it"
        action.resolved = _actionable(action)
        if not any(one.details for one in action.resolved) and keyboard.covers(context, action.resolved):
            keyboard.hide(action, action.target)
            context.observer.invalidate()
            notes["keyboard"] = "hidden, since it lay over the target"
            action.resolved = _actionable(action, under_keyboard=False)
        if not action.sent:  # else what the action has done so far belongs to its effect
            action.before = action.target.snapshot
            context.recorder.keep_screenshot(action.before)
        notes["resolved"] = [one.element.describe() for one in action.resolved]
        notes["snapshot"] = action.target.snapshot.id
        for one in action.resolved:
            _note_app(context, one.element.node.package or one.snapshot.app)
        for one, target in zip(action.resolved, action.targets, strict=True):
            notes.update(one.notes)
            if isinstance(target, Selector) and not isinstance(one.element, DrawnElement):
                context.last_resolved[target] = _alone(one.element)


def _note_app(context: SessionContext, app: str) -> None:
    """Remembers which app is acted on: one that dies of it is this test's affair, whoever started it."""
    dialogs = context.driver.system_dialogs
    if app and app not in dialogs.packages and not dialogs.asks(app):
        context.touched[app] = None


def _actionable(action: ActionContext, *, under_keyboard: bool = True) -> tuple[ResolvedTarget, ...]:
    step = action.step
    seconds = step.timeout * (PATIENT if action.params.get("settle") == "longer" else 1)
    found = []
    for at, target in enumerate(action.targets):
        action.at = at
        if isinstance(target, DrawnElement):
            found.append(still_there(action.context, target))
        elif isinstance(target, Selector) and step.source == "picture":
            found.append(await_drawn(action.context, target, seconds, step.verb))
        else:
            how = {"sweeps": step.kind.sweeps, "under_keyboard": under_keyboard}
            found.append(await_actionable(action.context, target, seconds, step.verb, **how))
    action.at = 0
    return tuple(found)


def _begin(action: ActionContext, log: StepLog) -> None:
    """Asks the phone all that has to be asked before the gesture, and looks at its target once more where the
    last read is too old by then: the finger goes to where the target is now, or nowhere."""
    context = action.context
    latest = context.observer.latest
    if not action.step.targets and not action.step.kind.aside and latest is not None:
        _note_app(context, latest.app)
    row = context.observer.row()
    action.seen_before = row[-1].snapshot if row else None
    context.recorder.note_sent(context.observer.begin_action(log.action_id))
    context.log.begin_action(log.action_id)
    seen = context.clock.now() - GESTURE_FRESH_FOR
    if any(one.seen_at < seen for one in action.resolved) and not context.observer.just_read():
        with log.stage("resolve", again="the last read was too old for a gesture") as notes:
            action.resolved = _actionable(action, under_keyboard=False)
            notes["snapshot"] = action.target.snapshot.id
        context.observer.record.begin(context.observer.latest)
        if not action.sent:
            action.before = action.target.snapshot
    for one in action.resolved:
        action.details.update(one.details)
    if context.guard is not None:
        touched = [one.element for one in action.resolved]
        screen = action.target.snapshot if action.resolved else latest
        unnamed = any(isinstance(one, DrawnElement) and one.how != "text" for one in touched)
        verb = "tap_at" if unnamed else action.step.kind.name
        context.guard.touches(verb, touched, screen, context.driver.system_dialogs)
        for one in action.resolved:
            if drawn := one.details.get("drawn"):  # which the element that it lies in need not say
                context.guard.says(f"{verb} {one.element.ref}", drawn)


def _stabilize(action: ActionContext, log: StepLog) -> None:
    with log.stage("stabilize") as notes:
        acted = action.acted if not action.step.kind.lasts else None  # an app may take back what was set
        settled = settle(action.context, action.before, acted=acted, started=action.details.get("started", ""))
        action.after = settled.snapshot
        notes.update(settled.notes())
    action.context.recorder.keep_screenshot(settled.snapshot)


def _verify(action: ActionContext, postcondition: Postcondition, log: StepLog) -> None:
    """Judges the action's own postcondition on the settled screen; one that fails is judged once more."""
    with log.stage("verify", property="postcondition") as notes:
        failure: Failure | None = None
        for _ in range(2):
            if action.after is None or failure is not None or action.begin == "verify":
                action.after = settle(action.context, None).snapshot
            failure, seen = postcondition(action, action.after)
            notes["read_back"] = action.details["read_back"] = seen
            if failure is None:
                return
        assert failure is not None
        raise StageFailed(failure, action.after)


def _prove(action: ActionContext, lost: ReplicantError, log: StepLog) -> None:
    """Waits until the screen shows that an action was done whose answer was lost. Raises that error where it does
    not in time: the effect may still come, and what was sent is not sent again."""
    assert action.step.proof is not None
    clock = action.context.clock
    deadline = clock.now() + action.context.settings.action_timeout
    with log.stage("verify", property="postcondition", answer="lost") as notes:
        while True:
            action.after = settle(action.context, None).snapshot
            failure, seen = action.step.proof(action, action.after)
            notes["read_back"] = action.details["read_back"] = seen
            if failure is None and seen != "unavailable":
                action.lost = None
                return
            if clock.now() >= deadline:
                raise lost


# --- when a stage failed ---------------------------------------------------------------------------------


def _placed(action: ActionContext, failure: Failure, snapshot: Snapshot | None) -> Failure:
    """The failure, with the facts of the action for recovery policies."""
    action.failed_on, action.about = snapshot, failure.target
    known = action.resolved[action.at].element if action.at < len(action.resolved) else None
    return replace(
        failure,
        stage=action.stage,
        action_type=action.step.kind.action_type,
        target=action.step.targets[action.at] if action.step.targets else None,
        element=failure.element or (failure.candidates[0] if len(failure.candidates) == 1 else known),
        snapshot=snapshot if snapshot is not None else failure.snapshot,
        app=action.context.newest_app,
        sent=action.sent,
        idempotent=is_harmless(action.step, lost=action.lost is not None),
        starts_app=action.step.kind.starts_app,
        asked=failure.asked or f"{action.step.title} on {action.phone}",
    )


def _why_not(action: ActionContext, failure: Failure, again: Recovery) -> str:
    """A second look is always allowed; a second dispatch is guarded."""
    if _only_looks(action, again, failure) or not action.may_have_acted:
        return ""
    watch, lost = action.context.settings.action_timeout, action.lost is not None
    return why_not_retry(action.context, action.step, action.before, watch, lost=lost)


def _explained(action: ActionContext, recovery: RecoveryLoop, failure: Failure) -> Failure:
    """The failure with the death of the app that may be its reason, the recoveries that were tried, and what
    remains unknown."""
    known = isinstance(failure.error, ReplicantError)
    meanwhile = () if known else (died_meanwhile(action.context),)
    tried = (recovery.summary, _doubt(action, recovery, failure))
    return replace(failure, meanwhile=meanwhile, tried=tried, advice=(*recovery.advice, *failure.advice))


def _doubt(action: ActionContext, recovery: RecoveryLoop, failure: Failure) -> str:
    """Says of an action that ends by the phone's trouble that it may have been done; "" where it certainly was
    not, where doing it again does no harm, and where the recovery has said so."""
    known = is_harmless(action.step, lost=action.lost is not None) or not action.may_have_acted
    if known or not isinstance(failure.error, DeviceError) or recovery.refused_a_repeat:
        return ""
    return f"{action.step.verb} {MAY_HAVE_ACTED}: nothing proves that it had none, and it was not sent again."


def _raised(action: ActionContext, recovery: RecoveryLoop, failure: Failure) -> ReplicantError:
    """The error of an action that failed."""
    if isinstance(failure.error, DeviceError):
        error = recovery.spend(failure.error, action.acted)
        error.remark(_doubt(action, recovery, failure))
        return error
    if isinstance(failure.error, ReplicantError):
        return failure.error
    page = action.context.recorder.open_line(action.result.action_id)
    return ActionFailed(
        replace(failure, page=page),
        result=action.result,
        snapshot=failure.snapshot,
        terminal=recovery.terminal(action.acted),
    )


def _close(
    action: ActionContext,
    log: StepLog,
    recovery: RecoveryLoop,
    failure: Failure | None = None,
    *,
    exception: str = "",
) -> TraceEvent:
    """Records the action, however it ended; ``exception`` is the class raised for a failure."""
    recorder = action.context.recorder
    recovery.close(recovered=failure is None)
    after = action.failed_on or action.after
    action.result = _envelope(action, log, recovery, failure, after)
    event = TraceEvent(
        "action",
        action.step.title,
        0,
        0,
        result=action.result,
        failure=_record_of(action, failure, exception) if failure else None,
        diff=recorder.diff_of(action.before, after),
        before=action.before.id if action.before else None,
        after=after.id if after else None,
        target=action.acted.bounds if action.acted else None,
        touch=tuple(action.touched),
        error=text_for_page(failure) if failure else "",
    )
    recorder.keep(event, log)
    action.context.sends = action.sends
    action.context.before_latest = action.before or action.seen_before
    action.context.handed = handed_after(action, failed=failure is not None)
    return event


def _record_of(action: ActionContext, failure: Failure, exception: str) -> FailureRecord:
    meant = action.about or failure.target or action.step.about
    element = None if action.about is not None and failure.element is action.acted else failure.element
    placed = replace(failure, target=meant, element=element)
    return failure_record(placed, exception, toasts=action.context.observer.toasts)


def _envelope(
    action: ActionContext,
    log: StepLog,
    recovery: RecoveryLoop,
    failure: Failure | None,
    after: Snapshot | None,
) -> ActionResult:
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
    acted = _alone(action.acted) if action.acted is not None else None
    meant = action.step.targets or ((action.step.about,) if action.step.about is not None else ())
    return ActionTarget(", ".join(map(describe, meant)), acted, named)


def _alone(element: Element) -> Element:
    """The element without the rest of its screen, which what a session keeps of every action must not keep."""
    if isinstance(element, DrawnElement):
        return replace(element, shot=None, owner=None)
    return element.remembered(element.family.traits) if element.family is not None else element


def code_of(error: Exception) -> FailureCode:
    """The failure code of an error: TIMEOUT for a phone that does not answer in time, else UNKNOWN."""
    return "TIMEOUT" if isinstance(error, DeviceTimeout) else "UNKNOWN"
