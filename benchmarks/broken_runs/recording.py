"""Records the runs of the bank: the healthy suite once, each fault alone, then two at a time.

And finds out which of the two each failure is of.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from pytest_replicant.kept_runs import attempt_in
from pytest_replicant.model import BROKEN
from pytest_replicant.reporting import FoundRun, find_runs

from ..processes import run_pytest
from ..table import Unmeasurable
from .bank_faults import FAULTS

RUNS = 48
"""Pairs of faults that are drawn."""
OWN = 2
"""Failing tests that each of both faults has at least."""
SEED = 18
SUITE = Path(__file__).with_name("bank_suite.py")
_AT_A_TIME = 2
_JOINT = "+"


class Place(NamedTuple):
    """Where a test failed: the index of the step in its trace, its title, and the screen."""

    step: int
    title: str
    screen: str


@dataclass(frozen=True)
class Truth:
    """Of the tests that fail in one run: ``cause`` is the fault by test. ``undecided`` fail at one
    step whichever of both is switched on; ``of_both`` do under neither alone."""

    cause: Mapping[str, str]
    undecided: tuple[str, ...] = ()
    of_both: tuple[str, ...] = ()


def record(folder: Path) -> dict[str, Truth]:
    """Runs them into ``folder``. Returns the truth of each run whose faults both show."""
    healthy = folder / "healthy"
    _run((), healthy)
    if any(one.row.outcome in BROKEN for one in run_below(healthy).rows):
        raise Unmeasurable(f"the healthy suite fails: {healthy}")
    _run_all(list(FAULTS), folder)
    alone = failing(folder, FAULTS)
    runs = draw(alone)
    _run_all(runs, folder)
    truths = {}
    for run, together in failing(folder, runs).items():
        faults = run.split(_JOINT)
        truth = truth_of(together, {fault: alone[fault] for fault in faults})
        if min(Counter(truth.cause.values())[fault] for fault in faults) >= OWN:
            truths[run] = truth
    return truths


def run_below(folder: Path) -> FoundRun:
    """The newest run there."""
    runs = find_runs([folder]).runs
    if not runs:
        raise Unmeasurable(f"no run in {folder}")
    return runs[-1]


def _run_all(runs: Sequence[str], folder: Path) -> None:
    healthy = folder / "healthy"
    with ThreadPoolExecutor(_AT_A_TIME) as workers:
        list(workers.map(lambda run: _run(run.split(_JOINT), folder / run, healthy), runs))


def _run(faults: Iterable[str], output: Path, baseline: Path | None = None) -> None:
    """In a process of its own; ``output`` gets one run more."""
    options = [f"--fault={fault}" for fault in faults]
    if baseline is not None:
        options += [f"--replicant-baseline={baseline}", "--replicant-trace=retain-on-failure"]
    done = run_pytest(
        *(str(SUITE), "--tb=no", "-n0", "--replicant-device=virtual?latency=0"),
        *("--replicant-recovery=off", "--replicant-screenshot=off", f"--replicant-output={output}"),
        *("-oreplicant_action_timeout=2", "-oreplicant_expect_timeout=2", *options),
    )
    if done.returncode not in (0, 1):
        raise Unmeasurable(
            f"{output.name} ended early:\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
        )


# --- which fault it is of -------------------------------------------------------------------------


def failing(folder: Path, names: Iterable[str]) -> dict[str, dict[str, Place]]:
    """By run: where the tests that fail in it do."""
    return {name: _places(run_below(folder / name)) for name in names}


def _places(run: FoundRun) -> dict[str, Place]:
    places: dict[str, Place] = {}
    for found in run.rows:
        path = found.opens(found.row.trace_json)
        if found.row.is_broken:
            if path is None:
                raise Unmeasurable(f"a failure in {found.folder} left no trace: {found.row.nodeid}")
            trace = attempt_in(path)
            step = trace.step(trace.failures[0].step) if trace.failures else None
            at = trace.steps.index(step) if step is not None else len(trace.steps)
            title, screen = (
                (step.title, step.after.name or step.before.name) if step else ("", trace.last.name)
            )
            places[found.row.nodeid] = Place(at, title, screen)
    return places


def draw(alone: Mapping[str, Mapping[str, Place]]) -> list[str]:
    """Pairs of faults of which each has tests that it should fail before the other one does."""
    fit: list[str] = []
    for one, other in combinations(sorted(alone), 2):
        expected = Counter(_expected(alone[one], alone[other]))
        if min(expected[0], expected[1]) >= OWN:
            fit.append(_JOINT.join((one, other)))
    return sorted(random.Random(SEED).sample(fit, min(RUNS, len(fit))))


def _expected(one: Mapping[str, Place], other: Mapping[str, Place]) -> Iterable[int | None]:
    """By failing test: which of both comes first, None where neither does."""
    never = Place(1 << 30, "", "")
    for test in {*one, *other}:
        first, second = one.get(test, never).step, other.get(test, never).step
        yield None if first == second else int(second < first)


def truth_of(together: Mapping[str, Place], alone: Mapping[str, Mapping[str, Place]]) -> Truth:
    """``together`` are the failures of a run, ``alone`` those of each of its faults."""
    cause: dict[str, str] = {}
    undecided: list[str] = []
    of_both: list[str] = []
    for test, place in together.items():
        failed = [fault for fault, places in alone.items() if test in places]
        fitting = [fault for fault in failed if alone[fault][test][:2] == place[:2]]
        if len(failed) == 1:
            cause[test] = failed[0]
        elif len(fitting) == 1:
            cause[test] = fitting[0]
        else:
            (undecided if failed else of_both).append(test)
    return Truth(cause, tuple(undecided), tuple(of_both))
