"""Long waits for phones, in the lines at the end of a run."""

from __future__ import annotations

from pytest_replicant.running.scheduling.between_tests import (
    REPORTED_SECONDS,
    REPORTED_TESTS,
    wait_lines,
)


def test_short_waits_are_not_reported() -> None:
    assert wait_lines({"a": REPORTED_SECONDS - 0.1}, [], 600) == []


def test_the_longest_waits_are_reported_first() -> None:
    waits = {f"test_{number}": REPORTED_SECONDS + number for number in range(REPORTED_TESTS + 2)}
    first, *rest = wait_lines(waits, [], 600)
    assert first.startswith(
        "replicant: 7 tests waited 5 s or more for a phone or a resource that others held"
    )
    assert "replicant_lease_timeout = 600" in first
    assert rest[0] == "  11 s  test_6"
    assert len(rest) == REPORTED_TESTS


def test_one_is_reported_as_one() -> None:
    assert "1 test waited" in wait_lines({"a": 9}, [], 600)[0]


def test_phones_that_were_passed_over_are_reported() -> None:
    assert wait_lines({}, ["0A1B is odd"], 600) == ["replicant: passed over 0A1B is odd"]
