"""Extras for pytest-html 4.x: a link to the trace, and what happened at a glance."""

from __future__ import annotations

import html
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

import pytest

from ..kept_runs import RunRow
from ..model import HEALTHY, VERDICTS, AnyDict, TestTrace, TraceEvent, first_line
from ..model.printable import plain_text, seen_from
from .artifacts.pictures import address
from .attempts.attempt import VERDICT_LATER
from .findings import recoverable, recovered
from .report_rows import rows_of
from .trace_files import TraceFiles
from .triage.cause import cause_of_trace

_LINK = "Replicant trace"
_SHOWN = "replicant_shown"
_MARKED = ("infra", "recovered", "known flaky")
_EXTRAS = pytest.StashKey[dict[str, list[AnyDict]]]()
MARKS = "<style>td[data-replicant]::after { content: ', ' attr(data-replicant); }</style>"
"""What shows the marks of ``mark_row``; it belongs into the page once."""

LISTED = 40
"""Steps that the summary shows, the last ones: what failed is at the end."""


class PytestHtml:
    """Registered wherever pytest-html writes a report, into ``report_html``."""

    def __init__(self, report_html: Path) -> None:
        self._report_html = report_html

    @pytest.hookimpl(tryfirst=True)
    def pytest_replicant_trace(
        self,
        item: pytest.Item,
        report: pytest.TestReport,
        trace: TestTrace,
        files: TraceFiles | None,
    ) -> None:
        """pytest-html keeps one report of each phase and outcome, so that of earlier attempts goes
        with it."""
        if files is None:
            return
        from pytest_html import extras  # present only where this is called

        earlier = item.stash.setdefault(_EXTRAS, {})
        found = earlier.get(report.outcome, [])[:]
        if page := files.trace_html:
            link = quote(seen_from(page, self._report_html.parent)) or page.absolute().as_uri()
            # pytest-html shows the extras of every attempt in the row of each.
            which = f", attempt {trace.test.attempt + 1}" if trace.test.attempt else ""
            found.append(extras.url(link, name=f"{_LINK}{which}"))
        found.append(extras.html(summary_markup(trace, files)))
        earlier[report.outcome] = found
        others = [each for each in getattr(report, "extras", []) if each not in found]
        report.extras = [*others, *found]  # type: ignore[attr-defined]  # its own

    @pytest.hookimpl(optionalhook=True)
    def pytest_html_results_table_row(self, report: pytest.TestReport, cells: list[str]) -> None:
        mark_row(report, cells, rows_of(report))

    @pytest.hookimpl(optionalhook=True)
    def pytest_html_results_summary(self, prefix: list[str]) -> None:
        prefix.append(MARKS)


def report_page(config: pytest.Config) -> Path | None:
    """The page that pytest-html will write; None if it is not at work."""
    path = config.getoption("htmlpath", None) if config.pluginmanager.hasplugin("html") else None
    return Path(path).absolute() if path else None


def mark_row(report: pytest.TestReport, cells: list[str], rows: Sequence[RunRow]) -> None:
    """The row of one phase of a test of ours, which pytest-html is about to add; without cells it
    adds none.

    pytest-html knows no outcome but its own, sorts and filters by them, and leaves out a row that
    has another: what more there is to say stands in an attribute, which ``MARKS`` shows. It adds
    the row of an attempt again with each attempt that follows; once is enough.
    """
    if hasattr(report, VERDICT_LATER):
        cells.clear()
    if not rows or not cells:
        return
    if getattr(report, _SHOWN, False):
        cells.clear()
        return
    again = report.outcome == "rerun"  # type: ignore[comparison-overlap]  # as pytest-rerunfailures calls it
    setattr(report, _SHOWN, again)
    outcomes = {row.outcome for row in rows}
    marks: list[str] = [word for word in (*_MARKED, *sorted(VERDICTS)) if word in outcomes]
    later = any(row.attempt > 0 for row in rows)
    if later and outcomes <= HEALTHY:
        marks.append("flaky" if any(row.attempt > row.requeues for row in rows) else "requeued")
    if marks:
        words = ", ".join(marks)
        cells[0] = cells[0].replace("<td ", f'<td data-replicant="{words}" title="{words}" ', 1)
    if later or again:
        cells[-1] = cells[-1].replace(f">{_LINK}</a>", f">{_LINK}, attempt 1</a> ")


def summary_markup(trace: TestTrace, files: TraceFiles) -> str:
    """Markup of our own around escaped text: the last steps, and the screen a failed test ended
    on."""
    rows = ""
    for event in trace.events[-LISTED:]:
        cells = (
            "✕" if failed(event) else "✓",
            event.title,
            f"{event.duration_ms} ms",
            first_line(event.error),
        )
        rows += f"<tr>{''.join(f'<td>{_text(cell)}</td>' for cell in cells)}</tr>"
    earlier = len(trace.events) - LISTED
    note = f"<p>{earlier} earlier steps are in the trace.</p>" if earlier > 0 else ""
    cause = cause_of_trace(trace)
    kind = f", {cause.kind}" if cause is not None else ""
    facts = (("Target", cause.target), ("Screen", cause.screen)) if cause is not None else ()
    ran = "Replay" if trace.test.outcome in VERDICTS else f"Attempt {trace.test.attempt + 1}"
    notes = (
        ("", f"{ran}: {trace.test.outcome}{kind}"),
        *(("", f"{name}: {fact}") for name, fact in facts if fact),
        *(("", death.text) for death in (*trace.deaths, *trace.anrs)),
        *(("Recovered: ", line) for line in recovered(trace)),
        *(("Recovery would have tried: ", line) for line in recoverable(trace)),
    )
    shown = "".join(f"<p>{title}{_text(line)}</p>" for title, line in notes)
    return (
        f"<div>{shown}{note}<table><tbody>{rows}</tbody></table>{_last_screen(trace, files)}</div>"
    )


def failed(event: TraceEvent) -> bool:
    """Whether the step failed: its check did, or its action did."""
    if event.check is not None:
        return event.check.result != "passed" and (
            event.check.result != "not compared" or bool(event.error)
        )
    return bool(event.error) or (
        event.result is not None and event.result.lifecycle_state == "failed"
    )


def _text(text: str) -> str:
    return html.escape(plain_text(text[:300]))


def _last_screen(trace: TestTrace, files: TraceFiles) -> str:
    if not trace.failures or not files.screenshots:
        return ""
    path = files.screenshots[-1][1]
    try:
        source = address(path.name, path.read_bytes())
    except OSError:  # the folder was cleared meanwhile: the summary stands without the picture
        return ""
    return f'<img alt="The last screen" style="max-height: 480px" src="{source}">'
