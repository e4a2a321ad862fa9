"""What the report costs a run: the example tests with everything kept and with less of it, turn
about."""

from __future__ import annotations

import json
import statistics
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .processes import ROOT, run_pytest
from .table import Table

ROUNDS = 3
TESTS = ("test_01_sign_in.py", "test_03_lists.py")
METER = "benchmarks.report_meter"
"""A plugin that takes the time of what belongs to the phone, and of each part of the report."""

KEPT = {
    "nothing": ("--replicant-trace=off",),
    "no pictures": ("--replicant-trace=on", "--replicant-screenshot=off"),
    "pictures of failures": ("--replicant-trace=on", "--replicant-screenshot=only-on-failure"),
    "everything": ("--replicant-trace=on", "--replicant-screenshot=on"),
    "everything, accessibility judged": (
        "--replicant-trace=on", "--replicant-screenshot=on", "--replicant-accessibility=report",
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Took:
    """One run in seconds: on the clock of its tests, of that the phone's pictures and the report's
    files; of the processor, of that the virtual phone's drawing."""

    tests: float
    pictures: float
    writing: float
    processor: float
    drawing: float
    bytes: int


def measure() -> Table:
    _run(KEPT["nothing"])  # the first run compiles
    rounds = [[_run(options) for options in KEPT.values()] for _ in range(ROUNDS)]
    return Table(
        "report_cost",
        "What the report costs a run",
        "python -m benchmarks report_cost",
        (
            "kept",
            "run s",
            "of it the phone's pictures s",
            "of it writing s",
            "MB",
            "ratio",
            "processor s",
            "of it the phone's drawing s",
            "ratio of the processor",
            "less the drawing",
        ),
        tuple(_row(name, rounds, index) for index, name in enumerate(KEPT)),
        f"{', '.join(TESTS)} of the example tests at default latencies, all of which pass. Medians "
        f"of {ROUNDS} rounds in which they take turns. A run is the time of its tests, without the "
        "start of pytest. The phone's pictures are the time until it has answered, part of which "
        "a test would have waited anyway. Writing is what stands between a test and the next one; "
        "pictures are packed while a test waits. The virtual phone shares the processor, as no "
        "real one does. What it takes to draw is counted apart, and *less the drawing* is without "
        "it. Ratios of the processor are what a busy machine disturbs least.",
    )


def _row(name: str, rounds: Sequence[Sequence[Took]], index: int) -> tuple[object, ...]:
    mine = [one[index] for one in rounds]

    def ratio(of: str, less: str = "") -> float:
        def spent(took: Took) -> float:
            return float(getattr(took, of)) - (float(getattr(took, less)) if less else 0.0)

        return round(statistics.median(spent(one[index]) / spent(one[0]) for one in rounds), 3)

    return (
        name,
        statistics.median(one.tests for one in mine),
        statistics.median(one.pictures for one in mine),
        statistics.median(one.writing for one in mine),
        statistics.median(one.bytes for one in mine) / 1e6,
        ratio("tests"),
        statistics.median(one.processor for one in mine),
        statistics.median(one.drawing for one in mine),
        ratio("processor"),
        ratio("processor", "drawing"),
    )


def _run(options: tuple[str, ...]) -> Took:
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder, "took.json")
        tests = [str(ROOT / "example_app_tests" / name) for name in TESTS]
        output = f"--replicant-output={folder}/report"
        run_pytest("-p", METER, output, *options, *tests, check=True, REPLICANT_METER=str(told))
        parts = json.loads(told.read_text(encoding="utf-8"))
        size = sum(
            path.stat().st_size for path in Path(folder, "report").rglob("*") if path.is_file()
        )
    return Took(**parts, bytes=size)
