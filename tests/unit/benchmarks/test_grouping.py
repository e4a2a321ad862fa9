"""The scorer of groupings tells good ones from bad ones."""

from __future__ import annotations

import pytest

from benchmarks.grouping import score

TRUTH = {f"t{number}": f"cause {number % 4}" for number in range(40)}


def test_the_truth_scores_full_marks() -> None:
    told = score(TRUTH, TRUTH)
    assert (told.failures, told.causes, told.groups) == (40, 4, 4)
    assert (told.precision, told.recall) == (1.0, 1.0)


def test_all_in_one_group_is_imprecise() -> None:
    told = score(TRUTH, dict.fromkeys(TRUTH, 0))
    assert told.recall == 1.0
    assert told.precision == pytest.approx(180 / 780)


def test_each_alone_finds_nothing() -> None:
    told = score(TRUTH, {name: name for name in TRUTH})
    assert told.recall == 0.0
    assert told.joined == 0


def test_what_was_left_out_stands_alone() -> None:
    assert score(TRUTH, {}).recall == 0.0


def test_two_causes_in_one_group_cost_precision_and_one_in_two_recall() -> None:
    merged = {name: "a" if cause in ("cause 0", "cause 1") else cause for name, cause in TRUTH.items()}
    told = score(TRUTH, merged)
    assert told.recall == 1.0
    assert told.precision == pytest.approx(180 / 280)
    split = {name: (cause, name < "t2") if cause == "cause 0" else cause for name, cause in TRUTH.items()}
    assert score(TRUTH, split).precision == 1.0
    assert score(TRUTH, split).recall < 1.0
