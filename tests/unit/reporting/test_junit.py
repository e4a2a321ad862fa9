"""Test cases of JUnit XML: their properties, earlier attempts, counts, and nothing XML could not
hold. What writes the file is pytest's own."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from _pytest.junitxml import LogXML, xml_key

from pytest_replicant.reporting import RunRow
from pytest_replicant.reporting.junit import JUnitAttempts, attachments, properties
from pytest_replicant.reporting.report_rows import put_rows
from pytest_replicant.running import ASKED, REQUEUED
from tests.unit.reporting.factory import HOSTILE

from .junit_readers import gitlab, jenkins, refusals
from .made_rows import row

HERE = Path("/srv/place")
RUN = HERE / "out" / "run"


def reported(*rows: RunRow) -> dict[str, list[object]]:
    found: dict[str, list[object]] = {}
    for name, value in properties(rows, RUN, HERE):
        found.setdefault(name, []).append(value)
    return found


def test_paths_are_seen_from_where_the_run_began_and_the_picture_of_a_failure_comes_first() -> None:
    one = replace(row("a", "failed", "no", trace="a/trace.html"), screenshot="../blobs/1.png")
    found = reported(one)
    assert (found["trace_html"], found["screenshot"]) == (
        ["out/run/a/trace.html"],
        ["out/blobs/1.png"],
    )
    assert ("trace_html", "/tmp/run/a/trace.html") in properties([one], Path("/tmp/run"), HERE)
    assert attachments([one], RUN) == [HERE / "out/blobs/1.png", RUN / "a/trace.html"]
    assert [path.name for path in attachments([replace(one, outcome="passed")], RUN)] == [
        "trace.html"
    ]


def test_a_later_attempt_that_passes_is_flaky_and_a_second_phone_adds_its_own() -> None:
    failed = row("a", "failed", "no", attempt=1)
    assert reported(row("a", attempt=1))["outcome"] == ["flaky"]
    found = reported(failed, replace(failed, device="Pixel 8"))
    assert (found["outcome"], found["failure_class"]) == (["failed"], ["TestError"])
    assert found["device"] == ["Pixel 7", "Pixel 8"]
    assert reported() == {}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_fit_for_xml_and_for_another_process(name: str) -> None:
    one = row("a", "failed", "no")
    assert one.cause is not None
    found = reported(
        replace(one, cause=replace(one.cause, target=HOSTILE[name], screen=HOSTILE[name]))
    )
    for value in map(str, found["target"] + found["screen"]):
        assert value.isprintable()
        assert len(value.encode("utf-8")) <= 1003


@pytest.mark.parametrize(
    ("given", "testrail", "xray"),
    [
        ("C1, C2", "C1, C2", ""),
        ("CALC-100, C2", "C2", "CALC-100"),
        ("login-1", "", ""),
        ("A-1, B-2", "", "A-1"),
    ],
)
def test_ids_of_cases_have_the_names_that_readers_look_for(
    given: str, testrail: str, xray: str
) -> None:
    found = reported(replace(row("a"), case_id=given))
    assert found["id"] == given.split(", ")
    assert (found.get("test_id", [""]), found.get("test_key", [""])) == ([testrail], [xray])


# --- attempts: phase by phase, to what pytest writes the file with --------------------------------


class Written:
    """A run that writes JUnit XML."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "junit.xml"
        config: Any = type("Config", (), {"getoption": lambda _, name, other: other})()
        config.stash = pytest.Stash()
        config.stash[xml_key] = xml = LogXML(
            str(self._path), None, logging="system-out", family="xunit2"
        )
        self._manager = pytest.PytestPluginManager()
        for plugin in (JUnitAttempts(config), xml):
            self._manager.register(plugin)
        xml.pytest_sessionstart()

    def phase(
        self,
        test: str,
        when: Any,
        outcome: Any = "passed",
        error: Any = None,
        ended: str = "",
        **facts: Any,
    ) -> None:
        """``ended`` is the outcome of the row that the report carries, "" where it has none."""
        report = pytest.TestReport(f"f.py::{test}", ("f.py", 1, test), {}, outcome, error, when)
        report.sections = [("Captured stdout call", f"{test} {when}")]
        put_rows(report, [row(test, ended)] if ended else [])
        for name, value in facts.items():
            setattr(report, name, value)
        self._manager.hook.pytest_runtest_logreport(report=report)

    def attempt(
        self, test: str, call: str, ended: str = "", error: Any = None, **facts: Any
    ) -> None:
        """Of a test with a phone: how its call ended for pytest, and how it did for us."""
        self.phase(test, "setup", **{ASKED: ""})
        self.phase(test, "call", call, error, ended or call, **facts)
        self.phase(test, "teardown")

    def cases(self, *counts: int) -> list[ET.Element]:
        """``counts`` are those of tests, failures, errors and skipped ones in the file."""
        self._manager.hook.pytest_sessionfinish(session=None, exitstatus=0)
        assert refusals(self._path, properties=True) == []
        suite = next(ET.parse(self._path).iter("testsuite"))
        assert (
            tuple(int(suite.attrib[name]) for name in ("tests", "failures", "errors", "skipped"))
            == counts
        )
        return list(suite.iter("testcase"))


@pytest.fixture
def written(tmp_path: Path) -> Written:
    return Written(tmp_path)


def children(case: ET.Element) -> list[str]:
    return [child.tag for child in case if not child.tag.startswith("system-")]


def test_a_flaky_test_is_one_case_that_passed_with_its_failures_in_it(written: Written) -> None:
    written.attempt("test_it", "rerun", "failed", "ExpectationFailed: no\nat f.py")
    written.attempt("test_it", "rerun", "infra", "DeviceTimeout: slow")
    written.attempt("test_it", "passed")
    (case,) = written.cases(1, 0, 0, 0)
    assert children(case) == ["flakyFailure", "flakyError"]
    failed, trouble = case.findall("flakyFailure") + case.findall("flakyError")
    assert failed.attrib == {"message": "ExpectationFailed: no", "type": "ExpectationFailed"}
    assert failed.findtext("stackTrace") == "ExpectationFailed: no\nat f.py"
    assert "test_it teardown" in str(failed.findtext("system-out"))
    assert trouble.attrib["type"] == "DeviceTimeout"
    assert (gitlab(case), jenkins(case)) == ("success", "flaky")


def test_a_test_that_failed_each_time_has_failed_once(written: Written) -> None:
    written.attempt("test_it", "rerun", "failed", "KeyError")
    written.attempt("test_it", "failed", "failed", "assert 1 == 2")
    (case,) = written.cases(1, 1, 0, 0)
    kinds = [(child.tag, child.get("type")) for child in case]
    assert kinds[:2] == [("failure", "AssertionError"), ("rerunFailure", "KeyError")]
    assert (gitlab(case), jenkins(case)) == ("failure", "failed")


def test_tool_trouble_in_the_call_and_a_dead_process_are_errors(written: Written) -> None:
    written.attempt("test_infra", "failed", "infra", "DeviceOffline: the cable")
    written.attempt("test_died", "failed", "error", "worker 'gw0' crashed")
    written.attempt(
        "test_failed", "rerun", "failed", "AssertionError: no"
    )  # and was never run again
    infra, died, failed = written.cases(3, 1, 2, 0)
    assert [children(case) for case in (infra, died, failed)] == [["error"], ["error"], ["failure"]]
    assert died[0].attrib["type"] == "unknown"


def test_a_lost_phone_is_no_failure_of_the_test_that_was_requeued(written: Written) -> None:
    lost: Any = [("lost_phone", "the cable"), ("trace_html", "a/trace.html"), ("device", "Pixel 7")]
    written.phase("test_it", "setup", **{ASKED: ""})
    written.phase(
        "test_it", "call", "rerun", "DeviceOffline: no", "infra", **{REQUEUED: "reported"}
    )
    written.phase("test_it", "teardown", user_properties=lost)
    written.attempt("test_it", "passed")
    (case,) = written.cases(1, 0, 0, 0)
    assert children(case) == ["properties"]
    said = [(each.get("name"), each.get("value")) for each in case.iter("property")]
    assert said == [("lost_phone", "the cable"), ("earlier_trace_html", "a/trace.html")]
    assert jenkins(case) == "passed"


def test_parts_of_a_test_are_no_tests_and_one_that_was_skipped_hides_no_failure(
    written: Written,
) -> None:
    skip = ("f.py", 1, "Skipped: no")
    written.phase("test_it", "setup", **{ASKED: ""})
    for outcome, error in (("passed", None), ("skipped", skip), ("failed", "AssertionError: part")):
        written.phase("test_it", "call", outcome, error)
    written.phase("test_it", "call", "failed", "contains 1 failed subtest", "failed")
    written.phase("test_it", "teardown")
    written.attempt("test_skipped", "skipped", error=skip)
    failed, skipped = written.cases(2, 1, 0, 1)
    assert children(failed) == ["failure", "failure"]
    assert (jenkins(failed), jenkins(skipped)) == ("failed", "skipped")


def test_two_failures_of_a_test_or_two_runs_of_it_are_two_cases(written: Written) -> None:
    for call, end in (("rerun", "rerun"), ("failed", "failed")):
        written.phase("test_both", "setup", **{ASKED: ""})
        written.phase("test_both", "call", call, "AssertionError: call", "failed")
        written.phase("test_both", "teardown", end, "KeyError: end", "failed")
    written.attempt("test_twice", "failed", "failed", "AssertionError: no")
    written.attempt("test_twice", "passed")
    found = [children(case) for case in written.cases(4, 2, 1, 0)]
    assert found == [["failure", "rerunFailure"], ["error"], ["failure"], []]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_ids_and_errors_keep_the_file_readable(written: Written, name: str) -> None:
    written.attempt(f"test_it[{HOSTILE[name]}]", "rerun", "failed", HOSTILE[name])
    written.attempt(f"test_it[{HOSTILE[name]}]", "passed")
    assert [children(case) for case in written.cases(1, 0, 0, 0)] == [["flakyFailure"]]


def test_a_run_in_which_no_test_asked_for_a_phone_is_left_alone(written: Written) -> None:
    for call, error in (("rerun", "AssertionError: no"), ("passed", None)):
        written.phase("test_it", "setup")
        written.phase("test_it", "call", call, error)
        written.phase("test_it", "teardown")
    assert [children(case) for case in written.cases(1, 0, 0, 0)] == [[], []]
