"""A summary of runs for people: lines for a terminal, or Markdown for a comment. App text is text in both."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

from ...model import BROKEN
from ..printable import counted, printable
from .evidence import in_seconds
from .run_record import in_trouble

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .run_record import RunResult, RunRow
    from .summary import Summary

MOST_TESTS = 20
"""Tests that one cause lists; the index of the run has them all."""
MOST_LINES = 10
_LONGEST = 700
_EVIDENCE = 4


class Style(Protocol):
    """How a part is written. Everything that is given may be text of an app."""

    def heading(self, text: str) -> str: ...
    def cause(self, number: int, title: str, more: str) -> str: ...
    def test(self, nodeid: str) -> str: ...
    def sentence(self, text: str) -> str: ...
    def evidence(self, line: str) -> str: ...
    def item(self, name: str, text: str) -> str: ...


class Plain:
    """For a terminal: control characters are shown, not obeyed."""

    def heading(self, text: str) -> str:
        return printable(text, _LONGEST)

    def cause(self, number: int, title: str, more: str) -> str:
        return printable(f"  {number}. {title} ({more})", _LONGEST)

    def test(self, nodeid: str) -> str:
        return printable(f"     {nodeid}", _LONGEST)

    def sentence(self, text: str) -> str:
        return printable(f"       {text}", _LONGEST + 20)

    def evidence(self, line: str) -> str:
        return printable(f"         {line}")

    def item(self, name: str, text: str) -> str:
        return printable(f"  {name}: {text}" if name else f"  {text}", _LONGEST)


class Markdown:
    """For a comment: no markup, no mention, no link comes out of text of an app."""

    def heading(self, text: str) -> str:
        return f"\n#### {prose(text)}\n"

    def cause(self, number: int, title: str, more: str) -> str:
        return f"{number}. {code(title)} ({prose(more)})"

    def test(self, nodeid: str) -> str:
        return f"    - {code(nodeid)}"

    def sentence(self, text: str) -> str:
        return f"      {prose(text)}"

    def evidence(self, line: str) -> str:
        return f"        - {code(line)}"

    def item(self, name: str, text: str) -> str:
        return f"- {code(name)}: {prose(text)}" if name else f"- {prose(text)}"


def code(text: str) -> str:
    """A code span, in which nothing is markup; a bar is escaped should it stand in a table."""
    shown = printable(text).strip() or " "
    fence = "`" * (max((len(run) for run in re.findall("`+", shown)), default=0) + 1)
    padding = " " if "`" in shown else ""
    return f"{fence}{padding}{shown}{padding}{fence}"


def prose(text: str) -> str:
    """Text that reads as written. A space without width parts what a site would make a mention or a link of."""
    shown = printable(text, _LONGEST).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    shown = re.sub(r"([\\`*_\[\]|~$]|^[#+-])", r"\\\1", shown)
    return re.sub(r"([@#]|://|www\.|\bGH-)", "\\1\u200b", shown)


def render(summary: Summary, style: Style) -> Iterator[str]:
    """Lines, the most urgent first."""
    tests = len(summary.merged.results)
    counts = ", ".join(f"{number} {outcome}" for outcome, number in summary.counts.items())
    yield style.heading(
        f"{counted(tests, 'test')} of {counted(len(summary.found.runs), 'run')}: {counts or 'none'}"
    )
    yield from _causes(summary, style)
    yield from _unsteady(summary, style)
    yield from _trouble_with_tools(summary, style)
    yield from _list(style, "phones in trouble", [("", line) for line in in_trouble(summary.merged.phones)])
    slow = [(row.nodeid, f"{in_seconds(step.duration_ms)}, {step.title}") for row, step in summary.slowest]
    yield from _list(style, "slowest steps", slow)
    yield from _list(style, "not read", [("", line) for line in summary.found.troubles])
    yield from _list(style, "not ours", [("", line) for line in summary.found.foreign])


def _causes(summary: Summary, style: Style) -> Iterator[str]:
    causes = [cause for cause in summary.merged.causes if cause.failures]
    broken = sum(result.outcome in BROKEN for result in summary.merged.results)
    if not broken:
        return
    yield style.heading(f"{counted(broken, 'failure')}, {counted(len(causes), 'cause')}")
    seen: set[int] = set()
    for number, cause in enumerate(causes, 1):
        yield style.cause(number, cause.title, counted(cause.failures, "test"))
        places = [at for at in cause.tests if at in summary.divergences and at not in seen]
        seen.update(places)
        yield from _tests(summary, style, places)
    left = [at for at in summary.failed if at not in seen]
    if left:  # a worker that died has no cause
        yield style.cause(len(causes) + 1, "no cause is known", counted(len(left), "test"))
        yield from _tests(summary, style, left)


def _tests(summary: Summary, style: Style, places: Sequence[int]) -> Iterator[str]:
    for at in places[:MOST_TESTS]:
        row, divergence = summary.merged.rows[at], summary.divergences[at]
        yield style.test(row.nodeid)
        yield style.sentence(divergence.sentence)
        lines = [line for one in divergence.evidence for line in one.lines]
        for line in lines[:_EVIDENCE]:
            yield style.evidence(line)
        if at in summary.pages:
            yield style.evidence(f"open {summary.pages[at]}{f'#{divergence.step}' if divergence.step else ''}")
    if len(places) > MOST_TESTS:
        yield style.sentence(f"and {len(places) - MOST_TESTS} more tests")


def _unsteady(summary: Summary, style: Style) -> Iterator[str]:
    lines = [(test, " then ".join(_shortly(outcomes))) for test, outcomes in summary.unsteady.items()]
    yield from _list(style, "not the same in every run", lines)
    flaky = [result for result in summary.merged.results if result.outcome == "flaky"]
    rows = summary.merged.rows
    first = [_broken(rows, result)[0] for result in flaky]
    failures = [(row.nodeid, row.divergence or row.failure) for row in first]
    yield from _list(style, "flaky, passed when run again", failures)


def _broken(rows: Sequence[RunRow], result: RunResult) -> list[RunRow]:
    """Those that lost their phone last: they say the least."""
    return sorted((rows[at] for at in result.attempts if rows[at].is_broken), key=lambda row: bool(row.lost))


def _shortly(outcomes: Sequence[str]) -> list[str]:
    """``["passed x 12", "failed"]``: the same outcome in a row once."""
    rows: list[tuple[str, int]] = []
    for outcome in outcomes:
        if rows and rows[-1][0] == outcome:
            rows[-1] = (outcome, rows[-1][1] + 1)
        else:
            rows.append((outcome, 1))
    return [f"{outcome} x {number}" if number > 1 else outcome for outcome, number in rows]


def _trouble_with_tools(summary: Summary, style: Style) -> Iterator[str]:
    rows = [summary.merged.rows[at] for at in summary.failed]
    infra = [(row.nodeid, row.failure) for row in rows if row.outcome == "infra"]
    yield from _list(style, "trouble with a phone or a tool, which says nothing about the app", infra)


def _list(style: Style, title: str, items: Sequence[tuple[str, str]]) -> Iterator[str]:
    if not items:
        return
    yield style.heading(f"{title} ({len(items)})")
    for name, text in items[:MOST_LINES]:
        yield style.item(name, text)
    if len(items) > MOST_LINES:
        yield style.item("", f"and {len(items) - MOST_LINES} more")
