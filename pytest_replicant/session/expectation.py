"""What an action returns, and the checks: one base that waits and explains; each claim is one line."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from ..errors import DeviceError, ExpectationFailed, UsageError, is_told
from ..model.test_trace import TraceEvent
from ..model.trace import ActionTrace, CheckRecord
from . import claims
from .stabilize import settle
from .targets import as_target, checked_seconds, selector_of
from .trace import traceback_of_test
from .verify import Claim, Judged, Look, await_claim

if TYPE_CHECKING:
    import re

    from ..model.action import ActionResult
    from ..model.element import Element
    from ..model.screen import Screen
    from ..snapshots.showing.diff import SnapshotDiff
    from ..snapshots.snapshot import Snapshot
    from .perform import Performed
    from .step import Parts, Target
    from .trace import StepLog

__tracebackhide__ = is_told

C = TypeVar("C", bound="Checks")


class Checks:
    """The checks, shared by what an action returns and by the session itself.

    Each takes ``timeout`` in seconds (option ``replicant_expect_timeout``, default 5), waits until the claim
    holds on two consecutive fresh reads, and returns self. Raises ``ExpectationFailed`` where it does not,
    and ``DeviceError`` where the screen could not be read at all.
    """

    _parts: Parts
    _is_soft = False

    @property
    def soft(self: C) -> C:
        """The same checks, collected instead of raised; the test fails at its end with all of them."""
        raise NotImplementedError

    def expect_screen(self: C, screen: str | re.Pattern[str] | Screen, *, timeout: float | None = None) -> C:
        """The screen has this title, activity, or activity without "Activity"; or fits the ``Screen``."""
        return self._expect(claims.screen_is(screen), timeout)

    def expect_visible(self: C, target: Target | None = None, /, *, timeout: float | None = None, **by: Any) -> C:
        """At least one element matches; labels folded into a row count."""
        return self._expect(claims.visible(as_target("expect_visible", target, by)), timeout)

    def expect_gone(self: C, target: Target | None = None, /, *, timeout: float | None = None, **by: Any) -> C:
        """No element matches, through one whole window of successful reads."""
        return self._expect(claims.gone(as_target("expect_gone", target, by)), timeout)

    def expect_seen(self: C, target: Target | None = None, /, *, timeout: float | None = None, **by: Any) -> C:
        """It was on the screen at any read since the action was sent; platform toasts count."""
        return self._expect(claims.seen(as_target("expect_seen", target, by)), timeout)

    def expect_count(self: C, n: int, /, *, timeout: float | None = None, **by: Any) -> C:
        """Exactly ``n`` elements match."""
        return self._expect(claims.count_is(n, selector_of("expect_count", by)), timeout)

    def expect_state(
        self: C,
        target: Target | None = None,
        /,
        *,
        timeout: float | None = None,
        tolerance: float | None = None,
        **states: Any,
    ) -> C:
        """Each of ``text, value, checked, selected, focused, enabled, expanded`` that is given is reported and
        equal; ``tolerance`` goes with a number in ``value``. The acted element where no target is given."""
        for name in states:
            if name not in (*claims.STATES, "text", "value"):
                raise UsageError(
                    f"expect_state() has no state {name!r}; it takes text, value, {', '.join(claims.STATES)}. "
                    "Name the element first: expect_state(by(resource_id=...), checked=True)"
                )
        wanted = as_target("expect_state", target, {}) if target is not None else None
        return self._expect(claims.state_is(wanted, states, tolerance), timeout)

    def _expect(self: C, claim: Claim, timeout: float | None) -> C:
        """Waits for one claim and writes down how it ended."""
        self._check_usable(claim)
        parts, action_id = self._parts, self._action_id()
        seconds = checked_seconds(claim.kind, timeout, parts.settings.expect_timeout)
        log = parts.recorder.begin_check(action_id)
        before, acted = self._baseline()
        try:
            with log.stage("verify", expected=claim.expected) as notes:
                judged = await_claim(parts, claim, seconds, before, acted)
                notes.update(observed=judged.observed, reads=judged.count)
                if not judged.held:
                    notes["result"] = "failure"
        except DeviceError as error:
            self._write(claim, Judged(False, str(error), (), 0, 0.0, None), log, error=str(error), vacuous=False)
            raise
        vacuous = judged.held and self._held_before(claim, before, acted)
        message = "" if judged.held else _explain(self, claim, judged, before, acted)
        self._write(claim, judged, log, error=message, vacuous=vacuous)
        if judged.held:
            if claim.verifies and action_id:
                parts.recorder.mark_verified(action_id)
            return self
        failure = ExpectationFailed(message, code=claim.code, snapshot=judged.snapshot)
        if self._is_soft:
            told = f"{message}\nChecked at {log.source}: {log.source_text}"
            failure = ExpectationFailed(told, code=claim.code, snapshot=judged.snapshot)
            parts.recorder.soft_failures.append(failure.with_traceback(traceback_of_test()))
            return self
        raise failure

    def _write(self, claim: Claim, judged: Judged, log: StepLog, *, error: str, vacuous: bool) -> None:
        record = CheckRecord(
            log.action_id,
            claim.kind,
            claim.expected,
            judged.observed,
            "passed" if judged.held else "error" if judged.snapshot is None else "failed",
            judged.reads,
            vacuous,
            self._is_soft,
            log.trace(success=judged.held),
        )
        event = TraceEvent(
            "check",
            f"{claim.kind} {claim.expected}",
            0,
            0,
            after=judged.snapshot.id if judged.snapshot else None,
            error=error,
        )
        if judged.snapshot is not None:
            self._parts.recorder.keep_screenshot(judged.snapshot)
        self._parts.recorder.keep_check(record, event, log)

    def _held_before(self, claim: Claim, before: Snapshot | None, acted: Element | None) -> bool:
        """Whether the check would have passed without the action, and so says nothing about it."""
        if before is None or not self._judges_vacuity or claim.how == "once" or claim.kind == "expect_unchanged":
            return False
        if claim.kind == "expect_screen" and not before.title:
            return False  # its activity is not known any more
        return claim.test(Look(before, self._parts.observer, before, acted, now=False)).held

    _judges_vacuity = False

    def _check_usable(self, claim: Claim) -> None:
        raise NotImplementedError

    def _action_id(self) -> str:
        raise NotImplementedError

    def _baseline(self) -> tuple[Snapshot | None, Element | None]:
        raise NotImplementedError


class Expectation(Checks):
    """One action's outcome: it already knows what changed, and checks the rest.

    ``result`` is the envelope, ``before`` and ``snapshot`` the screens around the action, ``diff`` what lies
    between them. The properties are new frozen values after each check.
    """

    _judges_vacuity = True

    def __init__(self, parts: Parts, performed: Performed, *, soft: bool = False) -> None:
        self._parts = parts
        self._performed = performed
        self._is_soft = soft
        self._after: Snapshot | None = performed.settled.snapshot if performed.settled else None

    @property
    def result(self) -> ActionResult:
        """The action's envelope as it stands now."""
        return self._parts.recorder.actions.get(self._action_id(), self._performed.result)

    @property
    def trace(self) -> ActionTrace:
        """Every step of the action, and of the checks made on it."""
        own = self.result.trace
        checks = [
            item.trace for item in self._parts.recorder.checks if item.action_id == own.action_id and item.trace
        ]
        steps = (*own.steps, *(step for trace in checks for step in trace.steps))
        failed = own.final_outcome == "failure" or any(item.final_outcome == "failure" for item in checks)
        return replace(own, steps=steps, final_outcome="failure" if failed else "success")

    @property
    def before(self) -> Snapshot | None:
        """The screen before the action; None where it could not be read or ``silent`` was asked for."""
        return self._performed.before

    @property
    def snapshot(self) -> Snapshot:
        """The screen after the action, as last read: settled, or what the newest check saw."""
        if self._is_latest():
            if self._after is None:
                self._after = settle(self._parts, self.before).snapshot
            else:
                self._after = self._parts.observer.latest
        if self._after is None:
            raise UsageError(
                f"{self.result.action_type} was silent and a newer action followed: its screen is gone"
            )
        return self._after

    @property
    def diff(self) -> SnapshotDiff:
        """What the action changed, without another dump."""
        return self.snapshot.diff(self.before)

    @property
    def changed(self) -> bool:
        """Whether the content differs from before."""
        return not self.diff.empty

    @property
    def summary(self) -> str:
        """One line: ``Sign in → Catalogue: 12 added, 9 removed, 1 changed``."""
        return self.diff.summary

    @property
    def element(self) -> Element | None:
        """The element acted on, as it is on ``snapshot``; None where it is gone or there was none."""
        acted = self._performed.acted
        return self.snapshot.locate(acted).element if acted is not None else None

    @property
    def soft(self) -> Expectation:
        return Expectation(self._parts, self._performed, soft=True)

    def expect_changed(self: C, *, timeout: float | None = None) -> C:
        """Something differs from before. Evidence that the app reacted; does not verify the action."""
        return self._expect(claims.changed(), timeout)

    def expect_unchanged(self: C, *, timeout: float | None = None) -> C:
        """Nothing differs from before, through one whole window of successful reads."""
        return self._expect(claims.unchanged(), timeout)

    def _is_latest(self) -> bool:
        return next(reversed(self._parts.recorder.actions), "") == self._action_id()

    def _check_usable(self, claim: Claim) -> None:
        if not self._is_latest():
            newer = next(reversed(self._parts.recorder.actions.values()))
            raise UsageError(
                f"{claim.kind} on the outcome of {self.result.action_type} ({self._action_id()}), but "
                f"{newer.action_type} ({newer.action_id}) came after it. Check an outcome before the next action, "
                f"or use mobile.{claim.kind}(...)"
            )

    def _action_id(self) -> str:
        return self._performed.result.action_id

    def _baseline(self) -> tuple[Snapshot | None, Element | None]:
        return self.before, self._performed.acted

    def __repr__(self) -> str:
        result = self.result
        return f"<Expectation {result.action_id} {result.action_type} {result.lifecycle_state}>"


class Scrolled(Expectation):
    """The outcome of ``scroll``."""

    @property
    def new_elements(self) -> tuple[Element, ...]:
        """What came into view."""
        return tuple(self.diff.added)

    @property
    def reached_end(self) -> bool:
        """Nothing moved: there is no more in that direction."""
        diff = self.diff
        return not (diff.added or diff.removed or diff.moved)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _explain(checks: Checks, claim: Claim, judged: Judged, before: Snapshot | None, acted: Element | None) -> str:
    """Expected, observed, how it went, whether it was so before, what the action changed, and the screen."""
    parts = checks._parts
    snapshot = judged.snapshot
    assert snapshot is not None
    last = judged.reads[-1]
    lines = [
        f"{claim.kind} {claim.expected} on {parts.driver.uri}: {judged.observed} "
        f"({_counted(judged.count, 'read')}, {judged.elapsed:.1f} s)",
        "  " + "   ".join(f"{read.at:.1f} {read.observed}" for read in judged.reads[-6:]),
    ]
    if last.held:
        lines.append("  It held on the last read only, which is not enough: was the time-out too short?")
    if before is not None and claim.kind not in ("expect_changed", "expect_unchanged"):
        was = claim.test(Look(before, parts.observer, before, acted, now=False)).held
        if claim.how != "once":
            lines.append("It held before the action." if was else "It did not hold before the action either.")
        lines.append(f"The action changed: {snapshot.diff(before).summary}")
    lines.append(snapshot.outline())
    page, number = parts.recorder.report_page, checks._action_id()
    if page:
        lines.append(f"Open: {page}{'#' + number if number else ''}")
    return "\n".join(lines)
