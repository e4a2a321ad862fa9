"""The outcome in our reports is the one that pytest tells, and a report never changes it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Run, here_and_in_a_worker, outcomes_of, trace_records

pytestmark = [pytest.mark.slow, pytest.mark.thorough]

SOURCE = """
import pytest
from pytest_replicant import DeviceOffline

def start(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")

@pytest.fixture
def breaks(mobile):
    yield
    raise RuntimeError("the teardown broke")

def test_teardown(mobile, breaks):
    start(mobile)

@pytest.mark.xfail(strict=True, reason="known")
def test_strict(mobile):
    start(mobile)

@pytest.mark.xfail(reason="known")
def test_lenient(mobile):
    start(mobile)

@pytest.mark.xfail(reason="known")
def test_expected(mobile):
    start(mobile)
    mobile.expect_screen("Nowhere")

def test_skipped(mobile):
    start(mobile)
    pytest.skip("enough")

def test_both(mobile, breaks):
    start(mobile)
    assert 1 == 2

@pytest.fixture
def loses(mobile):
    yield
    raise DeviceOffline("the cable is out", device="virtual")

def test_lost(mobile, loses):
    start(mobile)
"""

OUTCOMES = {
    "test_teardown": "error",
    "test_strict": "failed",
    "test_lenient": "xpassed",
    "test_expected": "xfailed",
    "test_skipped": "skipped",
    "test_both": "failed",
    "test_lost": "infra",
}


def name_of(nodeid: str) -> str:
    return nodeid.rpartition("::")[2]


def documents(folder: Path) -> dict[str, dict[str, Any]]:
    return {name_of(document["test"]["nodeid"]): document for document in trace_records(folder)}


@here_and_in_a_worker
def test_every_report_says_what_pytest_says(
    run: Run, pytester: pytest.Pytester, workers: tuple[str, ...]
) -> None:
    files = (
        "--replicant-output=out",
        "--html=report.html",
        "--junitxml=junit.xml",
        "--alluredir=allure",
    )
    result = run(SOURCE, *files, *workers)
    result.assert_outcomes(passed=2, failed=2, errors=3, xfailed=1, xpassed=1, skipped=1)
    told = documents(pytester.path)
    assert {name: document["test"]["outcome"] for name, document in told.items()} == OUTCOMES
    assert told["test_expected"]["failures"] == []
    assert told["test_teardown"]["failures"][0]["message"] == "the teardown broke"
    assert told["test_strict"]["failures"][0]["message"] == "[XPASS(strict)] known"
    assert [one["message"].partition("\n")[0] for one in told["test_both"]["failures"]] == [
        "assert 1 == 2",
        "the teardown broke",
    ]
    assert outcomes_of(pytester.path) == OUTCOMES
    junit = (pytester.path / "junit.xml").read_text("utf-8")
    assert (
        junit.count('<property name="outcome"') == junit.count("<testcase") == len(OUTCOMES) + 1
    )  # test_both: 2
    for path in (pytester.path / "allure").glob("*-result.json"):
        result = json.loads(path.read_text("utf-8"))
        attachments = [item["name"] for item in result.get("attachments", [])]
        expected = int(OUTCOMES[result["name"]] in ("failed", "error", "infra"))
        for name in ("trace.html", "trace.json", "trace.zip"):
            assert attachments.count(name) == expected, path


SUBTESTS = """
def test_passes(mobile, subtests):
    mobile.launch("dev.replicant.shop")
    with subtests.test("one"):
        mobile.expect_screen("Sign in")
    mobile.tap(text="Forgot password?").expect_screen("Reset password")

def test_fails(mobile, subtests):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    for name in ("Nowhere", "Sign in", "Elsewhere"):
        with subtests.test(name):
            mobile.expect_screen(name, timeout=0.05)
"""


@here_and_in_a_worker
def test_a_test_fails_by_a_subtest_and_goes_on(
    run: Run, pytester: pytest.Pytester, workers: tuple[str, ...]
) -> None:
    pytest.importorskip("_pytest.subtests", reason="subtests came with pytest 9")
    result = run(SUBTESTS, "--replicant-output=out", "--alluredir=allure", *workers)
    result.stdout.fnmatch_lines(["replicant: 1 passed, 1 failed*"])
    told = documents(pytester.path)
    assert {name: one["test"]["outcome"] for name, one in told.items()} == {
        "test_passes": "passed",
        "test_fails": "failed",
    }
    assert len(told["test_passes"]["events"]) == 4
    assert [failure["phase"] for failure in told["test_fails"]["failures"]] == ["call", "call"]
    found = [
        json.loads(path.read_text("utf-8"))
        for path in (pytester.path / "allure").glob("*-result.json")
    ]
    failed = next(one for one in found if one["name"] == "test_fails")
    assert failed["status"] == "failed"
    assert "Nowhere" in failed["statusDetails"]["message"]


UNRECORDABLE = r"""
import pytest
from pytest_replicant.model import Attachment
from pytest_replicant.running import SESSIONS

@pytest.mark.parametrize("ends", ["passed", "failed"])
@pytest.mark.parametrize("what", [Attachment('\ud800', '\ud800', b'd'), object()], ids=["half", "none"])
def test_it(mobile, request, ends, what):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    request.node.stash[SESSIONS][0].recorder.attachments.append(what)
    assert ends == "passed"
"""


def test_what_cannot_be_recorded_costs_no_result(run: Run, pytester: pytest.Pytester) -> None:
    result = run(UNRECORDABLE, "--replicant-output=out", "--alluredir=allure", "--html=report.html")
    result.assert_outcomes(passed=2, failed=2)
    assert all(outcome in name for name, outcome in outcomes_of(pytester.path).items())
    result.stdout.fnmatch_lines(["not recorded in full (*):", "*Error*result stands*"])
