"""What a green test did not prove, and how the end of a run says so."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_replicant.kept_runs import RunRow
from pytest_replicant.model import TestTrace, convert, plain
from pytest_replicant.reporting.findings import (
    not_compared,
    open_actions,
    read_not_checked,
    unverified,
    vacuous_checks,
)
from pytest_replicant.reporting.run_text import closing_lines

from .compared import compared_trace
from .factory import row_of, tiny_trace, with_parts
from .story import failing_story

TRACE = tiny_trace()
LOOSE = replace(TRACE.actions[0], lifecycle_state="pending_verification")
READ = replace(LOOSE, action_type="collect")
ENDS_ON = 'ends on an unverified action: tap text="Sign in"'


@pytest.mark.parametrize(
    ("trace", "found"),
    [
        (TRACE, ""),
        (with_parts(TRACE, checks=()), "makes no check"),
        (replace(TRACE, events=()), ""),
        (with_parts(TRACE, results=(LOOSE,)), ENDS_ON),
        (with_parts(tiny_trace("failed"), results=(LOOSE,)), ""),
        (with_parts(TRACE, results=(*TRACE.actions, READ)), ""),
        (with_parts(TRACE, results=(LOOSE, READ)), ""),
        (with_parts(TRACE, results=(READ, LOOSE)), ENDS_ON),
    ],
    ids=[
        "verified",
        "no check",
        "never acted",
        "loose",
        "failed",
        "read",
        "read at last",
        "read before",
    ],
)
def test_a_test_that_proves_less_than_it_seems_to_is_found(trace: TestTrace, found: str) -> None:
    assert unverified(trace) == found


def test_what_was_read_last_is_listed_apart() -> None:
    trace = with_parts(TRACE, results=(LOOSE, READ))
    assert read_not_checked(trace) == ENDS_ON
    assert closing_lines([row_of(trace)])[0] == "read, not checked (1):"


def test_open_actions_are_those_that_no_one_looked_after() -> None:
    assert open_actions(TRACE) == ()
    of_the_outcome = with_parts(TRACE, results=(LOOSE,), checks=())
    assert [one.result for one in open_actions(of_the_outcome)] == [LOOSE]
    of_the_screen = replace(TRACE.checks[0], action_id="")
    assert open_actions(with_parts(TRACE, results=(LOOSE,), checks=(of_the_screen,))) == ()
    failed = with_parts(TRACE, results=(LOOSE,), checks=(replace(of_the_screen, result="failed"),))
    assert [one.result for one in open_actions(failed)] == [LOOSE]
    assert open_actions(with_parts(of_the_outcome, results=(READ,))) == ()


def test_a_row_counts_open_actions_and_names_the_first() -> None:
    many = [replace(LOOSE, action_id=f"a{number}") for number in range(1, 9)]
    row = row_of(with_parts(TRACE, results=many, checks=()))
    assert row.unverified_actions == 8
    assert [one.step for one in row.open_actions] == ["a1", "a2", "a3", "a4", "a5"]
    first = row.open_actions[0]
    assert (first.title, first.source) == ('tap text="Sign in"', "tests/test_checkout.py:18")


def test_a_vacuous_check_is_named_with_its_action() -> None:
    (line,) = vacuous_checks(failing_story())
    assert line.startswith('expect_visible text="Search" already held before tap text="Add"')


def test_a_row_survives_the_way_from_worker_to_controller() -> None:
    row = row_of(failing_story())
    assert convert(RunRow, plain(row)) == row
    assert row.failure.startswith("ExpectationFailed  expect_state")
    assert "\n" not in row.failure
    assert row.device == "Pixel 7, Android 14"


def test_the_last_lines_of_a_run() -> None:
    loose = row_of(with_parts(tiny_trace(), checks=()))
    rows = [loose] * 12 + [replace(loose, unverified="", warnings=("disk full",))]
    lines = closing_lines(rows)
    assert lines[0] == "passed without proof (12):"
    assert lines[11] == "  and 2 more"
    assert "not recorded in full (1):" in lines


def test_a_look_that_was_not_compared_is_listed_and_proves_nothing() -> None:
    trace = compared_trace()
    assert not_compared(trace) == (
        'expect_looks_like "cart": not compared: there is no picture of it',
    )
    alone = replace(trace, test=replace(trace.test, outcome="passed"), events=trace.events[1:2])
    assert unverified(alone) == "makes no check"
    lines = closing_lines([row_of(alone)])
    assert "looks not compared (1):" in lines
