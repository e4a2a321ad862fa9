"""What the plugin costs a run that uses no phone: with it and without it, turn about."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from .table import Table

RUNS = 15
WITHOUT = ("-p", "no:replicant")
_PYTEST = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly")


def measure() -> Table:
    """Milliseconds of the processor and by the clock: those of the processor count, as machines are shared."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "test_plain.py").write_text("def test_plain():\n    pass\n", encoding="utf-8")
        for options in (WITHOUT, ()):
            _seconds(folder, options)  # the first run compiles
        pairs = [(_seconds(folder, WITHOUT), _seconds(folder, ())) for _ in range(RUNS)]
    rows = []
    for name, side in (("pytest -p no:replicant", 0), ("pytest", 1)):
        row: list[object] = [name]
        for kind in (0, 1):
            row.append(round(median(pair[side][kind] for pair in pairs) * 1000))
            row.append(median(pair[side][kind] / pair[0][kind] for pair in pairs))
        rows.append(tuple(row))
    return Table(
        "startup",
        "A run without phones",
        "python -m benchmarks startup",
        ("run", "processor ms", "ratio", "clock ms", "clock ratio"),
        tuple(rows),
        f"One empty test, {RUNS} pairs of runs in turns. Each figure is a median, and a ratio that of the pairs'.",
    )


def _seconds(folder: str, options: tuple[str, ...]) -> tuple[float, float]:
    """Of the processor and by the clock. Bytecode is kept, as it is on a user's machine, and apart."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment = {**kept, "PYTHONPYCACHEPREFIX": str(Path(folder, "bytecode"))}
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    command = [*_PYTEST, *options, "test_plain.py"]
    subprocess.run(command, check=True, capture_output=True, cwd=folder, env=environment)
    after, ended = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, ended - began
