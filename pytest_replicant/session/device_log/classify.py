"""``classify()``: the probable outcome of an action, for finding out why; never a check.

Nothing that passes or fails a test reads this. A check decides by what it saw; this sorts the evidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ...drivers import Capability
from ...errors import UNANSWERED, UsageError
from ...logs import Request
from ...model import CheckRecord
from ...snapshots import Snapshot
from ..step import SessionContext
from .crashes import apps_under_test, format_absences, format_crash
from .lines import requests_meanwhile

Outcome = Literal["success", "no_op", "backend_failure", "ui_failure", "unknown"]
Effect = Literal["local", "side_effect"]


@dataclass(frozen=True)
class Classification:
    """The outcome, with its ``reason`` in one sentence and the ``evidence`` for it."""

    outcome: Outcome
    reason: str
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True)
class Evidence:
    """Evidence of an action's outcome. None where not known: ``effect`` was not declared, ``changed`` was not
    looked at, ``requests`` could not be read."""

    effect: Effect | None
    failed: tuple[str, ...] = ()  # checks of this action that did not hold, whatever else did
    held: tuple[str, ...] = ()  # those that verify it
    changed: str | None = None  # the diff in a line, "" for none
    death: str = ""
    requests: tuple[Request, ...] | None = None
    doubt: str = ""  # what may speak against it, or have been before the action

    @property
    def broken(self) -> tuple[Request, ...]:
        """Failed requests; none of them is evidence against an action on the screen alone."""
        return () if self.effect == "local" else tuple(one for one in self.requests or () if one.failed)

    @property
    def answered(self) -> bool:
        return self.effect != "local" and bool(self.requests) and not self.broken

    def lines(self) -> tuple[str, ...]:
        lines = [f"failed: {one}" for one in self.failed] + [f"held: {one}" for one in self.held]
        if self.changed is not None:
            lines.append(f"the screen: {self.changed or 'no change'}")
        lines += [one for one in (self.death, self.doubt) if one]
        lines += [f"request: {one.describe()}" for one in self.requests or ()]
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
    if known.changed:
        if not known.broken:
            return "success", "the screen changed, and nothing speaks against it"
        if known.effect == "side_effect":
            return "backend_failure", f"{known.broken[0].describe()}; the screen changed all the same"
        return "unknown", "the screen changed, and a request failed that may be another's"
    return _missed(known, "nothing changed")


def _missed(known: Evidence, what: str) -> tuple[Outcome, str]:
    """The outcome of an action whose expected effect is missing."""
    if known.broken:
        return "backend_failure", f"{what}, and a request failed: {known.broken[0].describe()}"
    if known.answered:
        return "ui_failure", f"{what}, although every request was answered"
    if known.changed:
        return "ui_failure", f"{what}, and something else changed"
    if known.effect == "side_effect":
        why = "the log cannot be read" if known.requests is None else "the log shows no request"
        return "unknown", f"{what}, and {why}"
    if known.changed is None:
        return "unknown", f"{what}, and it is not known whether the screen changed"
    return "no_op", what


def gather(
    context: SessionContext,
    local: bool,
    before: Snapshot | None,
    after: Snapshot,
    checks: list[CheckRecord],
    effect: Effect | None,
) -> Evidence:
    """``local``: the action changes nothing but the screen; ``checks`` are those that were made of it."""
    if effect not in (None, "local", "side_effect"):
        raise UsageError(f'classify(effect={effect!r}): it is "local" or "side_effect"')
    diff = after.diff(before, mask_volatile=True) if before is not None else None
    death, doubtful_death = _death(context)
    requests = requests_meanwhile(context)
    doubtful_requests = [one.describe() for one in requests.doubtful if one.failed] if requests else []
    doubtful = [*doubtful_death, *(doubtful_requests if effect != "local" else [])]
    return Evidence(
        effect or ("local" if local else None),
        failed=tuple(f"{one.kind} {one.expected}" for one in checks if one.result == "failed"),
        held=tuple(
            f"{one.kind} {one.expected}"
            for one in checks
            if one.result == "passed" and not one.vacuous and (one.facts is None or one.facts.verifies)
        ),
        changed=None if diff is None or (diff.empty and diff.cut) else "" if diff.empty else diff.summary,
        death=death,
        requests=requests.sure if requests else None,
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
