"""A summary of many runs: how each test stands, why it fails, and which results vary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ...kept_runs import (
    FLAKY,
    REQUEUED,
    RunRecord,
    attempt_in,
    failing,
    last_attempt,
    passed_over,
    results_of,
    test_of,
)
from ...model import BROKEN, HEALTHY, AnyDict, Strings, WrongSchema, grouped, plain
from .baseline import TraceFolders
from .divergence import Divergence, compared
from .flaky import flaky_causes, history_of, with_history
from .grouping import run_of
from .history import KeptRun
from .runs import latest, linked_from

if TYPE_CHECKING:
    from .runs import Found, FoundRow

TRIAGE_SCHEMA = "replicant.triage/1"
_OF_A_FAILURE = (
    "nodeid",
    "attempt",
    "outcome",
    "started_at",
    "duration_ms",
    "device",
    "failure",
    "location",
)
_PASSED = frozenset({*HEALTHY, FLAKY, REQUEUED})


@dataclass(frozen=True)
class Summary:
    """``merged`` holds each test as it stands last, as one run; ``divergences`` how a row of it, by
    its place, parted from the last pass, ``pages`` the trace of each, seen from where the command
    was given. ``unsteady`` are the outcomes, oldest first, of tests that passed in one run and
    failed in another, ``history`` the runs that are known."""

    found: Found
    merged: RunRecord
    divergences: Mapping[int, Divergence]
    pages: Sequence[str]
    unsteady: Mapping[str, Strings]
    history: tuple[KeptRun, ...] = ()

    @property
    def failed(self) -> tuple[int, ...]:
        """The places of the rows with a failure that stands, each phone of a test for itself."""
        return tuple(sorted(self.divergences))

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
                {
                    **plain(cause),
                    "tests": [rows[at].nodeid for at in cause.tests if at not in cause.earlier],
                }
                for cause in failing(self.merged)
            ],
            "failures": [
                {
                    **{name: plain(getattr(rows[at], name)) for name in (*_OF_A_FAILURE, "cause")},
                    "trace": self.pages[at],
                    "divergence": plain(self.divergences[at]),
                }
                for at in self.failed
            ],
            "unsteady": [
                {"test": test, "outcomes": list(outcomes)}
                for test, outcomes in self.unsteady.items()
            ],
            "flaky": plain(self.merged.flaky),
            "phones": plain(self.merged.phones),
            "foreign": list(self.found.foreign),
            "troubles": list(self.found.troubles),
        }


def summary_of(found: Found, run_id: str, folder: Path, passes: Sequence[Path]) -> Summary:
    """``folder`` is where links of the merged run start; earlier passes are looked for below
    ``passes``."""
    newest = latest(found.runs)
    rows = tuple(linked_from(one, folder) for one in newest)
    began = min(filter(None, (run.started_at for run in found.runs)), default="")
    took = max((run.duration_ms for run in found.runs), default=0)
    traces = TraceFolders(tuple(passes))
    divergences = {}
    compared_rows = list(rows)
    for result in results_of(rows):
        for at in last_attempt(result.attempts, rows) if result.outcome in BROKEN else ():
            if rows[at].is_broken:
                divergences[at] = found_now = _divergence(newest[at], traces)
                sentence = found_now.sentence if found_now.compared else ""
                compared_rows[at] = replace(rows[at], divergence=sentence)
    history = history_of(found)
    merged = with_history(run_of(run_id, began, took, compared_rows), history)
    merged = replace(merged, flaky=flaky_causes(history))
    pages = [linked_from(one, Path.cwd()).trace for one in newest]
    if traces.old:
        found = replace(found, troubles=(*found.troubles, passed_over(len(traces.old))))
    results = [one for run in found.runs for one in results_of([row.row for row in run.rows])]
    unsteady = {
        test: tuple(outcomes)
        for test, outcomes in grouped((one.nodeid, one.outcome) for one in results).items()
        if not BROKEN.isdisjoint(outcomes) and not _PASSED.isdisjoint(outcomes)
    }
    return Summary(found, merged, divergences, pages, unsteady, history)


def _divergence(failed: FoundRow, traces: TraceFolders) -> Divergence:
    """From the traces where both are at hand, else as its own run recorded it."""
    row = failed.row
    path = failed.opens(row.trace_json)
    known = Divergence(row.divergence) if row.divergence else None
    reason = "was not kept"
    if path:
        try:
            now = attempt_in(path)
        except WrongSchema as error:
            reason = f"is {error}"
        except (OSError, ValueError):
            reason = "cannot be read"
        else:
            then = traces.last_pass(now, now.digest, now.started_at)
            if then is None:
                return known or compared(None, now)
            found = compared(then, now)
            if then.started_at > now.started_at:
                later = f"Next to a later pass: {found.sentence}"
                return Divergence(later, found.step, found.baseline, found.evidence)
            return found
    return known or Divergence(
        f"Not compared with another run: its trace {reason}.", compared=False
    )
