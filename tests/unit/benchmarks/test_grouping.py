"""The scorer of groupings tells good ones from bad ones."""

from __future__ import annotations

import pytest

from benchmarks.broken_runs.recording import Place, draw, truth_of
from benchmarks.grouping import score

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
    merged = {
        name: "a" if cause in ("cause 0", "cause 1") else cause for name, cause in TRUTH.items()
    }
    scored = score(TRUTH, merged)
    assert scored.recall == 1.0
    assert scored.precision == pytest.approx(180 / 280)
    split = {
        name: (cause, name < "t2") if cause == "cause 0" else cause for name, cause in TRUTH.items()
    }
    assert score(TRUTH, split).precision == 1.0
    assert score(TRUTH, split).recall < 1.0


# --- two faults a run -----------------------------------------------------------------------------


def at(step: int, screen: str = "Cart") -> Place:
    return Place(step, f"step {step}", screen)


ALONE = {
    "renamed": {"pays": at(4), "orders": at(4), "counts": at(9)},
    "dead": {"pays": at(6), "removes": at(5), "counts": at(9)},
}


def test_a_failure_is_of_the_fault_that_fails_it_alone_or_at_the_same_step() -> None:
    together = {
        "pays": at(4),
        "orders": at(4),
        "removes": at(5),
        "counts": at(9),
        "signs out": at(1),
    }
    truth = truth_of(together, ALONE)
    assert truth.cause == {"pays": "renamed", "orders": "renamed", "removes": "dead"}
    assert (truth.undecided, truth.of_both) == (("counts",), ("signs out",))
    assert truth_of({"pays": at(5)}, ALONE).undecided == ("pays",)


def test_a_fault_that_the_other_one_hides_is_drawn_with_none() -> None:
    early = {"opens": at(1), "pays": at(1), "orders": at(1), "removes": at(1)}
    late = {"pays": at(7), "orders": at(7)}
    other = {"resets": at(3, "Sign in"), "forgets": at(3, "Sign in")}
    assert draw({"early": early, "late": late, "other": other}) == ["early+other", "late+other"]
