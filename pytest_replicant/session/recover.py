"""Recovery of a failed action or check: asks the policies, enforces their contract, and performs
their remedies.

RFC 011 and 011.1. The budget, the gate of ``retryable``, the rule that nothing is tried twice alike
and the idempotence guard are kept here, so that no policy can get around them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import partial
from typing import cast, get_args

from ..drivers import Key
from ..errors import DeviceError, ReplicantError, SnapshotError, UsageError
from ..model import (
    RESOLVING,
    AnyDict,
    Element,
    Failure,
    Proposals,
    Recovery,
    RecoveryRecord,
    RecoveryState,
    RecoveryStrategy,
    Remedy,
    Selector,
    TerminalFailure,
    one_line,
    shortened,
)
from ..snapshots import Snapshot
from .actionability import await_still, is_on, resolve
from .arguments import Target, checked_target, describe
from .device_log.evidence import logged_since
from .reachability import gesture_point
from .recording.trace import StepLog
from .stabilize.reads import AGREEING_READS, Reads, settle
from .step import SessionContext, StageFailed, Step

LEAST_RECONNECT = 1.0  # seconds
MAY_HAVE_ACTED = "may have taken effect"
_LONGEST = 500  # characters of a reason; a trace is light
_ANSWER_IT = 'to answer the prompt in the test: tap, then answer_permission("allow")'
_TOUCHING = frozenset({"tap", "press_key", "hide_keyboard", "relaunch"})


@dataclass
class RecoveryLoop:
    """The recoveries of one action or check. ``state`` is None as long as nothing failed."""

    _context: SessionContext
    _log: StepLog

    def __post_init__(self) -> None:
        self._tried: set[object] = set()
        self._records: list[RecoveryRecord] = []
        self._failed: dict[int, str] = {}  # by record, why its remedies could not be performed
        self._why = ""
        self.refused_a_repeat = False  # as what was sent may have taken effect
        self._unrecoverable: DeviceError | None = None
        self.state: RecoveryState | None = None

    def next(self, failure: Failure, why_not: Callable[[Recovery], str]) -> Recovery | None:
        """The recovery to retry with, its remedies performed; None if there is none, or no more,
        and the failure stands. Raises the error of a remedy that ends the test.
        ``why_not(recovery)`` returns why the retry is blocked. It is called before a remedy changes
        the screen that it judges by, and once more when all of them are performed."""
        self._failure, self._why_not = failure, why_not
        self.state = self._state_of(failure)
        while (answer := self._accepted(self.state)) is not None:
            self.state = replace(
                self.state,
                recovery_strategy=answer.strategy,
                recovery_attempts=self.state.recovery_attempts + 1,
                retry_depth=self.state.retry_depth + (answer.strategy in RESOLVING),
                attempted=(*self.state.attempted, answer.strategy),
            )
            self._note(answer)
            if answer.before and failure.snapshot is not None:
                # the obstacle, before it is taken away
                self._context.screens.keep_picture(failure.snapshot, failed=True)
            if self._prepared(answer):
                if self._is_blocked(answer):
                    break
                return answer
        self.state = replace(self.state, is_terminal=True)
        if self._unrecoverable:
            raise self.spend(self._unrecoverable, None)
        return None

    def _accepted(self, state: RecoveryState) -> Recovery | None:
        """What a policy answers, if it may be carried out."""
        answer = self._ask(state)
        if not answer:
            return None
        refused = self._refusal(answer, state)
        if self._context.settings.recovery == "report":
            self._note(answer, done=False)
            self._leave(answer, refused or "only reported: --replicant-recovery=report")
            return None
        if refused:
            self.refuse(answer, refused)
            return None
        return None if _touches(answer) and self._is_blocked(answer) else answer

    def _is_blocked(self, answer: Recovery) -> bool:
        """Whether what was sent may have taken effect, so that it is not sent again."""
        blocked = self._why_not(answer)
        if blocked:
            self.refused_a_repeat = True
            self.refuse(answer, blocked)
        return bool(blocked)

    def refuse(self, answer: Recovery, why: str) -> None:
        """Refuses an answer, perhaps one that was accepted before: the failure stands."""
        self._why = f"{answer.strategy} was refused: {why}"
        if self.state:
            self.state = replace(self.state, is_terminal=True)
        self._leave(answer, why)

    def close(self, *, recovered: bool) -> None:
        """Records the recoveries, once the action or check has ended."""
        self._context.recorder.recoveries.extend(
            replace(one, recovered=recovered and one.done and index not in self._failed)
            for index, one in enumerate(self._records)
        )

    def terminal(self, resolved: Element | None) -> TerminalFailure | None:
        if not self.state or not self.state.is_terminal:
            return None
        return TerminalFailure.of(self.state, resolved.ref if resolved else None)

    def ended(self, failure: Failure | None) -> RecoveryState | None:
        """The state of an action that ended; None if it succeeded and needed no recovery."""
        if not failure:
            return self.state if self._records else None
        return replace(self.state or self._state_of(failure), is_terminal=True)

    def spend(self, error: DeviceError, resolved: Element | None) -> DeviceError:
        """The error that stands, with the recoveries that were tried."""
        error.terminal = self.terminal(resolved)
        error.remark(self.summary)
        return error

    @property
    def summary(self) -> str:
        """The recoveries that were tried, for the message of a failure that stands; "" if none
        was."""
        lines = []
        for index, one in enumerate(self._records):
            line = f"{'tried' if one.done else 'would have tried'} {one.strategy}"
            why = ": ".join(filter(None, (one.policy, one.reason)))
            if why:
                line += f" ({why})"
            if index in self._failed:
                line += f", which failed: {self._failed[index]}"
            lines.append(line)
        if self._why:
            lines.append(self._why)
        return f"Recovery: {'; '.join(lines)}." if lines else ""

    @property
    def advice(self) -> Proposals:
        """What a test can do in place of what recovery did."""
        prompts = any(one.policy == "permission_prompt" and one.done for one in self._records)
        return (_ANSWER_IT,) if prompts else ()

    # --- asking -----------------------------------------------------------------------------------

    def _state_of(self, failure: Failure) -> RecoveryState:
        if not self.state:
            return RecoveryState.initial(failure.code, retry_allowed=failure.retryable)
        return replace(
            self.state,
            failure_class=failure.failure_class,
            runtime_code=failure.code,
            retry_allowed=failure.retryable,
            is_terminal=False,
        )

    def _ask(self, state: RecoveryState) -> Recovery | None:
        """What a policy answers. None is asked about an error that says itself that nothing helps:
        as one of a test's own handler, which is not done again."""
        context, error = self._context, self._failure.error
        if context.settings.recovery == "off" or context.ask is None:
            return None
        hopeless = isinstance(error, ReplicantError) and not error.recoverable
        if hopeless or self._unrecoverable:
            return None
        if state.recovery_attempts >= state.max_recovery_attempts:
            self._why = f"all {state.max_recovery_attempts} recoveries are spent"
            return None
        with context.during("asking"):
            answer = context.ask(self._failure, state)
        if answer is None:
            return None
        wrong = invalid(answer)
        if wrong:
            raise UsageError(
                f"pytest_replicant_recover answered {shortened(repr(answer), _LONGEST)}: {wrong}"
            )
        return replace(
            answer, reason=one_line(answer.reason, _LONGEST), policy=one_line(answer.policy)
        )

    def _refusal(self, answer: Recovery, state: RecoveryState) -> str:
        """The reason why the answer is not carried out; "" if it is."""
        failure, snapshot = self._failure, self._failure.snapshot
        if why := forbidden(answer, failure):
            return why
        if answer.target is not None:
            if snapshot is not None and snapshot.cut:
                return f"{snapshot.limit}: what was meant may lie deeper"
            if failure.check:
                return "a check goes on looking for what it was given"
        if answer.strategy in RESOLVING and state.retry_depth >= state.max_retry_depth:
            return f"the target was resolved again {state.max_retry_depth} times already"
        if _takes_away(answer, failure):
            return (
                "the check fails by something on the screen, and is not to hold by taking that away"
            )
        inputs = _inputs(answer, failure)
        if inputs in self._tried:
            return "the same was tried on this screen already"
        self._tried.add(inputs)
        return ""

    def _note(self, answer: Recovery, *, done: bool = True) -> None:
        record = RecoveryRecord(
            self._log.action_id,
            self._failure.action_type,
            self._failure.code,
            answer.strategy,
            answer.policy,
            answer.reason,
            tuple(_remedies(answer)),
            done=done,
        )
        self._records.append(record)

    def _stage(self, answer: Recovery) -> AbstractContextManager[AnyDict]:
        return self._log.stage(
            "recover",
            policy=answer.policy,
            strategy=answer.strategy,
            evidence=answer.reason,
            before=_remedies(answer),
        )

    def _leave(self, answer: Recovery, why: str) -> None:
        """Notes an answer that is not carried out in the trace."""
        with self._stage(answer) as notes:
            notes.update(result="failure", reason=why)

    # --- remedies ---------------------------------------------------------------------------------

    def _prepared(self, answer: Recovery) -> bool:
        """Performs the remedies. False if one failed: the recovery counts, and the policies are
        asked again."""
        self._log.begin_cycle()
        with self._stage(answer) as notes:
            if answer.target is not None:
                notes["target"] = describe(answer.target)
            if answer.params:
                notes["params"] = dict(answer.params)
            try:
                for remedy in answer.before:
                    _REMEDIES[remedy.kind](self._context, remedy)
            except StageFailed as failed:
                why = failed.what
            except ReplicantError as error:
                why = error.what
                if isinstance(error, DeviceError) and not error.recoverable:
                    self._unrecoverable = error
            else:
                return True
            reason = self._failed[len(self._records) - 1] = why
            notes.update(result="failure", reason=reason)
        return False


def invalid(answer: Recovery) -> str:
    """The reason why it is no valid answer to any failure; "" for a valid one."""
    if not isinstance(answer, Recovery):
        return "give a Recovery, or None"
    if not isinstance(answer.before, tuple) or not all(
        isinstance(one, Remedy) for one in answer.before
    ):
        return (
            "before= is a tuple of remedies; that of one ends in a comma: before=(Remedy.tap(...),)"
        )
    strange = [one.kind for one in answer.before if one.kind not in _REMEDIES]
    if strange:
        return f"there is no remedy {strange[0]!r}; there are {', '.join(_REMEDIES)}"
    for target in (answer.target, *(one.target for one in answer.before)):
        if target is not None and not isinstance(target, (str, Element, Selector)):
            return "a target is a ref, an element or a selector"
    if not isinstance(answer.params, Mapping) or not all(
        isinstance(name, str) for name in answer.params
    ):
        return "params= is a mapping of names"
    if not isinstance(answer.reason, str) or not isinstance(answer.policy, str):
        return "reason= and policy= are strings"
    return ""


def forbidden(answer: Recovery, failure: Failure) -> str:
    """The reason why the contract forbids the answer to this failure; "" if it does not."""
    if answer.strategy not in get_args(RecoveryStrategy):
        return (
            f"there is no strategy {answer.strategy!r}; there are "
            f"{', '.join(get_args(RecoveryStrategy))}"
        )
    if answer.target is not None and answer.strategy not in ("re_resolve", "alternate_candidate"):
        return "it takes no target; re_resolve and alternate_candidate do"
    if answer.strategy == "retry_adjustment" and not failure.retryable:
        return f"{failure.code} is not retryable"
    known = [one.identity for one in failure.candidates]
    if answer.strategy == "alternate_candidate" and _key(answer.target) not in known:
        return "its target is none of the candidates"
    return ""


def _touches(answer: Recovery) -> bool:
    return any(one.kind in _TOUCHING for one in answer.before)


def _remedies(answer: Recovery) -> list[str]:
    return [remedy.describe() for remedy in answer.before]


def _takes_away(answer: Recovery, failure: Failure) -> bool:
    """Whether it touches a screen that shows what a check fails by: a check of absence must not
    come true by a remedy."""
    check, snapshot = failure.check, failure.snapshot
    if not _touches(answer):
        return False
    if not check or snapshot is None:
        return False
    if check.proves_absence and not isinstance(failure.target, Selector):
        return True
    unwanted = (*check.absent, *([failure.target] if check.proves_absence else ()))
    try:
        return any(snapshot.match_labels(each) for each in unwanted if isinstance(each, Selector))
    except ReplicantError:  # an anchor in it that is not on this screen
        return False


def _inputs(answer: Recovery, failure: Failure) -> object:
    """The key by which two answers are the same: strategy, remedies and target on one screen."""
    screen = failure.snapshot.fingerprint if failure.snapshot is not None else None
    target = _key(answer.target)
    before = tuple((one.kind, _key(one.target), one.value) for one in answer.before)
    params = repr(sorted(answer.params.items()))
    return failure.code, failure.stage, answer.strategy, target, before, params, screen


def _key(target: Target | None) -> object:
    return target.identity if isinstance(target, Element) else target


# --- remedies: each does one thing, once, without recovery of its own -----------------------------


def _touch(context: SessionContext, remedy: Remedy) -> None:
    """Sends one gesture and waits for the screen to settle. One whose answer is lost ends the test:
    the next policy to be asked might well ask for the same."""
    observer, driver, guard, value = context.observer, context.driver, context.guard, remedy.value
    before, touch = observer.latest, driver.hide_keyboard
    if remedy.kind == "tap":
        target, seconds = _target_of(remedy), context.settings.action_timeout
        settle(context)
        before, (element,) = await_still(
            context, lambda now: [resolve(observer, now, target)], seconds
        )
        touch = partial(driver.tap, gesture_point(before, element))
        if guard:
            guard.touches("tap", [element], before, driver.system_dialogs)
    elif remedy.kind == "press_key":
        touch = partial(driver.press_key, cast("Key", value))
        if guard:
            guard.presses(value)
    try:
        touch()
    except DeviceError as error:
        if not error.never_sent:
            error.give_up()
            error.remark(f"Remedy {remedy.describe()} {MAY_HAVE_ACTED}.")
        raise
    finally:
        observer.invalidate()
    settle(context, before)


def _wait_gone(context: SessionContext, remedy: Remedy) -> None:
    """Two reads in a row must show it gone."""
    target = _target_of(remedy)
    reads = Reads(context, context.settings.action_timeout)
    gone = 0
    for reading in reads:
        now = reading.snapshot if reading else None
        absent = now is not None and not now.cut and is_on(context.observer, now, target) is False
        gone = gone + 1 if absent else 0
        if gone == AGREEING_READS:
            return
    reads.raise_if_no_read()
    raise UsageError(f"{describe(target)} was still there after {reads.describe()}")


def _relaunch(context: SessionContext, remedy: Remedy) -> None:
    app = remedy.value or context.newest_app
    if not app:
        raise UsageError("relaunch: the test has launched no app yet, and the remedy names none")
    context.driver.stop(app)
    context.driver.launch(app, None, ())
    context.observer.invalidate()
    settle(context)


def _reconnect(context: SessionContext, remedy: Remedy) -> None:
    """Within the rest of ``reconnect_timeout``: a test that goes on with a lost phone does not pay
    it again."""
    with context.reconnecting() as left:
        context.driver.reconnect(max(left, LEAST_RECONNECT))


def _target_of(remedy: Remedy) -> Target:
    if remedy.target is None:
        raise UsageError(f"Remedy.{remedy.kind}() needs a target")
    return checked_target(f"Remedy.{remedy.kind}", remedy.target)


_REMEDIES: dict[str, Callable[[SessionContext, Remedy], None]] = {
    "tap": _touch,
    "press_key": _touch,
    "hide_keyboard": _touch,
    "wait_gone": _wait_gone,
    "relaunch": _relaunch,
    "reconnect": _reconnect,
}


def why_not_retry(
    context: SessionContext,
    step: Step,
    before: Snapshot | None,
    watch: float,
    *,
    lost: bool = False,
) -> str:
    """The reason why an action that was sent must not be repeated, for the trace; "" if it may:
    where twice is as once, or where the test allows it and nothing speaks against it. That nothing
    is to be seen of an effect proves nothing. ``watch`` is how many seconds one is given to show,
    ``lost`` says that it broke off."""
    if step.is_harmless(lost=lost):
        return ""
    if "step_back" not in context.settings.allow:
        why = (
            'nothing proves that it had none; allow=["step_back"] says that doing it twice does '
            "no harm"
        )
    elif not before:
        why = "what was on the screen before is not known"
    else:
        deadline, why = context.clock.now() + watch, _changed(context, before)
        while not why and context.clock.now() < deadline:
            why = _changed(context, before)
        why = why or logged_since(context)
    return f"{step.verb} {MAY_HAVE_ACTED}: {why}" if why else ""


def _changed(context: SessionContext, before: Snapshot) -> str:
    """The evidence of an effect, or the reason why it cannot be known; "" if there is none."""
    try:
        settled = settle(context, before)
    except (DeviceError, SnapshotError) as error:
        return f"the screen cannot be read: {error.what}"
    if not settled.agreed:
        return "the screen does not rest"
    if settled.snapshot.cut:
        return f"{settled.snapshot.limit}: what lies deeper may have changed"
    context.observer.poll_toast()
    if context.observer.toasts:
        return f'a toast was shown: "{context.observer.toasts[-1]}"'
    for seen in (*context.observer.seen, settled.snapshot):  # there and back again is an effect too
        if seen.app != before.app or seen.screen_key != before.screen_key:
            return f"the screen is another one: {seen.screen or seen.id}"
        diff = seen.diff(before)
        if not diff.empty:
            return diff.summary
    return ""
