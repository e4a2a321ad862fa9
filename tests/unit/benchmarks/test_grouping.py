"""The scorer of groupings tells good ones from bad ones."""

from __future__ import annotations

import re

import pytest

from benchmarks.broken_runs.recording import Place, Truth, draw, truth_of
from benchmarks.grouping import Grouped, Score, intervals, score
from pytest_replicant.kept import RunRow, TestCause
from pytest_replicant.reporting import group

TRUTH = {f"t{number}": f"cause {number % 4}" for number in range(40)}


def test_the_truth_scores_full_marks() -> None:
    scored = score(TRUTH, TRUTH)
    assert (scored.failures, scored.causes, scored.groups) == (40, 4, 4)
    assert (scored.precision, scored.recall) == (1.0, 1.0)


def test_all_in_one_group_is_imprecise() -> None:
    scored = score(TRUTH, dict.fromkeys(TRUTH, 0))
    assert scored.recall == 1.0
    assert scored.precision == pytest.approx(180 / 780)


def test_each_alone_finds_nothing() -> None:
    scored = score(TRUTH, {name: name for name in TRUTH})
    assert scored.recall == 0.0
    assert scored.joined == 0


def test_what_was_left_out_stands_alone() -> None:
    assert score(TRUTH, {}).recall == 0.0


def test_two_causes_in_one_group_cost_precision_and_one_in_two_recall() -> None:
    merged = {name: "a" if cause in ("cause 0", "cause 1") else cause for name, cause in TRUTH.items()}
    scored = score(TRUTH, merged)
    assert scored.recall == 1.0
    assert scored.precision == pytest.approx(180 / 280)
    split = {name: (cause, name < "t2") if cause == "cause 0" else cause for name, cause in TRUTH.items()}
    assert score(TRUTH, split).precision == 1.0
    assert score(TRUTH, split).recall < 1.0


# --- two faults a run -----------------------------------------------------------------------------------


def at(step: int, screen: str = "Cart") -> Place:
    return Place(step, f"step {step}", screen)


ALONE = {
    "renamed": {"pays": at(4), "orders": at(4), "counts": at(9)},
    "dead": {"pays": at(6), "removes": at(5), "counts": at(9)},
}


def test_a_failure_is_of_the_fault_that_fails_it_alone_or_at_the_same_step() -> None:
    together = {"pays": at(4), "orders": at(4), "removes": at(5), "counts": at(9), "signs out": at(1)}
    truth = truth_of(together, ALONE)
    assert truth.cause == {"pays": "renamed", "orders": "renamed", "removes": "dead"}
    assert (truth.undecided, truth.of_both) == (("counts",), ("signs out",))
    assert truth_of({"pays": at(5)}, ALONE).undecided == ("pays",)


def test_a_fault_that_the_other_one_hides_is_drawn_with_none() -> None:
    early = {"opens": at(1), "pays": at(1), "orders": at(1), "removes": at(1)}
    late = {"pays": at(7), "orders": at(7)}
    other = {"resets": at(3, "Sign in"), "forgets": at(3, "Sign in")}
    assert draw({"early": early, "late": late, "other": other}) == ["early+other", "late+other"]


def test_half_of_what_is_drawn_is_near() -> None:
    alone = {f"cart {number}": {f"{number} a": at(1), f"{number} b": at(1)} for number in range(9)}
    alone["away"] = {"x": at(1, "Settings"), "y": at(1, "Settings")}
    drawn = draw(alone, most=10)
    assert (len(drawn), drawn) == (10, draw(alone, most=10))
    assert sum("away" in one for one in drawn) == 5


def test_a_run_lists_what_was_joined_and_parted_wrongly() -> None:
    causes = {"a": "one", "b": "two", "c": "one"}
    rows = [
        RunRow(name, 0, "failed", "", 0, "", cause=TestCause(exception="E", message=text))
        for name, text in causes.items()
    ]
    groups = group(rows)
    run = Grouped("x+y", Truth({"a": "x", "b": "x", "c": "y"}), rows, groups)
    assert [*run.mistakes()] == [
        "x+y: 1 pairs joined, 1 parted wrongly",
        *("  JOINED E: one", "    x: a", "    y: c"),
        *("  parted E: two", "    x: b"),
    ]
    assert (run.score.joined, run.score.right, run.score.pairs) == (1, 0, 1)
    right = Grouped("x+y", Truth({"a": "x", "b": "y", "c": "x"}), rows, groups)
    assert [*right.mistakes()] == []


def test_an_interval_is_as_wide_as_the_runs_differ() -> None:
    whole, none = Score(4, 2, 2, 10, 10, 10), Score(4, 2, 2, 10, 10, 0)
    assert intervals([whole] * 20) == ("100.0% (100.0% to 100.0%)",) * 2
    assert intervals([whole]) == ("100.0%", "100.0%")
    low, high = re.findall(r"\(([\d.]+)% to ([\d.]+)%\)", intervals([whole, none] * 20)[0])[0]
    assert 30 < float(low) < 45 < 55 < float(high) < 70
