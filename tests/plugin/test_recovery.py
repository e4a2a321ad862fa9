"""What recovery makes of a test: how it ends, what every report says of it, and what it is never allowed."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pytest

from tests.conftest import Run, run_record, trace_records

pytestmark = pytest.mark.slow

POLICY = """
from pytest_replicant import Recovery, by

def pytest_replicant_recover(session, failure, state):
    if failure.code == "ELEMENT_NOT_FOUND":
        renamed = by(text="Forgot password?")
        return Recovery("re_resolve", target=renamed, reason="renamed in <2.0>", policy="renamed")
"""
RENAMED = """
def test_renamed(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    outcome = mobile.tap(text="Password forgotten?", timeout=0.1)
    outcome.expect_screen("Reset password")
    state = outcome.result.recovery
    assert (state.recovery_strategy, state.recovery_attempts, state.retry_depth) == ("re_resolve", 1, 1)
    assert not state.is_terminal
"""


def test_a_test_that_was_mended_ends_as_recovered_everywhere(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(POLICY)
    files = ("--replicant-output=out", "--html=report.html", "--junitxml=junit.xml", "--alluredir=allure")
    result = run(RENAMED, *files)
    assert result.ret == 0
    result.stdout.fnmatch_lines(
        [
            "recovered (1):",
            "*test_renamed ELEMENT_NOT_FOUND of tap*, re_resolve by renamed: renamed in <2.0>",
            "*1 recovered in*",
        ]
    )
    result.stdout.no_fnmatch_line("*1 passed*")
    (document,) = trace_records(pytester.path)
    assert document["test"]["outcome"] == "recovered"
    tap = [event["result"] for event in document["events"] if event["result"]][1]
    stages = [(step["stage"], step["result"], step["attempt_index"]) for step in tap["trace"]["steps"]]
    assert stages == [
        ("resolve", "failure", 0),
        ("recover", "success", 1),
        ("resolve", "success", 1),
        ("execute", "success", 1),
        ("stabilize", "success", 1),
    ]
    assert {step.get("cycle_id") for step in tap["trace"]["steps"][1:]} == {"a2.r1"}
    junit = ElementTree.parse(pytester.path / "junit.xml")
    told = [one.get("value", "") for one in junit.iter("property") if one.get("name") == "recovered"]
    assert len(told) == 1
    assert "renamed in <2.0>" in told[0]
    assert re.search(r"data-replicant=[^ ]{1,8}recovered", (pytester.path / "report.html").read_text())
    (allure,) = (pytester.path / "allure").glob("*-result.json")
    row = json.loads(allure.read_text())
    assert row["status"] == "passed"
    assert {"name": "replicant_outcome", "value": "recovered"} in row["labels"]


def test_one_that_fails_later_still_tells_what_was_mended(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(POLICY)
    failing = RENAMED + '    mobile.expect_visible(text="Never", timeout=0.1)\n'
    result = run(failing, "--replicant-output=out", "--junitxml=junit.xml", "--alluredir=allure")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["recovered (1):", "*re_resolve by renamed: renamed in <2.0>"])
    junit = ElementTree.parse(pytester.path / "junit.xml")
    (told,) = (one.get("value", "") for one in junit.iter("property") if one.get("name") == "recovered")
    assert "renamed in <2.0>" in told
    (row,) = run_record(pytester.path)["tests"]
    assert row["outcome"] == "failed"
    assert "renamed in <2.0>" in row["recovered"][0]
    (allure,) = (pytester.path / "allure").glob("*-result.json")
    attached = json.loads(allure.read_text())
    assert attached["status"] == "failed"
    assert "what was recovered" in [one["name"] for one in attached["attachments"]]
    assert "replicant_outcome" not in [one["name"] for one in attached["labels"]]


def test_a_plain_pass_stays_one(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(POLICY)
    result = run("""
    def test_plain(mobile):
        mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    """)
    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line("*recovered*")


@pytest.mark.parametrize("mode", ["off", "report"])
def test_without_leave_the_failure_stands(run: Run, pytester: pytest.Pytester, mode: str) -> None:
    pytester.makeconftest(POLICY)
    result = run(RENAMED, f"--replicant-recovery={mode}")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*ELEMENT_NOT_FOUND*Password forgotten?*"])
    if mode == "report":
        result.stdout.fnmatch_lines(
            ["*would have tried re_resolve (renamed: *", "recovery would have been tried (1):"]
        )
    else:
        result.stdout.no_fnmatch_line("*re_resolve*")


def test_recovery_can_be_shown_and_fail_all_the_same(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(POLICY)
    result = run(RENAMED, "--replicant-recovery=fail")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["*recovered, which fails here: *re_resolve by renamed*--replicant-recovery=fail*", "*Open: *trace.html"]
    )
    result.stdout.no_fnmatch_line("*return (yield)*")


@pytest.mark.parametrize("mode", ["fail", "allow"])
def test_what_is_mended_while_a_test_is_torn_down_counts_as_well(
    run: Run, pytester: pytest.Pytester, mode: str
) -> None:
    pytester.makeconftest(POLICY)
    late = """
import pytest

@pytest.fixture
def leaving(mobile):
    yield mobile
    mobile.tap(text="Password forgotten?", timeout=0.1)

def test_late(leaving):
    leaving.launch("dev.replicant.shop").expect_screen("Sign in")
"""
    result = run(late, f"--replicant-recovery={mode}")
    result.assert_outcomes(passed=1, errors=mode == "fail")
    result.stdout.fnmatch_lines(["recovered (1):"])
    if mode == "fail":
        result.stdout.fnmatch_lines(["*recovered, which fails here: *re_resolve by renamed*"])


@pytest.mark.ci
def test_recovery_in_parallel_runs(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(POLICY)
    result = run(RENAMED, "-n1")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["recovered (1):", "*1 recovered in*"])


def test_a_folders_own_policy_is_asked_for_its_tests_alone(run: Run, pytester: pytest.Pytester) -> None:
    folder = pytester.mkpydir("renamed")
    (folder / "conftest.py").write_text(POLICY)
    (folder / "test_inside.py").write_text(RENAMED)
    result = run(RENAMED)
    outcomes = result.parseoutcomes()
    assert outcomes["failed"] == 1
    assert outcomes["recovered"] == 1


def test_a_policy_that_acts_is_told_so(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makeconftest("""
def pytest_replicant_recover(session, failure, state):
    session.back()
""")
    result = run(RENAMED)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*back() in a recovery policy: a policy answers with a Recovery*"])


def test_an_answer_that_is_none_is_told_so(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makeconftest("""
def pytest_replicant_recover(session, failure, state):
    return "re_resolve"
""")
    result = run(RENAMED)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*pytest_replicant_recover answered 're_resolve'*give a Recovery*"])


def test_the_marker_takes_what_it_knows(run: Run) -> None:
    result = run("""
    import pytest

    @pytest.mark.replicant(allow=["relaunch"])
    def test_allowed(mobile):
        assert mobile._context.settings.allow == {"relaunch"}

    @pytest.mark.replicant(allow="fly")
    def test_unknown(mobile):
        pass

    @pytest.mark.replicant(plattform="ios")
    def test_misspelt(mobile):
        pass

    @pytest.mark.replicant(allow=5)
    def test_of_a_wrong_type(mobile):
        pass
    """)
    result.assert_outcomes(passed=1, errors=3)
    result.stdout.fnmatch_lines(["*marker replicant: allow=5 is not known. It takes allow=*"])
    result.stdout.fnmatch_lines(["*marker replicant: allow=fly is not known. It takes*relaunch, step_back*"])
