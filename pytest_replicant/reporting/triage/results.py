"""What became of each test in the end, its attempts and phones taken together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model import BROKEN, HEALTHY
from .run_record import RunResult

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .run_record import RunRow

FLAKY = "flaky"
"""Outcome of a test that passed, but not at its first attempt."""

REQUEUED = "requeued"
"""Outcome of a test that passed on another phone, as its first one was lost: it says nothing about the test."""


def results_of(rows: Sequence[RunRow]) -> tuple[RunResult, ...]:
    """One a test, in the order in which they were first seen."""
    places: dict[str, list[int]] = {}
    for index, row in enumerate(rows):
        places.setdefault(test_of(row), []).append(index)
    return tuple(
        _result(test, sorted(found, key=lambda at: rows[at].attempt), rows) for test, found in places.items()
    )


def test_of(row: RunRow) -> str:
    """The id of the test that a row belongs to; rows of older runs do not say it apart."""
    return row.test or row.nodeid


def _result(test: str, attempts: list[int], rows: Sequence[RunRow]) -> RunResult:
    last = rows[attempts[-1]]
    ended = [rows[at].outcome for at in attempts if rows[at].attempt == last.attempt]
    outcome = next((one for one in ended if one in BROKEN), ended[0])
    broke = [rows[at] for at in attempts if rows[at].attempt < last.attempt and rows[at].is_broken]
    if broke and outcome in HEALTHY:
        outcome = FLAKY if last.attempt > last.requeues else REQUEUED
    return RunResult(test, outcome, tuple(attempts))
