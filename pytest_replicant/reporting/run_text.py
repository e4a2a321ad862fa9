"""A run as text, for a terminal: counts, causes with their tests and traces, lists of what deserves
a look."""

from __future__ import annotations

import os
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from ..kept_runs import (
    CauseGroup,
    FlakyCause,
    PhoneHealth,
    ReplayedTest,
    RunRecord,
    RunRow,
    failed_it,
    failing,
    first_failure,
    normalise,
    test_of,
)
from ..model import BROKEN, first_line, grouped, shortened
from ..model.printable import (
    LONGEST,
    LONGEST_LINE,
    counted,
    few,
    left_out,
    printable,
)
from .findings import NOTES

if TYPE_CHECKING:
    from .triage.summary import Summary

HOLDS = "holds on the recording"
_ORDER = (
    "passed", "recovered", "requeued", "flaky", "xpassed", "xfailed", "skipped", "known flaky",
    "failed", "error", "infra", HOLDS, "reproduced", "beyond the recording", "diverged",
    "fails on the recording",
)  # fmt: skip
_PLURAL = {
    "error": "errors",
    HOLDS: "hold on the recording",
    "fails on the recording": "fail on the recording",
}


def summary_line(run: RunRecord) -> str:
    """``"18 passed, 4 recovered, 1 flaky, 2 failed, 1 infra (2 causes)"``: tests that use a phone,
    each once, and every error that pytest counts. Of a replay ``"replay of nightly.zip: 3 hold on
    the recording, 1 diverged (1 not as expected)"``."""
    counts = Counter(result.outcome for result in run.results)
    counts["error"] = max(counts["error"], run.errors - counts["infra"])
    shown = ", ".join(numbered(counts[name], name) for name in _ORDER if counts[name])
    if run.replay is not None:
        shown = f"replay of {run.replay.run}: {shown}"
        unexpected = len(run.replay.unexpected)
        return f"{shown} ({unexpected} not as expected)" if unexpected else shown
    causes = len(failing(run))
    return f"{shown} ({counted(causes, 'cause')})" if causes else shown


def numbered(count: int, outcome: str) -> str:
    """``"3 hold on the recording"``."""
    return f"{count} {outcome if count == 1 else _PLURAL.get(outcome, outcome)}"


def on_phones(run: RunRecord) -> str:
    """``"on virtual-1"``, ``"on 2 phones (virtual-1, virtual-2)"``; "" if no test had one."""
    used = sorted({row.phone for row in run.rows if row.phone})
    names = ", ".join(few(used, TESTS))
    if len(used) > 1:
        return f"on {counted(len(used), 'phone')} ({names})"
    return f"on {names}" if used else ""


def broken_rows(run: RunRecord, cause: CauseGroup) -> list[RunRow]:
    """The rows of a cause that no later attempt came after, one a test: of several phones the one
    that failed."""
    tests: dict[str, RunRow] = {}
    for row in (run.rows[at] for at in cause.tests if at not in cause.earlier):
        known = tests.setdefault(test_of(row), row)
        if failed_it(row) and not failed_it(known):
            tests[test_of(row)] = row
    return list(tests.values())


CAUSES = 10
"""Causes, and lines of a list, that a terminal shows at most; the index of the run has them all."""

TESTS = 5
"""Tests with one end of a replay, and phones, that a terminal shows at most."""

JOINED = 20
"""Tests of one cause that a terminal shows at most, and that its command runs again."""

_WIDEST = 200
_SINCE = "since the last pass"


def failure_blocks(run: RunRecord, folder: Path | None) -> list[str]:
    """The causes with their tests, for the terminal and for ``failures.txt``; nothing if nothing
    failed in the end. ``folder`` is the run's as the reader would open it, None if nothing was
    written."""
    causes = failing(run)
    if not causes:
        return []
    lines = [line for cause in causes[:CAUSES] for line in _block(run, cause, folder)]
    return [headline(run), *lines, *left_out(causes, CAUSES, "cause")]


def _cut(text: str, longest: int = _WIDEST) -> str:
    """One line that is safe to print, and ends with a whole word, also if it was cut before."""
    line = printable(text, len(text) * 12)  # what stands for a character is longer than that
    if len(line) <= longest and not line.endswith("…"):
        return line
    kept = line[: longest - 2]
    return f"{kept.rpartition(' ')[0] or kept.rstrip('…')} …"


def flaky_lines(run: RunRecord, folder: Path | None) -> list[str]:
    """What failed at first and passed when it was run again; the trace of the attempt that
    failed."""
    lines = []
    for result in run.results:
        if result.outcome == "flaky":
            failed, last = first_failure(run, result), run.rows[result.attempts[-1]]
            lines.append(
                f"{result.nodeid} passed at attempt {last.attempt + 1}; "
                f"attempt {failed.attempt + 1}: {failed.failure[:_WIDEST]}{_opened(failed, folder)}"
            )
    return _listed("flaky", lines, LONGEST_LINE)


def known_flaky_lines(run: RunRecord, folder: Path | None, stale: Sequence[str]) -> list[str]:
    """What failed by a cause that the project has listed: its ticket, and the trace. ``stale`` are
    lines about entries of that list."""
    lines = [
        f"{test_of(row)}, {row.known_flaky}: {row.failure[:_WIDEST]}{_opened(row, folder)}"
        for row in run.rows
        if row.known_flaky
    ]
    return [
        *_listed("known flaky", lines, LONGEST_LINE),
        *_listed("out of date in replicant_known_flaky", stale),
    ]


def requeued_lines(run: RunRecord, folder: Path | None) -> list[str]:
    """Tests that lost a phone and were run again: which phone, how, and what became of them on the
    next one."""
    lines = []
    for result in run.results:
        rows = [run.rows[at] for at in result.attempts]
        if any(row.requeues for row in rows):
            lost, last = next(row for row in rows if row.lost), rows[-1]
            said = shortened(first_line(lost.lost), _WIDEST)
            ended = f"ended as {result.outcome}"
            if result.outcome in ("requeued", "flaky"):
                ended = "passed"
            if last.phone:
                ended += f" on {last.phone}"
            if last.lost:
                ended = f"{last.phone} as well"
            lines.append(
                f"{result.nodeid} lost {lost.phone} and {ended}; {said}{_opened(lost, folder)}"
            )
    return _listed("requeued", lines, LONGEST_LINE)


def opens(row: RunRow, folder: Path | None) -> str:
    """The trace page of a test at the step that failed; "" if there is none."""
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


def shared_facts(rows: Sequence[RunRow]) -> dict[str, str]:
    """The facts that hold for every one of the tests: that of the first would pass for that of all.
    Of the sentence about the last pass, the one that most of them share, but for numbers."""
    first, *others = map(_facts, rows)
    shared = {}
    for name, fact in first.items():
        if all(each.get(name) == fact for each in others):
            shared[name] = fact
    alike = grouped((normalise(row.divergence), row.divergence) for row in rows if row.divergence)
    if alike:
        most = max(alike.values(), key=len)
        rest = sum(map(len, alike.values())) - len(most)
        differ = f" (and {counted(rest, 'other')} differ)" if rest else ""
        shared[_SINCE] = most[0] + differ
    return shared


def again(rows: Sequence[RunRow]) -> tuple[str, str]:
    """The command that runs the tests of a cause again, and a note about it."""
    tests: dict[str, None] = {}
    options: dict[str, None] = {}
    note = ""
    for row in rows[:JOINED]:
        if row.rerun:
            _, test, *given = shlex.split(row.rerun)
            tests[test] = None
            options |= dict.fromkeys(given)
            if row.nodeid.endswith("]") and "]'" not in row.rerun:  # though one of them failed
                note = " (all its parameters)"
    if not tests:
        return "", ""
    if len(rows) > JOINED:
        note += f" (the first {JOINED})"
    return shlex.join(["pytest", *tests, *options]), note


def _heading(rows: Sequence[RunRow]) -> str:
    kinds = ((row.outcome, row.cause.kind if row.cause is not None else "") for row in rows)
    [((outcome, kind), _)] = Counter(kinds).most_common(1)
    heading = f"{outcome.upper()} {kind}"
    if len(rows) == 1:
        return heading
    ended = Counter(row.outcome for row in rows)
    each = ", ".join(f"{count} {name}" for name, count in ended.items())
    tests = counted(len(rows), "test")
    return f"{heading} ({tests}: {each})" if len(ended) > 1 else f"{heading} ({tests})"


def _block(run: RunRecord, cause: CauseGroup, folder: Path | None) -> Iterator[str]:
    rows = broken_rows(run, cause)
    yield _heading(rows)
    yield f"  {_cut(cause.title)}"
    shared = shared_facts(rows)
    for name, fact in shared.items():
        yield f"  {name}: {_cut(fact, LONGEST_LINE if name == _SINCE else _WIDEST)}"
    for row in rows[:JOINED]:
        worker = f" on {row.worker}" if row.worker else ""
        yield printable(f"  test: {row.nodeid}{_at(row)}{worker}", LONGEST_LINE)
        for name, fact in _facts(row).items():
            if name not in (*shared, "screen"):
                yield f"    {name}: {_cut(fact)}"
        if opened := opens(row, folder):
            yield printable(f"  open: {opened}", LONGEST_LINE)
    yield from (f"  {line}" for line in left_out(rows, JOINED, "test"))
    command, note = again(rows)
    if command:
        yield f"  run again{note}: {printable(command, len(command))}"


def _at(row: RunRow) -> str:
    """The file is named once, where it is the test's own."""
    path, _, line = place(row).rpartition(":")
    if not path:
        return ""
    return f", line {line}" if row.nodeid.startswith(f"{path}::") else f" at {path}:{line}"


def _facts(row: RunRow) -> dict[str, str]:
    cause = row.cause
    assert cause is not None  # a row of a group has one
    facts = {"target": cause.target, "screen": cause.screen}
    if cause.expected and cause.expected != cause.target:
        facts |= {"expected": cause.expected, "observed": cause.observed}
    facts["nearest"] = cause.nearest
    return {name: fact for name, fact in facts.items() if fact}


# --- a replay -------------------------------------------------------------------------------------

_LINES = 3  # of a failure, and of a sentence


def replay_blocks(run: RunRecord, folder: Path, failures: Mapping[str, str]) -> list[str]:
    """What became of the tests of a replay. ``folder`` is the run's as the reader would open it,
    ``failures`` the whole texts of what failed, for who wants them."""
    # Tests of which the same is to be said, but for numbers: first those that did not end as
    # expected, last those that hold as expected.
    alike = grouped(
        ((one.is_as_wanted, -_ORDER.index(one.verdict), one.wanted, normalise(one.sentence)), one)
        for one in (run.replay.tests if run.replay is not None else ())
    )
    groups = [alike[key] for key in sorted(alike, key=lambda key: key[:2])]
    holding = [own for own in groups if own[0].is_as_wanted and own[0].verdict == HOLDS]
    worth = groups[: len(groups) - len(holding)]
    lines = [line for own in worth[:CAUSES] for line in _replay_block(run, own, folder, failures)]
    lines += left_out(worth, CAUSES, "kind of end")
    if sum(map(len, holding)) <= TESTS:
        return lines + [
            f"{HOLDS} {_cut(one.sentence)}: {_cut(one.nodeid)}" for own in holding for one in own
        ]
    return lines + [_cut(_holding(own), LONGEST_LINE) for own in holding]


def _holding(tests: Sequence[ReplayedTest]) -> str:
    """``"12 hold on the recording"``; what else there is to say of them stands behind, and of whom
    it is true."""
    notes = tests[0].sentence.partition("; ")[2]
    names = f"; {notes}: {', '.join(few([one.nodeid for one in tests], TESTS))}" if notes else ""
    return f"{numbered(len(tests), HOLDS)}{names}"


def _replay_block(
    run: RunRecord, tests: Sequence[ReplayedTest], folder: Path, failures: Mapping[str, str]
) -> Iterator[str]:
    first = tests[0]
    said, *more = first.sentence.splitlines()
    several = f" ({len(tests)} tests)" if len(tests) > 1 else ""
    yield f"{first.verdict.upper()}{several} {_cut(said, LONGEST_LINE)}"
    yield from (f"  {_cut(line, LONGEST_LINE)}" for line in more[:_LINES])
    if not first.is_as_wanted:
        yield f"  expected: {first.wanted}"
    for one in tests[:TESTS]:
        row = next((row for row in run.rows if test_of(row) == one.nodeid), None)
        yield printable(f"  test: {one.nodeid}", LONGEST_LINE)
        if one.sentence != first.sentence:  # by its numbers
            yield f"    {_cut(one.sentence.splitlines()[0])}"
        if row is not None and row.trace:
            yield printable(f"  open: {opens(row, folder)}", LONGEST_LINE)
        if one.recorded:
            path = Path(os.path.normpath(folder / one.recorded)).as_posix()
            yield printable(f"  recorded: {path}", LONGEST_LINE)
        if one.nodeid in failures:
            for line in failures[one.nodeid].splitlines():
                yield f"    {printable(line, LONGEST_LINE)}"
        elif one is first and row and one.verdict in ("reproduced", "fails on the recording"):
            yield from (f"    {_cut(line)}" for line in row.message.splitlines()[1 : _LINES + 1])
    yield from (f"  {line}" for line in left_out(tests, TESTS, "test"))


def trouble_lines(phones: Sequence[PhoneHealth]) -> list[str]:
    """Phones that were lost or whose tool trouble ended a test; nothing if all were sound."""
    return _listed("phones in trouble", in_trouble(phones))


def closing_lines(rows: Sequence[RunRow], warnings: Sequence[str] = ()) -> list[str]:
    """Lines without colour, safe to print: control characters of app text are shown, not obeyed."""
    shown = []
    for note in NOTES:
        lines = [f"{row.nodeid} {line}" for row in rows for line in note.lines(row)]
        shown += _listed(note.title, lines)
    further = [line for row in rows for line in row.warnings]
    return shown + _listed("not recorded in full", [*warnings, *further])


def _listed(title: str, lines: Sequence[str], longest: int = LONGEST) -> list[str]:
    found = [printable(f"{title} ({len(lines)}):")] if lines else []
    return found + [printable(f"  {line}", longest) for line in few(lines, CAUSES)]


# --- many runs ------------------------------------------------------------------------------------


def triage_lines(summary: Summary) -> list[str]:
    """Many runs, the most urgent first; their causes as each run ends with its own."""
    merged, here = summary.merged, Path()
    pages = zip(merged.rows, summary.pages, strict=True)
    run = replace(merged, rows=tuple(replace(row, trace=page) for row, page in pages))
    counts = ", ".join(f"{number} {outcome}" for outcome, number in summary.counts.items())
    tests, runs = counted(len(merged.results), "test"), counted(len(summary.found.runs), "run")
    failed = [run.rows[at] for at in summary.failed]
    apart = Counter(one.sentence for one in summary.divergences.values() if not one.compared)
    lists = {
        "no cause is known": [
            f"{row.nodeid}: {row.failure}" for row in failed if row.cause is None
        ],
        "not compared": [
            f"{counted(number, 'test')}: {sentence}" for sentence, number in apart.items()
        ],
        "not the same in every run": [
            f"{test}: {_shortly(ends)}" for test, ends in summary.unsteady.items()
        ],
        "not read": summary.found.troubles,
        "not ours": summary.found.foreign,
    }
    return [
        f"{tests} of {runs}: {counts or 'none'}",
        *failure_blocks(run, here),
        *flaky_lines(run, here),
        *known_flaky_lines(run, here, ()),
        *trouble_lines(merged.phones),
        *(line for title, lines in lists.items() for line in _listed(title, lines, LONGEST_LINE)),
    ]


def _shortly(outcomes: Sequence[str]) -> str:
    """``"passed x 12 then failed"``: the same outcome in a row once."""
    rows = [(outcome, len([*same])) for outcome, same in groupby(outcomes)]
    return " then ".join(
        f"{outcome} x {number}" if number > 1 else outcome for outcome, number in rows
    )


_KINDS = {"phone": "the phone"}


def flaky_table(summary: Summary) -> list[str]:
    """The causes by which tests fail now and then, each with its tests."""
    causes = grouped(((one.key, one.kind), one) for one in summary.merged.flaky)
    of_runs = counted(len(summary.history), "run")
    if not causes:
        return [f"no flaky test in {of_runs}"]
    tests = counted(len({one.test for one in summary.merged.flaky}), "flaky test")
    lines = [f"{tests}, {counted(len(causes), 'cause')} of {of_runs}"]
    for number, ((key, kind), own) in enumerate(causes.items(), 1):
        looks = f"looks like {_KINDS.get(kind, kind)}, " if kind else ""
        rate = _rate(sum(one.failed for one in own), sum(one.runs for one in own))
        lines.append(f"  {number}. {own[0].cause} ({looks}{rate}, key {key})")
        for one in own[:JOINED]:
            lines.append(f"     {one.test}")
            lines += [f"       {line}" for line in _known_of(one, len(own) > 1)]
        lines += [f"       {line}" for line in left_out(own, JOINED, "test")]
    return [printable(line, LONGEST_LINE) for line in lines]


def _known_of(one: FlakyCause, own_rate: bool) -> Iterator[str]:
    if own_rate:
        yield _rate(one.failed, one.runs)
    alone = f" alone; it passed on {', '.join(one.passed_on)}" if one.passed_on else ""
    on = f", on {', '.join(one.phones)}{alone}" if one.phones else ""
    at = f" at {one.revision}" if one.revision else ""
    yield f"first seen {one.first_seen or 'at an unknown time'}{at}{on}"
    if one.parts_at:
        yield one.parts_at
    if one.history:
        yield f"last runs: {one.history}"


def _rate(failed: int, runs: int) -> str:
    from .triage.flaky import interval

    low, high = interval(failed, runs)
    return (
        f"{failed} of {counted(runs, 'attempt')} failed: {failed / runs:.0%}, {low:.0%} to "
        f"{high:.0%}"
    )


def headline(run: RunRecord) -> str:
    """``"12 failures, 2 causes"``; "" if nothing failed in the end."""
    failures = sum(result.outcome in BROKEN for result in run.results)
    causes = sum(cause.failures > 0 for cause in run.causes)
    return f"{counted(failures, 'failure')}, {counted(causes, 'cause')}" if failures else ""


def in_trouble(phones: Sequence[PhoneHealth]) -> list[str]:
    """A line for each phone that was lost, or whose tool trouble ended a test."""
    lines = []
    for one in phones:
        counts = (
            (one.lost, "lost"),
            (one.infra, "tool trouble"),
            (one.reconnected, "recovered by reconnecting"),
        )
        troubles = ", ".join(f"{word} in {count}" for count, word in counts if count)
        quarantined = f"; in quarantine: {one.reason}" if one.reason else ""
        if one.lost or one.infra:
            shown = f"{one.phone} ({one.device or 'never opened'})"
            lines.append(f"{shown}: {troubles} of {one.attempts} tests{quarantined}")
    return lines
