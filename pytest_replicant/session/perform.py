"""The whole flow of one action: before-snapshot → resolve → execute → stabilize → verify → on failure recover, and
again. Each stage is in the trace."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from functools import partial
from typing import TYPE_CHECKING, Any

from ..drivers import traits_of
from ..errors import (
    ActionFailed,
    DeviceError,
    DeviceTimeout,
    ProtocolError,
    ReplicantError,
    SnapshotError,
    Unsupported,
    UsageError,
)
from ..model import ActionResult, ActionTarget, Element, ElementRecord, Failure, Selector, TraceEvent
from .actionability import await_actionable
from .arguments import describe
from .device_log.crashes import with_death
from .reachability import not_interactable
from .recording.failures import failure_record
from .recover import RecoveryLoop, why_not_retry
from .stabilize.reads import Settled, settle
from .step import ActionContext, ResolvedTarget, StageFailed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..model import FailureCode, Recovery, Stage
    from ..snapshots import Snapshot
    from .arguments import Target
    from .recording.trace import StepLog
    from .step import SessionContext, Step

PATIENT = 2  # times as long as usual, where a recovery asks for it
FAR_DOWN = 0.5  # of the screen's height; an on-screen keyboard never reaches higher


@dataclass(frozen=True)
class Performed:
    """One dispatched action: its envelope, the screens around it, the element that it acted on, and what was asked
    for, so that a check may have it done again."""

    result: ActionResult
    before: Snapshot | None
    settled: Settled | None  # None where no after-read was wanted yet
    acted: Element | None
    step: Step


def perform(context: SessionContext, step: Step) -> Performed:
    """Performs one action. Raises ``ActionFailed``, ``UsageError`` (nothing was sent) or ``DeviceError``."""
    context.refuse_while_asking(step.verb)
    log = context.recorder.begin()
    done = Progress(step)
    recovery = RecoveryLoop(context, log, step.kind)
    try:
        while (failure := _tried(context, log, done)) is not None:
            again = recovery.next(failure, partial(_why_not, context, done, failure))
            if again is None or not _may_go_on(context, done, recovery, failure, again):
                break
            done.go_on(again, failure)
    except BaseException as error:  # a wrong call, a policy's own error, Ctrl-C: the trace says so too
        code: FailureCode = "ACTION_REJECTED" if isinstance(error, UsageError) else "UNKNOWN"
        failure = _placed(context, done, Failure(code, str(error) or type(error).__name__), None)
        event = _close(context, log, done, recovery, failure, exception=type(error).__name__)
        if isinstance(error, ReplicantError):
            error.failure = event.failure
        raise
    told = _explained(context, recovery, failure) if failure is not None else ""
    raised = failure.error if failure is not None else None
    kind = type(raised).__name__ if isinstance(raised, ReplicantError) else "ActionFailed"
    event = _close(context, log, done, recovery, failure, told, exception=kind)
    result = event.result
    assert result is not None
    if failure is not None:
        failed = _raised(context, result, done, recovery, failure, told)
        failed.failure = event.failure
        raise failed
    return Performed(result, done.before, done.settled, done.acted, step)


def _tried(context: SessionContext, log: StepLog, done: Progress) -> Failure | None:
    """One attempt, and what failed it; None where nothing did. A wrong call is nobody's to mend."""
    try:
        _attempt(context, log, done)
    except StageFailed as failed:
        return _placed(context, done, failed.failure, failed.snapshot)
    except Unsupported:
        raise
    except (DeviceError, SnapshotError) as error:
        return _placed(context, done, Failure(code_of(error), str(error), error=error), None)
    return None


def perform_again(context: SessionContext, step: Step, log: StepLog) -> Performed | None:
    """Enters a finished action once more from its beginning, for a check that steps back. The steps go into the
    check's log; None where it failed this time."""
    done = Progress(step)
    try:
        _attempt(context, log, done)
    except (StageFailed, DeviceError, SnapshotError):
        return None
    result = context.recorder.result_of(context.recorder.latest)
    assert result is not None
    return Performed(result, done.before, done.settled, done.acted, step)


@dataclass
class Progress:
    """How far the action has come."""

    step: Step
    stage: Stage = "resolve"  # the one that runs now
    before: Snapshot | None = None
    resolved: tuple[ResolvedTarget, ...] = ()
    settled: Settled | None = None
    met: Snapshot | None = None  # the screen on which it failed
    touched: list[Any] = field(default_factory=list)
    details: dict[str, Any] = field(default_factory=dict)
    sent: bool = False
    begin: Stage = "resolve"  # where the next attempt begins
    targets: tuple[Target, ...] | None = None  # what a recovery put in the place of the step's own
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    def acted(self) -> Element | None:
        return self.resolved[0].element if self.resolved else None

    @staticmethod
    def only_looks(again: Recovery, failure: Failure) -> bool:
        """Whether nothing is sent: the action was, and what came of it is looked at again."""
        return again.strategy == "state_refresh" and failure.stage in ("stabilize", "verify")

    def go_on(self, again: Recovery, failure: Failure) -> None:
        """Where the next attempt begins: looking again goes on where it failed, all else starts over."""
        self.begin = failure.stage if self.only_looks(again, failure) else "resolve"
        self.params = {**self.params, **again.params}
        if again.target is not None and self.step.targets:
            self.targets = (again.target, *self.step.targets[1:])
        self.met = None


def _attempt(context: SessionContext, log: StepLog, done: Progress) -> None:
    """From where it is to begin to the end; raises what a stage raises."""
    step = done.step
    if done.begin == "resolve":
        done.stage = "resolve"
        if done.before is None or not (step.targets or done.sent):
            done.before = _before(context, step)
        if step.targets:
            _resolve(context, log, done)
        done.stage = "execute"
        _execute(context, log, done)
    if not step.silent and done.begin in ("resolve", "stabilize"):
        done.stage = "stabilize"
        _stabilize(context, log, done)
    if step.postcondition is not None:
        done.stage = "verify"
        _verify(context, step, log, done)


def _before(context: SessionContext, step: Step) -> Snapshot | None:
    """The screen before, as far as it is known or cheap; a target brings its own."""
    if step.targets or step.silent:
        return None
    try:
        return context.observer.fresh().snapshot
    except (DeviceTimeout, ProtocolError, SnapshotError):
        return None  # best effort: the action may be what mends the screen


def _resolve(context: SessionContext, log: StepLog, done: Progress) -> None:
    targets = done.targets or done.step.targets
    with log.stage("resolve", target=" → ".join(describe(target) for target in targets)) as notes:
        done.resolved = _resolved_targets(context, done, targets)
        if _keyboard_covers(context, done.resolved):
            _hide_keyboard(context, done.resolved[0])
            context.observer.invalidate()
            notes["keyboard"] = "hidden, since it lay over the target"
            done.resolved = _resolved_targets(context, done, targets, under_keyboard=False)
        if not done.sent:  # else what the action has done so far belongs to its effect
            done.before = done.resolved[0].snapshot
        notes["resolved"] = [one.element.describe() for one in done.resolved]
        notes["snapshot"] = done.resolved[0].snapshot.id
        for one, target in zip(done.resolved, targets, strict=True):
            notes.update(one.notes)
            if isinstance(target, Selector):
                context.resolved[target] = one.element


def _resolved_targets(
    context: SessionContext, done: Progress, targets: tuple[Target, ...], *, under_keyboard: bool = True
) -> tuple[ResolvedTarget, ...]:
    step = done.step
    patience = step.timeout * (PATIENT if done.params.get("settle") == "longer" else 1)
    return tuple(
        await_actionable(context, target, patience, step.verb, sweeps=step.sweeps, under_keyboard=under_keyboard)
        for target in targets
    )


def _keyboard_covers(context: SessionContext, resolved: tuple[ResolvedTarget, ...]) -> bool:
    """Whether an on-screen keyboard lies over a target. Where the hierarchy does not show it, it is asked for
    only where one may be up (a field has the focus) and may matter (the point is low): that costs a command."""
    snapshot = resolved[0].snapshot
    if snapshot.keyboard is not None:
        return any(snapshot.keyboard.contains(one.point) for one in resolved)
    typing = [item for item in snapshot.elements if item.states.focused and item.states.editable]
    if not typing or all(one.element.identity == typing[0].identity for one in resolved):
        return False
    low = any(one.point.y > snapshot.size[1] * FAR_DOWN for one in resolved)
    return low and context.driver.keyboard_shown()


def _hide_keyboard(context: SessionContext, target: ResolvedTarget) -> None:
    """Hides one that is known to be up: by the back key where that does it, as ``hide_keyboard`` would ask again
    whether one is. Raises ``StageFailed`` for one that cannot be hidden."""
    if traits_of(context.driver).back_closes:
        context.driver.press_key("back")
        return
    try:
        context.driver.hide_keyboard()
    except UsageError as refused:
        why = f"the keyboard lies over it, and stays: {refused}"
        raise not_interactable(target.snapshot, target.element, why, short="under the keyboard") from None


def _execute(context: SessionContext, log: StepLog, done: Progress) -> None:
    if done.before is not None:
        context.recorder.keep_screenshot(done.before)
    done.touched.clear()
    action = ActionContext(context, done.resolved, done.touched, done.params)
    with log.stage("execute") as notes:
        context.observer.begin_action()
        context.log.begin_action(log.action_id)
        try:
            notes.update(done.step.dispatch(action))
        finally:
            done.sent = done.sent or action.sent
            context.observer.invalidate()
        done.details.update(notes)


def _stabilize(context: SessionContext, log: StepLog, done: Progress) -> None:
    with log.stage("stabilize") as notes:
        done.settled = settle(context, done.before)
        notes.update(done.settled.notes())
    context.recorder.keep_screenshot(done.settled.snapshot)


def _verify(context: SessionContext, step: Step, log: StepLog, done: Progress) -> None:
    """The action's own postcondition, judged on the settled screen; a stubborn one gets one more look."""
    assert step.postcondition is not None
    with log.stage("verify", property="postcondition") as notes:
        failure: Failure | None = None
        for _ in range(2):
            if done.settled is None or failure is not None or done.begin == "verify":
                done.settled = settle(context, None)
            failure, seen = step.postcondition(done.settled.snapshot, done.acted)
            notes["read_back"] = done.details["read_back"] = seen
            if failure is None:
                return
        assert failure is not None
        raise StageFailed(failure, done.settled.snapshot if done.settled else None)


# --- when a stage failed ---------------------------------------------------------------------------------


def _placed(context: SessionContext, done: Progress, failure: Failure, snapshot: Snapshot | None) -> Failure:
    """The failure with all that a policy may want to know about it."""
    done.met = snapshot
    return replace(
        failure,
        stage=done.stage,
        action_type=done.step.kind,
        target=done.step.targets[0] if done.step.targets else None,
        element=failure.element or (failure.candidates[0] if len(failure.candidates) == 1 else done.acted),
        snapshot=snapshot if snapshot is not None else failure.snapshot,
        app=context.newest_app,
        sent=done.sent,
        idempotent=done.step.idempotent,
    )


def _may_go_on(
    context: SessionContext, done: Progress, recovery: RecoveryLoop, failure: Failure, again: Recovery
) -> bool:
    """Whether the next attempt may begin where it is to, now that what comes first is done."""
    why = _why_not(context, done, failure, again)
    if why:
        recovery.refuse(again, why)
    return not why


def _why_not(context: SessionContext, done: Progress, failure: Failure, again: Recovery) -> str:
    """A second look is always allowed; a second dispatch is guarded."""
    if done.only_looks(again, failure) or not done.sent:
        return ""
    return why_not_retry(context, done.step, done.before, context.settings.action_timeout)


def _explained(context: SessionContext, recovery: RecoveryLoop, failure: Failure) -> str:
    """Why it failed, the death of the app that may be the reason, and what was tried."""
    message = (
        failure.message if isinstance(failure.error, ReplicantError) else with_death(context, failure.message)
    )
    return "\n".join(line for line in (message, recovery.told) if line)


def _raised(
    context: SessionContext,
    result: ActionResult,
    done: Progress,
    recovery: RecoveryLoop,
    failure: Failure,
    told: str,
) -> ReplicantError:
    """What is raised for an action that failed."""
    if isinstance(failure.error, DeviceError):
        return recovery.spend(failure.error, done.acted)
    if isinstance(failure.error, ReplicantError):
        return failure.error
    page = context.recorder.report_page
    return ActionFailed(
        f"{told}\nOpen: {page}#{result.action_id}" if page else told,
        result=result,
        snapshot=failure.snapshot,
        terminal=recovery.terminal(done.acted),
    )


def _close(
    context: SessionContext,
    log: StepLog,
    done: Progress,
    recovery: RecoveryLoop,
    failure: Failure | None = None,
    told: str = "",
    *,
    exception: str = "",
) -> TraceEvent:
    """Writes the action down, whatever became of it; ``told`` is the message of what failed, ``exception`` the
    class of what is raised for it."""
    recovery.close(mended=failure is None)
    after = done.met or (done.settled.snapshot if done.settled else None)
    if done.met is not None:
        context.recorder.keep_screenshot(done.met)
    result = _envelope(context, log, done, recovery, failure, after)
    event = TraceEvent(
        "action",
        done.step.title,
        0,
        0,
        result=result,
        failure=failure_record(failure, exception, toasts=context.observer.toasts) if failure else None,
        diff=context.recorder.diff_of(done.before, after),
        before=done.before.id if done.before else None,
        after=after.id if after else None,
        target=done.acted.bounds if done.acted else None,
        touch=tuple(done.touched),
        error=told or (failure.message if failure else ""),
    )
    context.recorder.keep(event, log)
    return event


def _envelope(
    context: SessionContext,
    log: StepLog,
    done: Progress,
    recovery: RecoveryLoop,
    failure: Failure | None,
    after: Snapshot | None,
) -> ActionResult:
    return ActionResult(
        action_id=log.action_id,
        timestamp=datetime.fromtimestamp(log.stamp_ms / 1000, timezone.utc).isoformat(timespec="milliseconds"),
        action_type=done.step.kind,
        lifecycle_state="failed" if failure else "pending_verification",
        source_module="session",
        target=_target_of(done),
        success=failure is None,
        ui_fingerprint_before=done.before.fingerprint if done.before else None,
        ui_fingerprint_after=after.fingerprint if after else None,
        trace=log.trace(success=failure is None),
        device=context.recorder.device,
        failure_code=failure.code if failure else None,
        retryable=failure.retryable if failure else None,
        recovery=recovery.ended(failure) if failure else recovery.mended,
        details=done.details,
    )


def _target_of(done: Progress) -> ActionTarget:
    named = next((ElementRecord.of(one) for one in done.step.targets[:1] if isinstance(one, Element)), None)
    return ActionTarget(", ".join(describe(target) for target in done.step.targets), done.acted, named)


def code_of(error: Exception) -> FailureCode:
    """A phone that does not answer in time, and all other trouble with it."""
    return "TIMEOUT" if isinstance(error, DeviceTimeout) else "UNKNOWN"
