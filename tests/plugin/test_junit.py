"""What JUnit XML says of a test, here and from a worker, to people and to CI systems."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.conftest import Run, here_and_in_a_worker, run_record
from tests.unit.reporting.junit_readers import refusals

PICTURES = True  # some tests here look at them


pytestmark = [pytest.mark.slow, pytest.mark.thorough]

SOURCE = """
def test_pass(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")

def test_fail(mobile, record_property):
    record_property("device", "the one on my desk")
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    mobile.tap(text="Forgot password?").expect_screen("Nowhere")

def test_no_phone():
    pass
"""

Case = ET.Element


def cases(folder: Path) -> dict[str, Case]:
    return {case.attrib["name"]: case for case in ET.parse(folder / "junit.xml").iter("testcase")}


def facts(case: Case) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for one in case.iter("property"):
        found.setdefault(one.attrib["name"], []).append(one.attrib["value"])
    return found


@here_and_in_a_worker
def test_a_case_tells_its_outcome_cause_phone_and_files(
    run: Run, pytester: pytest.Pytester, workers: tuple[str, ...]
) -> None:
    files = ("--replicant-output=out", "--junitxml=junit.xml")
    run(SOURCE, *files, *workers, ini="junit_family = xunit1\n").assert_outcomes(passed=2, failed=1)
    found = cases(pytester.path)
    failed = facts(found["test_fail"])
    assert failed["outcome"] == ["failed"]
    assert failed["attempt"] == ["1"]
    assert failed["device"] == ["the one on my desk", "Virtual Phone, Android 14"]
    rows = run_record(pytester.path)["tests"]
    (cause,) = [row["cause"] for row in rows if row["cause"]]
    for name in ("failure_class", "failure_code", "target", "screen"):
        assert failed.get(name, [""]) == [cause[name]], name
    for name in ("trace_html", "trace_json", "screenshot"):
        (path,) = failed[name]
        assert not Path(path).is_absolute()
        assert (pytester.path / path).is_file()
    assert facts(found["test_pass"])["outcome"] == ["passed"]
    assert "failure_class" not in facts(found["test_pass"])
    assert facts(found["test_no_phone"]) == {}
    (failure,) = found["test_fail"].iter("failure")
    assert failure.attrib["message"].startswith("ExpectationFailed: expect_screen Nowhere on ")
    names = {name for case in found.values() for name in facts(case)}
    assert "replicant" not in names
    page = (Path(__file__).parents[2] / "docs" / "how-to" / "ci-reports.md").read_text("utf-8")
    told = re.findall(
        r"^\| (`.*?) \|", page.partition("| property |")[2].partition("\n\n")[0], re.MULTILINE
    )
    assert {re.sub(r"_\d+$", "_1", name) for name in names} <= {
        name for row in told for name in re.findall(r"`(\w+)`", row)
    }


AGAIN = """
import pytest

TRIES = []

@pytest.fixture
def shop(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    return mobile

@pytest.mark.replicant(id=["C1", "CALC-100"])
@pytest.mark.flaky(reruns=2)
def test_flaky(shop):
    TRIES.append(1)
    shop.expect_screen("Sign in" if len(TRIES) > 2 else "Nowhere", timeout=0.2)

@pytest.mark.flaky(reruns=1)
def test_always(shop):
    shop.expect_screen("Nowhere", timeout=0.2)

@pytest.mark.replicant(id="C7")
def test_no_phone():
    pass
"""


@here_and_in_a_worker
def test_each_test_is_one_case_whatever_its_attempts(
    run: Run, pytester: pytest.Pytester, workers: tuple[str, ...]
) -> None:
    run(
        AGAIN,
        "--replicant-output=out",
        "--junitxml=junit.xml",
        *workers,
        ini="junit_logging = system-out\n",
    )
    found = ET.parse(pytester.path / "junit.xml")
    assert {
        case.attrib["name"]: [child.tag for child in case] for case in found.iter("testcase")
    } == {
        "test_flaky": ["properties", "flakyFailure", "flakyFailure", "system-out"],
        "test_always": ["properties", "failure", "rerunFailure", "system-out"],
        "test_no_phone": ["properties", "system-out"],
    }
    (suite,) = found.iter("testsuite")
    assert [suite.attrib[name] for name in ("tests", "failures", "errors", "skipped")] == [
        "3",
        "1",
        "0",
        "0",
    ]
    assert refusals(pytester.path / "junit.xml", properties=True) == []
    said = facts(cases(pytester.path)["test_flaky"])
    assert (said["id"], said["test_id"], said["test_key"]) == (
        ["C1", "CALC-100"],
        ["C1"],
        ["CALC-100"],
    )
    assert [len(said["earlier_trace_html"]), said["outcome"]] == [2, ["flaky"]]
    assert facts(cases(pytester.path)["test_no_phone"]) == {"id": ["C7"], "test_id": ["C7"]}
    rows = run_record(pytester.path)["tests"]
    assert {row["case_id"] for row in rows if "flaky" in row["nodeid"]} == {"C1, CALC-100"}


def test_without_properties_the_strictest_reader_takes_the_file(
    run: Run, pytester: pytest.Pytester
) -> None:
    options = ("--replicant-output=out", "--junitxml=junit.xml", "-p", "no:replicant-junit")
    run(AGAIN, *options, ini="junit_logging = all\n")
    assert refusals(pytester.path / "junit.xml") == []


def test_files_are_attached(run: Run, pytester: pytest.Pytester) -> None:
    files = ("--replicant-output=out", "--junitxml=junit.xml")
    result = run(SOURCE, *files, "-rA", ini="junit_logging = system-out\njunit_family = xunit1\n")
    result.stdout.no_fnmatch_line("*ATTACHMENT*")
    case = cases(pytester.path)["test_fail"]
    printed = [line.text or "" for line in case.iter("system-out")]
    marked = [
        line for text in printed for line in text.splitlines() if line.startswith("[[ATTACHMENT|")
    ]
    paths = [Path(line[len("[[ATTACHMENT|") : -len("]]")]) for line in marked]
    assert [path.suffix for path in paths][:2] == [".webp", ".html"]
    assert all(path.is_absolute() and path.is_file() for path in paths)


def test_gitlab_gets_paths_as_seen_from_its_project(
    run: Run, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI_PROJECT_DIR", str(pytester.path))
    run(
        SOURCE,
        "--replicant-output=out",
        "--junitxml=junit.xml",
        ini="junit_logging=all\njunit_family=xunit1\n",
    )
    assert "[[ATTACHMENT|out/" in (pytester.path / "junit.xml").read_text("utf-8")
