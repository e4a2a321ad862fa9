"""The message of a failed check: expected and observed, its reads, near misses, what changed, the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...errors import ReplicantError
from ...model import one_line
from ..device_log.crashes import died_meanwhile
from ..device_log.lines import failed_meanwhile
from ..screen_text import format_screen
from .check import Check, CheckInput, Judged

if TYPE_CHECKING:
    from ...model import Element
    from ...snapshots import Snapshot
    from ..step import SessionContext

_MOST_READS = 6
_LONGEST = 80  # of one of them
_COMPARES = ("expect_changed", "expect_unchanged")  # with the screen before, and so not with itself


def explain(
    context: SessionContext,
    claim: Check,
    judged: Judged,
    before: Snapshot | None,
    acted: Element | None,
    recovery: str,
    action_id: str,
) -> str:
    """The whole message; the first line alone says what was wrong. ``recovery`` is what was tried, or ""."""
    took = f"{_counted(judged.count, 'read')}, {judged.elapsed:.1f} s"
    lines = [f"{claim.kind} {claim.expected} on {context.driver.uri}: {judged.observed} ({took})"]
    if len(judged.reads) > 1 and any(read.observed != judged.observed for read in judged.reads):
        lines.append(_history(judged))
    became = _what_became(context, claim, judged, before, acted)
    death = died_meanwhile(context) if claim.kind != "expect_no_crash" else ""
    request = failed_meanwhile(context) if not death else ""
    more = _more(judged) if not death else ""  # what is near on the home screen says nothing
    lines += [one for one in (request, more, became, recovery) if one]
    if judged.snapshot is not None:
        lines.append(format_screen(judged.snapshot))
    page = context.recorder.report_page
    if page:
        lines.append(f"Open: {page}{'#' + action_id if action_id else ''}")
    return "\n".join([lines[0], death, *lines[1:]] if death else lines)


def _history(judged: Judged) -> str:
    """When it looked how; the beginning and the end of a long one."""
    reads = judged.reads
    shown = [f"{read.at:.1f} {one_line(read.observed, _LONGEST)}" for read in reads]
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


def _what_became(
    context: SessionContext, claim: Check, judged: Judged, before: Snapshot | None, acted: Element | None
) -> str:
    """Whether it was so before the action, and what that changed: which screen this is now."""
    if before is None or judged.snapshot is None or claim.kind in _COMPARES:
        return ""
    lines = []
    if claim.ask is None and claim.how != "once":
        was = claim.test(CheckInput(before, context.observer, before, acted, now=False)).held
        lines.append("It held before the action." if was else "It did not hold before the action either.")
    lines.append(f"The action changed: {judged.snapshot.diff(before).summary}")
    return "\n".join(lines)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
