"""The message of a failed check: expected and observed, its reads, near misses, what changed, the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...errors import ReplicantError
from ...model import one_line
from ..device_log.crashes import died_meanwhile
from ..device_log.lines import failed_meanwhile
from ..screen_text import format_screen
from .check import held_before

if TYPE_CHECKING:
    from ..step import SessionContext
    from .check import Baseline, Check, CheckOutcome

_MOST_READS = 6
_LONGEST = 80  # characters of one of them


def explain(
    context: SessionContext, check: Check, outcome: CheckOutcome, baseline: Baseline, recovery: str
) -> str:
    """The whole message; the first line alone says what was wrong. ``recovery`` is what was tried, or ""."""
    reads = "1 read" if outcome.count == 1 else f"{outcome.count} reads"
    took = f"{reads}, {outcome.elapsed:.1f} s"
    lines = [f"{check.kind} {check.expected} on {context.driver.uri}: {outcome.observed} ({took})"]
    death = died_meanwhile(context) if not check.reports_crash else ""
    if death:
        lines.append(death)
    if len(outcome.reads) > 1 and any(read.observed != outcome.observed for read in outcome.reads):
        lines.append(_history(outcome))
    if not death:  # a near miss on the home screen says nothing
        lines += [failed_meanwhile(context), _more(outcome)]
    lines += [_compared(context, check, outcome, baseline), recovery]
    if outcome.snapshot is not None:
        lines.append(format_screen(outcome.snapshot))
    page = context.recorder.report_page
    if page:
        lines.append(f"Open: {page}{'#' + baseline.action_id if baseline.action_id else ''}")
    return "\n".join(line for line in lines if line)


def _history(outcome: CheckOutcome) -> str:
    """The samples with their times; of a long history its beginning and end."""
    reads = outcome.reads
    shown = [f"{read.at:.1f} {one_line(read.observed, _LONGEST)}" for read in reads]
    if len(shown) > _MOST_READS:
        left_out = len(shown) - _MOST_READS
        shown[2 : 2 + left_out] = [f"… {left_out} more …"]
    return "  " + "   ".join(shown)


def _more(outcome: CheckOutcome) -> str:
    """The check's further lines; "" where they cannot be made, since the failure itself matters more."""
    if outcome.sample.more is None:
        return ""
    try:
        return outcome.sample.more()
    except ReplicantError:
        return ""


def _compared(context: SessionContext, check: Check, outcome: CheckOutcome, baseline: Baseline) -> str:
    """Whether the check held before the action, and what the action changed."""
    if baseline.before is None or outcome.snapshot is None or check.compares:
        return ""
    held = held_before(context, check, baseline)
    was = (
        []
        if held is None
        else ["It held before the action." if held else "It did not hold before the action either."]
    )
    return "\n".join([*was, f"The action changed: {outcome.snapshot.diff(baseline.before).summary}"])
