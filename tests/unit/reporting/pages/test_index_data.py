"""What the index of a run carries: what its reader needs, within a size that opens at once."""

from __future__ import annotations

import json

import pytest

from pytest_replicant.reporting.artifacts.storage import script_json
from pytest_replicant.reporting.pages.index_page import BUDGET, index_data

from ..big_run import big_run


def test_a_message_is_carried_once_a_cause_and_where_no_trace_has_it() -> None:
    document = big_run(50, 20, causes=3, message_length=2000)
    document["tests"][1]["trace"] = ""
    before = json.dumps(document)
    data = index_data(document)
    assert json.dumps(document) == before, "the document itself is left alone"
    assert [len(cause["message"]) for cause in data["causes"]] == [2000, 2000, 2000]
    carried = {at: test["message"] for at, test in enumerate(data["tests"]) if "message" in test}
    assert carried == {1: document["tests"][1]["message"]}


def test_what_the_tests_of_a_cause_share_is_reported_once_and_what_differs_each_time() -> None:
    document = big_run(20, 12, causes=1)
    for number in range(0, 12, 2):
        document["tests"][number]["cause"]["target"] = f'text="{number}"'
    document["tests"][0]["cause"]["failure_class"] = "VerificationFailure"
    document["tests"][11] |= {"test": document["tests"][10]["nodeid"]}  # its second phone
    cause = index_data(document)["causes"][0]
    assert cause["facts"]["screen"] == ["Cart"]
    assert cause["facts"]["target"] == [
        'text="0"',
        'text="Check out"',
        'text="2"',
        'text="4"',
        "and 3 more",
    ]
    assert cause["kinds"] == [
        ["TargetResolutionFailure", "ELEMENT_NOT_FOUND", 10],
        ["VerificationFailure", "ELEMENT_NOT_FOUND", 1],
    ]


def test_a_run_that_is_too_large_is_cut_and_says_so() -> None:
    document = big_run(20, 0)
    document["tests"][0]["nodeid"] = "x" * 10_000
    for test in document["tests"]:
        test["deaths"] = ["d" * 400_000]
    data = index_data(document)
    assert len(script_json(data)) <= BUDGET
    line = data["tests"][0]["deaths"][0]
    assert line.startswith("d" * 20_000)
    assert line.endswith("… (380,000 more characters in run.json)")
    assert data["tests"][0]["nodeid"] == "x" * 10_000, "what is short stays whole"


@pytest.mark.slow
def test_where_no_cut_helps_texts_stay_readable_and_a_thousand_tests_weigh_little() -> None:
    document = big_run(12_000, 0)
    document["tests"][0]["nodeid"] = "x" * 5000
    data = index_data(document)
    assert len(script_json(data)) > BUDGET
    assert data["tests"][0]["nodeid"] == "x" * 5000
    assert len(script_json(index_data(big_run(1000, 100, message_length=2000)))) < 1_000_000


def test_of_a_test_only_what_says_something_is_carried() -> None:
    document = big_run(2, 1, causes=1)
    for test in document["tests"]:
        test["rerun"] = f"pytest {test['nodeid']}"
    data = index_data(document)
    assert [name for test in data["tests"] for name, value in test.items() if not value] == []
    assert ["rerun" in test for test in data["tests"]] == [True, False, False], (
        "a pass needs no other run"
    )
