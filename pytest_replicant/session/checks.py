"""The checks: one base that waits and explains; each claim is one line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from ..errors import DeviceError, ExpectationFailed, UsageError, is_told
from ..model.test_trace import TraceEvent
from ..model.trace import CheckRecord
from .claims import presence, screens, states
from .targets import as_target, checked_seconds, selector_of
from .trace import traceback_of_test
from .verify import Claim, Judged, Look, await_claim

if TYPE_CHECKING:
    import re

    from ..model.element import Element
    from ..model.screen import Screen
    from ..snapshots.snapshot import Snapshot
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
        return self._expect(screens.screen_is(screen), timeout)

    def expect_visible(self: C, target: Target | None = None, /, *, timeout: float | None = None, **by: Any) -> C:
        """At least one element matches; labels folded into a row count."""
        return self._expect(presence.visible(as_target("expect_visible", target, by)), timeout)

    def expect_gone(self: C, target: Target | None = None, /, *, timeout: float | None = None, **by: Any) -> C:
        """No element matches, through one whole window of successful reads."""
        return self._expect(presence.gone(as_target("expect_gone", target, by)), timeout)

    def expect_seen(self: C, target: Target | None = None, /, *, timeout: float | None = None, **by: Any) -> C:
        """It was on the screen at any read since the action was sent; platform toasts count."""
        return self._expect(presence.seen(as_target("expect_seen", target, by)), timeout)

    def expect_count(self: C, n: int, /, *, timeout: float | None = None, **by: Any) -> C:
        """Exactly ``n`` elements match."""
        return self._expect(presence.count_is(n, selector_of("expect_count", by)), timeout)

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
        equal; ``tolerance`` goes with a number in ``value``. The acted element where no target is given."""
        for name in wanted_states:
            if name not in (*states.STATES, "text", "value"):
                raise UsageError(
                    f"expect_state() has no state {name!r}; it takes text, value, {', '.join(states.STATES)}. "
                    "Name the element first: expect_state(by(resource_id=...), checked=True)"
                )
        wanted = as_target("expect_state", target, {}) if target is not None else None
        return self._expect(states.state_is(wanted, wanted_states, tolerance), timeout)

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
