"""How a run counts: each test once, by how it ended at last."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_replicant.kept_runs import RunRow
from pytest_replicant.reporting.run_text import (
    CAUSES,
    JOINED,
    TESTS,
    failure_blocks,
    flaky_lines,
    headline,
    replay_blocks,
    requeued_lines,
    summary_line,
)

from .factory import HOSTILE
from .made_rows import replay, row, run

FOLDER = Path("out/run")


def test_each_test_counts_once() -> None:
    finished = run(
        row("a"),
        row("b", "recovered"),
        row("c", "failed", "no button", at="steps.py:3"),
        row("c", "failed", "no button", at="steps.py:3", attempt=1),
        row("d", "failed", "no button", at="steps.py:3"),
        row("e", "failed", "late"),
        row("e", attempt=1),
        row("f", "error", "no account", at="steps.py:9"),
        row("g", "error", "no account", at="steps.py:9"),
        row("h", "infra", "no cable"),
        row("i", "skipped"),
    )
    assert (
        summary_line(finished)
        == "1 passed, 1 recovered, 1 flaky, 1 skipped, 2 failed, 2 errors, 1 infra (3 causes)"
    )
    assert headline(finished) == "5 failures, 3 causes"


def test_a_test_that_lost_its_phone_and_passed_on_another_is_not_flaky() -> None:
    lost = replace(row("a", "infra", "unplugged"), lost="unplugged", phone="android:one")
    passed = replace(row("a", attempt=1), requeues=1, phone="android:two")
    finished = run(lost, passed, row("b"))
    assert summary_line(finished) == "1 passed, 1 requeued"
    assert (
        headline(finished),
        failure_blocks(finished, FOLDER),
        flaky_lines(finished, FOLDER),
    ) == ("", [], [])
    assert requeued_lines(finished, FOLDER)[1:] == [
        "  tests/a.py::test_it lost android:one and passed on android:two; unplugged"
    ]
    again = replace(passed, outcome="infra", lost="dead")
    assert requeued_lines(run(lost, again), None)[1:] == [
        "  tests/a.py::test_it lost android:one and android:two as well; unplugged"
    ]
    failed = replace(row("a", "failed", "no button", attempt=1), requeues=1)
    finished = run(lost, failed, replace(row("a", attempt=2), requeues=1))
    assert summary_line(finished) == "1 flaky", "one that failed as well is flaky for that"
    assert "attempt 2: no button" in flaky_lines(finished, FOLDER)[1]


def test_a_cause_is_reported_once_with_few_of_its_tests() -> None:
    made = [
        row(f"t{at}", "failed", "no button", trace="t/trace.html", at="steps.py:3")
        for at in range(JOINED + 1)
    ]
    finished = run(*made)
    lines = failure_blocks(finished, FOLDER)
    assert lines[:2] == ["21 failures, 1 cause", "FAILED TestError (21 tests)"]
    assert sum("no button" in line for line in lines) == 1
    assert lines.count("  open: out/run/t/trace.html") == JOINED
    assert lines[-1] == "  and 1 more test"


def test_few_of_many_causes_are_reported() -> None:
    names = [letter * 5 for letter in "abcdefghijklm"]
    lines = failure_blocks(run(*(row(name, "failed", name) for name in names)), None)
    assert lines[0] == "13 failures, 13 causes"
    assert sum(line.startswith("FAILED ") for line in lines) == CAUSES
    assert lines[-1] == "and 3 more causes"
    assert not any("open:" in line for line in lines)


def test_facts_are_reported_of_a_cause_where_all_its_tests_share_them() -> None:
    shared = [failed(f"t{at}", target=f'text="{at}"', screen="Cart") for at in range(2)]
    lines = [line for line in failure_blocks(run(*shared), None)[3:] if "run again" not in line]
    assert lines == [
        "  screen: Cart",
        "  test: tests/t0.py::test_it at steps.py:3",
        '    target: text="0"',
        "  test: tests/t1.py::test_it at steps.py:3",
        '    target: text="1"',
    ]
    assert '  target: text="0"' in failure_blocks(run(shared[0]), None)


# --- facts that stand once a cause, and the end of a run ------------------------------------------


def failed(
    name: str,
    why: str = "no button",
    *,
    divergence: str = "",
    outcome: str = "failed",
    **facts: Any,
) -> RunRow:
    made = row(name, outcome, why, trace=f"{name}/trace.html", at="steps.py:3")
    assert made.cause is not None
    command = f"pytest {made.nodeid}"
    return replace(made, divergence=divergence, rerun=command, cause=replace(made.cause, **facts))


def test_the_last_pass_is_compared_once_a_cause_without_numbers() -> None:
    parted = [failed(f"t{at}", divergence=f"parted at step {at}") for at in range(3)]
    mixed = run(*parted, failed("x", divergence="another toast"), failed("y"))
    said = [line for line in failure_blocks(mixed, None) if "since the last pass" in line]
    assert said == ["  since the last pass: parted at step 0 (and 1 other differ)"]
    assert not any("since" in line for line in failure_blocks(run(failed("a")), None))


def test_a_cause_is_headed_by_what_most_of_its_tests_are() -> None:
    made = run(
        failed("a", outcome="error", failure_class="Setup"), *(failed(f"t{at}") for at in range(2))
    )
    assert failure_blocks(made, None)[1] == "FAILED TestError (3 tests: 1 error, 2 failed)"


def test_one_command_runs_all_tests_of_a_cause_again() -> None:
    def command(*rows: RunRow) -> str:
        (line,) = [line for line in failure_blocks(run(*rows), FOLDER) if "run again" in line]
        return line

    options = "'--replicant-device=virtual?latency=0'"
    one, other = (
        replace(failed(name), rerun=f"pytest 'tests/{name}.py::test[a b]' {options}")
        for name in "ab"
    )
    assert (
        command(one, other)
        == f"  run again: pytest 'tests/a.py::test[a b]' 'tests/b.py::test[a b]' {options}"
    )
    secret = replace(failed("a"), nodeid="tests/a.py::test_it[•••]")
    assert command(secret) == "  run again (all its parameters): pytest tests/a.py::test_it"
    line = command(*(failed(f"t{at}") for at in range(JOINED + 1)))
    assert line.startswith(
        "  run again (the first 20): pytest tests/t0.py::test_it tests/t1.py::test_it "
    )
    assert (
        command(failed("a"), replace(failed("b"), rerun=""))
        == "  run again: pytest tests/a.py::test_it"
    )


def many(count: int, why: str = "", **facts: Any) -> list[RunRow]:
    """Each of another cause."""
    known = {"expected": 'text="Go"', "nearest": '[k1] Button "Stop"', **facts}
    names = ["".join(chr(ord("a") + int(digit)) * 3 for digit in str(at)) for at in range(count)]
    return [
        failed(name, f"{why}{name} was not there", source=f"{name}.py:3", **known) for name in names
    ]


def test_no_word_and_no_command_is_cut_in_its_middle() -> None:
    lines = failure_blocks(run(*many(9, "wordy " * 60)), FOLDER)
    titles = [line for line in lines if "wordy" in line]
    assert len(titles) == 9
    assert all(line.endswith("wordy …") for line in titles)
    commands = [line.partition(": ")[2] for line in lines if "run again" in line]
    assert all(line.startswith("pytest tests/") and line.endswith("::test_it") for line in commands)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_printable(name: str) -> None:
    text = HOSTILE[name]
    made = many(20, text * 3, expected=text, nearest=text * 9)
    ended = replay(("a", "diverged", f"at step 1: {text}\n{text}"))
    lines = [
        *failure_blocks(run(*made), FOLDER),
        *replay_blocks(ended, FOLDER, {"tests/a.py::test_it": text}),
    ]
    assert all(line.isprintable() for line in lines)


def test_of_several_phones_the_one_whose_step_failed_the_test_is_opened() -> None:
    one, other = failed("a"), failed("b", step="a7")
    both = one, replace(other, nodeid=f"{one.nodeid} (phone 2)", test=one.test)
    assert "out/run/b/trace.html#a7" in "\n".join(failure_blocks(run(*both), FOLDER))
    (line,) = flaky_lines(run(*both, row("a", attempt=1)), FOLDER)[1:]
    assert "out/run/b/trace.html#a7" in line


# --- a replay -------------------------------------------------------------------------------------

HOLDS = "holds on the recording"


def test_what_did_not_end_as_expected_comes_first_with_the_files_to_open() -> None:
    ended = replay(
        ("h", HOLDS, "to step 3 of 3"),
        ("a", "fails on the recording", "at step 2 of 3: E: no button"),
    )
    assert replay_blocks(ended, FOLDER, {}) == [
        "FAILS ON THE RECORDING at step 2 of 3: E: no button",
        "  expected: holds on the recording",
        "  test: tests/a.py::test_it",
        "  open: out/run/a/trace.html",
        "  recorded: out/recorded/a/trace.html",
        "    Next: look",
        "holds on the recording to step 3 of 3: tests/h.py::test_it",
    ]
    assert summary_line(ended) == (
        "replay of recorded: 1 holds on the recording, 1 fails on the recording (1 not as expected)"
    )
    whole = replay_blocks(ended, FOLDER, {"tests/a.py::test_it": ">   tap()\nE   no button"})
    assert whole[5:7] == ["    >   tap()", "    E   no button"]


def test_of_many_that_hold_only_the_number_is_told_and_what_is_the_same_is_said_once() -> None:
    holding = [(f"t{at}", HOLDS, f"to step {at} of {at}") for at in range(12)]
    odd = ("odd", HOLDS, "to step 2 of 3; 2 recorded calls were not asked for")
    assert replay_blocks(replay(*holding, odd), FOLDER, {}) == [
        "12 hold on the recording",
        "1 holds on the recording; 2 recorded calls were not asked for: tests/odd.py::test_it",
    ]
    missing = "its recording cannot be read: header: no outcome"
    lines = replay_blocks(
        replay(*((f"t{at}", "beyond the recording", missing) for at in range(22))), FOLDER, {}
    )
    assert lines[0] == f"BEYOND THE RECORDING (22 tests) {missing}"
    assert (sum(line.startswith("  test: ") for line in lines), lines[-1]) == (
        TESTS,
        "  and 17 more tests",
    )
