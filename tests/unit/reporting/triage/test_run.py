"""What became of each test in the end, and a run as JSON."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from pytest_replicant.kept_runs import OpenAction, RunRecord, RunRow, TestCause, results_of
from pytest_replicant.model import convert, decode, encode, plain
from pytest_replicant.reporting import run_of

from ..factory import row_of
from ..made_rows import plain_row
from ..story import failing_story


def row(test: str, outcome: str, attempt: int = 0, nodeid: str = "") -> RunRow:
    cause = (
        TestCause(exception="ValueError", message="no") if outcome in ("failed", "error") else None
    )
    return plain_row(nodeid or test, cause, outcome, attempt, test=test)


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        (["passed"], "passed"),
        (["failed", "passed"], "flaky"),
        (["infra", "recovered"], "flaky"),
        (["failed", "failed"], "failed"),
        (["failed", "infra"], "infra"),
        (["failed", "skipped"], "skipped"),
        (["recovered"], "recovered"),
    ],
)
def test_the_last_attempt_counts(outcomes: list[str], expected: str) -> None:
    (result,) = results_of([row("t", outcome, number) for number, outcome in enumerate(outcomes)])
    assert result.outcome == expected
    assert result.attempts == tuple(range(len(outcomes)))


def test_a_phone_that_passed_does_not_hide_another_of_the_same_attempt() -> None:
    rows = [row("t", "failed"), row("t", "passed", nodeid="t (phone 2)")]
    assert results_of(rows)[0].outcome == "failed"


def test_a_run_as_json() -> None:
    rows = [row("a", "failed"), row("b", "failed", 0), row("b", "passed", 1), row("c", "passed")]
    document = json.loads(json.dumps(run_of("run", "2026", 5, rows, {"python": "3"}).to_dict()))
    assert document["results"][1] == {
        "nodeid": "b",
        "outcome": "flaky",
        "attempts": [1, 2],
        "history": "",
    }
    assert [(one["tests"], one["failures"], one["earlier"]) for one in document["causes"]] == [
        ([0, 1], 1, [1])
    ]
    assert document["environment"] == {"python": "3"}


def test_the_rows_of_an_older_version_are_read() -> None:
    whole = row_of(failing_story())
    whole = replace(whole, open_actions=(OpenAction("tap", "t.py:1", "a1"),))
    values = plain(whole)
    assert convert(RunRow, values) == decode(RunRow, encode(whole)) == whole
    older = {
        name: values[name]
        for name in ("nodeid", "attempt", "outcome", "started_at", "duration_ms", "device")
    }
    assert convert(RunRow, older).cause is None
    record = run_of("run", "2026", 5, [whole], {"python": "3"})
    assert decode(RunRecord, encode(record.to_dict())) == record
    with pytest.raises(ValueError, match="missing required field `attempt`"):
        convert(RunRow, {"nodeid": "t"})
