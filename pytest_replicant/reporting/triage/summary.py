"""A summary of many runs: how each test stands, why it fails, and which results vary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from ...codec import WrongSchema
from ...kept import (
    FLAKY,
    REQUEUED,
    FlakyCause,
    RunRecord,
    RunRow,
    SlowStep,
    attempt_in,
    failing,
    first_failure,
    last_attempt,
    passed_over,
    results_of,
    test_of,
)
from ...model import BROKEN, HEALTHY, UNSOUND, AnyDict, Strings, grouped, plain
from ..printable import counted, headline, in_trouble, left_out, printable
from .baseline import TraceFolders
from .divergence import Divergence, compared, in_seconds
from .flaky import flaky_causes, history_of, interval, with_history, with_recordings
from .grouping import run_of
from .history import KeptRun, cause_id, kind_of
from .runs import latest, linked_from

if TYPE_CHECKING:
    from .runs import Found, FoundRow, FoundRun

TRIAGE_SCHEMA = "replicant.triage/1"
SLOWEST = 5
_OF_A_FAILURE = ("nodeid", "attempt", "outcome", "started_at", "duration_ms", "device", "failure", "location")
_PASSED = frozenset({*HEALTHY, FLAKY, REQUEUED})


@dataclass(frozen=True)
class Summary:
    """``merged`` holds each test as it stands last, as one run; ``divergences`` how a row of it, by its place,
    parted from the last pass, ``pages`` if its trace is, seen from where the command was given. ``unsteady``
    are the outcomes, oldest first, of tests that passed in one run and failed in another, ``history`` the runs
    that are known."""

    found: Found
    merged: RunRecord
    divergences: Mapping[int, Divergence]
    pages: Mapping[int, str]
    unsteady: Mapping[str, Strings]
    history: tuple[KeptRun, ...] = ()

    @property
    def failed(self) -> tuple[int, ...]:
        """The places of the rows with a failure that stands, each phone of a test for itself."""
        return tuple(sorted(self.divergences))

    @property
    def slowest(self) -> tuple[tuple[RunRow, SlowStep], ...]:
        steps = [(row, step) for row in self.merged.rows for step in row.slowest]
        return tuple(sorted(steps, key=lambda one: -one[1].duration_ms)[:SLOWEST])

    @property
    def counts(self) -> dict[str, int]:
        """How many tests ended how."""
        counts = Counter(result.outcome for result in self.merged.results)
        return dict(sorted(counts.items(), key=lambda one: (one[0] not in BROKEN, one[0])))

    def to_dict(self) -> AnyDict:
        rows = self.merged.rows
        return {
            "schema": TRIAGE_SCHEMA,
            "runs": [
                {
                    "run_id": run.run_id,
                    "started_at": run.started_at,
                    "tests": len({test_of(found.row) for found in run.rows}),
                    "folders": [folder.as_posix() for folder in run.folders],
                }
                for run in self.found.runs
            ],
            "counts": self.counts,
            "causes": [
                {**plain(cause), "tests": [rows[at].nodeid for at in cause.tests if at not in cause.earlier]}
                for cause in failing(self.merged)
            ],
            "failures": [
                {
                    **{name: plain(getattr(rows[at], name)) for name in (*_OF_A_FAILURE, "cause")},
                    "trace": self.pages.get(at, ""),
                    "divergence": plain(self.divergences[at]),
                }
                for at in self.failed
            ],
            "unsteady": [{"test": test, "outcomes": list(outcomes)} for test, outcomes in self.unsteady.items()],
            "flaky": plain(self.merged.flaky),
            "slowest": [
                {"test": row.nodeid, "step": step.title, "duration_ms": step.duration_ms}
                for row, step in self.slowest
            ],
            "phones": plain(self.merged.phones),
            "foreign": list(self.found.foreign),
            "troubles": list(self.found.troubles),
        }


def summary_of(found: Found, run_id: str, folder: Path, passes: Sequence[Path]) -> Summary:
    """``folder`` is where links of the merged run start; earlier passes are looked for below ``passes``."""
    newest = latest(found.runs)
    rows = tuple(linked_from(one, folder) for one in newest)
    began = min(filter(None, (run.started_at for run in found.runs)), default="")
    took = max((run.duration_ms for run in found.runs), default=0)
    traces = TraceFolders(tuple(passes))
    failed = [result for result in results_of(rows) if result.outcome in BROKEN]
    standing = [at for result in failed for at in last_attempt(result.attempts, rows) if rows[at].is_broken]
    divergences = {at: _divergence(newest[at], traces) for at in standing}
    compared_rows = [
        replace(row, divergence=divergences[at].sentence) if at in divergences else row
        for at, row in enumerate(rows)
    ]
    history = history_of(found)
    merged = with_history(run_of(run_id, began, took, compared_rows), history)
    parted = tuple(_parted(found, traces, flaky_causes(history)))
    merged = replace(merged, flaky=with_recordings(parted, (row for run in found.runs for row in run.rows)))
    seen = {at: linked_from(newest[at], Path.cwd()).trace for at in divergences}
    pages = {at: page for at, page in seen.items() if page}
    if traces.old:
        found = replace(found, troubles=(*found.troubles, passed_over(len(traces.old))))
    return Summary(found, merged, divergences, pages, _unsteady(found.runs), history)


def _parted(found: Found, traces: TraceFolders, causes: Sequence[FlakyCause]) -> Iterator[FlakyCause]:
    """Each with where its newest failing attempt parted from a pass, and what it looks like by that."""
    attempts: dict[tuple[str, str, str], FoundRow] = {}
    tests = {one.test for one in causes}
    for one in (row for run in found.runs for row in run.rows if test_of(row.row) in tests):
        if one.row.outcome in UNSOUND and one.row.cause is not None:
            test, key = test_of(one.row), cause_id([one.row.cause])[0]
            attempts[test, key, kind_of(one.row.cause, ())] = attempts[test, key, ""] = one
    for cause in causes:
        attempt = attempts.get((cause.test, cause.key, cause.kind), attempts.get((cause.test, cause.key, "")))
        divergence = _divergence(attempt, traces) if attempt is not None else None
        if divergence is None or not divergence.baseline:
            yield cause
            continue
        slow = any(one.kind == "timing" and one.telling for one in divergence.evidence)
        kind = "timing" if slow else "data" if divergence.signals or divergence.instead else ""
        yield replace(cause, parts_at=divergence.sentence, kind=cause.kind or kind)


def _divergence(failed: FoundRow, traces: TraceFolders) -> Divergence:
    """From the traces where both are at hand, else as its own run recorded it."""
    row = failed.row
    path = failed.opens(row.trace_json)
    known = Divergence(row.divergence) if row.divergence else None
    if path is None:
        return known or _not_compared("its trace was not kept")
    try:
        now = attempt_in(path)
    except WrongSchema as error:
        return known or _not_compared(f"its trace is {error}")
    except (OSError, ValueError):
        return known or _not_compared("its trace cannot be read")
    then = traces.last_pass(now.digest, now.nodeid, now.started_at)
    if then is None:
        return known or compared(None, now)
    divergence = compared(then, now)
    if then.started_at <= now.started_at:
        return divergence
    later = f"Next to a later pass: {divergence.sentence}"
    return Divergence(later, divergence.step, divergence.baseline, divergence.evidence)


def _not_compared(reason: str) -> Divergence:
    return Divergence(f"Not compared with another run: {reason}.", compared=False)


def _unsteady(runs: Sequence[FoundRun]) -> dict[str, Strings]:
    results = [result for run in runs for result in results_of([found.row for found in run.rows])]
    history = grouped((result.nodeid, result.outcome) for result in results)
    return {
        test: tuple(outcomes)
        for test, outcomes in history.items()
        if not BROKEN.isdisjoint(outcomes) and not _PASSED.isdisjoint(outcomes)
    }


# --- the summary for people ----------------------------------------------------------------------------------

MOST_TESTS = 20
"""Tests that one cause lists; the index of the run has them all."""
MOST_LINES = 10
_LONGEST = 700
_EVIDENCE = 4


def _one_line(text: str) -> str:
    return printable(text, _LONGEST)


def render(summary: Summary) -> Iterator[str]:
    """Lines, the most urgent first."""
    merged, rows = summary.merged, summary.merged.rows
    counts = ", ".join(f"{number} {outcome}" for outcome, number in summary.counts.items())
    tests, runs = counted(len(merged.results), "test"), counted(len(summary.found.runs), "run")
    yield _one_line(f"{tests} of {runs}: {counts or 'none'}")
    yield from _causes(summary)
    flaky = [first_failure(merged, result) for result in merged.results if result.outcome == "flaky"]
    infra = [rows[at] for at in summary.failed if rows[at].outcome == "infra"]
    trouble_with_tools = "trouble with a phone or a tool, which says nothing about the app"
    slow = [(row.nodeid, f"{in_seconds(step.duration_ms)}, {step.title}") for row, step in summary.slowest]
    lists = (
        ("not the same in every run", [(test, _shortly(ended)) for test, ended in summary.unsteady.items()]),
        ("flaky, passed when run again", [(row.nodeid, row.divergence or row.failure) for row in flaky]),
        ("known flaky", [(row.nodeid, f"{row.known_flaky}: {row.failure}") for row in rows if row.known_flaky]),
        (trouble_with_tools, [(row.nodeid, row.failure) for row in infra]),
        ("phones in trouble", [("", line) for line in in_trouble(merged.phones)]),
        ("slowest steps", slow),
        ("not read", [("", line) for line in summary.found.troubles]),
        ("not ours", [("", line) for line in summary.found.foreign]),
    )
    for title, items in lists:
        if items:
            yield f"{title} ({len(items)})"
        for name, text in [*items[:MOST_LINES], *(("", line) for line in left_out(items, MOST_LINES))]:
            named = f"{_one_line(name)}: " if name else ""
            yield f"  {named}{_one_line(text)}"


def _causes(summary: Summary) -> Iterator[str]:
    if not headline(summary.merged):
        return
    yield headline(summary.merged)
    alike = _of_several(summary)
    for sentence, tests in alike.items():
        yield f"  {tests} of {len(summary.failed)} tests: {_one_line(sentence)}"
    left = dict.fromkeys(summary.failed)
    causes = [(cause.title, cause.failures, cause.tests) for cause in failing(summary.merged)]
    of_none = set(left) - {at for _, _, places in causes for at in places}
    if of_none:  # a worker that died has no cause
        causes.append(("no cause is known", len(of_none), tuple(sorted(of_none))))
    for number, (title, failures, places) in enumerate(causes, 1):
        yield f"  {number}. {_one_line(title)} ({counted(failures, 'test')})"
        yield from _tests(summary, [at for at in places if at in left], alike)
        for at in places:
            left.pop(at, None)


def _of_several(summary: Summary) -> dict[str, int]:
    """Why tests were not compared with a pass, and of how many, if of several."""
    sentences = (one.sentence for one in summary.divergences.values() if not one.compared)
    return {sentence: tests for sentence, tests in Counter(sentences).items() if tests > 1}


def _tests(summary: Summary, places: Sequence[int], said: Collection[str]) -> Iterator[str]:
    """The tests that parted from their passes in one way stand above the evidence for it, which stands once. What
    was ``said`` of several causes is not said again."""
    alike: dict[Strings, list[int]] = {}
    for at in places[:MOST_TESTS]:
        divergence = summary.divergences[at]
        lines = [line for one in divergence.evidence for line in one.lines][:_EVIDENCE]
        alike.setdefault((divergence.sentence, *lines), []).append(at)
    for (sentence, *lines), tests in alike.items():
        for at in tests:
            yield f"     {_one_line(summary.merged.rows[at].nodeid)}"
            if at in summary.pages:
                step = summary.divergences[at].step
                yield _one_line(f"         open {summary.pages[at]}{f'#{step}' if step else ''}")
        if sentence not in said:
            yield f"       {_one_line(sentence)}"
        yield from (f"         {_one_line(line)}" for line in lines)
    yield from (f"       {line}" for line in left_out(places, MOST_TESTS, "test"))


_KINDS = {"phone": "the phone"}


def render_flaky(summary: Summary) -> Iterator[str]:
    """The causes by which tests fail now and then, each with its tests."""
    causes = grouped(((one.key, one.kind), one) for one in summary.merged.flaky)
    found = f"{counted(len({one.test for one in summary.merged.flaky}), 'flaky test')}, " if causes else ""
    of_runs = counted(len(summary.history), "run")
    yield f"{found}{counted(len(causes), 'cause')} of {of_runs}" if causes else f"no flaky test in {of_runs}"
    for number, ((key, kind), tests) in enumerate(causes.items(), 1):
        looks = f"looks like {_KINDS.get(kind, kind)}, " if kind else ""
        rate = _rate(sum(one.failed for one in tests), sum(one.runs for one in tests))
        yield _one_line(f"  {number}. {tests[0].cause} ({looks}{rate}, key {key})")
        for one in tests[:MOST_TESTS]:
            yield f"     {_one_line(one.test)}"
            yield from (f"       {_one_line(line)}" for line in _known_of(one, len(tests) > 1))
        yield from (f"       {line}" for line in left_out(tests, MOST_TESTS, "test"))


def _known_of(one: FlakyCause, own_rate: bool) -> Iterator[str]:
    if own_rate:
        yield _rate(one.failed, one.runs)
    alone = f" alone; it passed on {', '.join(one.passed_on)}" if one.passed_on else ""
    on = f", on {', '.join(one.phones)}{alone}" if one.phones else ""
    at = f" at {one.revision}" if one.revision else ""
    yield f"first seen {one.first_seen or 'at an unknown time'}{at}{on}"
    recordings = f"recordings part {one.recordings_part}" if one.recordings_part else ""
    yield from filter(None, (one.parts_at, recordings, f"last runs: {one.history}" if one.history else ""))


def _rate(failed: int, runs: int) -> str:
    low, high = interval(failed, runs)
    return f"{failed} of {counted(runs, 'attempt')} failed: {failed / runs:.0%}, {low:.0%} to {high:.0%}"


def _shortly(outcomes: Sequence[str]) -> str:
    """``"passed x 12 then failed"``: the same outcome in a row once."""
    rows = [(outcome, len([*same])) for outcome, same in groupby(outcomes)]
    return " then ".join(f"{outcome} x {number}" if number > 1 else outcome for outcome, number in rows)
