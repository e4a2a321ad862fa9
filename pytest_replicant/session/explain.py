"""What a failed check says: expected and observed, how it went, what is near, what the action did, and the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import ReplicantError
from .crash_watch import with_death
from .verify import Claim, Judged, Look

if TYPE_CHECKING:
    from .checks import Checks
    from .recover import Rescue

_MOST_READS = 6
_COMPARES = ("expect_changed", "expect_unchanged")  # with the screen before, and so not with itself


def explain(checks: Checks, claim: Claim, judged: Judged, rescue: Rescue) -> str:
    """The whole message; the first line alone says what was wrong."""
    parts = checks._parts
    took = f"{_counted(judged.count, 'read')}, {judged.elapsed:.1f} s"
    lines = [f"{claim.kind} {claim.expected} on {parts.driver.uri}: {judged.observed} ({took})"]
    if len(judged.reads) > 1 and any(read.observed != judged.observed for read in judged.reads):
        lines.append(_history(judged))
    lines += [more for more in (_more(judged), _what_became(checks, claim, judged), rescue.told) if more]
    if judged.snapshot is not None:
        lines.append(judged.snapshot.outline())
    page, number = parts.recorder.report_page, checks._action_id()
    if page:
        lines.append(f"Open: {page}{'#' + number if number else ''}")
    message = "\n".join(lines)
    return message if claim.kind == "expect_no_crash" else with_death(parts, message)


def _history(judged: Judged) -> str:
    """When it looked how; the beginning and the end of a long one."""
    reads = judged.reads
    shown = [f"{read.at:.1f} {read.observed}" for read in reads]
    if len(shown) > _MOST_READS:
        left_out = len(shown) - _MOST_READS
        shown[2 : 2 + left_out] = [f"… {left_out} more …"]
    return "  " + "   ".join(shown)


def _more(judged: Judged) -> str:
    """Explaining one trouble never ends in another."""
    if judged.more is None:
        return ""
    try:
        return judged.more()
    except ReplicantError:
        return ""


def _what_became(checks: Checks, claim: Claim, judged: Judged) -> str:
    """Whether it was so before the action, and what that changed: which screen this is now."""
    before, acted = checks._baseline()
    if before is None or judged.snapshot is None or claim.kind in _COMPARES:
        return ""
    lines = []
    if claim.ask is None and claim.how != "once":
        was = claim.test(Look(before, checks._parts.observer, before, acted, now=False)).held
        lines.append("It held before the action." if was else "It did not hold before the action either.")
    lines.append(f"The action changed: {judged.snapshot.diff(before).summary}")
    return "\n".join(lines)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
