"""What Allure is given once a run: categories, the environment, a result for a test whose process
died."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any, get_args

import pytest

from pytest_replicant.kept_runs import APP_CRASH, DEVICE_TROUBLE, TEST_ERROR, WORKER_DIED
from pytest_replicant.model import VERDICTS, FailureClass, Redactor
from pytest_replicant.reporting.allure.run_files import (
    BELOW,
    AllureRunFiles,
    environment,
    for_allure_2,
    for_allure_3,
    is_ours,
    merged,
    write_causes,
)
from pytest_replicant.running import SECRETS

from ..factory import HOSTILE

CLASSES = (*get_args(FailureClass), APP_CRASH, DEVICE_TROUBLE, TEST_ERROR, WORKER_DIED)


@pytest.mark.parametrize("failure_class", CLASSES)
def test_each_class_has_one_category_in_either_format(failure_class: str) -> None:
    trace = f"Traceback\nthat says no more\n\nfailure_class: {failure_class}, failure_code: X"
    fitting = [
        row["name"]
        for row in for_allure_2()
        if "traceRegex" in row
        and re.fullmatch(row["traceRegex"], trace)
        and "failed" in row["matchedStatuses"]
    ]
    labelled = [
        row["name"]
        for row in for_allure_3()["categories"]
        if re.search(row["matchers"]["labels"].get("failure_class", "$.^"), failure_class)
    ]
    assert len(fitting) == 1
    assert fitting == labelled
    longer = f"failure_class: {failure_class}OfAnotherKind"
    assert not [row for row in for_allure_2() if re.fullmatch(row.get("traceRegex", "$.^"), longer)]


def test_each_cause_has_a_category_and_the_classes_keep_what_has_none() -> None:
    titles = ['Screen "A" (1.5): no *', 'Screen "A" (1.5): no **']
    trace = "Traceback\n\nfailure_class: VerificationFailure, failure_code: X"

    def fitting(text: str) -> list[str]:
        rows = for_allure_2(titles)
        return [
            row["name"]
            for row in rows
            if "traceRegex" in row and re.fullmatch(row["traceRegex"], text)
        ]

    assert fitting(trace) == ["Check failed"]
    for title in titles:
        assert fitting(f"{trace}\ncause: {title}") == [title]
    assert fitting(f"{trace}\ncause: another one") == []
    assert is_ours(for_allure_2(titles))


def test_a_cause_reaches_the_result_that_it_is_of_and_no_other(tmp_path: Path) -> None:
    for name, more in (("1", {"statusDetails": {"trace": "T"}}), ("2", {}), ("3", {})):
        marks = [{"name": "replicant_attempt" if name != "3" else "other", "value": name}]
        (tmp_path / f"{name}-result.json").write_text(
            json.dumps({"labels": [], "parameters": marks, **more}), "utf-8"
        )
    write_causes(tmp_path, {"1": "The phone <b>", "3": "none"})
    first, *others = (
        json.loads((tmp_path / f"{name}-result.json").read_text("utf-8")) for name in "123"
    )
    assert first["labels"][0] == {"name": "cause", "value": "The phone <b>"}
    assert first["statusDetails"]["trace"] == "T\ncause: The phone <b>"
    assert first["parameters"] == []
    assert "cause" not in json.dumps(others)


@pytest.mark.parametrize(
    ("status", "outcome", "message"),
    [
        ("passed", "recovered", "recovered: one\nrecovered: two"),
        *(("skipped", one, f"{one} at 3: a\nb") for one in VERDICTS),
    ],
)
def test_recoveries_and_replays_are_matched_by_their_message(
    status: str, outcome: str, message: str
) -> None:
    (row,) = (row for row in for_allure_2() if row["matchedStatuses"] == [status])
    assert re.fullmatch(row["messageRegex"], message)
    assert not re.fullmatch(row["messageRegex"], "Skipped: no more")
    (category,) = (
        one for one in for_allure_3()["categories"] if one["matchers"]["statuses"] == [status]
    )
    (pattern,) = category["matchers"]["labels"].values()
    assert re.search(pattern, outcome)
    assert not re.search(pattern, "passed")


def test_our_text_is_kept_apart_from_the_users() -> None:
    assert is_ours(for_allure_2())
    assert is_ours(for_allure_3())
    assert not is_ours([*for_allure_2(), {"name": "Known bugs", "messageRegex": ".*"}])
    assert not is_ours({**for_allure_3(), "name": "Nightly"})
    assert not is_ours({"categories": [{"name": "Known", "matchers": {"labels": {"owner": "me"}}}]})
    assert not is_ours("text")


def test_properties_are_escaped() -> None:
    written = _properties({"phones": "Pixel = 7: #1, C:\\x\nü \U0001f600", "a key": " begins"})
    lines = ["phones=Pixel = 7: #1, C:\\\\x \\u00fc \\ud83d\\ude00", "a\\ key=begins"]
    assert written.splitlines() == lines


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_is_one_property(text: str) -> None:
    written = _properties({"phones": text})
    assert written.count("\n") == 1
    assert written.isascii()
    assert len(written) < 7_000


def test_the_environment_names_no_phone_by_its_serial_and_counts_many() -> None:
    facts = environment(["Pixel 8, Android 15", "", "Pixel 7, Android 14", "Pixel 7, Android 14"])
    assert facts["phones"] == "Pixel 7, Android 14; Pixel 8, Android 15"
    assert facts["pytest"] == pytest.__version__
    assert {"python", "platform"} <= set(facts)
    assert environment(f"Phone {number:03}" for number in range(25))["phones"].endswith(
        "Phone 019; 5 more"
    )


def _properties(facts: dict[str, str]) -> str:
    return merged("", facts).removeprefix(BELOW)


def test_the_users_environment_stays_and_ours_is_written_again() -> None:
    first = merged("stand = 7\npython: mine", {"python": "3.11", "pytest": "8"})
    assert first == f"stand = 7\npython: mine\n{BELOW}pytest=8\n"
    assert (
        merged(first, {"python": "3.11", "pytest": "9"})
        == f"stand = 7\npython: mine\n{BELOW}pytest=9\n"
    )


def _written(folder: Path, nodeid: str, begun: dict[str, Any] | None = None) -> dict[str, Any]:
    known: Any = SimpleNamespace(getoption=lambda _: folder, stash={SECRETS: Redactor(["hunter2"])})
    reporter = AllureRunFiles(known)
    if begun is not None:
        setup: Any = SimpleNamespace(
            when="setup", nodeid=nodeid, replicant_allure=json.dumps(begun)
        )
        reporter.pytest_runtest_logreport(setup)
    earlier = {*folder.iterdir()}
    died = SimpleNamespace(longrepr="worker 'gw0' crashed, hunter2")
    reporter.pytest_handlecrashitem(nodeid, died)
    (path,) = {*folder.glob("*-result.json")} - earlier
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return found


def test_a_dead_worker_is_a_broken_result(tmp_path: Path) -> None:
    row = _written(tmp_path, "tests/shop/test_x.py::TestCart::test_y[a::b[1]]")
    assert (row["status"], row["statusDetails"]["message"]) == (
        "broken",
        "worker 'gw0' crashed, •••",
    )
    assert row["fullName"] == "tests.shop.test_x.TestCart#test_y"
    assert row["titlePath"] == ["tests", "shop", "test_x.py", "TestCart"]
    for name, value in (
        ("suite", "test_x"),
        ("failure_class", WORKER_DIED),
        ("replicant_outcome", "died"),
    ):
        assert {"name": name, "value": value} in row["labels"]
    other = _written(tmp_path, "tests/shop/test_x.py::TestCart::test_y[c]")
    assert (other["testCaseId"], other["fullName"]) == (row["testCaseId"], row["fullName"])
    assert other["historyId"] != row["historyId"]


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_node_id_is_a_result(tmp_path: Path, text: str) -> None:
    assert len(_written(tmp_path, f"test_x.py::test_y[{text}]")["name"]) < 400


def test_a_result_that_its_worker_began_keeps_its_names(tmp_path: Path) -> None:
    begun = {
        "name": "test_y[1]",
        "historyId": "h",
        "start": 5,
        "labels": [{"name": "owner", "value": "me"}],
    }
    row = _written(tmp_path, "test_x.py::test_y[1]", begun)
    assert row | {"name": "test_y[1]", "historyId": "h", "start": 5} == row
    assert row["labels"][0] == {"name": "owner", "value": "me"}
    assert {"name": "replicant_outcome", "value": "died"} in row["labels"]
