"""What the index of a run carries: what its reader needs, within a size that opens at once."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_replicant.reporting.artifacts.storage import script_json
from pytest_replicant.reporting.pages.index_page import BUDGET, SLOWEST, index_data

from ..big_run import big_run
from ..made_rows import replay


def test_a_message_is_carried_once_a_cause() -> None:
    data = index_data(big_run(50, 20, causes=3, message_length=2000))
    assert [len(cause["message"]) for cause in data["causes"]] == [2000, 2000, 2000]
    assert not any("message" in test for test in data["tests"])


def test_a_message_is_carried_where_no_trace_has_it() -> None:
    document = big_run(3, 2, causes=1)
    document["tests"][1]["trace"] = ""
    carried = [test.get("message", "") for test in index_data(document)["tests"]]
    assert carried == ["", document["tests"][1]["message"], "", ""]


def test_only_the_slowest_steps_of_the_run_are_carried() -> None:
    data = index_data(big_run(100, 0))
    lengths = [step["duration_ms"] for step in data["slowest"]]
    assert len(lengths) == SLOWEST
    assert lengths == sorted(lengths, reverse=True)
    assert max(step["duration_ms"] for test in big_run(100, 0)["tests"] for step in test["slowest"]) == lengths[0]
    assert not any("slowest" in test for test in data["tests"])


def test_what_the_tests_of_a_cause_have_in_common_is_reported_once_and_what_differs_each_time() -> None:
    document = big_run(20, 12, causes=1)
    for number in range(0, 12, 2):
        document["tests"][number]["cause"]["target"] = f'text="{number}"'
    facts = index_data(document)["causes"][0]["facts"]
    assert facts["screen"] == ["Cart"]
    assert facts["target"] == ['text="0"', 'text="Check out"', 'text="2"', 'text="4"', "and 3 more"]


def test_a_run_that_is_too_large_is_cut_and_says_so() -> None:
    document = big_run(20, 0)
    for test in document["tests"]:
        test["deaths"] = ["d" * 400_000]
    data = index_data(document)
    assert len(script_json(data)) <= BUDGET
    line = data["tests"][0]["deaths"][0]
    assert line.startswith("d" * 20_000)
    assert line.endswith("… (380,000 more characters in run.json)")
    assert data["tests"][0]["nodeid"] == document["tests"][0]["nodeid"], "what is short stays whole"


@pytest.mark.slow
def test_where_no_cut_helps_texts_stay_readable() -> None:
    document = big_run(12_000, 0)
    document["tests"][0]["nodeid"] = "x" * 5000
    data = index_data(document)
    assert len(script_json(data)) > BUDGET
    assert data["tests"][0]["nodeid"] == "x" * 5000


def test_a_run_that_fits_is_not_cut() -> None:
    document = big_run(2, 0)
    document["tests"][0]["nodeid"] = "x" * 100_000
    assert index_data(document)["tests"][0]["nodeid"] == "x" * 100_000


def test_a_thousand_tests_weigh_little() -> None:
    assert len(script_json(index_data(big_run(1000, 100, message_length=2000)))) < 1_000_000


def test_the_document_itself_is_left_alone() -> None:
    document = big_run(10, 4, causes=2)
    before = json.dumps(document)
    index_data(document)
    assert json.dumps(document) == before


def test_what_says_nothing_is_left_out() -> None:
    (test,) = index_data(big_run(1, 0))["tests"]
    empty: list[Any] = [name for name, value in test.items() if not value]
    assert empty == []


def test_a_cause_says_of_what_kinds_its_tests_are_each_test_once() -> None:
    document = big_run(4, 4, causes=1)
    document["tests"][0]["cause"]["failure_class"] = "VerificationFailure"
    document["tests"][3] |= {"test": document["tests"][2]["nodeid"]}  # its second phone
    kinds = index_data(document)["causes"][0]["kinds"]
    assert kinds == [
        ["TargetResolutionFailure", "ELEMENT_NOT_FOUND", 2],
        ["VerificationFailure", "ELEMENT_NOT_FOUND", 1],
    ]


def test_the_command_that_runs_a_test_again_is_carried_for_failures_alone() -> None:
    document = big_run(2, 1, causes=1)
    for test in document["tests"]:
        test["rerun"] = f"pytest {test['nodeid']}"
    assert ["rerun" in test for test in index_data(document)["tests"]] == [True, False, False]


def test_of_a_replay_what_each_came_to_is_carried() -> None:
    ended = replay(
        ("a", "diverged", "at step 2: recorded tap(1, 1)"), ("b", "holds on the recording", "to step 1")
    )
    data = index_data(ended.to_dict())
    assert [one["verdict"] for one in data["replay"]["tests"]] == ["diverged", "holds on the recording"]
    assert index_data(big_run(2, 1))["replay"] is None
