"""A summary of many runs: how each test stands, why it fails, and which results vary."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...model import BROKEN, HEALTHY
from .baseline import OldSchema, TraceFolders, digest_of, passed_over, run_in
from .divergence import Divergence, compared
from .grouping import run_of
from .run_record import FLAKY, REQUEUED, results_of
from .runs import latest, linked_from

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .run_record import RunRecord, RunRow, SlowStep
    from .runs import Found, FoundRow, FoundRun

TRIAGE_SCHEMA = "replicant.triage/1"
SLOWEST = 5
_PASSED = frozenset({*HEALTHY, FLAKY, REQUEUED})


@dataclass(frozen=True)
class Summary:
    """``merged`` holds each test as it stands last, as one run; ``divergences`` how a row of it, by its place,
    parted from the last pass, ``pages`` where its trace is, seen from where the command was given. ``unsteady``
    are the outcomes, oldest first, of tests that passed in one run and failed in another."""

    found: Found
    merged: RunRecord
    divergences: Mapping[int, Divergence]
    pages: Mapping[int, str]
    unsteady: Mapping[str, tuple[str, ...]]

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
        counts: dict[str, int] = {}
        for result in self.merged.results:
            counts[result.outcome] = counts.get(result.outcome, 0) + 1
        return dict(sorted(counts.items(), key=lambda one: (one[0] not in BROKEN, one[0])))

    def to_dict(self) -> dict[str, Any]:
        rows = self.merged.rows
        return {
            "schema": TRIAGE_SCHEMA,
            "runs": [_run(run) for run in self.found.runs],
            "counts": self.counts,
            "causes": [
                {**cause.to_dict(), "tests": [rows[at].nodeid for at in cause.tests if at not in cause.earlier]}
                for cause in self.merged.causes
                if cause.failures
            ],
            "failures": [
                {**_row(rows[at]), "trace": self.pages.get(at, ""), "divergence": self.divergences[at].to_dict()}
                for at in self.failed
            ],
            "unsteady": [{"test": test, "outcomes": list(outcomes)} for test, outcomes in self.unsteady.items()],
            "slowest": [
                {"test": row.nodeid, "step": step.title, "duration_ms": step.duration_ms}
                for row, step in self.slowest
            ],
            "phones": [phone.to_dict() for phone in self.merged.phones],
            "foreign": list(self.found.foreign),
            "troubles": list(self.found.troubles),
        }


def _run(run: FoundRun) -> dict[str, Any]:
    folders = [folder.as_posix() for folder in run.folders]
    tests = len({found.row.test or found.row.nodeid for found in run.rows})
    return {"run_id": run.run_id, "started_at": run.started_at, "tests": tests, "folders": folders}


def _row(row: RunRow) -> dict[str, Any]:
    names = ("nodeid", "attempt", "outcome", "started_at", "duration_ms", "device", "failure", "location")
    cause = row.cause.to_dict() if row.cause is not None else None
    return {**{name: getattr(row, name) for name in names}, "cause": cause}


def summary_of(found: Found, run_id: str, folder: Path, passes: Sequence[Path]) -> Summary:
    """``folder`` is where links of the merged run start; earlier passes are looked for below ``passes``."""
    newest = latest(found.runs)
    rows = tuple(linked_from(one, folder) for one in newest)
    began = min(filter(None, (run.started_at for run in found.runs)), default="")
    took = max((run.duration_ms for run in found.runs), default=0)
    traces = TraceFolders(tuple(passes))
    failed = [result for result in results_of(rows) if result.outcome in BROKEN]
    standing = [at for result in failed for at in _last(rows, result.attempts) if rows[at].is_broken]
    divergences = {at: _divergence(newest[at], traces) for at in standing}
    compared_rows = [
        replace(row, divergence=divergences[at].sentence) if at in divergences else row
        for at, row in enumerate(rows)
    ]
    merged = run_of(run_id, began, took, compared_rows)
    seen = {at: linked_from(newest[at], Path.cwd()).trace for at in divergences}
    pages = {at: page for at, page in seen.items() if page}
    if traces.old:
        found = replace(found, troubles=(*found.troubles, passed_over(len(traces.old))))
    return Summary(found, merged, divergences, pages, _unsteady(found.runs))


def _last(rows: Sequence[RunRow], attempts: tuple[int, ...]) -> list[int]:
    return [at for at in attempts if rows[at].attempt == rows[attempts[-1]].attempt]


def _divergence(failed: FoundRow, traces: TraceFolders) -> Divergence:
    """From the traces where both are at hand, else as its own run recorded it."""
    row = failed.row
    path = failed.opens(row.trace_json)
    known = Divergence(row.divergence) if row.divergence else None
    if path is None:
        return known or _not_compared("its trace was not kept")
    try:
        now = run_in(path)
    except OldSchema as error:
        return known or _not_compared(f"its trace is {error}")
    except (OSError, ValueError):
        return known or _not_compared("its trace cannot be read")
    then = traces.last_pass(digest_of(path.parent.name), now.nodeid, now.started_at)
    if then is None:
        return known or compared(None, now)
    divergence = compared(then, now)
    if then.started_at <= now.started_at:
        return divergence
    later = f"Next to a later pass: {divergence.sentence}"
    return Divergence(later, divergence.step, divergence.baseline, divergence.evidence)


def _not_compared(reason: str) -> Divergence:
    return Divergence(f"Not compared with another run: {reason}.")


def _unsteady(runs: Sequence[FoundRun]) -> dict[str, tuple[str, ...]]:
    history: dict[str, list[str]] = {}
    for run in runs:
        for result in results_of([found.row for found in run.rows]):
            history.setdefault(result.nodeid, []).append(result.outcome)
    return {
        test: tuple(outcomes)
        for test, outcomes in history.items()
        if not BROKEN.isdisjoint(outcomes) and not _PASSED.isdisjoint(outcomes)
    }
