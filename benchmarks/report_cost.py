"""What the report costs a run: the example tests with everything kept and with nothing kept, turn about."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .table import Table

PAIRS = 3
ROOT = Path(__file__).parent.parent
TESTS = ("test_01_sign_in.py", "test_03_lists.py")
METER = "benchmarks.report_meter"
"""A plugin that takes the time of what belongs to the phone, and of each part of the report."""

OFF = "--replicant-trace=off"
ON = "--replicant-trace=on"
PLAIN = (ON, "--replicant-screenshot=off")
ALL = (ON, "--replicant-screenshot=on")


@dataclass(frozen=True)
class Took:
    """One run in seconds: on the clock of its tests, of that the phone's pictures, and the report's parts."""

    tests: float
    pictures: float
    writing: float
    bytes: int


def measure() -> Table:
    _run((OFF,))  # the first run compiles
    rounds = [(_run((OFF,)), _run(PLAIN), _run(ALL)) for _ in range(PAIRS)]
    return Table(
        "report_cost",
        "What the report costs a run",
        "python -m benchmarks report_cost",
        (
            "kept",
            "run s",
            "of it the phone's pictures s",
            "of it writing s",
            "writing's share",
            "MB",
            "ratio",
            "ratio less the pictures",
        ),
        tuple(_row(name, rounds, index) for index, name in enumerate(("nothing", "no pictures", "everything"))),
        f"{', '.join(TESTS)} of the example tests at default latencies; medians of {PAIRS} rounds in which they "
        "take turns. A run is the time of its tests, without the start of pytest. The phone's pictures are the "
        "time that it takes to answer, part of which a test would have waited anyway; *less the pictures* counts "
        "all of it out. Writing is what stands between a test and the next one; pictures are packed while a test "
        "waits. Its share is the figure that a busy machine disturbs least.",
    )


def _row(name: str, rounds: Sequence[tuple[Took, ...]], index: int) -> tuple[object, ...]:
    mine = [one[index] for one in rounds]
    return (
        name,
        statistics.median(one.tests for one in mine),
        statistics.median(one.pictures for one in mine),
        statistics.median(one.writing for one in mine),
        f"{statistics.median(one.writing / one.tests for one in mine):.1%}",
        statistics.median(one.bytes for one in mine) / 1e6,
        round(statistics.median(one[index].tests / one[0].tests for one in rounds), 3),
        round(statistics.median((one[index].tests - one[index].pictures) / one[0].tests for one in rounds), 3),
    )


def _run(options: tuple[str, ...]) -> Took:
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder, "took.json")
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            METER,
            "-p",
            "no:randomly",
            "-p",
            "no:cacheprovider",
        ]
        command += [f"--replicant-output={folder}/report", *options]
        command += [str(ROOT / "example_app_tests" / name) for name in TESTS]
        environment = {**os.environ, "REPLICANT_METER": str(told), "PYTHONPATH": str(ROOT)}
        subprocess.run(command, check=True, capture_output=True, cwd=ROOT, env=environment)
        parts = json.loads(told.read_text(encoding="utf-8"))
        size = sum(path.stat().st_size for path in Path(folder, "report").rglob("*") if path.is_file())
    return Took(parts["tests"], parts["pictures"], parts["writing"], size)
