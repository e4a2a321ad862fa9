"""One attempt at an action, by a plan: before-snapshot → resolve → execute → stabilize → verify."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace

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
from ..model import AnyDict, Element, Failure, FailureCode, Selector, come_true
from ..snapshots import Snapshot
from .actionability import await_actionable, lists, undecidable
from .arguments import Target, describe
from .device_log.evidence import died_meanwhile
from .drawn import DrawnElement
from .photos import await_drawn, still_there
from .reachability import not_interactable
from .settings import GESTURE_FRESH_FOR
from .stabilize.reads import settle
from .step import (
    ActionContext,
    Plan,
    Postcondition,
    ResolvedTarget,
    SessionContext,
    StageFailed,
    Verdict,
)


def code_of(error: Exception) -> FailureCode:
    """The failure code of an error: TIMEOUT for a phone that does not answer in time, else
    UNKNOWN."""
    return "TIMEOUT" if isinstance(error, DeviceTimeout) else "UNKNOWN"


@dataclass(eq=False)
class Attempt(ActionContext):
    """An action that is attempted, once or again: the stages, in order, and why the last attempt
    came no further.

    ``failure`` is None if it held. ``about`` is what it is about if that is not the target: an
    option, or a container. ``lost`` is the error of a dispatch that broke off behind something
    sent. ``waits_since``: it waited for its target since then, and may go on. ``raised`` is an
    error that no recovery is asked about: a wrong call, a policy's own, Ctrl-C.
    """

    failure: Failure | None = None
    about: Target | None = None
    lost: ReplicantError | None = None
    raised: BaseException | None = None
    waits_since: float | None = None

    @property
    def failed_on(self) -> Snapshot | None:
        """The screen on which it failed."""
        return self.failure.snapshot if self.failure else None

    def make(self, plan: Plan) -> None:
        """Runs the stages of the plan. Raises nothing."""
        self.plan = plan
        self.failure = self.about = self.lost = self.raised = self.waits_since = None
        try:
            self._run()
        except StageFailed as failed:
            self._fail(failed.failure)
            self.waits_since = failed.waits_since
        except UndecidableText as error:  # of an option, or of a field's own text
            self._fail(undecidable(self.observer.latest, error).failure)
        except (DeviceError, SnapshotError) as error:
            self._note_trouble(error)
        except BaseException as error:
            self.break_off(error)

    def _note_trouble(self, error: DeviceError | SnapshotError) -> None:
        """Of an action before which the app had died, as the phone confirms, it is no trouble of
        the phone's."""
        if isinstance(error, DeviceError) and error.app_died and died_meanwhile(self.context):
            snapshot = None
            with suppress(DeviceError, SnapshotError):
                snapshot = self.observer.read().snapshot
            wrong = f"the app had died before it was touched: {error.detail}"
            self._fail(Failure("ACTION_REJECTED", wrong, snapshot=snapshot))
            return
        broke_off = self.stage == "execute" and error is not self.sends.unsent
        lost = error if broke_off and self.may_have_acted else None
        self._fail(Failure(code_of(error), error=error), lost)

    def break_off(self, error: BaseException) -> None:
        """It is ended by an error that says nothing about the phone or the app."""
        self._fail(
            Failure("ACTION_REJECTED" if isinstance(error, WRONG_CALLS) else "UNKNOWN", error=error)
        )
        self.raised = error

    def _fail(self, failure: Failure, lost: ReplicantError | None = None) -> None:
        """The attempt failed. The failure has the facts of the action, for recovery policies."""
        at, step = self.at, self.step
        self.lost, self.about = lost or self.plan.lost, failure.target
        known = self.resolved[at].element if at < len(self.resolved) else None
        self.failure = replace(
            failure,
            stage=self.stage,
            action_type=step.kind.action_type,
            target=step.targets[at] if step.targets else None,
            element=failure.element
            or (failure.candidates[0] if len(failure.candidates) == 1 else known),
            app=self.context.newest_app,
            sent=self.sent,
            idempotent=step.is_harmless(lost=self.lost is not None),
            starts_app=step.kind.starts_app,
            asked=failure.asked or f"{step.title} on {self.phone}",
        )

    def _run(self) -> None:
        """Raises what a stage raises."""
        if self.plan.begin == "resolve":
            try:
                self._send()
            except DeviceError as error:
                if not error.look_again or self.sent:
                    raise
                self._send()
        if self.plan.lost:
            self._prove(self.plan.lost)
            return
        if not self.step.silent and self.plan.begin != "verify":
            self.stage = "stabilize"
            # an app may take back what was set
            acted = None if self.step.kind.lasts else self.acted
            started = self.details.get("started", "")
            with self.log.stage("stabilize") as notes:
                settled = settle(self.context, self.before, acted=acted, started=started)
                self.after = settled.snapshot
                notes.update(settled.notes())
            self.context.screens.keep_picture(settled.snapshot)
        if self.step.postcondition is not None:
            self._verify(self.step.postcondition)

    def _send(self) -> None:
        self.stage = "resolve"
        self.before = self._before()
        if self.step.targets:
            self._resolve()
        elif self.before and self.step.verb != "launch":  # no one waits for that picture
            self.context.screens.keep_picture(self.before)
        self._begin()
        self.stage = "execute"
        self.touched.clear()
        with self.log.stage("execute") as notes:
            try:
                notes.update(self.step.dispatch(self))
            finally:
                self.context.observer.invalidate()
            self.details.update(notes)

    def _before(self) -> Snapshot | None:
        """The screen before, as far as it is known or cheap; a target brings its own."""
        known = self.before
        if self.step.targets or (known and self.sent):
            return known
        if self.step.silent:
            return None
        try:
            return self.context.observer.fresh().snapshot
        except (DeviceTimeout, ProtocolError, SnapshotError):
            return None  # best effort: the action may be what makes the screen readable

    # --- resolve ----------------------------------------------------------------------------------

    def _resolve(self) -> None:
        context, targets = self.context, self.plan.targets
        with self.log.stage("resolve", target=" → ".join(map(describe, targets))) as notes:
            if any(_is_pushed_out(context, target) for target in targets):
                with suppress(UsageError):  # one that stays
                    _press_away(self)
                context.observer.invalidate()
                notes["keyboard"] = "hidden, since there was no room for the target above it"
            self._find()
            if _covers(context, self.resolved):
                _hide(self)
                context.observer.invalidate()
                notes["keyboard"] = "hidden, since it lay over the target"
                self._find(under_keyboard=False)
            self._begin_at_the_target(pictured=True)
            resolved = self.resolved
            notes["resolved"] = [one.element.describe() for one in resolved]
            notes["snapshot"] = self.target.snapshot.id
            for one, target in zip(resolved, targets, strict=True):
                note_app(context, one.element.package or one.snapshot.app)
                notes.update(one.notes)
                if isinstance(target, Selector) and not isinstance(one.element, DrawnElement):
                    context.last_resolved[target] = alone(one.element)

    def _find(self, *, under_keyboard: bool = True) -> None:
        """Awaits each target until it is fit for the gesture."""
        context, step, since = self.context, self.step, self.plan.waits_since
        found = []
        for at, target in enumerate(self.plan.targets):
            self.at = at
            if isinstance(target, DrawnElement):
                one = still_there(context, target)
            elif isinstance(target, Selector) and step.source == "picture":
                one = await_drawn(context, target, step.timeout, step.verb)
            else:
                one = await_actionable(
                    context,
                    target,
                    step.timeout,
                    step.verb,
                    under_keyboard=under_keyboard,
                    asks=since is None and context.recovers,
                    since=since,
                )
            found.append(one)
        self.at, self.resolved = 0, tuple(found)

    def _begin_at_the_target(self, *, pictured: bool = False) -> None:
        """Takes the screen of the target for that before the action, unless something was sent:
        what the action has done so far belongs to its effect."""
        if self.sent:
            return
        self.before = self.target.snapshot
        if pictured:
            self.context.screens.keep_picture(self.target.snapshot)

    # --- execute ----------------------------------------------------------------------------------

    def _begin(self) -> None:
        """Asks the phone all that has to be asked before the gesture, and looks at its target once
        more if the last read is too old by then: the finger goes to where the target is now, or
        nowhere."""
        context, step, observer = self.context, self.step, self.context.observer
        latest = observer.latest
        if not step.targets and not step.kind.aside and latest:
            note_app(context, latest.app)
        row = observer.row
        self.seen_before = row[-1].snapshot if row else None
        context.recorder.sightings[self.log.action_id] = observer.begin_action(self.log.action_id)
        context.log.begin_action(self.log.action_id)
        since = context.clock.now() - GESTURE_FRESH_FOR
        if any(one.seen_at < since for one in self.resolved) and not observer.just_read():
            with self.log.stage(
                "resolve", again="the last read was too old for a gesture"
            ) as notes:
                self._find(under_keyboard=False)
                notes["snapshot"] = self.target.snapshot.id
            observer.record.begin(observer.latest)
            self._begin_at_the_target()
        for one in self.resolved:
            self.details.update(one.details)
        self._ask_guard(latest)

    def _ask_guard(self, latest: Snapshot | None) -> None:
        guard, resolved = self.context.guard, self.resolved
        if not guard:
            return
        touched = [one.element for one in resolved]
        screen = self.target.snapshot if resolved else latest
        unnamed = any(isinstance(one, DrawnElement) and one.how != "text" for one in touched)
        verb = "tap_at" if unnamed else self.step.kind.name
        guard.touches(verb, touched, screen, self.context.driver.system_dialogs)
        for one in resolved:
            if drawn := one.details.get("drawn"):  # which the element that it lies in need not say
                guard.says(f"{verb} {one.element.ref}", drawn)

    # --- verify ---------------------------------------------------------------------

    def _verify(self, postcondition: Postcondition) -> None:
        """Judges the action's own postcondition on the settled screen; one that fails is judged
        once more."""
        self.stage = "verify"
        with self.log.stage("verify", property="postcondition") as notes:
            after = self.after if self.plan.begin != "verify" else None
            failure, _ = self._judge(postcondition, after, notes)
            if failure:
                failure, _ = self._judge(postcondition, None, notes)
            if failure:
                raise StageFailed(failure)

    def _prove(self, lost: ReplicantError) -> None:
        """Waits until the screen shows that an action was done whose answer was lost. Raises that
        error if it does not in time: the effect may still come, and what was sent is not sent
        again."""
        self.stage = "verify"
        proof, clock = self.step.proof, self.context.clock
        assert proof is not None
        deadline = clock.now() + self.context.settings.action_timeout
        with self.log.stage("verify", property="postcondition", answer="lost") as notes:
            while True:
                failure, seen = self._judge(proof, None, notes)
                if not failure and seen != "unavailable":
                    return
                if clock.now() >= deadline:
                    raise lost

    def _judge(self, promise: Postcondition, screen: Snapshot | None, notes: AnyDict) -> Verdict:
        """By that screen, else by one that settles now."""
        if not screen:
            screen = self.after = settle(self.context).snapshot
        failure, seen = promise(self, screen)
        notes["read_back"] = self.details["read_back"] = seen
        return failure, seen


def note_app(context: SessionContext, app: str) -> None:
    """Remembers which app is acted on: one that dies of it is this test's affair, though another
    started it."""
    dialogs = context.driver.system_dialogs
    if app and app not in dialogs.packages and not dialogs.asks(app):
        context.note_app(app, touched=True)


def alone(element: Element) -> Element:
    """The element without the rest of its screen, which what a session keeps of every action must
    not keep."""
    if isinstance(element, DrawnElement):
        return replace(element, shot=None, owner=None)
    return element.remembered(element.family.traits) if element.family is not None else element


FAR_DOWN = 0.5  # of the screen's height; an on-screen keyboard never reaches higher


def _is_pushed_out(context: SessionContext, target: Target) -> bool:
    """Whether the target was on this screen until the keyboard came. Apps make room for a keyboard;
    what no longer fits on a small screen is in no hierarchy, and a title of the same words is not
    what was meant."""
    observer = context.observer
    plain = (one for one in reversed(observer.earlier()) if one.keyboard is None)
    now, before = observer.latest, next(plain, None)
    if now is None or now.keyboard is None or before is None or before.traits.differ(now.traits):
        return False
    if not lists(observer, before, target) or lists(observer, now, target):
        return False
    with suppress(
        DeviceTimeout, ProtocolError, SnapshotError
    ):  # the search for the target will meet them
        now = observer.fresh().snapshot
        return now.keyboard is not None and not lists(observer, now, target)
    return False


def _covers(context: SessionContext, resolved: tuple[ResolvedTarget, ...]) -> bool:
    """Whether an on-screen keyboard lies over a target. Where the hierarchy does not show it, it is
    asked for only if one may be up (a field has the focus) and may matter (the point is low): that
    costs a command."""
    snapshot = resolved[0].snapshot
    if any(one.details for one in resolved):  # found by a picture, which would show it
        return False
    if snapshot.keyboard is not None:
        return any(snapshot.keyboard.contains(one.point) for one in resolved)
    typing = [item for item in snapshot.elements if item.states.focused and item.states.editable]
    if not typing or all(one.element.identity == typing[0].identity for one in resolved):
        return False
    low = any(one.point.y > snapshot.size[1] * FAR_DOWN for one in resolved)
    return low and context.driver.keyboard_shown()


def _press_away(action: ActionContext) -> None:
    """Hides the keyboard. Where the answer to that was lost before it is only waited for: a second
    back key would leave the screen."""
    lost = action.sends.hiding
    if not lost:
        try:
            action.query.hide_keyboard()
        except DeviceError as error:
            action.sends.note_hiding(error)
            raise
    elif not come_true(
        action.context.clock,
        lambda: not action.query.keyboard_shown(),
        action.context.settings.action_timeout,
        action.context.settings.pause,
    ):
        raise lost.give_up()
    action.sends.note_hiding(None)


def _hide(action: ActionContext) -> None:
    """Hides it where the phone says that it is still up: without a keyboard the back key leaves the
    screen. Raises ``StageFailed`` for one that cannot be hidden."""
    try:
        _press_away(action)
    except UsageError as refused:
        target, why = action.target, f"the keyboard lies over it, and stays: {refused}"
        raise not_interactable(
            target.snapshot, target.element, why, short="under the keyboard"
        ) from None
