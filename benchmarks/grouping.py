"""Failures by their causes: real runs on the virtual phone whose causes are known, and what the grouping made of
them. A pair of failures is what is counted: put together rightly, put together wrongly, or kept apart wrongly."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .table import Table, Unmeasurable, percent

HERE = Path(__file__).parent / "broken_runs"
SETS = ("tune", "held_out")
QUICK = {
    "replicant_action_timeout": "0.6",
    "replicant_expect_timeout": "0.6",
    "replicant_stabilize": "0.3 0.01 0.05",
}


@dataclass(frozen=True)
class Score:
    """Pairs of failures: of ``pairs`` that have one cause, ``right`` were put together; ``joined`` were in all."""

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
    """``truth`` and ``found`` say the cause of each failure by name; what was not grouped stands alone."""
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


@dataclass(frozen=True)
class Measured:
    """One set: the true causes of the tests that failed, the place of each in the grouping, titles by place."""

    truth: dict[str, str]
    found: dict[str, int]
    titles: tuple[str, ...]
    codes: dict[str, set[str]]


def run(name: str, folder: Path) -> Measured:
    """Runs a set, in a process of its own. Raises ``Unmeasurable`` where it left no record."""
    causes = folder / "causes.json"
    options = [f"-o{key}={value}" for key, value in QUICK.items()]
    command = [
        *(sys.executable, "-m", "pytest", str(HERE / f"failing_{name}.py"), "-q", "--tb=no", "-n0"),
        *("-p", "no:randomly", "-p", "no:cacheprovider", "--replicant-device=virtual?latency=0"),
        *("--replicant-recovery=off", "--replicant-screenshot=off", f"--replicant-output={folder}"),
        *(f"--causes={causes}", *options),
    ]
    env = {**os.environ, "PYTHONPATH": str(HERE.parent.parent)}
    done = subprocess.run(command, capture_output=True, text=True, cwd=HERE.parent.parent, env=env, check=False)
    records = list(folder.glob("*/run.json"))
    if len(records) != 1 or not causes.exists():
        raise Unmeasurable(f"the {name} set left no record:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return _measured(
        json.loads(records[0].read_text("utf-8")),
        json.loads(causes.read_text("utf-8")),
    )


def _measured(record: Mapping[str, Any], marked: Mapping[str, str]) -> Measured:
    rows = record["tests"]
    broken = {row["nodeid"]: row for row in rows if row["cause"]}
    passed = sorted(nodeid for nodeid in marked if nodeid not in broken)
    if passed:
        raise Unmeasurable(f"these were to fail, and did not: {', '.join(passed)}")
    truth = {nodeid: marked.get(nodeid, f"none: {nodeid}") for nodeid in broken}
    found = {rows[at]["nodeid"]: place for place, group in enumerate(record["causes"]) for at in group["tests"]}
    codes: dict[str, set[str]] = {}
    for nodeid, row in broken.items():
        codes.setdefault(truth[nodeid], set()).add(_guise(row["cause"]))
    return Measured(truth, found, tuple(group["title"] for group in record["causes"]), codes)


def _guise(cause: Mapping[str, Any]) -> str:
    """In what shape a cause showed itself: exception, code, target."""
    return f"{cause['exception']} {cause['failure_code']} {cause['target']} {cause['message'][:40]}"


def measure() -> Table:
    rows = []
    for name in SETS:
        with tempfile.TemporaryDirectory() as folder:
            measured = run(name, Path(folder))
        rows.append(_row(name, measured))
        for line in confusions(measured):
            print(f"{name}: {line}")
    return Table(
        "grouping",
        "Failures grouped by cause",
        "python -m benchmarks grouping",
        ("set", "failures", "causes", "guises a cause", "groups", "precision", "recall"),
        tuple(rows),
        "Tests of the demo apps that were right before a fault was put into app, phone or the tests' own code, "
        "run on the virtual phone with recovery off. Precision: of all pairs of failures that were put together, "
        "those that have one cause. Recall: of all pairs that have one, those that were put together. A guise is "
        "an exception, code, target and message. The rules were made with the set *tune* at hand.",
    )


def _row(name: str, measured: Measured) -> tuple[object, ...]:
    told = score(measured.truth, measured.found)
    guises = sorted(len(one) for one in measured.codes.values())
    return (
        name.replace("_", " "),
        told.failures,
        told.causes,
        f"{guises[0]} to {guises[-1]}",
        told.groups,
        percent(told.right, told.joined),
        percent(told.right, told.pairs),
    )


def confusions(measured: Measured) -> Sequence[str]:
    """What was put together wrongly, and what was kept apart."""
    lines = []
    inside: dict[int, Counter[str]] = {}
    over: dict[str, Counter[int]] = {}
    for nodeid, place in measured.found.items():
        cause = measured.truth[nodeid]
        inside.setdefault(place, Counter())[cause] += 1
        over.setdefault(cause, Counter())[place] += 1
    for place, causes in inside.items():
        if len(causes) > 1:
            lines.append(f"together: {dict(causes)} as {measured.titles[place]!r}")
    for cause, places in over.items():
        if len(places) > 1:
            lines.append(f"apart: {cause} as {[measured.titles[place] for place in places]}")
    return lines
