"""One attempt at an action, by a plan: before-snapshot → resolve → execute → stabilize → verify."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..errors import (
    WRONG_CALLS,
    DeviceError,
    DeviceTimeout,
    ProtocolError,
    ReplicantError,
    SnapshotError,
    UndecidableText,
    UsageError,
)
from ..model import Element, Failure, FailureCode, Selector
from . import keyboard
from .actionability import await_actionable, undecidable
from .arguments import Target, describe
from .device_log.evidence import died_meanwhile
from .drawn import DrawnElement
from .photos import await_drawn, still_there
from .settings import GESTURE_FRESH_FOR
from .stabilize.reads import settle
from .step import (
    ActionContext,
    Plan,
    Postcondition,
    ResolvedTarget,
    SessionContext,
    StageFailed,
    failure_on,
)

if TYPE_CHECKING:
    from ..snapshots import Snapshot
    from .recording.trace import StepLog

PATIENT = 2  # times as long as usual, where a recovery asks for it


@dataclass(frozen=True)
class Outcome:
    """The result of one attempt: the action as far as it came, and why it came no further.

    ``about`` is what the failure is about if that is not the target: an option, or a container. ``lost`` is the
    error of a dispatch that broke off behind something sent. ``waits_since``: it waited for its target since then,
    and may go on. ``raised`` is an error that no recovery is asked
    about: a wrong call, a policy's own, Ctrl-C.
    """

    action: ActionContext
    failure: Failure | None = None
    about: Target | None = None
    lost: ReplicantError | None = None
    raised: BaseException | None = None
    waits_since: float | None = None

    @property
    def failed_on(self) -> Snapshot | None:
        """The screen on which it failed."""
        return self.failure.snapshot if self.failure is not None else None

    @property
    def after(self) -> Snapshot | None:
        """The last screen that was read for it."""
        return self.failed_on or self.action.after


def attempt(action: ActionContext, plan: Plan, log: StepLog) -> Outcome:
    """Runs the stages of the plan. Raises nothing: what ended it is in the outcome."""
    made = _Attempt(replace(action, plan=plan), log)
    try:
        made.run()
    except StageFailed as failed:
        outcome = failed_outcome(made.action, failed.failure, failed.snapshot)
        return replace(outcome, waits_since=failed.waits_since)
    except UndecidableText as error:  # of an option, or of a field's own text
        unknown = undecidable(action.observer.latest, error)
        return failed_outcome(made.action, unknown.failure, unknown.snapshot)
    except (DeviceError, SnapshotError) as error:
        return _in_trouble(made.action, error)
    except BaseException as error:
        return broken(made.action, error)
    return Outcome(made.action)


def broken(action: ActionContext, error: BaseException) -> Outcome:
    """The outcome of an action that an error ended which says nothing about the phone or the app."""
    code: FailureCode = "ACTION_REJECTED" if isinstance(error, WRONG_CALLS) else "UNKNOWN"
    outcome = failed_outcome(action, Failure(code, error=error))
    return replace(outcome, raised=error)


def failed_outcome(
    action: ActionContext, failure: Failure, snapshot: Snapshot | None = None, lost: ReplicantError | None = None
) -> Outcome:
    """The outcome of a failure on that screen, with the facts of the action for recovery policies."""
    at, lost = action.at, lost or action.plan.lost
    known = action.resolved[at].element if at < len(action.resolved) else None
    placed = replace(
        failure,
        stage=action.stage,
        action_type=action.step.kind.action_type,
        target=action.step.targets[at] if action.step.targets else None,
        element=failure.element or (failure.candidates[0] if len(failure.candidates) == 1 else known),
        snapshot=snapshot,
        app=action.context.newest_app,
        sent=action.sent,
        idempotent=action.step.is_harmless(lost=lost is not None),
        starts_app=action.step.kind.starts_app,
        asked=failure.asked or f"{action.step.title} on {action.phone}",
    )
    return Outcome(action, placed, failure.target, lost)


def _in_trouble(action: ActionContext, error: DeviceError | SnapshotError) -> Outcome:
    if isinstance(error, DeviceError) and error.app_died and died_meanwhile(action.context):
        return _died(action, error)
    broke_off = action.stage == "execute" and action.may_have_acted and error is not action.sends.unsent
    failure = Failure(code_of(error), error=error)
    return failed_outcome(action, failure, lost=error if broke_off else None)


def _died(action: ActionContext, error: DeviceError) -> Outcome:
    """The outcome of an action before which the app had died, as the phone confirms: that is no trouble of its."""
    wrong = f"the app had died before it was touched: {error.detail}"
    try:
        snapshot = action.observer.read().snapshot
    except (DeviceError, SnapshotError):
        return failed_outcome(action, Failure("ACTION_REJECTED", wrong))
    return failed_outcome(action, failure_on(snapshot, "ACTION_REJECTED", wrong), snapshot)


def code_of(error: Exception) -> FailureCode:
    """The failure code of an error: TIMEOUT for a phone that does not answer in time, else UNKNOWN."""
    return "TIMEOUT" if isinstance(error, DeviceTimeout) else "UNKNOWN"


class _Attempt:
    """The stages, in order. ``action`` is how far they have come."""

    def __init__(self, action: ActionContext, log: StepLog) -> None:
        self.action = action
        self._log = log
        self._context = action.context
        self._step = action.step
        self._plan = action.plan

    def run(self) -> None:
        """Raises what a stage raises."""
        if self._plan.begin == "resolve":
            try:
                self._send()
            except DeviceError as error:
                if not error.look_again or self.action.sent:
                    raise
                self._send()
        if self._plan.lost is not None:
            self._prove(self._plan.lost)
            return
        if not self._step.silent and self._plan.begin != "verify":
            self._stabilize()
        if self._step.postcondition is not None:
            self._verify(self._step.postcondition)

    def _send(self) -> None:
        self.action = replace(self.action, stage="resolve", before=self._before())
        if self._step.targets:
            self._resolve()
        elif self.action.before is not None and self._step.verb != "launch":  # no one waits for that picture
            self._context.recorder.keep_screenshot(self.action.before)
        self._begin()
        self._execute()

    def _before(self) -> Snapshot | None:
        """The screen before, as far as it is known or cheap; a target brings its own."""
        known = self.action.before
        if self._step.targets or (known is not None and self.action.sent):
            return known
        if self._step.silent:
            return None
        try:
            return self._context.observer.fresh().snapshot
        except (DeviceTimeout, ProtocolError, SnapshotError):
            return None  # best effort: the action may be what makes the screen readable

    # --- resolve ---------------------------------------------------------------------------------------------

    def _resolve(self) -> None:
        context, targets = self._context, self._plan.targets
        with self._log.stage("resolve", target=" → ".join(describe(target) for target in targets)) as notes:
            self._find_clear_of_keyboard(notes)
            self._begin_at_the_target(pictured=True)
            resolved = self.action.resolved
            notes["resolved"] = [one.element.describe() for one in resolved]
            notes["snapshot"] = self.action.target.snapshot.id
            for one, target in zip(resolved, targets, strict=True):
                note_app(context, one.element.package or one.snapshot.app)
                notes.update(one.notes)
                if isinstance(target, Selector) and not isinstance(one.element, DrawnElement):
                    context.last_resolved[target] = alone(one.element)

    def _find_clear_of_keyboard(self, notes: dict[str, object]) -> None:
        """Awaits the targets, and hides a keyboard that is in their way."""
        context = self._context
        if any(keyboard.is_pushed_out(context, target) for target in self._plan.targets):
            with suppress(UsageError):  # one that stays
                keyboard.press_away(self.action)
            context.observer.invalidate()
            notes["keyboard"] = "hidden, since there was no room for the target above it"
        self._find()
        resolved = self.action.resolved
        if not any(one.details for one in resolved) and keyboard.covers(context, resolved):
            keyboard.hide(self.action, self.action.target)
            context.observer.invalidate()
            notes["keyboard"] = "hidden, since it lay over the target"
            self._find(under_keyboard=False)

    def _find(self, *, under_keyboard: bool = True) -> None:
        """Awaits each target until it is fit for the gesture."""
        found = []
        for at, target in enumerate(self._plan.targets):
            self.action = replace(self.action, at=at)
            found.append(self._found(target, under_keyboard=under_keyboard))
        self.action = replace(self.action, at=0, resolved=tuple(found))

    def _found(self, target: Target, *, under_keyboard: bool) -> ResolvedTarget:
        context, step = self._context, self._step
        seconds = step.timeout * (PATIENT if self._plan.params.get("settle") == "longer" else 1)
        if isinstance(target, DrawnElement):
            return still_there(context, target)
        if isinstance(target, Selector) and step.source == "picture":
            return await_drawn(context, target, seconds, step.verb)
        since = self._plan.waits_since
        return await_actionable(
            context,
            target,
            seconds,
            step.verb,
            sweeps=step.kind.sweeps,
            under_keyboard=under_keyboard,
            asks=since is None and context.recovers,
            since=since,
        )

    def _begin_at_the_target(self, *, pictured: bool = False) -> None:
        """Takes the screen of the target for that before the action, unless something was sent: what the action
        has done so far belongs to its effect."""
        if self.action.sent:
            return
        self.action = replace(self.action, before=self.action.target.snapshot)
        if pictured:
            self._context.recorder.keep_screenshot(self.action.target.snapshot)

    # --- execute ---------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        """Asks the phone all that has to be asked before the gesture, and looks at its target once more if the
        last read is too old by then: the finger goes to where the target is now, or nowhere."""
        context, step, observer = self._context, self._step, self._context.observer
        latest = observer.latest
        if not step.targets and not step.kind.aside and latest is not None:
            note_app(context, latest.app)
        row = observer.row()
        self.action = replace(self.action, seen_before=row[-1].snapshot if row else None)
        context.recorder.sightings[self._log.action_id] = observer.begin_action(self._log.action_id)
        context.log.begin_action(self._log.action_id)
        since = context.clock.now() - GESTURE_FRESH_FOR
        if any(one.seen_at < since for one in self.action.resolved) and not observer.just_read():
            with self._log.stage("resolve", again="the last read was too old for a gesture") as notes:
                self._find(under_keyboard=False)
                notes["snapshot"] = self.action.target.snapshot.id
            observer.record.begin(observer.latest)
            self._begin_at_the_target()
        for one in self.action.resolved:
            self.action.details.update(one.details)
        self._ask_guard(latest)

    def _ask_guard(self, latest: Snapshot | None) -> None:
        guard, resolved = self._context.guard, self.action.resolved
        if guard is None:
            return
        touched = [one.element for one in resolved]
        screen = self.action.target.snapshot if resolved else latest
        unnamed = any(isinstance(one, DrawnElement) and one.how != "text" for one in touched)
        verb = "tap_at" if unnamed else self._step.kind.name
        guard.touches(verb, touched, screen, self._context.driver.system_dialogs)
        for one in resolved:
            if drawn := one.details.get("drawn"):  # which the element that it lies in need not say
                guard.says(f"{verb} {one.element.ref}", drawn)

    def _execute(self) -> None:
        self.action = replace(self.action, stage="execute")
        self.action.touched.clear()
        with self._log.stage("execute") as notes:
            try:
                notes.update(self._step.dispatch(self.action))
            finally:
                self._context.observer.invalidate()
            self.action.details.update(notes)

    # --- stabilize and verify --------------------------------------------------------------------------------

    def _stabilize(self) -> None:
        self.action = replace(self.action, stage="stabilize")
        action, details = self.action, self.action.details
        with self._log.stage("stabilize") as notes:
            acted = action.acted if not self._step.kind.lasts else None  # an app may take back what was set
            settled = settle(self._context, action.before, acted=acted, started=details.get("started", ""))
            self.action = replace(action, after=settled.snapshot)
            notes.update(settled.notes())
        self._context.recorder.keep_screenshot(settled.snapshot)

    def _verify(self, postcondition: Postcondition) -> None:
        """Judges the action's own postcondition on the settled screen; one that fails is judged once more."""
        self.action = replace(self.action, stage="verify")
        with self._log.stage("verify", property="postcondition") as notes:
            after = self.action.after if self._plan.begin != "verify" else None
            failure, _ = self._judge(postcondition, after or self._settled(), notes)
            if failure is not None:
                failure, _ = self._judge(postcondition, self._settled(), notes)
            if failure is not None:
                raise StageFailed(failure, self.action.after)

    def _prove(self, lost: ReplicantError) -> None:
        """Waits until the screen shows that an action was done whose answer was lost. Raises that error if it does
        not in time: the effect may still come, and what was sent is not sent again."""
        self.action = replace(self.action, stage="verify")
        proof, clock = self._step.proof, self._context.clock
        assert proof is not None
        deadline = clock.now() + self._context.settings.action_timeout
        with self._log.stage("verify", property="postcondition", answer="lost") as notes:
            while True:
                failure, seen = self._judge(proof, self._settled(), notes)
                if failure is None and seen != "unavailable":
                    return
                if clock.now() >= deadline:
                    raise lost

    def _judge(
        self, promise: Postcondition, screen: Snapshot, notes: dict[str, object]
    ) -> tuple[Failure | None, str]:
        failure, seen = promise(self.action, screen)
        notes["read_back"] = self.action.details["read_back"] = seen
        return failure, seen

    def _settled(self) -> Snapshot:
        settled = settle(self._context, None).snapshot
        self.action = replace(self.action, after=settled)
        return settled


def note_app(context: SessionContext, app: str) -> None:
    """Remembers which app is acted on: one that dies of it is this test's affair, though another started it."""
    dialogs = context.driver.system_dialogs
    if app and app not in dialogs.packages and not dialogs.asks(app):
        context.touched[app] = None


def alone(element: Element) -> Element:
    """The element without the rest of its screen, which what a session keeps of every action must not keep."""
    if isinstance(element, DrawnElement):
        return replace(element, shot=None, owner=None)
    return element.remembered(element.family.traits) if element.family is not None else element
