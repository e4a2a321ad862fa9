"""What more phones are worth: the same tests on one phone and on four, each phone by one test at a
time."""

from __future__ import annotations

import json
import os
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from .phone_use import Use, overlaps, uses_in
from .processes import run_pytest
from .table import Table

TESTS = 200
PHONES = (1, 4)
SOURCE = f"""
import pytest

@pytest.mark.parametrize("number", range({TESTS}))
def test_sign_in(mobile, number):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    mobile.fill(text="Email", value=f"user{{number}}@example.com").expect_state(text=f"user{{number}}@example.com")
"""


@dataclass(frozen=True)
class Ran:
    """``seconds`` on the wall."""

    seconds: float
    passed: int
    uses: tuple[Use, ...]


def measure() -> Table:
    runs = {phones: _run(phones) for phones in PHONES}
    alone = runs[1].seconds
    rows = tuple(
        (
            f"{phones}, -n {phones}",
            f"{ran.passed} of {TESTS}",
            ran.seconds,
            round(alone / ran.seconds, 2),
            len({use.phone for use in ran.uses}),
            len(overlaps(ran.uses)),
        )
        for phones, ran in runs.items()
    )
    return Table(
        "parallel",
        "One phone and several",
        "python -m benchmarks parallel",
        (
            "virtual phones",
            "passed",
            "run s",
            "times as fast",
            "phones used",
            "phones used by two tests at once",
        ),
        rows,
        f"{TESTS} tests that launch an app, fill a field and check it, at default latencies, on "
        "virtual:N with as many workers. It is the whole run, with the start of pytest and of the "
        "phones. Which phone a test used, and when, is read from the traces. The phones share "
        f"{os.cpu_count()} processors with the workers, as real ones do not.",
    )


def _run(phones: int) -> Ran:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "test_phones.py").write_text(SOURCE, encoding="utf-8")
        options = ["-n", str(phones), "--dist", "worksteal", f"--replicant-device=virtual:{phones}"]
        options += ["--replicant-screenshot=off", "--replicant-output=report"]
        began = time.monotonic()
        run_pytest(*options, check=True, cwd=Path(folder))
        seconds = time.monotonic() - began
        report = Path(folder, "report")
        passed = sum(
            json.loads(path.read_text(encoding="utf-8"))["test"]["outcome"] == "passed"
            for path in report.glob("*/*/trace.json")
        )
        return Ran(seconds, passed, tuple(uses_in(report)))
