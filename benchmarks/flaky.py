"""Flaky tests by cause: fifty real runs of a suite on the virtual phone, of which some tests are flaky on purpose,
and what ``replicant triage --flaky`` says of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from .processes import ROOT, run_pytest
from .table import Table, Unmeasurable

SUITE = Path(__file__).parent / "flaky_runs" / "flaky_suite.py"
RUNS = 50
DRAWN = "second"
"""Which draws: the rules were made with the "first" at hand."""
PLANTED: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "timing": {"test_report": ("timing",), "test_sync": ("timing",)},
    "data": {"test_total": ("data",), "test_list": ("data",)},
    "phone": {"test_scan": ("phone",), "test_share": ("phone",)},
    "timing and data": {"test_both": ("data", "timing")},
    "none": dict.fromkeys(("test_prices", "test_slow", "test_busy", "test_old", "test_new", "test_note"), ()),
}
"""The kinds of the causes by which each test is flaky."""


def measure() -> Table:
    with tempfile.TemporaryDirectory() as folder:
        with ThreadPoolExecutor(os.cpu_count()) as several:
            failures = list(several.map(lambda number: _run(number, Path(folder)), range(RUNS)))
        listed = _listed(Path(folder))
    rows = [_row(kind, tests, listed, failures) for kind, tests in PLANTED.items()]
    return Table(
        "flaky",
        "Flaky tests by cause",
        "python -m benchmarks flaky",
        ("planted", "tests", "attempts that failed", "causes", "listed", "of the right kind", "step named"),
        tuple(rows),
        f"{RUNS} runs of one suite, by draws that the rules were not made with, on phones of two makes. "
        "Timing: an answer takes up to 3 or 4.5 s, and in 15 to 20 % of the runs more than the 5 s that are "
        "waited for. Data: another value, or none and an error in the log. Phone: its screen cannot be read "
        "any more; or half of the attempts on one make fail. Of the six tests that are not flaky one was "
        "broken up to the 15th run, and one is since the 40th. One is slow each time, one at times, and one is "
        "skipped at times. *Listed*: causes that `replicant triage --flaky` lists of these tests. *Step "
        "named*: it names the step at which passing and failing attempts part, which is known by how the "
        "suite is written.",
    )


def _run(number: int, folder: Path) -> dict[str, int]:
    """How often each test failed. Raises ``Unmeasurable`` where the run left no record."""
    output = folder / f"{number:02}"
    done = run_pytest(
        *(str(SUITE), "--tb=no", "-n0", f"--number={number}", f"--drawn={DRAWN}", f"--rootdir={ROOT}"),
        *("--replicant-screenshot=off", "--replicant-recovery=off", f"--replicant-output={output}"),
        cache=folder / "cache",
    )
    records = list(output.glob("*/run.json"))
    if len(records) != 1:
        raise Unmeasurable(f"run {number} left no record:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    rows = json.loads(records[0].read_text("utf-8"))["tests"]
    return {_name(row["nodeid"]): row["outcome"] in ("failed", "error", "infra") for row in rows}


def _name(nodeid: str) -> str:
    return nodeid.rpartition("::")[2]


def _listed(folder: Path) -> list[dict[str, Any]]:
    command = [sys.executable, "-m", "pytest_replicant.cli", "triage", "--flaky", "--json", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    if done.returncode > 1:
        raise Unmeasurable(f"triage ended with {done.returncode}:\n{done.stderr[-2000:]}")
    found: list[dict[str, Any]] = json.loads(done.stdout)["flaky"]
    return found


def _row(
    kind: str,
    tests: Mapping[str, Sequence[str]],
    listed: Sequence[Mapping[str, Any]],
    failures: Sequence[Mapping[str, int]],
) -> tuple[object, ...]:
    own = [one for one in listed if _name(one["test"]) in tests]
    kinds = {name: sorted(one["kind"] for one in own if _name(one["test"]) == name) for name in tests}
    right = sum(kinds[name] == sorted(expected) for name, expected in tests.items() for _ in expected)
    steps = sum(_step(_name(one["test"])) in one["parts_at"] for one in own)
    for one in own:
        print(f"{kind}: {_name(one['test'])} by {one['cause']!r}, {one['kind'] or 'no kind'}: {one['parts_at']}")
    return (
        kind,
        len(tests),
        sum(run.get(name, 0) for run in failures for name in tests),
        sum(map(len, tests.values())),
        len(own),
        right,
        steps,
    )


def _step(test: str) -> str:
    """A part of the title of the step at which passing and failing attempts part."""
    name = test.removeprefix("test_").capitalize()
    return 'tap text="Scan"' if name == "Scan" else f'"{name}: 12.50"'
