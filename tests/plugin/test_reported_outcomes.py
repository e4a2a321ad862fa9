"""The outcome in our reports is the one that pytest tells, and a report never changes it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Run, here_and_in_a_worker, run_record, trace_records

pytestmark = [pytest.mark.slow, pytest.mark.thorough]
PICTURES = True  # some tests here look at them

SOURCE = """
import pytest

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
"""

OUTCOMES = {
    "test_teardown": "error",
    "test_strict": "failed",
    "test_lenient": "xpassed",
    "test_expected": "xfailed",
    "test_skipped": "skipped",
    "test_both": "failed",
}


def name_of(nodeid: str) -> str:
    return nodeid.rpartition("::")[2]


def documents(folder: Path) -> dict[str, dict[str, Any]]:
    return {name_of(document["test"]["nodeid"]): document for document in trace_records(folder)}


@here_and_in_a_worker
def test_every_report_says_what_pytest_says(run: Run, pytester: pytest.Pytester, workers: tuple[str, ...]) -> None:
    files = ("--replicant-output=out", "--html=report.html", "--junitxml=junit.xml", "--alluredir=allure")
    result = run(SOURCE, *files, *workers)
    result.assert_outcomes(passed=1, failed=2, errors=2, xfailed=1, xpassed=1, skipped=1)
    told = documents(pytester.path)
    assert {name: document["test"]["outcome"] for name, document in told.items()} == OUTCOMES
    assert told["test_expected"]["failures"] == []
    assert told["test_teardown"]["failures"][0]["message"] == "the teardown broke"
    assert told["test_strict"]["failures"][0]["message"] == "[XPASS(strict)] known"
    assert [one["message"].partition("\n")[0] for one in told["test_both"]["failures"]] == [
        "assert 1 == 2",
        "the teardown broke",
    ]
    rows = run_record(pytester.path)["tests"]
    assert {name_of(row["nodeid"]): row["outcome"] for row in rows} == OUTCOMES
    junit = (pytester.path / "junit.xml").read_text("utf-8")
    assert junit.count('<property name="outcome"') == junit.count("<testcase") == len(OUTCOMES) + 1  # test_both: 2
    for path in (pytester.path / "allure").glob("*-result.json"):
        result = json.loads(path.read_text("utf-8"))
        attachments = [item["name"] for item in result.get("attachments", [])]
        expected = int(OUTCOMES[result["name"]] in ("failed", "error"))
        for name in ("trace.html", "trace.json", "trace.zip"):
            assert attachments.count(name) == expected, path


def test_retained_are_those_that_pytest_counts_as_failed(run: Run, pytester: pytest.Pytester) -> None:
    run(SOURCE, "--replicant-output=out", "--replicant-trace=retain-on-failure")
    assert set(documents(pytester.path)) == {"test_teardown", "test_strict", "test_both"}


def test_a_failed_teardown_keeps_its_pictures(run: Run, pytester: pytest.Pytester) -> None:
    run(SOURCE, "--replicant-output=out", "--replicant-screenshot=only-on-failure")
    snapshots = documents(pytester.path)["test_teardown"]["snapshots"].values()
    assert any(snapshot["screenshot"] for snapshot in snapshots)


def test_tool_trouble_in_a_teardown_is_infra(run: Run, pytester: pytest.Pytester) -> None:
    result = run(
        """
        import pytest
        from pytest_replicant import DeviceOffline

        @pytest.fixture
        def breaks(mobile):
            yield
            raise DeviceOffline("the cable is out", device="virtual")

        def test_it(mobile, breaks):
            mobile.launch("dev.replicant.shop").expect_screen("Sign in")
        """,
        "--replicant-output=out",
        "-v",
    )
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["*test_it INFRA*"])
    assert documents(pytester.path)["test_it"]["test"]["outcome"] == "infra"


def test_subtests_do_not_end_the_test(run: Run, pytester: pytest.Pytester) -> None:
    pytest.importorskip("_pytest.subtests", reason="subtests came with pytest 9")
    run(
        """
        def test_it(mobile, subtests):
            mobile.launch("dev.replicant.shop")
            with subtests.test("one"):
                mobile.expect_screen("Sign in")
            mobile.tap(text="Forgot password?").expect_screen("Reset password")
        """,
        "--replicant-output=out",
        "--alluredir=allure",
    )
    document = documents(pytester.path)["test_it"]
    assert document["test"]["outcome"] == "passed"
    assert len(document["events"]) == 4


@pytest.mark.parametrize("workers", ["0", "1"])
def test_a_test_failed_where_a_subtest_did(run: Run, pytester: pytest.Pytester, workers: str) -> None:
    pytest.importorskip("_pytest.subtests", reason="subtests came with pytest 9")
    result = run(
        """
        def test_it(mobile, subtests):
            mobile.launch("dev.replicant.shop").expect_screen("Sign in")
            for name in ("Nowhere", "Sign in", "Elsewhere"):
                with subtests.test(name):
                    mobile.expect_screen(name, timeout=0.05)
        """,
        "--replicant-output=out",
        "--alluredir=allure",
        "-n",
        workers,
    )
    result.assert_outcomes(failed=3)
    result.stdout.fnmatch_lines(["replicant: 1 failed*"])
    document = documents(pytester.path)["test_it"]
    assert document["test"]["outcome"] == "failed"
    assert [failure["phase"] for failure in document["failures"]] == ["call", "call"]
    (path,) = (pytester.path / "allure").glob("*-result.json")
    told = json.loads(path.read_text("utf-8"))
    assert told["status"] == "failed"
    assert "Nowhere" in told["statusDetails"]["message"]


BROKEN = {
    "half a character": r"Attachment('\ud800', '\ud800', b'd')",
    "no attachment": "object()",
}


@pytest.mark.parametrize("case", BROKEN)
@pytest.mark.parametrize("outcome", ["passed", "failed"])
def test_what_cannot_be_recorded_costs_no_result(
    run: Run, pytester: pytest.Pytester, case: str, outcome: str
) -> None:
    result = run(
        f"""
        from pytest_replicant.model.trace import Attachment
        from pytest_replicant.stash import SESSIONS

        def test_it(mobile, request):
            mobile.launch("dev.replicant.shop").expect_screen("Sign in")
            request.node.stash[SESSIONS][0].recorder.attachments.append({BROKEN[case]})
            assert {outcome == "passed"}

        def test_next(mobile):
            mobile.launch("dev.replicant.shop").expect_screen("Sign in")
        """,
        "--replicant-output=out",
        "--alluredir=allure",
        "--html=report.html",
    )
    result.assert_outcomes(passed=2 if outcome == "passed" else 1, failed=0 if outcome == "passed" else 1)
    rows = {name_of(row["nodeid"]): row for row in run_record(pytester.path)["tests"]}
    assert rows["test_it"]["outcome"] == outcome
    if case != "half a character":
        result.stdout.fnmatch_lines(["not recorded in full (1):", "*Error*result stands*"])


def test_without_traces_the_heading_has_the_phones_alone(run: Run) -> None:
    source = 'def test_it(mobile):\n    mobile.launch("dev.replicant.shop").expect_screen("Sign in")\n'
    result = run(source, "--replicant-trace=off")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(
        ["*-- replicant --*", "replicant: 1 passed on virtual-1", "*1 passed*"], consecutive=True
    )
