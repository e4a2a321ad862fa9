"""What the plugin costs a run that uses no phone: with it and without it, turn about."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from .table import Table

RUNS = 15
WITHOUT = ("-p", "no:replicant")


def measure() -> Table:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "test_plain.py").write_text("def test_plain():\n    pass\n", encoding="utf-8")
        _seconds(folder, ())  # the first run compiles
        pairs = [(_seconds(folder, WITHOUT), _seconds(folder, ())) for _ in range(RUNS)]
    without = statistics.median(pair[0] for pair in pairs)
    loaded = statistics.median(pair[1] for pair in pairs)
    ratio = statistics.median(pair[1] / pair[0] for pair in pairs)
    return Table(
        "startup",
        "A run without phones",
        "python -m benchmarks startup",
        ("run", "median ms", "ratio"),
        (("pytest -p no:replicant", round(without * 1000), 1.0), ("pytest", round(loaded * 1000), ratio)),
        f"One empty test, {RUNS} pairs of runs; the ratio is the median of the pairs' ratios.",
    )


def _seconds(folder: str, options: tuple[str, ...]) -> float:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:randomly",
        *options,
        folder,
    ]
    began = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, cwd=folder)
    return time.perf_counter() - began
