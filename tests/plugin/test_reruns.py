"""pytest-rerunfailures: each attempt is kept by every report, here and from workers."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from tests.conftest import Run, run_record

from .test_junit import facts

pytestmark = pytest.mark.slow

SOURCE = """
def test_flaky(mobile, request):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    if request.node.execution_count == 1:
        mobile.tap(text="Log in")

def test_broken(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    mobile.tap(text="Log in")

def test_fine(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
"""


@pytest.mark.parametrize(
    "workers",
    [pytest.param((), id="here"), pytest.param(("-n", "1"), id="worker", marks=pytest.mark.ci)],
)
def test_every_report_keeps_each_attempt(
    run: Run, pytester: pytest.Pytester, workers: tuple[str, ...]
) -> None:
    result = run(SOURCE, "--reruns=1", "--replicant-output=out", "--junitxml=junit.xml", *workers)
    result.assert_outcomes(passed=2, failed=1)
    record = run_record(pytester.path)
    rows = record["tests"]
    assert record["environment"]["pytest"] == pytest.__version__
    results = {one["nodeid"].rpartition("::")[2]: one for one in record["results"]}
    assert {name: one["outcome"] for name, one in results.items()} == {
        "test_flaky": "flaky",
        "test_broken": "failed",
        "test_fine": "passed",
    }
    assert [rows[at]["attempt"] for at in results["test_flaky"]["attempts"]] == [0, 1]
    assert [
        (one["failures"], len(one["tests"]), len(one["earlier"])) for one in record["causes"]
    ] == [(1, 3, 2)]
    told = sorted(
        (row["nodeid"].rpartition("::")[2], row["attempt"], row["outcome"]) for row in rows
    )
    assert told == [
        ("test_broken", 0, "failed"),
        ("test_broken", 1, "failed"),
        ("test_fine", 0, "passed"),
        ("test_flaky", 0, "failed"),
        ("test_flaky", 1, "passed"),
    ]
    for row in rows:
        assert row["trace"].rpartition("/")[0].endswith("-retry1") == (row["attempt"] == 1)
        assert next((pytester.path / "out").glob(f"*/{row['trace']}")).is_file()
    result.stdout.fnmatch_lines(
        [
            "flaky (1):",
            "  *::test_flaky passed at attempt 2; attempt 1: ELEMENT_NOT_FOUND *, open "
            "out/*/trace.html*",
            "1 failure, 1 cause",
            "report: out/*/index.html",
            "replicant: 1 passed, 1 flaky, 1 failed (1 cause) on *",
        ]
    )
    cases = list(ET.parse(pytester.path / "junit.xml").iter("testcase"))
    found = sorted(
        (case.attrib["name"], facts(case)["attempt"][0], facts(case)["outcome"][0])
        for case in cases
    )
    assert found == [
        ("test_broken", "2", "failed"),
        ("test_fine", "1", "passed"),
        ("test_flaky", "2", "flaky"),
    ]
    reruns = [child.tag for case in cases for child in case if "F" in child.tag]
    assert sorted(reruns) == ["flakyFailure", "rerunFailure"]
    names = ("trace_html", "earlier_trace_html")
    traces = [page for case in cases for name in names for page in facts(case).get(name, [])]
    assert len(set(traces)) == len(traces) == len(rows)
