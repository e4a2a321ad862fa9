"""What a green test did not prove, and how the end of a run says so."""

from __future__ import annotations

from dataclasses import replace

from pytest_replicant.codec import convert
from pytest_replicant.kept import RunRow
from pytest_replicant.model import plain
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


def test_a_verified_test_has_no_finding() -> None:
    assert unverified(tiny_trace()) == ""
    assert vacuous_checks(tiny_trace()) == ()


def test_a_test_without_a_check_is_found() -> None:
    assert unverified(with_parts(tiny_trace(), checks=())) == "makes no check"


def test_a_test_that_never_acted_has_nothing_to_verify() -> None:
    assert unverified(replace(tiny_trace(), events=())) == ""


def test_an_unverified_last_action_is_named() -> None:
    trace = tiny_trace()
    loose = replace(trace.actions[0], lifecycle_state="pending_verification")
    assert unverified(with_parts(trace, results=(loose,))) == 'ends on an unverified action: tap text="Sign in"'
    assert unverified(with_parts(tiny_trace("failed"), results=(loose,))) == ""


def test_open_actions_are_those_that_no_one_looked_after() -> None:
    trace = tiny_trace()
    assert open_actions(trace) == ()
    loose = replace(trace.actions[0], lifecycle_state="pending_verification")
    of_the_outcome = with_parts(trace, results=(loose,), checks=())
    assert [one.result for one in open_actions(of_the_outcome)] == [loose]
    of_the_screen = with_parts(trace, results=(loose,), checks=(replace(trace.checks[0], action_id=""),))
    assert open_actions(of_the_screen) == (), "a check of the screen came right after it"
    failed = with_parts(of_the_screen, checks=(replace(trace.checks[0], action_id="", result="failed"),))
    assert [one.result for one in open_actions(failed)] == [loose]
    read = replace(loose, action_type="collect")
    assert open_actions(with_parts(of_the_outcome, results=(read,))) == ()


def test_a_row_counts_open_actions_and_names_the_first() -> None:
    trace = tiny_trace()
    loose = replace(trace.actions[0], lifecycle_state="pending_verification")
    many = [replace(loose, action_id=f"a{number}") for number in range(1, 9)]
    row = row_of(with_parts(trace, results=many, checks=()))
    assert row.unverified_actions == 8
    assert [one.step for one in row.open_actions] == ["a1", "a2", "a3", "a4", "a5"]
    assert (row.open_actions[0].title, row.open_actions[0].source) == (
        'tap text="Sign in"',
        "tests/test_checkout.py:18",
    )


def test_what_was_read_last_needs_no_proof() -> None:
    trace = tiny_trace()
    read = replace(trace.actions[0], action_type="collect", lifecycle_state="pending_verification")
    assert unverified(with_parts(trace, results=(*trace.actions, read))) == ""
    loose = replace(trace.actions[0], lifecycle_state="pending_verification")
    ends_on_it = with_parts(trace, results=(loose, read))
    assert unverified(ends_on_it) == "", "which is listed apart, and is no warning"
    assert read_not_checked(ends_on_it) == 'ends on an unverified action: tap text="Sign in"'
    assert closing_lines([row_of(ends_on_it)])[0] == "read, not checked (1):"
    assert unverified(with_parts(trace, results=(read, loose))) != ""


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


def test_of_a_run_without_findings_nothing_is_said() -> None:
    row = row_of(tiny_trace())
    assert closing_lines([row]) == []


def test_control_characters_are_shown_and_not_obeyed() -> None:
    row = replace(row_of(tiny_trace()), vacuous=("a\x1b[31m\u202eb\n" + "x" * 9000,))
    text = "".join(closing_lines([row]))
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "\\x1b[31m" in text
    assert max(len(line) for line in closing_lines([row])) <= 400


def test_a_look_that_was_not_compared_is_listed_and_proves_nothing() -> None:
    trace = compared_trace()
    assert not_compared(trace) == ('expect_looks_like "cart": not compared: there is no picture of it',)
    alone = replace(trace, test=replace(trace.test, outcome="passed"), events=trace.events[1:2])
    assert unverified(alone) == "makes no check"
    lines = closing_lines([row_of(alone)])
    assert "looks not compared (1):" in lines
