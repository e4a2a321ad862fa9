"""``classify()``: the probable outcome of an action, for finding out why; never a check.

Nothing that passes or fails a test reads this. A check decides by what it saw; this sorts the evidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ...drivers import Capability
from ...errors import UNANSWERED
from ...logs import Request
from ...model import CheckRecord, Strings
from ...snapshots import Snapshot
from ..step import SessionContext
from .crashes import apps_under_test, format_absences, format_crash
from .lines import requests_meanwhile

Outcome = Literal["success", "no_op", "backend_failure", "ui_failure", "unknown"]


@dataclass(frozen=True)
class Classification:
    """The outcome, with its ``reason`` in one sentence and the ``evidence`` for it."""

    outcome: Outcome
    reason: str
    evidence: Strings = ()


@dataclass(frozen=True)
class Evidence:
    """Evidence of an action's outcome. ``changed`` is None if it is not known."""

    failed: Strings = ()  # checks of this action that did not hold, whatever else did
    held: Strings = ()  # those that verify it
    changed: str | None = None  # the diff in a line, "" for none
    death: str = ""
    requests: tuple[Request, ...] = ()
    doubt: str = ""  # what may speak against it, or have been before the action

    @property
    def broken(self) -> list[Request]:
        return [one for one in self.requests if one.failed]

    def lines(self) -> Strings:
        lines = [f"failed: {one}" for one in self.failed] + [f"held: {one}" for one in self.held]
        if self.changed is not None:
            lines.append(f"the screen: {self.changed or 'no change'}")
        lines += [one for one in (self.death, self.doubt) if one]
        lines += [f"request: {one.describe()}" for one in self.requests]
        return tuple(lines)


def classify(known: Evidence) -> Classification:
    """The first that applies. An expectation that failed is never outweighed by some other change."""
    outcome, reason = _judged(known)
    return Classification(outcome, reason, known.lines())


def _judged(known: Evidence) -> tuple[Outcome, str]:
    if known.death:
        return "ui_failure", "the app died"
    if known.doubt:
        return "unknown", known.doubt
    if known.failed:
        return _missed(known, "a check of it failed")
    if known.held:
        return "success", "a check of it held"
    if known.changed is None:
        return "unknown", "it is not known whether the screen changed"
    if not known.changed:
        return _missed(known, "nothing changed")
    if known.broken:
        return "unknown", "the screen changed, and a request failed that may be another's"
    return "success", "the screen changed, and nothing speaks against it"


def _missed(known: Evidence, what: str) -> tuple[Outcome, str]:
    """The outcome of an action whose expected effect is missing."""
    if known.broken:
        return "backend_failure", f"{what}, and a request failed: {known.broken[0].describe()}"
    if known.requests:
        return "ui_failure", f"{what}, although every request was answered"
    if known.changed:
        return "ui_failure", f"{what}, and something else changed"
    if known.changed is None:
        return "unknown", f"{what}, and it is not known whether the screen changed"
    return "no_op", what


def gather(
    context: SessionContext, local: bool, before: Snapshot | None, after: Snapshot, checks: list[CheckRecord]
) -> Evidence:
    """``local``: the action changes nothing but the screen, so that no request speaks against it; ``checks`` are
    those that were made of it."""
    diff = after.diff(before, mask_volatile=True) if before is not None else None
    death, doubtful = _death(context)
    requests = None if local else requests_meanwhile(context)
    doubtful += [one.describe() for one in requests.doubtful if one.failed] if requests else []
    return Evidence(
        failed=tuple(f"{one.kind} {one.expected}" for one in checks if one.result == "failed"),
        held=tuple(
            f"{one.kind} {one.expected}"
            for one in checks
            if one.result == "passed" and not one.vacuous and (one.facts is None or one.facts.verifies)
        ),
        changed=None if diff is None or (diff.empty and diff.cut) else "" if diff.empty else diff.summary,
        death=death,
        requests=requests.sure if requests else (),
        doubt=f"{doubtful[0]}, but that may have been before the action: {context.log.doubt}" if doubtful else "",
    )


def _death(context: SessionContext) -> tuple[str, list[str]]:
    """The first death of an app since the action, "" for none, and those that may have been before it."""
    if Capability.CRASHES not in context.driver.capabilities:
        return format_absences(context), []
    apps = apps_under_test(context)
    try:
        found = context.log.found(since_action=True)
    except UNANSWERED:
        return "", []
    own = [one for one in found if one.crash.is_of(*apps)]
    sure = next((format_crash(one.crash) for one in own if one.sure), "")
    return sure, [format_crash(one.crash) for one in own if not one.sure]
