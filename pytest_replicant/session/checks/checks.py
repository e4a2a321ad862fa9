"""``Checks``: every ``expect_*``. One base waits, recovers and explains; each check is one line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeVar

from ...errors import DeviceError, ExpectationFailed, UsageError
from ...model import CheckRecord, Failure, TraceEvent
from ..arguments import as_selector, as_target, checked_seconds, checked_target
from ..perform import code_of
from ..recording.trace import traceback_of_test
from ..recover import RecoveryLoop
from . import phone, presence, screens, states
from .check import Check, CheckInput, Judged, await_check
from .explain import explain

if TYPE_CHECKING:
    import re

    from ...model import Element, Recovery, Screen, Selector
    from ...snapshots import Snapshot
    from ..arguments import Target
    from ..recording.trace import StepLog
    from ..step import SessionContext

C = TypeVar("C", bound="Checks")


class Checks:
    """The checks, shared by what an action returns and by the session itself.

    Each takes ``timeout`` in seconds (option ``replicant_expect_timeout``, default 5), waits until the claim
    holds on two consecutive fresh reads, and returns self. Raises ``ExpectationFailed`` where it does not,
    and ``DeviceError`` where too little could be read to know.
    """

    _context: SessionContext
    _is_soft = False

    @property
    def soft(self: C) -> C:
        """The same checks, collected instead of raised; the test fails at its end with all of them."""
        raise NotImplementedError

    def expect_screen(self: C, screen: str | re.Pattern[str] | Screen, *, timeout: float | None = None) -> C:
        """The screen has this title, activity, or activity without "Activity"; or fits the ``Screen``."""
        return self._expect(screens.screen_is(screen), timeout)

    def expect_visible(self: C, target: Target | None = None, /, *, timeout: float | None = None, **by: Any) -> C:
        """At least one element matches; labels that are printed with their row count. A ref or an element is
        visible where it is still what it was printed for."""
        return self._expect(presence.visible(as_target("expect_visible", target, by)), timeout)

    def expect_gone(self: C, target: Target | None = None, /, *, timeout: float | None = None, **by: Any) -> C:
        """No element matches, through one whole window of successful reads (``replicant_stabilize``)."""
        return self._expect(presence.gone(as_target("expect_gone", target, by)), timeout)

    def expect_seen(self: C, target: Target | None = None, /, *, timeout: float | None = None, **by: Any) -> C:
        """It was on the screen at any read since the action was sent, and may be gone by now; platform toasts
        count. Takes a selector, since what comes and goes has no ref to hold on to."""
        return self._expect(presence.seen(as_target("expect_seen", target, by)), timeout)

    def expect_count(
        self: C, n: int, selector: Selector | None = None, /, *, timeout: float | None = None, **by: Any
    ) -> C:
        """Exactly ``n`` elements match what the selector says; none, through one whole window."""
        wanted = presence.checked_count(n)
        return self._expect(presence.count_is(wanted, as_selector("expect_count", selector, by)), timeout)

    def expect_state(
        self: C,
        target: Target | None = None,
        /,
        *,
        timeout: float | None = None,
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
        wanted = checked_target("expect_state", target) if target is not None else None
        return self._expect(states.state_is(wanted, wanted_states, tolerance), timeout)

    def expect_outline(self: C, outline: str, *, timeout: float | None = None) -> C:
        """The screen is what this outline says, as ``print(mobile.snapshot())`` shows one.

        Refs are ignored, and so may be left out, as may the first line. Indentation is hierarchy, and what all
        lines are indented by does not count. Class and label of a line are compared as they are; value, states and
        what follows them only where they are written. A line that is not written fails the check, unless a line of
        ``...`` at its place and depth stands for it, and for any number of others. What is said below the lines,
        such as ``(keyboard open)``, counts where it is written.
        """
        return self._expect(screens.outline_is(outline), timeout)

    def expect_app(
        self: C,
        status: Literal["foreground", "background", "stopped"],
        app: str | None = None,
        *,
        timeout: float | None = None,
    ) -> C:
        """The app is in front ("foreground"), behind ("background"), or does not run ("stopped"): the one that the
        test is about, or launched last, where none is named."""
        return self._expect(phone.app_is(status, self._app_meant("expect_app", app)), timeout)

    def expect_log(
        self: C,
        pattern: str | re.Pattern[str],
        *,
        level: str | None = None,
        tag: str | None = None,
        app: str | None = None,
        timeout: float | None = None,
    ) -> C:
        """The phone logged a line since the last action was sent, whatever was started anew since.

        ``pattern`` is a part of the message, in its own letters, or a compiled expression that it is searched for.
        ``level`` is the least grave that counts, of V, D, I, W, E and F; ``tag`` is the whole tag; ``app`` leaves
        only what that app's processes wrote. Raises ``Unsupported`` where the log cannot be read.
        """
        return self._expect(phone.log_says(pattern, level=level, tag=tag, app=app), timeout)

    def expect_no_crash(self: C, app: str | None = None, *, timeout: float | None = None) -> C:
        """No app of this test, or not this one, died or stopped answering since the last action was sent.

        Reads the log twice and waits for nothing else. Does not verify the action: what does not crash need not
        work. Raises ``Unsupported`` where crashes cannot be read. One at any other moment of the test is found at
        its end, without this.
        """
        return self._expect(
            phone.no_crash(self._app_meant("expect_no_crash", app) if app is not None else None), timeout
        )

    def _app_meant(self, verb: str, app: str | None) -> str:
        context = self._context
        name = app or context.app or context.newest_app
        if not isinstance(name, str) or not name:
            raise UsageError(f"{verb}(): {app!r} names no app; an app goes by its package, dev.replicant.shop")
        return name

    def _expect(self: C, claim: Check, timeout: float | None) -> C:
        """Waits for one claim, has what stands in its way mended, and writes down how it ended."""
        self._context.guard.check(claim.kind)
        self._check_usable(claim)
        context, action_id = self._context, self._action_id()
        seconds = checked_seconds(claim.kind, timeout, context.settings.expect_timeout)
        log = context.recorder.begin_check(action_id)
        recovery = RecoveryLoop(context, log, claim.kind)
        try:
            judged, error = self._judged(claim, seconds, log, recovery)
        except BaseException as broken:  # a policy's own error, Ctrl-C: the trace says so too
            recovery.close(mended=False)
            told = str(broken) or type(broken).__name__
            unknown = Judged(False, told.split("\n", 1)[0], (), 0, 0.0, None)
            self._write(claim, unknown, log, recovery, told, is_error=True)
            raise
        recovery.close(mended=judged.held)
        if error is not None:
            error = recovery.spend(error, self._baseline()[1])
        told = "" if judged.held else str(error) if error is not None else self._explained(claim, judged, recovery)
        self._write(claim, judged, log, recovery, told, is_error=error is not None)
        if judged.held:
            if claim.verifies and action_id:
                context.recorder.mark_verified(action_id)
            return self
        if error is not None:
            raise error
        return self._failed(claim, judged, log, recovery, told)

    def _judged(
        self, claim: Check, seconds: float, log: StepLog, recovery: RecoveryLoop
    ) -> tuple[Judged, DeviceError | None]:
        """How it ended, when it held or nothing more can be done."""
        while True:
            judged, error = self._judge(claim, seconds, log)
            if judged.held:
                return judged, error
            again = recovery.next(self._failure(claim, judged, error), self._why_not)
            if again is None or not self._may_look_again(again, recovery, log):
                return judged, error

    def _judge(self, claim: Check, seconds: float, log: StepLog) -> tuple[Judged, DeviceError | None]:
        before, acted = self._baseline()
        try:
            with log.stage("verify", expected=claim.expected) as notes:
                judged = await_check(self._context, claim, seconds, before, acted)
                notes.update(observed=judged.observed, reads=judged.count)
                if not judged.held:
                    notes["result"] = "failure"
        except DeviceError as error:
            return Judged(False, str(error), (), 0, 0.0, None), error
        return judged, None

    def _failure(self, claim: Check, judged: Judged, error: DeviceError | None) -> Failure:
        """What did not hold, as recovery is told of it."""
        context, acted = self._context, self._baseline()[1]
        steady = len(judged.reads) < 2 or judged.reads[-1].observed == judged.reads[-2].observed
        return Failure(
            claim.code if error is None else code_of(error),
            f"{claim.kind} {claim.expected}: {judged.observed}",
            stage="verify",
            action_type=claim.kind,
            target=claim.target,
            element=acted,
            snapshot=judged.snapshot,
            steady=steady and not (judged.reads and judged.reads[-1].held),
            failed_reads=sum(read.observed.startswith("read failed") for read in judged.reads),
            app=context.newest_app,
            error=error,
            sent=self._action_id() != "",
            idempotent=self._is_repeatable(),
        )

    def _may_look_again(self, again: Recovery, recovery: RecoveryLoop, log: StepLog) -> bool:
        """A check only looks again; stepping back has its action done once more."""
        if again.strategy != "step_back":
            return True
        why = self._why_not(again) or self._step_back(log)
        if why:
            recovery.refuse(again, why)
        return not why

    def _explained(self, claim: Check, judged: Judged, recovery: RecoveryLoop) -> str:
        before, acted = self._baseline()
        return explain(self._context, claim, judged, before, acted, recovery.told, self._action_id())

    def _failed(self: C, claim: Check, judged: Judged, log: StepLog, recovery: RecoveryLoop, message: str) -> C:
        """Raises the failure of the check, or keeps it for the end of the test."""
        acted = self._baseline()[1]
        if self._is_soft:
            message = f"{message}\nChecked at {log.source}: {log.source_text}"
        failure = ExpectationFailed(
            message, code=claim.code, snapshot=judged.snapshot, terminal=recovery.terminal(acted)
        )
        if not self._is_soft:
            raise failure
        self._context.recorder.soft_failures.append(failure.with_traceback(traceback_of_test()))
        return self

    def _write(
        self, claim: Check, judged: Judged, log: StepLog, recovery: RecoveryLoop, told: str, *, is_error: bool
    ) -> None:
        before, acted = self._baseline()
        record = CheckRecord(
            log.action_id,
            claim.kind,
            claim.expected,
            judged.observed,
            "passed" if judged.held else "error" if is_error else "failed",
            judged.reads,
            judged.held and self._held_before(claim, before, acted),
            self._is_soft,
            log.trace(success=judged.held),
            recovery.state,
        )
        event = TraceEvent(
            "check",
            f"{claim.kind} {claim.expected}",
            0,
            0,
            check=record,
            after=judged.snapshot.id if judged.snapshot else None,
            error=told,
        )
        if judged.snapshot is not None:
            self._context.recorder.keep_screenshot(judged.snapshot)
        self._context.recorder.keep(event, log)

    def _held_before(self, claim: Check, before: Snapshot | None, acted: Element | None) -> bool:
        """Whether the check would have passed without the action, and so says nothing about it."""
        if before is None or not self._judges_vacuity or claim.ask is not None or claim.how == "once":
            return False
        if claim.kind == "expect_unchanged" or (claim.kind == "expect_screen" and not before.title):
            return False  # of a screen that is gone the activity is not known any more
        return claim.test(CheckInput(before, self._context.observer, before, acted, now=False)).held

    _judges_vacuity = False

    def _check_usable(self, claim: Check) -> None:
        raise NotImplementedError

    def _action_id(self) -> str:
        raise NotImplementedError

    def _baseline(self) -> tuple[Snapshot | None, Element | None]:
        raise NotImplementedError

    def _is_repeatable(self) -> bool:
        """Whether there is an action to step back to, and giving it twice does no more than once."""
        return False

    def _why_not(self, again: Recovery) -> str:
        """Why the linked action may not be done again, where that is what is meant; else ""."""
        return "there is no action of this check to step back to" if again.strategy == "step_back" else ""

    def _step_back(self, log: StepLog) -> str:
        """Has the linked action done again; why it is not, else ""."""
        raise NotImplementedError
