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
    files; of the processor, without the virtual phone's drawing."""

    tests: float
    pictures: float
    writing: float
    processor: float
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
            "ratio of the processor",
        ),
        tuple(_row(name, rounds, index) for index, name in enumerate(KEPT)),
        f"{', '.join(TESTS)} of the example tests at default latencies, all of which pass. Medians "
        f"of {ROUNDS} rounds in which they take turns. A run is the time of its tests, without the "
        "start of pytest. The phone's pictures are the time until it has answered, part of which "
        "a test would have waited anyway. Writing is what stands between a test and the next one; "
        "pictures are packed while a test waits. The virtual phone shares the processor, as no "
        "real one does: what it takes to draw is not counted. Ratios of the processor are what a busy machine disturbs least.",
    )


def _row(name: str, rounds: Sequence[Sequence[Took]], index: int) -> tuple[object, ...]:
    mine = [one[index] for one in rounds]

    return (
        name,
        statistics.median(one.tests for one in mine),
        statistics.median(one.pictures for one in mine),
        statistics.median(one.writing for one in mine),
        statistics.median(one.bytes for one in mine) / 1e6,
        statistics.median(one[index].tests / one[0].tests for one in rounds),
        statistics.median(one.processor for one in mine),
        statistics.median(one[index].processor / one[0].processor for one in rounds),
    )


def _run(options: tuple[str, ...]) -> Took:
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder, "took.json")
        tests = [str(ROOT / "example_app_tests" / name) for name in TESTS]
        output = f"--replicant-output={folder}/report"
        meter = {"REPLICANT_METER": str(told)}
        run_pytest("-p", METER, output, *options, *tests, check=True, environment=meter)
        parts = json.loads(told.read_text(encoding="utf-8"))
        size = sum(
            path.stat().st_size for path in Path(folder, "report").rglob("*") if path.is_file()
        )
    return Took(**parts, bytes=size)
