"""The whole flow of one action: before-snapshot → resolve → execute → stabilize → verify, each in the trace."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from ..errors import ActionFailed, DeviceTimeout, ProtocolError, ReplicantError, SnapshotError, UsageError, is_told
from ..model.action import ActionResult, ActionTarget
from ..model.failure import Failure
from ..model.recovery import RecoveryState
from ..model.test_trace import DiffRecord, TraceEvent
from .resolve import await_aim
from .stabilize import Settled, settle
from .step import Aim, Hands, StageFailed
from .targets import describe

if TYPE_CHECKING:
    from ..model.element import Element
    from ..model.failure import FailureCode
    from ..snapshots.snapshot import Snapshot
    from .step import Parts, Step
    from .trace import StepLog

__tracebackhide__ = is_told

FAR_DOWN = 0.5  # of the screen's height; an on-screen keyboard never reaches higher


@dataclass(frozen=True)
class Performed:
    """One dispatched action: its envelope, the screens around it, and the element that it acted on."""

    result: ActionResult
    before: Snapshot | None
    settled: Settled | None  # None where no after-read was wanted yet
    acted: Element | None


def perform(parts: Parts, step: Step) -> Performed:
    """Performs one action. Raises ``ActionFailed``, ``UsageError`` (nothing was sent) or ``DeviceError``."""
    log = parts.recorder.begin()
    done = _Progress(step)
    try:
        done.before = _before(parts, step)
        if step.targets:
            _resolve(parts, step, log, done)
        _execute(parts, step, log, done)
        if not step.silent:
            _stabilize(parts, log, done)
        if step.postcondition is not None:
            _verify(parts, step, log, done)
    except StageFailed as failed:
        done.met = failed.snapshot
        result = _close(parts, log, done, failure=failed.failure)
        page = parts.recorder.report_page
        told = f"{failed.failure.message}\nOpen: {page}#{log.action_id}" if page else failed.failure.message
        raise ActionFailed(told, result=result, snapshot=failed.snapshot) from None
    except ReplicantError as error:
        _close(parts, log, done, failure=Failure(_code_of(error), str(error)))
        raise
    result = _close(parts, log, done)
    return Performed(result, done.before, done.settled, done.acted)


class _Progress:
    """How far the action has come."""

    def __init__(self, step: Step) -> None:
        self.step = step
        self.before: Snapshot | None = None
        self.aims: tuple[Aim, ...] = ()
        self.settled: Settled | None = None
        self.met: Snapshot | None = None  # the screen on which it failed
        self.touched: list[Any] = []
        self.details: dict[str, Any] = {}

    @property
    def acted(self) -> Element | None:
        return self.aims[0].element if self.aims else None


def _before(parts: Parts, step: Step) -> Snapshot | None:
    """The screen before, as far as it is known or cheap; a target brings its own."""
    if step.targets or step.silent:
        return None
    try:
        return parts.observer.fresh().snapshot
    except (DeviceTimeout, ProtocolError, SnapshotError):
        return None  # best effort: the action may be what mends the screen


def _resolve(parts: Parts, step: Step, log: StepLog, done: _Progress) -> None:
    with log.stage("resolve", target=" → ".join(describe(target) for target in step.targets)) as notes:
        done.aims = _aims(parts, step)
        if _keyboard_covers(parts, done.aims):
            parts.driver.press_key("back")  # what hides it; hide_keyboard() would ask again whether it is up
            parts.observer.note_gesture()
            notes["keyboard"] = "hidden, since it lay over the target"
            done.aims = _aims(parts, step)
        done.before = done.aims[0].snapshot
        notes["resolved"] = [aim.element.describe() for aim in done.aims]
        notes["snapshot"] = done.before.id


def _aims(parts: Parts, step: Step) -> tuple[Aim, ...]:
    return tuple(await_aim(parts, target, step.timeout, step.verb, sweeps=step.sweeps) for target in step.targets)


def _keyboard_covers(parts: Parts, aims: tuple[Aim, ...]) -> bool:
    """Whether an on-screen keyboard lies over a target. Where the hierarchy does not show it, it is asked for
    only where one may be up (a field has the focus) and may matter (the point is low): that costs a command."""
    snapshot = aims[0].snapshot
    typing = [item for item in snapshot.elements if item.states.focused and item.states.editable]
    if not typing or all(aim.element.identity == typing[0].identity for aim in aims):
        return False
    if snapshot.keyboard is not None:
        return any(snapshot.keyboard.contains(aim.point) for aim in aims)
    low = any(aim.point.y > snapshot.size[1] * FAR_DOWN for aim in aims)
    return low and parts.driver.keyboard_shown()


def _execute(parts: Parts, step: Step, log: StepLog, done: _Progress) -> None:
    if done.before is not None:
        parts.recorder.keep_screenshot(done.before)
    hands = Hands(parts, done.aims, done.touched)
    with log.stage("execute") as notes:
        parts.observer.begin_action()
        try:
            notes.update(step.dispatch(hands))
        finally:
            parts.observer.note_gesture()
        done.details.update(notes)


def _stabilize(parts: Parts, log: StepLog, done: _Progress) -> None:
    with log.stage("stabilize") as notes:
        done.settled = settle(parts, done.before)
        settled = done.settled
        waited_ms = round(settled.waited * 1000)
        notes.update(reads=settled.reads, agreed=settled.agreed, waited_ms=waited_ms, snapshot=settled.snapshot.id)
        if not done.settled.agreed:
            notes["result"] = "retry"
            notes["reason"] = "no two reads in a row agreed within the window"
    parts.recorder.keep_screenshot(done.settled.snapshot)


def _verify(parts: Parts, step: Step, log: StepLog, done: _Progress) -> None:
    """The action's own postcondition, judged on the settled screen; a stubborn one gets one more look."""
    assert step.postcondition is not None
    with log.stage("verify", property="postcondition") as notes:
        failure: Failure | None = None
        for _ in range(2):
            if done.settled is None or failure is not None:
                done.settled = settle(parts, None)
            failure, seen = step.postcondition(done.settled.snapshot, done.acted)
            notes["read_back"] = done.details["read_back"] = seen
            if failure is None:
                return
        assert failure is not None
        raise StageFailed(failure, done.settled.snapshot if done.settled else None)


def _close(parts: Parts, log: StepLog, done: _Progress, failure: Failure | None = None) -> ActionResult:
    """Writes the action down, whatever became of it."""
    after = done.met or (done.settled.snapshot if done.settled else None)
    if done.met is not None:
        parts.recorder.keep_screenshot(done.met)
    code = failure.code if failure else None
    result = ActionResult(
        action_id=log.action_id,
        timestamp=datetime.fromtimestamp(log.stamp_ms / 1000, timezone.utc).isoformat(timespec="milliseconds"),
        action_type=done.step.kind,
        lifecycle_state="failed" if failure else "pending_verification",
        source_module="session",
        target=ActionTarget(", ".join(describe(target) for target in done.step.targets), done.acted),
        success=failure is None,
        ui_fingerprint_before=done.before.fingerprint if done.before else None,
        ui_fingerprint_after=after.fingerprint if after else None,
        trace=log.trace(success=failure is None),
        device=parts.recorder.device,
        failure_code=code,
        retryable=failure.retryable if failure else None,
        recovery=replace(RecoveryState.initial(code), is_terminal=True) if code else None,
        details=done.details,
    )
    event = TraceEvent(
        "action",
        done.step.title,
        0,
        0,
        action_id=log.action_id,
        before=done.before.id if done.before else None,
        after=after.id if after else None,
        target=done.acted.bounds if done.acted else None,
        touch=tuple(done.touched),
        error=failure.message if failure else "",
    )
    parts.recorder.keep_action(result, event, log)
    if done.before is not None and after is not None:
        diff = after.diff(done.before)
        parts.recorder.keep_diff(log.action_id, DiffRecord(diff.summary, tuple(str(diff).splitlines()[1:])))
    return result


def _code_of(error: ReplicantError) -> FailureCode:
    if isinstance(error, DeviceTimeout):
        return "TIMEOUT"
    return "ACTION_REJECTED" if isinstance(error, UsageError) else "UNKNOWN"
