"""What a run leaves on disk with everything kept: the example tests, tests that fail, and both scaled to a large
suite."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from pathlib import Path

from .processes import run_pytest
from .table import Table

PASSING, FAILING = 2_000, 40
RUNS = {
    "passed": ("example_app_tests", "--ignore=example_app_tests/test_07_recovery.py"),
    "failed": ("example_app_tests/red_build/everything_that_happens.py",),
}
KINDS = {".webp": "pictures", ".png": "pictures", ".gz": "hierarchies", ".txt": "outlines"}
OWN = "the run's own files"


def measure() -> Table:
    weights = {outcome: _weights(outcome, *options) for outcome, options in RUNS.items()}
    passed, failed = (weight for weight, _ in weights.values())
    tests = [count for _, count in weights.values()]
    kinds = sorted({*passed, *failed}, key=lambda kind: -passed[kind])

    def row(kind: str, passing: float, failing: float) -> tuple[object, ...]:
        scaled = (PASSING * passing + FAILING * failing) / 1e6
        return (kind, round(passing / 1e3, 1), round(failing / 1e3, 1), round(scaled, 1))

    return Table(
        "report_weight",
        "What a run leaves on disk",
        "python -m benchmarks report_weight",
        ("files", "a passing test kB", "a failing test kB", f"{PASSING:,} + {FAILING} MB"),
        (
            *(row(kind, passed[kind], failed[kind]) for kind in kinds),
            row("all", sum(passed.values()), sum(failed.values())),
        ),
        f"Defaults, so everything is kept. {tests[0]} example tests that pass, in one run, and {tests[1]} "
        "attempts at tests that fail, in another. Bytes of each kind of file, divided by the number of "
        "tests. Pictures, hierarchies and outlines are there once a run however many tests show them, so "
        "dividing them is fair only to a small suite. A large one shows the same screens again.",
    )


def _weights(outcome: str, *options: str) -> tuple[Counter[str], int]:
    """Bytes a test, by kind of file, and the number of tests with a trace."""
    with tempfile.TemporaryDirectory() as folder:
        run_pytest("--replicant-device=virtual?latency=0", f"--replicant-output={folder}/report", *options)
        (run_file,) = Path(folder, "report").glob("*/run.json")
        rows = json.loads(run_file.read_text(encoding="utf-8"))["tests"]
        traced = [row for row in rows if row["trace"]]
        if outcome == "passed" and (bad := [row["nodeid"] for row in traced if row["outcome"] != "passed"]):
            raise RuntimeError(f"these were to pass: {', '.join(bad)}")
        weights: Counter[str] = Counter()
        for path in run_file.parent.rglob("*"):
            if path.is_file():
                weights[_kind(path, run_file.parent)] += path.stat().st_size
    return Counter({kind: size / len(traced) for kind, size in weights.items()}), len(traced)


def _kind(path: Path, run: Path) -> str:
    if path.parent.name == "blobs":
        return KINDS[path.suffix]
    return OWN if path.parent == run else path.name if path.name.startswith("trace.") else "attachments"
