"""A run as text, for a terminal: counts, causes with their tests and traces, lists of what deserves a look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..model import shortened
from ..pool import DeviceUri
from .printable import LONGEST, counted, few, left_out, printable
from .triage.run_record import (
    CauseGroup,
    PhoneHealth,
    RunRecord,
    RunResult,
    RunRow,
    failing,
    first_failure,
    headline,
    in_trouble,
    test_of,
)

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


def broken_rows(run: RunRecord, cause: CauseGroup) -> list[RunRow]:
    """The rows of a cause that no later attempt came after, one a test."""
    tests: dict[str, RunRow] = {}
    for at in cause.tests:
        if at not in cause.earlier:
            tests.setdefault(test_of(run.rows[at]), run.rows[at])
    return list(tests.values())


CAUSES = 10
"""Causes, and lines of a list, that a terminal shows at most; the index of the run has them all."""

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
    lines = [line for cause in causes[:CAUSES] for line in _block(run, cause, folder)]
    return [printable(line, _LONGEST) for line in (headline(run), *lines, *left_out(causes, CAUSES, "cause"))]


def flaky_lines(run: RunRecord, folder: Path | None) -> list[str]:
    """What failed at first and passed when it was run again; the trace of the attempt that failed."""
    lines = []
    for result in run.results:
        if result.outcome == "flaky":
            failed, last = first_failure(run, result), run.rows[result.attempts[-1]]
            lines.append(
                f"{result.nodeid} passed at attempt {last.attempt + 1}; "
                f"attempt {failed.attempt + 1}: {failed.failure[:_WIDEST]}{_opened(failed, folder)}"
            )
    return _listed("flaky", lines, _LONGEST)


def requeued_lines(run: RunRecord, folder: Path | None) -> list[str]:
    """Tests that lost a phone and were run again: which phone, how, and what became of them on the next one."""
    lines = []
    for result in run.results:
        rows = [run.rows[at] for at in result.attempts]
        if any(row.requeues for row in rows):
            lost = next(row for row in rows if row.lost)
            said = shortened(lost.lost.partition("\n")[0], _WIDEST)
            ended = _ended(result, rows[-1])
            lines.append(f"{result.nodeid} lost {lost.phone} and {ended}; {said}{_opened(lost, folder)}")
    return _listed("requeued", lines, _LONGEST)


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


def _opened(row: RunRow, folder: Path | None) -> str:
    page = opens(row, folder)
    return f", open {page}" if page else ""


def place(row: RunRow) -> str:
    """The line of the test that failed, else where the test stands."""
    return (row.cause.source if row.cause is not None else "") or row.location


def shared_facts(rows: Sequence[RunRow]) -> Iterator[tuple[str, str]]:
    """The facts that hold for every one of the tests: that of the first would pass for that of all."""
    first, *others = [dict(_facts(row)) for row in rows]
    for name, fact in first.items():
        if fact and all(each[name] == fact for each in others):
            yield name, fact


def _block(run: RunRecord, cause: CauseGroup, folder: Path | None) -> Iterator[str]:
    rows = broken_rows(run, cause)
    several = f" ({len(rows)} tests)" if len(rows) > 1 else ""
    yield f"{rows[0].outcome.upper()} {cause.cause.kind}{several}"
    yield f"  {cause.title[:_WIDEST]}"
    for name, fact in shared_facts(rows):
        yield f"  {name}: {shortened(fact, _LONGEST if name == _SINCE else _WIDEST)}"
    for row in rows[:TESTS]:
        yield f"  test: {row.nodeid}{_at(row)}{f' on {row.worker}' if row.worker else ''}"
        if opened := opens(row, folder):
            yield f"  open: {opened}"
    yield from (f"  {line}" for line in left_out(rows, TESTS, "test"))


def _at(row: RunRow) -> str:
    """The file is named once, where it is the test's own."""
    path, _, line = place(row).rpartition(":")
    if not path:
        return ""
    return f", line {line}" if row.nodeid.startswith(f"{path}::") else f" at {path}:{line}"


def _facts(row: RunRow) -> Iterator[tuple[str, str]]:
    assert row.cause is not None  # a row of a group has one
    yield from (("target", row.cause.target), ("screen", row.cause.screen))
    yield from (("nearest", row.cause.nearest), (_SINCE, row.divergence))


def trouble_lines(phones: Sequence[PhoneHealth]) -> list[str]:
    """Phones that were lost or whose tool trouble ended a test; nothing where all were sound."""
    return _listed("phones in trouble", in_trouble(phones))


def closing_lines(rows: Sequence[RunRow], index_html: Path | None, warnings: Sequence[str] = ()) -> list[str]:
    """Lines without colour, safe to print: control characters of app text are shown, not obeyed."""
    lists = (
        ("recovered", [(row, row.recovered) for row in rows]),
        ("recovery would have been tried", [(row, row.recoverable) for row in rows]),
        ("apps that died", [(row, row.deaths) for row in rows]),
        ("passed without proof", [(row, (row.unverified,) if row.unverified else ()) for row in rows]),
        ("checks that prove little", [(row, row.vacuous) for row in rows]),
    )
    shown = []
    for title, found in lists:
        shown += _listed(title, [f"{row.nodeid} {line}" for row, lines in found for line in lines])
    shown += _listed("not recorded in full", [*warnings, *(line for row in rows for line in row.warnings)])
    return shown if index_html is None else [*shown, printable(f"report: {index_html}")]


def _listed(title: str, lines: Sequence[str], longest: int = LONGEST) -> list[str]:
    if not lines:
        return []
    return [
        printable(f"{title} ({len(lines)}):"),
        *(printable(f"  {line}", longest) for line in few(lines, CAUSES)),
    ]
