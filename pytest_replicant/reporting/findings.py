"""What a green test did not prove: checks that were true anyway, actions that nobody verified, what had to be
mended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import HEALTHY

if TYPE_CHECKING:
    from ..model import ActionResult, RecoveryRecord, TestTrace

_READING = frozenset({"collect", "pull_file"})  # what they promise is what they return: there is nothing to verify


def unverified(trace: TestTrace) -> str:
    """Why the test proves less than it seems to: it made no check, or ended on an unverified action.

    "" where neither holds, for tests that did not pass, where the failure is the news, and for tests that
    only had a phone at hand.
    """
    if trace.test.outcome not in HEALTHY or not (trace.actions or trace.checks):
        return ""
    if not trace.checks:
        return "makes no check"
    done = [action for action in trace.actions if action.action_type not in _READING]
    if done and done[-1].lifecycle_state == "pending_verification":
        return f"ends on an unverified action: {_title(trace, done[-1].action_id)}"
    return ""


def open_actions(trace: TestTrace) -> tuple[ActionResult, ...]:
    """The actions that nobody verified: done, and no check of their outcome passed, nor did one that looked at the
    screen alone before the next action. What only reads promises no more than what it returned."""
    looked = _looked_at(trace)
    return tuple(
        action
        for action in trace.actions
        if action.lifecycle_state == "pending_verification"
        and action.action_type not in _READING
        and action.action_id not in looked
    )


def _looked_at(trace: TestTrace) -> set[str]:
    """Those that a check of the screen came after, with no other action between."""
    looked: set[str] = set()
    latest = ""
    for event in trace.events:
        if event.kind == "action":
            latest = event.action_id or ""
        elif event.check_index is not None:
            check = next(iter(trace.checks[event.check_index : event.check_index + 1]), None)
            if check is not None and check.result == "passed" and not check.action_id and latest:
                looked.add(latest)
    return looked


def vacuous_checks(trace: TestTrace) -> tuple[str, ...]:
    """One line for each passed check that already held before its action."""
    return tuple(
        f"{check.kind} {check.expected} already held before {_title(trace, check.action_id)}"
        for check in trace.checks
        if check.vacuous and check.result == "passed"
    )


def recovered(trace: TestTrace) -> tuple[str, ...]:
    """One line for each recovery that mended something."""
    return tuple(_told(trace, one) for one in trace.recoveries if one.mended)


def recoverable(trace: TestTrace) -> tuple[str, ...]:
    """One line for each recovery that was only asked for."""
    return tuple(_told(trace, one) for one in trace.recoveries if not one.done)


def _told(trace: TestTrace, one: RecoveryRecord) -> str:
    what = _title(trace, one.action_id) if not one.kind.startswith("expect_") else one.kind
    policy = f" by {one.policy}" if one.policy else ""
    steps = f" ({', '.join(one.before)})" if one.before else ""
    reason = f": {one.reason}" if one.reason else ""
    return f"{one.code} of {what}, {one.strategy}{policy}{steps}{reason}"


def _title(trace: TestTrace, action_id: str) -> str:
    for event in trace.events:
        if event.action_id == action_id and event.kind == "action":
            return event.title
    for action in trace.actions:
        if action.action_id == action_id:
            return f"{action.action_type} {action.target.selector}".strip()
    return "its action"
