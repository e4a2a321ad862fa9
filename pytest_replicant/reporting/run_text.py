"""A run as text, for a terminal: counts, causes with their tests and traces, lists of what deserves a look."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ..model import BROKEN, shortened
from .printable import counted, printable
from .triage.run_record import in_trouble

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ..pool import DeviceUri
    from .triage.run_record import CauseGroup, PhoneHealth, RunRecord, RunResult, RunRow

_ORDER = ("passed", "recovered", "requeued", "flaky", "xpassed", "xfailed", "skipped", "failed", "error", "infra")


def summary_line(run: RunRecord) -> str:
    """``"18 passed, 4 recovered, 1 flaky, 2 failed, 1 infra (2 causes)"``: tests that use a phone, each once."""
    counts = Counter(result.outcome for result in run.results)
    shown = ", ".join(
        counted(counts[name], name) if name == "error" else f"{counts[name]} {name}"
        for name in _ORDER
        if counts[name]
    )
    causes = len(failing(run))
    return f"{shown} ({counted(causes, 'cause')})" if causes else shown


def on_phones(run: RunRecord, devices: Sequence[DeviceUri]) -> str:
    """``"on virtual?latency=0"``, ``"on 4 phones (virtual:4)"``: the phones of a run, which was given ``devices``;
    "" where no test had one. Of a kind without a number each worker has a phone of its own."""
    unlimited = {uri.text.partition("?")[0] for uri in devices if uri.is_unlimited}
    used = {(row.phone, row.worker if row.phone in unlimited else "") for row in run.rows if row.phone}
    names = ", ".join(uri.masked for uri in devices)
    if len(used) > 1:
        return f"on {counted(len(used), 'phone')} ({names})"
    return f"on {names if len(devices) == 1 else next(iter(used))[0]}" if used else ""


def headline(run: RunRecord) -> str:
    """``"12 failures, 2 causes"``; "" where nothing failed in the end."""
    failures = sum(result.outcome in BROKEN for result in run.results)
    return f"{counted(failures, 'failure')}, {counted(len(failing(run)), 'cause')}" if failures else ""


def failing(run: RunRecord) -> tuple[CauseGroup, ...]:
    """The causes by which tests ended broken; others passed when they were run again."""
    return tuple(cause for cause in run.causes if cause.failures)


def broken_places(run: RunRecord, cause: CauseGroup) -> list[int]:
    """The rows of a cause that no later attempt came after, one a test."""
    tests: dict[str, int] = {}
    for at in cause.tests:
        if at not in cause.earlier:
            tests.setdefault(run.rows[at].test or run.rows[at].nodeid, at)
    return list(tests.values())


CAUSES = 10
"""Causes that a terminal shows at most; the index of the run has them all."""

TESTS = 5
"""Tests of one cause that a terminal shows at most."""

_WIDEST = 200
_LONGEST = 600  # of the sentence about the last pass, which is printed whole
_SINCE = "since the last pass"


def failure_blocks(run: RunRecord, folder: Path | None) -> list[str]:
    """Nothing where nothing failed in the end. ``folder`` is the run's as the reader would open it, None where
    nothing was written."""
    causes = failing(run)
    if not causes:
        return []
    lines = [headline(run)]
    for cause in causes[:CAUSES]:
        lines += _block(run, cause, folder)
    if len(causes) > CAUSES:
        lines.append(f"and {counted(len(causes) - CAUSES, 'more cause')}")
    return [printable(line, _LONGEST) for line in lines]


def flaky_lines(run: RunRecord, folder: Path | None) -> list[str]:
    """What failed at first and passed when it was run again; the trace of the attempt that failed."""
    flaky = [result for result in run.results if result.outcome == "flaky"]
    lines = [f"flaky ({len(flaky)}):"] if flaky else []
    for result in flaky[:CAUSES]:
        rows = [run.rows[at] for at in result.attempts]
        broken = [row for row in rows if row.is_broken]
        failed = next((row for row in broken if not row.lost), broken[0])
        opened = opens(failed, folder)
        where = f", open {opened}" if opened else ""
        lines.append(
            f"  {result.nodeid} passed at attempt {rows[-1].attempt + 1}; "
            f"attempt {failed.attempt + 1}: {failed.failure[:_WIDEST]}{where}"
        )
    if len(flaky) > CAUSES:
        lines.append(f"  and {len(flaky) - CAUSES} more")
    return [printable(line, _LONGEST) for line in lines]


def requeued_lines(run: RunRecord, folder: Path | None) -> list[str]:
    """Tests that lost a phone and were run again: which phone, how, and what became of them on the next one."""
    tests = [(result, [run.rows[at] for at in result.attempts]) for result in run.results]
    again = [(result, rows) for result, rows in tests if any(row.requeues for row in rows)]
    lines = [f"requeued ({len(again)}):"] if again else []
    for result, rows in again[:CAUSES]:
        lost = next(row for row in rows if row.lost)
        opened = opens(lost, folder)
        where = f", open {opened}" if opened else ""
        said = shortened(lost.lost.partition("\n")[0], _WIDEST)
        lines.append(f"  {result.nodeid} lost {lost.phone} and {_ended(result, rows[-1])}; {said}{where}")
    if len(again) > CAUSES:
        lines.append(f"  and {len(again) - CAUSES} more")
    return [printable(line, _LONGEST) for line in lines]


def _ended(result: RunResult, last: RunRow) -> str:
    if last.lost:
        return f"{last.phone} as well"
    on = f" on {last.phone}" if last.phone else ""
    return f"{'passed' if result.outcome in ('requeued', 'flaky') else f'ended as {result.outcome}'}{on}"


def opens(row: RunRow, folder: Path | None) -> str:
    """The trace page of a test at the step that failed; "" where there is none."""
    if folder is None or not row.trace:
        return ""
    step = f"#{row.cause.step}" if row.cause is not None and row.cause.step else ""
    return f"{(folder / row.trace).as_posix()}{step}"


def place(row: RunRow) -> str:
    """The line of the test that failed, else where the test stands."""
    return (row.cause.source if row.cause is not None else "") or row.location


def nearest(row: RunRow) -> str:
    """The elements that come near a target that was not found; "" where none does."""
    return row.cause.nearest if row.cause is not None else ""


def shared_facts(rows: Sequence[RunRow]) -> Iterator[tuple[str, str]]:
    """The facts that hold for every one of the tests: that of the first would pass for that of all."""
    first, *others = [dict(_facts(row)) for row in rows]
    for name, fact in first.items():
        if fact and all(each[name] == fact for each in others):
            yield name, fact


def _block(run: RunRecord, cause: CauseGroup, folder: Path | None) -> Iterator[str]:
    rows = [run.rows[at] for at in broken_places(run, cause)]
    kind = f"{cause.cause.failure_class} {cause.cause.failure_code}".strip()
    several = f" ({len(rows)} tests)" if len(rows) > 1 else ""
    yield f"{rows[0].outcome.upper()} {kind}{several}"
    yield f"  {cause.title[:_WIDEST]}"
    for name, fact in shared_facts(rows):
        yield f"  {name}: {shortened(fact, _LONGEST if name == _SINCE else _WIDEST)}"
    for row in rows[:TESTS]:
        yield f"  test: {row.nodeid}{_at(row)}{f' on {row.worker}' if row.worker else ''}"
        if opened := opens(row, folder):
            yield f"  open: {opened}"
    if len(rows) > TESTS:
        yield f"  and {counted(len(rows) - TESTS, 'more test')}"


def _at(row: RunRow) -> str:
    """The file is named once, where it is the test's own."""
    path, _, line = place(row).rpartition(":")
    if not path:
        return ""
    return f", line {line}" if row.nodeid.startswith(f"{path}::") else f" at {path}:{line}"


def _facts(row: RunRow) -> Iterator[tuple[str, str]]:
    assert row.cause is not None  # a row of a group has one
    yield from (("target", row.cause.target), ("screen", row.cause.screen))
    yield from (("nearest", nearest(row)), (_SINCE, row.divergence))


LISTED = 10
"""Lines a list takes at most in a terminal; the index of the run has them all."""


def trouble_lines(phones: Sequence[PhoneHealth]) -> list[str]:
    """Phones that were lost or whose tool trouble ended a test; nothing where all were sound."""
    return [printable(line) for line in _listed("phones in trouble", in_trouble(phones))]


def closing_lines(rows: Sequence[RunRow], index_html: Path | None, warnings: Sequence[str] = ()) -> list[str]:
    """Lines without colour, safe to print: control characters of app text are shown, not obeyed."""
    lines: list[str] = []
    unproven = [f"{row.nodeid} {row.unverified}" for row in rows if row.unverified]
    vacuous = [f"{row.nodeid} {line}" for row in rows for line in row.vacuous]
    unstored = [*warnings, *(warning for row in rows for warning in row.warnings)]
    lines += _listed("recovered", [f"{row.nodeid} {line}" for row in rows for line in row.recovered])
    asked = [f"{row.nodeid} {line}" for row in rows for line in row.recoverable]
    lines += _listed("recovery would have been tried", asked)
    lines += _listed("apps that died", [f"{row.nodeid} {line}" for row in rows for line in row.deaths])
    lines += _listed("passed without proof", unproven)
    lines += _listed("checks that held before their action", vacuous)
    lines += _listed("not recorded in full", unstored)
    if index_html is not None:
        lines.append(f"report: {index_html}")
    return [printable(line) for line in lines]


def _listed(title: str, lines: Sequence[str]) -> Iterator[str]:
    if not lines:
        return
    yield f"{title} ({len(lines)}):"
    yield from (f"  {line}" for line in lines[:LISTED])
    if len(lines) > LISTED:
        yield f"  and {len(lines) - LISTED} more"
