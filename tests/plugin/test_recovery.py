"""What recovery makes of a test: how it ends, what every report says of it, and what it is never
allowed."""

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


LATER = """
def test_fails_later(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    mobile.tap(text="Password forgotten?", timeout=0.1)
    mobile.expect_visible(text="Never", timeout=0.1)

def test_plain(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
"""


def test_what_was_recovered_is_in_every_report(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(POLICY)
    files = (
        "--replicant-output=out",
        "--html=report.html",
        "--junitxml=junit.xml",
        "--alluredir=allure",
    )
    result = run(RENAMED + LATER, *files)
    result.assert_outcomes(failed=1, passed=1)
    result.stdout.fnmatch_lines(
        [
            "recovered (2):",
            "*test_renamed ELEMENT_NOT_FOUND of tap*, re_resolve by renamed: renamed in <2.0>",
            "*test_fails_later*re_resolve by renamed: renamed in <2.0>",
            "*1 recovered in*",
        ]
    )
    documents = {
        one["test"]["nodeid"].rpartition("::")[2]: one for one in trace_records(pytester.path)
    }
    tap = [event["result"] for event in documents["test_renamed"]["events"] if event["result"]][1]
    stages = [
        (step["stage"], step["result"], step["attempt_index"]) for step in tap["trace"]["steps"]
    ]
    assert stages == [
        ("resolve", "failure", 0),
        ("recover", "success", 1),
        ("resolve", "success", 1),
        ("execute", "success", 1),
        ("stabilize", "success", 1),
    ]
    assert {step.get("cycle_id") for step in tap["trace"]["steps"][1:]} == {"a2.r1"}
    junit = ElementTree.parse(pytester.path / "junit.xml")
    told = [
        one.get("value", "") for one in junit.iter("property") if one.get("name") == "recovered"
    ]
    assert ["renamed in <2.0>" in one for one in told] == [True, True]
    assert re.search(
        r"data-replicant=[^ ]{1,8}recovered", (pytester.path / "report.html").read_text()
    )
    rows = {row["nodeid"].rpartition("::")[2]: row for row in run_record(pytester.path)["tests"]}
    assert {name: (row["outcome"], len(row["recovered"])) for name, row in rows.items()} == {
        "test_renamed": ("recovered", 1),
        "test_fails_later": ("failed", 1),
        "test_plain": ("passed", 0),
    }
    (healed,) = rows["test_renamed"]["healed"]
    assert healed == healed | {
        "target": 'text="Password forgotten?"',
        "found": 'Button "Forgot password?"',
        "selector": 'by(resource_id="forgot_password")',
        "step": "a2",
    }
    assert healed["source"].endswith(".py:3")
    found = [
        json.loads(path.read_text()) for path in (pytester.path / "allure").glob("*-result.json")
    ]
    allure = {row["name"]: row for row in found}
    recovered = {"name": "replicant_outcome", "value": "recovered"}
    assert allure["test_renamed"]["status"] == "passed"
    assert recovered in allure["test_renamed"]["labels"]
    later = allure["test_fails_later"]
    assert later["status"] == "failed"
    assert recovered not in later["labels"]
    assert "what was recovered" in [one["name"] for one in later["attachments"]]


ACTS = """
def pytest_replicant_recover(session, failure, state):
    session.back()
"""
NO_ANSWER = """
def pytest_replicant_recover(session, failure, state):
    return "re_resolve"
"""


@pytest.mark.parametrize(
    ("policy", "mode", "lines"),
    [
        (POLICY, "off", ["*ELEMENT_NOT_FOUND*Password forgotten?*"]),
        (
            POLICY,
            "report",
            ["*would have tried re_resolve (renamed: *", "recovery would have been tried (1):"],
        ),
        (
            POLICY,
            "fail",
            [
                "*recovered, which fails here: *re_resolve by renamed*--replicant-recovery=fail*",
                "*Open: *trace.html",
            ],
        ),
        (ACTS, "allow", ["*back() in a recovery policy: a policy answers with a Recovery*"]),
        (NO_ANSWER, "allow", ["*pytest_replicant_recover answered 're_resolve'*give a Recovery*"]),
    ],
)
def test_without_leave_or_a_right_answer_the_test_fails(
    run: Run, pytester: pytest.Pytester, policy: str, mode: str, lines: list[str]
) -> None:
    pytester.makeconftest(policy)
    result = run(RENAMED, f"--replicant-recovery={mode}")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(lines)
    result.stdout.no_fnmatch_line("*return (yield)*")
    if mode == "off":
        result.stdout.no_fnmatch_line("*re_resolve*")


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


def test_a_folders_own_policy_is_asked_for_its_tests_alone(
    run: Run, pytester: pytest.Pytester
) -> None:
    folder = pytester.mkpydir("renamed")
    (folder / "conftest.py").write_text(POLICY)
    (folder / "test_inside.py").write_text(RENAMED)
    result = run(RENAMED)
    outcomes = result.parseoutcomes()
    assert outcomes["failed"] == 1
    assert outcomes["recovered"] == 1


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
    result.stdout.fnmatch_lines(
        ["*marker replicant: allow=fly is not known. It takes*relaunch, step_back*"]
    )
