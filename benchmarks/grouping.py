"""Failures by their causes: real runs on the virtual phone whose causes are known, and what the
grouping made of them. A pair of failures is what is counted: put together rightly, put together
wrongly, or kept apart wrongly."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pytest_replicant.kept_runs import CauseGroup, RecordedAttempt, RunRow, attempt_in
from pytest_replicant.reporting import FoundRun, cause_of, compared, group

from .broken_runs.recording import Truth, record, run_below
from .table import Table, Unmeasurable, percent


@dataclass(frozen=True)
class Score:
    """Pairs of failures: of ``pairs`` that have one cause, ``right`` were put together; ``joined``
    were in all."""

    failures: int
    causes: int
    groups: int
    pairs: int
    joined: int
    right: int

    @property
    def precision(self) -> float:
        return self.right / self.joined if self.joined else 1.0

    @property
    def recall(self) -> float:
        return self.right / self.pairs if self.pairs else 1.0


def score(truth: Mapping[str, Hashable], found: Mapping[str, Hashable]) -> Score:
    """``truth`` and ``found`` say the cause of each failure by name; what was not grouped stands
    alone."""
    given = {name: found.get(name, ("alone", name)) for name in truth}
    both = Counter((truth[name], given[name]) for name in truth)
    causes, groups = Counter(truth.values()), Counter(given.values())
    return Score(
        len(truth),
        len(causes),
        len(groups),
        _pairs(causes.values()),
        _pairs(groups.values()),
        _pairs(both.values()),
    )


def _pairs(sizes: Any) -> int:
    return sum(size * (size - 1) // 2 for size in sizes)


# --- recorded runs, grouped again -----------------------------------------------------------------


def caused(row: RunRow, run: RecordedAttempt, last_pass: RecordedAttempt | None) -> RunRow:
    """A failure as the present code would write it into ``run.json``: all that grouping reads is
    made here."""
    parted = compared(last_pass, run)
    return replace(row, cause=cause_of(run, parted), divergence=parted.sentence)


@dataclass(frozen=True)
class Grouped:
    """One run with two faults: its failures whose cause is known, and the groups that they were put
    into."""

    name: str
    truth: Truth
    rows: Sequence[RunRow]
    groups: Sequence[CauseGroup]

    @property
    def found(self) -> dict[str, int]:
        return {
            self.rows[at].nodeid: place
            for place, one in enumerate(self.groups)
            for at in one.tests
            if self.rows[at].nodeid in self.truth.cause
        }

    @property
    def score(self) -> Score:
        return score(self.truth.cause, self.found)


def grouped(folder: Path, truths: Mapping[str, Truth]) -> list[Grouped]:
    """The recorded runs whose causes are known."""
    passes = {run.nodeid: run for run, _ in _traces(run_below(folder / "healthy"))}
    if not truths:
        raise Unmeasurable(f"no run in {folder} of which both faults show")
    return [
        _grouped(name, truth, run_below(folder / name), passes)
        for name, truth in sorted(truths.items())
    ]


def _grouped(
    name: str, truth: Truth, run: FoundRun, passes: Mapping[str, RecordedAttempt]
) -> Grouped:
    again = {
        row.nodeid: caused(row, trace, passes.get(row.nodeid))
        for trace, row in _traces(run)
        if row.is_broken
    }
    rows = [again.get(found.row.nodeid, found.row) for found in run.rows]
    return Grouped(name, truth, rows, group(rows))


def _traces(run: FoundRun) -> Iterator[tuple[RecordedAttempt, RunRow]]:
    for found in run.rows:
        path = found.opens(found.row.trace_json)
        if path is not None:
            yield attempt_in(path), found.row


def table(runs: Sequence[Grouped]) -> Table:
    scores = [run.score for run in runs]
    right, joined, pairs = (
        sum(getattr(one, name) for one in scores) for name in ("right", "joined", "pairs")
    )
    row = (
        len(runs),
        sum(one.failures for one in scores),
        sum(len(run.truth.undecided) + len(run.truth.of_both) for run in runs),
        pairs,
        percent(right, joined),
        percent(right, pairs),
    )
    return Table(
        "grouping",
        "Failures grouped by cause",
        "python -m benchmarks grouping",
        ("runs", "failures", "left out", "pairs of one cause", "precision", "recall"),
        (row,),
        "Each run is a suite of some 30 tests of one app, a bank, with two faults. Each has at "
        "least two failing tests of its own. The last pass of each test is at hand. A failure "
        "is of the fault by which the test fails alone. Of both it is that by which it fails at"
        " the same step. What that does not decide is left out. Precision: of all pairs of "
        "failures that were put together, those that have one cause. Recall: of all pairs that "
        "have one, those that were put together. The rules were made with another app and other"
        " kinds of fault at hand; tune them on such, never on these.",
    )


def measure() -> Table:
    with tempfile.TemporaryDirectory() as made:
        truths = record(Path(made))
        return table(grouped(Path(made), truths))
