"""The step of a test that failed it: which action, check or wait the error came from, and what went before it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, get_args

from ...model import FailureCode
from .alike import kind_and_label

if TYPE_CHECKING:
    from ...model import ActionResult, CheckRecord, RaisedError, TestTrace, TraceEvent

_CODES = frozenset(get_args(FailureCode))
_TOLD = re.compile(r"(?P<code>[A-Z_]{6,})  (?P<rest>.*)")
_TIMES = re.compile(r"\d+ of ")


@dataclass(frozen=True)
class FailingStep:
    """``verb`` is what the test called, "" where the error came from no step of the phone. ``target`` is what was
    meant, as the test said it; ``wanted`` what was claimed of it; ``observed`` what was seen instead. ``lines``
    are those of the message. ``after`` is the last action before it, ``effect`` "none" where that changed nothing,
    "stayed" where it led to no other screen; ``snapshot`` the key of the screen."""

    verb: str = ""
    code: str = ""
    target: str = ""
    wanted: str = ""
    observed: str = ""
    lines: tuple[str, ...] = ()
    source: str = ""
    step: str = ""
    snapshot: str = ""
    after: str = ""
    effect: str = ""


def failing_step(trace: TestTrace, failure: RaisedError) -> FailingStep:
    """By the error's own words, which the timeline keeps; by its line where the same was said twice."""
    lines = tuple(failure.message.split("\n"))
    event = _event(trace, lines[0], failure.source)
    after, effect = _before(trace, event)
    code, target = _told(lines)
    if event is None:
        last = next(reversed(list(trace.snapshots)), "")
        verb = "find" if code else ""
        return FailingStep(verb, code, target, lines=lines, snapshot=last, after=after, effect=effect)
    known = FailingStep(
        lines=lines, source=event.source, snapshot=event.after or event.before or "", after=after, effect=effect
    )
    if event.check is not None:
        return _check(trace, event, event.check, known)
    action = event.result
    if action is not None:
        verb, failed = event.title.partition(" ")[0], action.failure_code or ""
        return replace(known, verb=verb, code=failed, target=action.target.selector, step=action.action_id)
    return replace(
        known, verb="wait_for", code=code or "TIMEOUT", target=str(event.details.get("awaited", target))
    )


def _event(trace: TestTrace, first: str, source: str) -> TraceEvent | None:
    told = [event for event in trace.events if event.error and event.error.partition("\n")[0] == first]
    there = [event for event in told if event.source == source] or told
    return there[-1] if there else None


def _check(trace: TestTrace, event: TraceEvent, check: CheckRecord, known: FailingStep) -> FailingStep:
    code = check.recovery.runtime_code if check.recovery else "VERIFICATION_FAILED"
    target, wanted = _meant(check.kind, check.expected)
    if check.kind == "expect_state" and not target:
        acted = next((one.result for one in trace.events if one.id == check.action_id), None)
        target = acted.target.selector if acted is not None else ""
    return replace(
        known,
        verb=check.kind,
        code=code,
        target=target,
        wanted=wanted,
        observed=check.observed,
        step=event.id,
    )


def _meant(kind: str, expected: str) -> tuple[str, str]:
    """The target of a check, and what is claimed of it, out of its one line."""
    if kind == "expect_count":
        times = _TIMES.match(expected)
        return (expected[times.end() :], expected[: times.end() - 4]) if times else (expected, "")
    if kind == "expect_state":
        target, colon, wanted = expected.rpartition(": ")
        return (target, wanted) if colon else ("", expected)
    if kind in ("expect_visible", "expect_gone", "expect_seen"):
        return expected, ""
    return "", expected


def _before(trace: TestTrace, event: TraceEvent | None) -> tuple[str, str]:
    """The last action that was done before the step, and what came of it."""
    began = event.start_ms if event is not None else None
    own = event.id if event is not None else None
    done = [
        one
        for one in trace.events
        if one.kind == "action" and one.id != own and not one.error and (began is None or one.start_ms <= began)
    ]
    if not done:
        return "", ""
    action = done[-1].result
    effect = _effect(trace, done[-1], event)
    return (_told_action(action) if action is not None else done[-1].title), effect


def _effect(trace: TestTrace, done: TraceEvent, event: TraceEvent | None) -> str:
    if done.diff is not None and done.diff.empty:
        return "none"
    met = (event.after or event.before) if event is not None else None
    ends = [trace.snapshots.get(name) for name in (done.before, met) if name]
    keys = {one.screen_key for one in ends if one is not None}
    return "stayed" if len(ends) == 2 and None not in ends and len(keys) == 1 else ""


def _told_action(action: ActionResult) -> str:
    """Alike whatever selector it was done by."""
    resolved = action.target.resolved
    target = kind_and_label(resolved.class_name, resolved.label or resolved.resource_id) if resolved else ""
    return f"{action.action_type} {target or action.target.selector}".strip()


def _told(lines: tuple[str, ...]) -> tuple[str, str]:
    """Code and target of a message that begins with its code, on one of its first lines."""
    for line in lines[:2]:
        told = _TOLD.match(line)
        if told and told["code"] in _CODES:
            return told["code"], told["rest"].rpartition(": ")[0]
    return "", ""
