"""Rows of a run, made by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pytest_replicant.kept_runs import AnyCause, ReplayedTest, ReplayOf, RunRow, TestCause
from pytest_replicant.reporting import run_of

if TYPE_CHECKING:
    from pytest_replicant.kept_runs import RunRecord


def row(
    name: str,
    outcome: str = "passed",
    error: str = "",
    *,
    attempt: int = 0,
    trace: str = "",
    at: str = "",
) -> RunRow:
    """``error`` is what failed it, ``at`` the line that it came from: one line is one cause."""
    source = at or f"tests/{name}.py:7"
    cause = TestCause(exception="E", message=error, source=source) if error else None
    return RunRow(
        f"tests/{name}.py::test_it",
        attempt,
        outcome,
        "2026-11-20T19:18:52Z",
        12,
        "Pixel 7",
        trace,
        failure=error,
        message=error,
        cause=cause,
        test=f"tests/{name}.py::test_it",
        location=f"tests/{name}.py:3",
    )


def plain_row(
    name: str, cause: AnyCause | None = None, outcome: str = "failed", attempt: int = 0, **more: Any
) -> RunRow:
    """A row with little more than how the test ended, and why."""
    return RunRow(name, attempt, outcome, "", 1, "", cause=cause, **more)


def run(*rows: RunRow) -> RunRecord:
    return run_of("run", "2026-11-20T19:18:52Z", 4200, rows)


def replay(*tests: tuple[str, str, str], wanted: str = "holds on the recording") -> RunRecord:
    """Each test by its name, its verdict and the sentence about it. The test ``a`` failed."""
    rows = [
        row(
            name,
            verdict,
            "no button\nNext: look" if name == "a" else "",
            trace=f"{name}/trace.html",
        )
        for name, verdict, _ in tests
    ]
    ended = [
        ReplayedTest(
            f"tests/{name}.py::test_it", verdict, wanted, sentence, f"../recorded/{name}/trace.html"
        )
        for name, verdict, sentence in tests
    ]
    return replace(
        run(*rows),
        replay=ReplayOf("recorded", "2026-11-20T19:00:00Z", "Pixel 7", tests=tuple(ended)),
    )
