"""``Checks``: every ``expect_*``. One base waits, recovers and explains; each check is one line."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Literal, NoReturn, TypeVar

from ...errors import DeviceError, ExpectationFailed, ReplicantError, UsageError
from ...model import CheckRecord, Failure, FailureRecord, Recovery, Screen, Selector, TraceEvent
from ...snapshots import Snapshot, fits_text
from ..arguments import Target, as_selector, checked_seconds, refuse_unmatchable
from ..perform import code_of
from ..recording.failures import failure_record
from ..recording.trace import StepLog, traceback_of_test
from ..recover import RecoveryLoop
from ..step import SessionView
from . import phone, presence, screens, states
from .check import Baseline, Check, CheckOutcome, Sample, await_check, explain, held_before, judged_then

C = TypeVar("C", bound="Checks")
S = TypeVar("S", bound="ScreenChecks")


class Checks(SessionView):
    """The checks, shared by what an action returns and by the session itself.

    Each takes ``timeout`` in seconds (option ``replicant_expect_timeout``, default 5), waits until the
    check holds on two consecutive fresh reads, and returns self. Raises ``ExpectationFailed`` where it does not,
    and ``DeviceError`` where too little could be read to know. With ``stays``, seconds, a check of presence
    must hold for as long as that: for what an app shows at once and takes back.
    """

    def expect_screen(
        self: C, screen: str | re.Pattern[str] | Screen, *, timeout: float | None = None, stays: float = 0
    ) -> C:
        """The screen has this title, activity, or activity without "Activity"; or fits the ``Screen``."""
        return self._expect(screens.screen_is(screen), timeout, stays)

    def expect_visible(
        self: C, target: Target | None = None, /, *, timeout: float | None = None, stays: float = 0, **by: Any
    ) -> C:
        """At least one element matches; labels that are printed with their row count. A ref or an element is
        visible while it is still the element that was printed."""
        return self._expect(presence.visible(self._target("expect_visible", target, by)), timeout, stays)

    def expect_gone(self: C, target: Target | None = None, /, *, timeout: float | None = None, **by: Any) -> C:
        """No element matches, through one whole window of successful reads (``replicant_stabilize``)."""
        return self._expect(presence.gone(self._target("expect_gone", target, by)), timeout)

    def expect_seen(self: C, target: Target | None = None, /, *, timeout: float | None = None, **by: Any) -> C:
        """It was on the screen at any read since the action was sent, and may be gone by now; platform toasts
        count. Takes a selector, since what comes and goes has no ref to hold on to."""
        return self._expect(presence.seen(self._target("expect_seen", target, by)), timeout)

    def expect_count(
        self: C,
        n: int,
        selector: Selector | None = None,
        /,
        *,
        timeout: float | None = None,
        stays: float = 0,
        **by: Any,
    ) -> C:
        """Exactly ``n`` elements match what the selector says; none, through one whole window."""
        wanted = presence.checked_count(n)
        counted = as_selector("expect_count", selector, by, scope=self._scope)
        return self._expect(presence.count_is(wanted, counted), timeout, stays)

    def expect_state(
        self: C,
        target: Target | None = None,
        /,
        *,
        timeout: float | None = None,
        stays: float = 0,
        tolerance: float | None = None,
        **wanted_states: Any,
    ) -> C:
        """Each of ``text, value, checked, selected, focused, enabled, expanded`` that is given is reported and
        equal; ``tolerance`` goes with a number in ``value``. The acted element where no target is given. A state
        that the phone does not report is neither True nor False; on iOS, one of several is ``checked`` as it is
        selected. ``text`` is what a field holds, else the label."""
        for name in wanted_states:
            if name not in (*states.STATES, "text", "value"):
                raise UsageError(
                    f"expect_state() has no state {name!r}; it takes text, value, {', '.join(states.STATES)}. "
                    "Name the element first: expect_state(by(resource_id=...), checked=True)"
                )
        wanted = self._checked("expect_state", target) if target is not None else None
        return self._expect(states.state_is(wanted, wanted_states, tolerance), timeout, stays)

    def expect_outline(self: C, outline: str, *, timeout: float | None = None, stays: float = 0) -> C:
        """The screen is what this outline says, as ``print(mobile.snapshot())`` shows one.

        Refs are ignored, and so may be left out, as may the first line. Indentation is hierarchy, and what all
        lines are indented by does not count. Class and label of a line are compared as they are; value, states and
        what follows them only where they are written. A line that is not written fails the check, unless a line of
        ``...`` at its place and depth stands for it, and for any number of others. A note below the lines, such as
        ``(keyboard open)``, counts where it is written.
        """
        return self._expect(screens.outline_is(outline), timeout, stays)

    def expect_app(
        self: C,
        status: Literal["foreground", "background", "stopped"],
        app: str | None = None,
        *,
        timeout: float | None = None,
        stays: float = 0,
    ) -> C:
        """The app is in front ("foreground"), behind ("background"), or does not run ("stopped"): the one that the
        test is about, or launched last, where none is named."""
        return self._expect(phone.app_is(status, self._context.known_app("expect_app", app)), timeout, stays)

    def expect_log(
        self: C,
        pattern: str | re.Pattern[str],
        *,
        level: str | None = None,
        tag: str | None = None,
        app: str | None = None,
        timeout: float | None = None,
    ) -> C:
        """The phone logged a line since the last action was sent, across restarts of the app.

        ``pattern`` is a part of the message, in its own letters, or a compiled expression that it is searched for.
        ``level`` is the least severe that counts, of V, D, I, W, E and F; ``tag`` is the whole tag; ``app`` leaves
        only what that app's processes wrote. Raises ``Unsupported`` where the log cannot be read.
        """
        return self._expect(phone.log_says(pattern, level=level, tag=tag, app=app), timeout)

    def expect_no_crash(self: C, app: str | None = None, *, timeout: float | None = None) -> C:
        """No app of this test, or not this one, died or stopped answering since the last action was sent.

        Reads the log twice and waits for nothing else. Does not verify the action: what does not crash need not
        work. Raises ``Unsupported`` where crashes cannot be read. One at any other moment of the test is found at
        its end, without this.
        """
        meant = self._context.known_app("expect_no_crash", app) if app is not None else None
        return self._expect(phone.no_crash(meant), timeout)

    def _expect(self: C, check: Check, timeout: float | None, stays: float = 0) -> C:
        """Awaits one check, recovers where it fails, and records how it ended."""
        self._context.refuse_while_asking(check.kind)
        self._check_usable(check.kind)
        refuse_unmatchable(check.kind, self._context.driver.info.platform, check.target, *check.absent)
        check = replace(check, stays=checked_seconds(check.kind, stays, 0.0, name="stays"))
        seconds = checked_seconds(check.kind, timeout, self._context.settings.expect_timeout)
        failure = _Run(self, check, seconds).failure()
        if failure is None:
            return self
        if not self._is_soft or not isinstance(failure, ExpectationFailed):
            raise failure
        self._context.recorder.soft_failures.append(failure.with_traceback(traceback_of_test()))
        return self

    # --- of the screen now; what an action returns is about that action ---------------------------------------

    def _check_usable(self, kind: str) -> None:
        """Raises ``UsageError`` where a newer action makes this check meaningless."""

    def _baseline(self) -> Baseline:
        return Baseline(self._context.recorder.latest)

    def _verifies(self, check: Check, seen: Snapshot | None) -> bool:
        """Whether a check that held proves that the action before it worked: not one that held before it."""
        acted_on = self._context.before_latest
        return held_before(self._context, check, Baseline(before=acted_on), seen) is not True

    def _why_not(self, again: Recovery) -> str:
        """Reason why the linked action must not be repeated, where ``again`` asks for that; "" if it may."""
        return "there is no action of this check to step back to" if again.strategy == "step_back" else ""

    def _step_back(self, log: StepLog) -> str:
        """Repeats the linked action. Returns the reason where that failed, else ""."""
        return "there is no action of this check to step back to"


_CAME = {"expect_visible": "appeared", "expect_seen": "appeared", "expect_gone": "gone"}


class ScreenChecks(Checks):
    """The checks of the current screen, which need a target."""

    @property
    def soft(self: S) -> S:
        """The same checks, collected instead of raised; the test fails at its end with all of them."""
        return self._view(scope=self._scope, soft=True)

    def expect_changed(self, **_: Any) -> NoReturn:
        """Not on a session: there is no action here that could have changed something."""
        raise UsageError("expect_changed() needs the outcome of an action: mobile.tap(...).expect_changed()")

    def expect_unchanged(self, **_: Any) -> NoReturn:
        """Not on a session: there is no action here to compare around."""
        raise UsageError("expect_unchanged() needs the outcome of an action: mobile.tap(...).expect_unchanged()")


class _Run:
    """One check while it is awaited, recovered and recorded."""

    def __init__(self, checks: Checks, check: Check, seconds: float) -> None:
        self._checks = checks
        self._context = checks._context
        self._check = check
        self._seconds = seconds
        self._log = self._context.recorder.begin_check(checks._baseline().action_id)
        self._recovery = RecoveryLoop(self._context, self._log, check.kind)

    @property
    def _baseline(self) -> Baseline:
        return self._checks._baseline()

    def failure(self) -> ExpectationFailed | DeviceError | None:
        """Its error, recovery included, once it ended and is recorded; None where it held."""
        try:
            outcome = self._awaited()
            if outcome.snapshot is not None:
                self._context.recorder.keep_screenshot(outcome.snapshot)
        except BaseException as broken:  # a policy's own error, Ctrl-C: the trace says so too
            self._recovery.close(recovered=False)
            message = str(broken) or type(broken).__name__
            unknown = CheckOutcome(Sample(False, message.split("\n", 1)[0]))
            facts = self._record(unknown, "error", message, type(broken).__name__)
            self._context.recorder.link(broken, facts)
            raise
        self._recovery.close(recovered=outcome.held)
        if outcome.held:
            self._context.handed = outcome.snapshot or self._context.handed
            self._record(outcome, "passed")
            self._watch(outcome)
            if (
                self._check.verifies
                and self._log.action_id
                and self._checks._verifies(self._check, outcome.snapshot)
            ):
                self._context.recorder.mark_verified(self._log.action_id)
            return None
        if outcome.error is not None:
            error = self._recovery.spend(outcome.error, self._baseline.acted)
            error.failure = self._record(replace(outcome, error=error), "error", str(error), type(error).__name__)
            return error
        try:
            later = self._read_on(outcome)
        except BaseException as broken:  # Ctrl-C: what failed before is in the trace
            self._context.recorder.link(
                broken, self._record(outcome, "failed", exception=ExpectationFailed.__name__)
            )
            raise
        notes = [later, self._recovery.summary]
        message = explain(self._context, self._check, outcome, self._baseline, "\n".join(filter(None, notes)))
        facts = self._record(outcome, "failed", message, ExpectationFailed.__name__)
        if self._checks._is_soft:
            message = f"{message}\nChecked at {self._log.source}: {self._log.source_text}"
        terminal = self._recovery.terminal(self._baseline.acted)
        failed = ExpectationFailed(message, code=self._check.code, snapshot=outcome.snapshot, terminal=terminal)
        failed.failure = facts
        return failed

    def _watch(self, outcome: CheckOutcome) -> None:
        """Notes for the end of the run where a read that is made anyway, before any other gesture, shows the
        screen as it was before the action: an app took an effect back. A message that came and went is none."""
        context, check = self._context, self._check
        before, place = self._baseline.before or context.before_latest, context.recorder.newest
        then = judged_then(context, check, replace(self._baseline, before=before))
        lasts = check.holds == "settled" or check.proves_absence
        if then is None or then.held or outcome.snapshot is None or not lasts:
            return
        change = outcome.snapshot.diff(before)
        replaced, held_at = bool(check.wanted or change.removed or change.changed), context.clock.now()

        def is_undone(snapshot: Snapshot) -> bool:
            now = judged_then(context, check, replace(self._baseline, before=snapshot))
            if now is None or now.held or not now.decided:
                return False
            if not replaced or now.observed != then.observed:
                return True
            if check.wanted or snapshot.diff(before, mask_volatile=True).empty:
                context.recorder.mark_undone(place, f"{context.clock.now() - held_at:.1f} s later: {now.observed}")
            return True

        context.observer.watchers.append(is_undone)

    def _read_on(self, outcome: CheckOutcome) -> str:
        """Whether it came to hold soon after, for who has to explain the failure: it never changes the verdict. Of
        soft checks, and of those in a handler of an interruption, the first of a test alone is read on about."""
        context, seconds = self._context, self._context.settings.read_on
        once_a_test = self._checks._is_soft or context.nested > 0
        if not seconds or outcome.sample.final or (once_a_test and context.read_on):
            return ""
        context.read_on |= once_a_test
        context.asking = True  # only looks, so that nothing is done about an interruption
        seen, toasts = list(context.observer.seen), list(context.observer.toasts)
        try:
            with self._log.stage("verify", after_the_verdict=True) as notes:
                later = await_check(context, self._check, seconds, self._baseline)
                notes.update(
                    observed=later.observed, reads=later.count, result="success" if later.held else "failure"
                )
        except ReplicantError:  # of whatever came after the verdict
            return ""
        finally:
            context.asking = False
            context.observer.seen, context.observer.toasts = seen, toasts
        if not later.held:
            return f"After the verdict: not in {seconds:g} s more."
        came = _CAME.get(self._check.kind, "it held")
        return f"After the verdict: {came} {later.held_since:.1f} s after the deadline."

    def _awaited(self) -> CheckOutcome:
        while True:
            outcome = self._once()
            if outcome.held:
                return outcome
            again = self._recovery.next(self._failure(outcome), self._checks._why_not)
            if again is None or not self._may_retry(again):
                return outcome

    def _once(self) -> CheckOutcome:
        try:
            with self._log.stage("verify", expected=self._check.expected) as notes:
                outcome = await_check(self._context, self._check, self._seconds, self._baseline)
                notes.update(observed=outcome.observed, reads=outcome.count)
                if not outcome.held:
                    notes["result"] = "failure"
        except DeviceError as error:
            return CheckOutcome(Sample(False, str(error)), error=error)
        return outcome

    def _failure(self, outcome: CheckOutcome) -> Failure:
        check, baseline = self._check, self._baseline
        return Failure(
            check.code if outcome.error is None else code_of(outcome.error),
            f"{check.kind} {check.expected}: {outcome.observed}",
            stage="verify",
            action_type=check.kind,
            target=check.target,
            element=baseline.acted,
            snapshot=outcome.snapshot,
            steady=outcome.steady,
            failed_reads=sum(read.observed.startswith("read failed") for read in outcome.reads),
            app=self._context.newest_app,
            error=outcome.error,
            sent=baseline.action_id != "",
            idempotent=baseline.idempotent,
            check=check.facts,
        )

    def _may_retry(self, again: Recovery) -> bool:
        """Whether the check may be retried: always, unless its action has to be repeated first."""
        why = self._checks._step_back(self._log) if again.strategy == "step_back" else ""
        if why:
            self._recovery.refuse(again, why)
        return not why

    def _came_and_went(self) -> bool:
        """Whether the target was there since the action, though not before it."""
        target, observer = self._check.target, self._context.observer
        if self._check.kind not in ("expect_gone", "expect_count") or not isinstance(target, Selector):
            return False
        try:
            seen = any(one.match_labels(target) for one in observer.seen)
        except ReplicantError:
            return False
        return seen or any(
            fits_text(target, toast, self._context.driver.info.platform) for toast in observer.toasts
        )

    def _record(
        self,
        outcome: CheckOutcome,
        result: Literal["passed", "failed", "error"],
        message: str = "",
        exception: str = "",
    ) -> FailureRecord | None:
        """Records how it ended; ``exception`` is the class raised for a failure. Returns the facts of that."""
        facts: FailureRecord | None = None
        if not outcome.held:
            sample, toasts = outcome.sample, self._context.observer.toasts
            failure, seen = self._failure(outcome), sample.facts
            facts = failure_record(failure, exception, problem=sample.problem, observed=seen, toasts=toasts)
        vacuous = (
            outcome.held
            and held_before(self._context, self._check, self._baseline, outcome.snapshot) is True
            and not self._came_and_went()
        )
        record = CheckRecord(
            self._log.action_id,
            self._check.kind,
            self._check.expected,
            outcome.observed,
            result,
            outcome.reads,
            vacuous,  # it would have passed without the action, and so says nothing about it
            self._checks._is_soft,
            self._log.trace(success=outcome.held),
            self._recovery.state,
            self._check.facts,
        )
        event = TraceEvent(
            "check",
            f"{self._check.kind} {self._check.expected}",
            0,
            0,
            check=record,
            failure=facts,
            after=outcome.snapshot.id if outcome.snapshot else None,
            error=message,
        )
        self._context.recorder.keep(event, self._log)
        return facts
