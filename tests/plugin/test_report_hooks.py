"""A report of one's own in conftest.py: each attempt, each run, no secret, and no harm where it
fails."""

from __future__ import annotations

import csv
import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.conftest import Run

pytestmark = pytest.mark.slow

CONFTEST = """
import csv
import json

def pytest_replicant_trace(item, trace, files, row):
    code = row.cause.failure_code if row.cause else ""
    page = files.trace_html if files else ""
    steps = " / ".join(event.title for event in trace.events)
    with open("attempts.csv", "a", newline="") as file:
        csv.writer(file).writerow([trace.test.nodeid, row.attempt, row.outcome, code, page, steps])

def pytest_replicant_run(config, run, files):
    named = {"index": str(files and files.index_html), "causes": len(run.causes)}
    outcomes = {result.nodeid.rpartition("::")[2]: result.outcome for result in run.results}
    (config.rootpath / "run-report.json").write_text(json.dumps({**named, "outcomes": outcomes}))
"""

SOURCE = """
import pytest
from pytest_replicant import Secret

TRIES = []

@pytest.fixture
def late(mobile):
    yield
    mobile.tap(text="Forgot password?").expect_screen("Reset password")

def test_pass(mobile, late):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    mobile.fill(text="Email", value=Secret("hunter2"))

@pytest.mark.flaky(reruns=1)
def test_flaky(mobile):
    TRIES.append(1)
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    mobile.tap(text="Sing in hunter2" if len(TRIES) < 2 else "Forgot password?").expect_screen("Reset password")

def test_no_phone():
    pass
"""


def attempts(folder: Path) -> list[list[str]]:
    with (folder / "attempts.csv").open(newline="") as file:
        return [[row[0].rpartition("::")[2], *row[1:]] for row in csv.reader(file)]


@pytest.mark.parametrize(
    "workers", [(), pytest.param(("-n", "1"), marks=pytest.mark.thorough)], ids=["here", "worker"]
)
def test_each_attempt_and_the_run_are_reported_once(
    run: Run, pytester: pytest.Pytester, workers: tuple[str, ...]
) -> None:
    pytester.makeconftest(CONFTEST)
    run(SOURCE, "--replicant-output=out", *workers).assert_outcomes(passed=3)
    rows = attempts(pytester.path)
    assert [row[:4] for row in rows] == [
        ["test_pass", "0", "passed", ""],
        ["test_flaky", "0", "failed", "ELEMENT_NOT_FOUND"],
        ["test_flaky", "1", "passed", ""],
    ]
    assert all(Path(row[4]).is_file() for row in rows)
    assert "expect_screen" in rows[0][5].rpartition("/")[2], "the trace holds what the teardown did"
    written = json.loads((pytester.path / "run-report.json").read_text("utf-8"))
    assert written["outcomes"] == {"test_pass": "passed", "test_flaky": "flaky"}
    assert Path(written["index"]).is_file()


def test_no_secret_is_given_to_a_hook(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        """
        import pickle

        def pytest_replicant_trace(trace, files, row, report):
            assert "hunter2" not in f"{trace!r}{files!r}{row!r}{vars(report)!r}"
            assert b"hunter2" not in pickle.dumps(trace)
            assert all(record.source and b"4111" not in record.source for record in trace.snapshots.values())
            assert b"4111" not in pickle.dumps(trace)

        def pytest_replicant_run(run):
            assert "hunter2" not in repr(run)
        """
    )
    source = """
    from pytest_replicant import Secret

    def test_it(mobile):
        mobile.launch("dev.replicant.shop").expect_screen("Sign in")
        mobile.fill(text="Email", value=Secret("hunter2"))
        mobile.fill(text="Email", value="4111 1111 1111 1234")
        mobile.attach("note", "of hunter2")
        mobile.shell("log -t app hunter2")
        mobile.expect_visible(text="Nowhere hunter2")
    """
    ini = "replicant_redact = \\b4111(?: ?\\d{4}){3}\\b\n"
    result = run(source, "--replicant-output=out", ini=ini)
    result.assert_outcomes(failed=1)
    result.stdout.no_fnmatch_line("*not recorded in full*")


BROKEN = """
import pytest

def pytest_replicant_trace(item):
    raise ValueError(f"no such table as hunter2 for {item.name}")

def pytest_replicant_run(run):
    pytest.fail("the server is away")
"""


@pytest.mark.ci
def test_a_hook_that_fails_is_named_and_costs_nothing_else(
    run: Run, pytester: pytest.Pytester
) -> None:
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(broken_plugin=BROKEN)
    files = (
        "--replicant-output=out",
        "--junitxml=junit.xml",
        "--alluredir=allure",
        "--html=report.html",
    )
    result = run(
        SOURCE, *files, "-p", "broken_plugin", apart=True
    )  # its folder is on the path there alone
    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines(
        [
            "not recorded in full (*):",
            "  pytest_replicant_run of broken_plugin: Failed: the server is away; *stands",
            "  pytest_replicant_trace of broken_plugin: ValueError: no such table as ••• for "
            "test_pass; *",
        ]
    )
    assert len(attempts(pytester.path)) == 3
    assert (pytester.path / "run-report.json").is_file()
    cases = list(ET.parse(pytester.path / "junit.xml").iter("testcase"))
    assert all(
        list(case.iter("property")) for case in cases if case.attrib["name"] != "test_no_phone"
    )
    assert len(list((pytester.path / "allure").glob("*-result.json"))) == 4
    assert "Replicant trace" in (pytester.path / "report.html").read_text("utf-8")


@pytest.mark.thorough
def test_each_report_of_ours_can_be_switched_off(run: Run, pytester: pytest.Pytester) -> None:
    files = (
        "--replicant-output=out",
        "--junitxml=junit.xml",
        "--alluredir=allure",
        "--html=report.html",
    )
    off = (
        "-p",
        "no:replicant-junit",
        "-p",
        "no:replicant-allure",
        "-p",
        "no:replicant-pytest-html",
    )
    run(SOURCE, *files, *off).assert_outcomes(passed=3)
    assert not list(ET.parse(pytester.path / "junit.xml").iter("property"))
    assert "Replicant trace" not in (pytester.path / "report.html").read_text("utf-8")
    results = [
        json.loads(path.read_text("utf-8"))
        for path in (pytester.path / "allure").glob("*-result.json")
    ]
    assert len(results) == 4
    assert not any(result.get("steps") for result in results)
    assert not (pytester.path / "allure" / "categories.json").exists()
