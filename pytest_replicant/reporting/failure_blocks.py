"""What a person reads first in the terminal of a red build: each cause, its facts, its tests and their traces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import shortened
from .printable import counted, printable
from .tally import broken_places, failing, headline

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from .triage.run_record import CauseGroup, RunRecord, RunResult, RunRow

CAUSES = 10
"""Causes that a terminal shows at most; the index of the run has them all."""

TESTS = 5
"""Tests of one cause that a terminal shows at most."""

_WIDEST = 200
_LONGEST = 600  # of the sentence about the last pass, which is told whole
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
