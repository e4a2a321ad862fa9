"""Test cases of JUnit XML: their properties, earlier attempts, counts, and nothing XML could not hold. What writes
the file is pytest's own."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from _pytest.junitxml import LogXML, xml_key

from pytest_replicant.reporting.junit import JUnitAttempts, attachments, case_properties, numbered, properties
from pytest_replicant.reporting.report_rows import put_rows
from pytest_replicant.scheduling import REQUEUED
from pytest_replicant.stash import ASKED
from tests.unit.reporting.factory import HOSTILE

from .junit_readers import gitlab, jenkins, refusals
from .made_rows import row

HERE = Path("/srv/place")
RUN = HERE / "out" / "run"


def reported(*rows: object) -> dict[str, list[object]]:
    found: dict[str, list[object]] = {}
    for name, value in properties(list(rows), RUN, HERE):  # type: ignore[arg-type]
        found.setdefault(name, []).append(value)
    return found


def test_paths_are_seen_from_where_the_run_began() -> None:
    one = replace(row("a", "failed", "no", trace="a/trace.html"), screenshot="../blobs/1.png")
    found = reported(one)
    assert found["trace_html"] == ["out/run/a/trace.html"]
    assert found["screenshot"] == ["out/blobs/1.png"]
    elsewhere = properties([one], Path("/tmp/run"), HERE)
    assert ("trace_html", "/tmp/run/a/trace.html") in elsewhere


def test_a_later_attempt_that_passes_is_flaky() -> None:
    assert reported(row("a", attempt=1))["outcome"] == ["flaky"]
    assert reported(row("a", "failed", "no", attempt=1))["outcome"] == ["failed"]
    assert reported(row("a"))["outcome"] == ["passed"]


def test_a_second_phone_adds_its_own_and_repeats_no_cause() -> None:
    found = reported(row("a", "failed", "no"), replace(row("a", "failed", "no"), device="Pixel 8"))
    assert found["device"] == ["Pixel 7", "Pixel 8"]
    assert found["failure_class"] == ["TestError"]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_fit_for_xml_and_for_another_process(name: str) -> None:
    one = row("a", "failed", "no")
    assert one.cause is not None
    found = reported(replace(one, cause=replace(one.cause, target=HOSTILE[name], screen=HOSTILE[name])))
    for value in found["target"] + found["screen"]:
        assert isinstance(value, str)
        assert value.isprintable()
        assert len(value) <= 1000
        value.encode("utf-8")


def test_the_picture_of_a_failure_comes_first_and_that_of_a_pass_not_at_all() -> None:
    failed = replace(row("a", "failed", "no", trace="a/trace.html"), screenshot="../blobs/1.png")
    found = attachments([failed], RUN)
    assert [path.name for path in found] == ["1.png", "trace.html"]
    assert [value for _, value in numbered(found, HERE)] == ["out/blobs/1.png", "out/run/a/trace.html"]
    assert [path.name for path in attachments([replace(failed, outcome="passed")], RUN)] == ["trace.html"]


def test_no_rows_no_properties() -> None:
    assert reported() == {}
    assert attachments([], RUN) == []


@pytest.mark.parametrize(
    ("given", "testrail", "xray"),
    [
        ("C123", "C123", ""),
        ("C1, C2", "C1, C2", ""),
        ("CALC-100, C2", "C2", "CALC-100"),
        ("login-1", "", ""),
        ("A-1, B-2", "", "A-1"),
    ],
)
def test_ids_of_cases_have_the_names_that_readers_look_for(given: str, testrail: str, xray: str) -> None:
    found = reported(replace(row("a"), case_id=given))
    assert found["id"] == given.split(", ")
    assert found.get("test_id", [""]) == [testrail]
    assert found.get("test_key", [""]) == [xray]
    assert not list(case_properties(""))


# --- attempts: phase by phase, to what pytest writes the file with -----------------------------------------


class Written:
    """A run that writes JUnit XML."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "junit.xml"
        config: Any = type("Config", (), {"getoption": lambda _, name, other: other})()
        config.stash = pytest.Stash()
        config.stash[xml_key] = xml = LogXML(str(self._path), None, logging="system-out", family="xunit2")
        self._manager = pytest.PytestPluginManager()
        for plugin in (JUnitAttempts(config), xml):
            self._manager.register(plugin)
        xml.pytest_sessionstart()

    def phase(
        self, test: str, when: Any, outcome: Any = "passed", error: Any = None, ended: str = "", **facts: Any
    ) -> None:
        """``ended`` is the outcome of the row that the report carries, "" where it has none."""
        report = pytest.TestReport(f"f.py::{test}", ("f.py", 1, test), {}, outcome, error, when)
        report.sections = [("Captured stdout call", f"{test} {when}")]
        put_rows(report, [row(test, ended)] if ended else [])
        for name, value in facts.items():
            setattr(report, name, value)
        self._manager.hook.pytest_runtest_logreport(report=report)

    def attempt(self, test: str, call: str, ended: str = "", error: Any = None, **facts: Any) -> None:
        """Of a test with a phone: how its call ended for pytest, and how it did for us."""
        self.phase(test, "setup", **{ASKED: ""})
        self.phase(test, "call", call, error, ended or call, **facts)
        self.phase(test, "teardown")

    def cases(self) -> dict[str, list[ET.Element]]:
        self._manager.hook.pytest_sessionfinish(session=None, exitstatus=0)
        assert refusals(self._path, properties=True) == []
        found: dict[str, list[ET.Element]] = {}
        for case in ET.parse(self._path).iter("testcase"):
            found.setdefault(case.attrib["name"], []).append(case)
        return found

    def counts(self) -> list[int]:
        suite = next(ET.parse(self._path).iter("testsuite"))
        return [int(suite.attrib[name]) for name in ("tests", "failures", "errors", "skipped")]


@pytest.fixture
def written(tmp_path: Path) -> Written:
    return Written(tmp_path)


def only(cases: Sequence[ET.Element]) -> ET.Element:
    (case,) = cases
    return case


def children(case: ET.Element) -> list[str]:
    return [child.tag for child in case if not child.tag.startswith("system-")]


def test_a_flaky_test_is_one_case_that_passed_with_its_failures_in_it(written: Written) -> None:
    written.attempt("test_it", "rerun", "failed", "ExpectationFailed: no\nat f.py")
    written.attempt("test_it", "rerun", "infra", "DeviceTimeout: slow")
    written.attempt("test_it", "passed")
    case = only(written.cases()["test_it"])
    assert children(case) == ["flakyFailure", "flakyError"]
    failed, trouble = case.findall("flakyFailure") + case.findall("flakyError")
    assert failed.attrib == {"message": "ExpectationFailed: no", "type": "ExpectationFailed"}
    assert failed.findtext("stackTrace") == "ExpectationFailed: no\nat f.py"
    assert "test_it teardown" in str(failed.findtext("system-out"))
    assert trouble.attrib["type"] == "DeviceTimeout"
    assert (gitlab(case), jenkins(case)) == ("success", "flaky")
    assert written.counts() == [1, 0, 0, 0]


def test_a_test_that_failed_each_time_has_failed_once(written: Written) -> None:
    written.attempt("test_it", "rerun", "failed", "KeyError")
    written.attempt("test_it", "failed", "failed", "assert 1 == 2")
    case = only(written.cases()["test_it"])
    assert [(child.tag, child.get("type")) for child in case][:2] == [
        ("failure", "AssertionError"),
        ("rerunFailure", "KeyError"),
    ]
    assert (gitlab(case), jenkins(case)) == ("failure", "failed")
    assert written.counts() == [1, 1, 0, 0]


def test_tool_trouble_in_the_call_and_a_dead_process_are_errors(written: Written) -> None:
    written.attempt("test_infra", "failed", "infra", "DeviceOffline: the cable")
    written.attempt("test_died", "failed", "error", "worker 'gw0' crashed")
    written.attempt("test_failed", "failed", "failed", "AssertionError: no")
    cases = written.cases()
    assert {name: children(only(found)) for name, found in cases.items()} == {
        "test_infra": ["error"],
        "test_died": ["error"],
        "test_failed": ["failure"],
    }
    assert only(cases["test_died"])[0].attrib["type"] == "unknown"
    assert written.counts() == [3, 1, 2, 0]


def test_a_lost_phone_is_no_failure_of_the_test_that_was_requeued(written: Written) -> None:
    lost: Any = [("lost_phone", "the cable"), ("trace_html", "a/trace.html"), ("device", "Pixel 7")]
    written.phase("test_it", "setup", **{ASKED: ""})
    written.phase("test_it", "call", "rerun", "DeviceOffline: no", "infra", **{REQUEUED: "reported"})
    written.phase("test_it", "teardown", user_properties=lost)
    written.attempt("test_it", "passed")
    case = only(written.cases()["test_it"])
    assert children(case) == ["properties"]
    said = [(each.get("name"), each.get("value")) for each in case.iter("property")]
    assert said == [("lost_phone", "the cable"), ("earlier_trace_html", "a/trace.html")]
    assert jenkins(case) == "passed"


def test_parts_of_a_test_are_no_tests_and_one_that_was_skipped_hides_no_failure(written: Written) -> None:
    written.phase("test_it", "setup", **{ASKED: ""})
    written.phase("test_it", "call", "passed")
    written.phase("test_it", "call", "skipped", ("f.py", 1, "Skipped: no"))
    written.phase("test_it", "call", "failed", "AssertionError: part")
    written.phase("test_it", "call", "failed", "contains 1 failed subtest", "failed")
    written.phase("test_it", "teardown")
    written.attempt("test_skipped", "skipped", error=("f.py", 1, "Skipped: no"))
    cases = written.cases()
    assert children(only(cases["test_it"])) == ["failure", "failure"]
    assert jenkins(only(cases["test_it"])) == "failed"
    assert jenkins(only(cases["test_skipped"])) == "skipped"
    assert written.counts() == [2, 1, 0, 1]


def test_a_test_that_was_to_run_again_and_did_not_has_failed(written: Written) -> None:
    written.attempt("test_it", "rerun", "failed", "AssertionError: no")
    assert children(only(written.cases()["test_it"])) == ["failure"]
    assert written.counts() == [1, 1, 0, 0]


def test_the_same_test_named_twice_is_two_cases(written: Written) -> None:
    written.attempt("test_it", "failed", "failed", "AssertionError: no")
    written.attempt("test_it", "passed")
    assert [children(case) for case in written.cases()["test_it"]] == [["failure"], []]
    assert written.counts() == [2, 1, 0, 0]


def test_a_failure_of_call_and_teardown_is_two_cases_as_pytest_has_it(written: Written) -> None:
    for call, end in (("rerun", "rerun"), ("failed", "failed")):
        written.phase("test_it", "setup", **{ASKED: ""})
        written.phase("test_it", "call", call, "AssertionError: call", "failed")
        written.phase("test_it", "teardown", end, "KeyError: end", "failed")
    assert [children(case) for case in written.cases()["test_it"]] == [["failure", "rerunFailure"], ["error"]]
    assert written.counts() == [2, 1, 1, 0]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_ids_and_errors_keep_the_file_readable(written: Written, name: str) -> None:
    written.attempt(f"test_it[{HOSTILE[name]}]", "rerun", "failed", HOSTILE[name] or "x")
    written.attempt(f"test_it[{HOSTILE[name]}]", "passed")
    (found,) = written.cases().values()
    assert children(only(found)) == ["flakyFailure"]


def test_a_run_in_which_no_test_asked_for_a_phone_is_left_alone(written: Written) -> None:
    for call in ("rerun", "passed"):
        written.phase("test_it", "setup")
        written.phase("test_it", "call", call, "AssertionError: no" if call == "rerun" else None)
        written.phase("test_it", "teardown")
    assert [children(case) for case in written.cases()["test_it"]] == [[], []]


def test_the_schemas_refuse_what_their_readers_would(tmp_path: Path) -> None:
    case = '<testcase name="a" time="1">{}</testcase>'
    suite = '<testsuites><testsuite name="s" tests="1" failures="0" errors="0">{}</testsuite></testsuites>'
    path = tmp_path / "junit.xml"
    for wrong in (
        "<properties/>",
        '<flakyFailure message="m"/>',
        "<failure/>",
        '<error type="E"/><failure type="E"/>',
    ):
        path.write_text(suite.format(case.format(wrong)), "utf-8")
        assert refusals(path), wrong
