"""Scenarios of pytest-bdd: their steps are groups of the trace, in every report."""

from __future__ import annotations

import json

import pytest

from tests.conftest import Run, trace_records

pytestmark = [pytest.mark.slow, pytest.mark.ci]

FEATURE = """
Feature: Shop

  Scenario: Recover
    Given the shop is open
    When I ask for a new password
    And I go back
    And I go back
    Then I see "<b>Nowhere</b>"
"""

STEPS = """
from pytest_bdd import given, parsers, scenarios, then, when

scenarios("shop.feature")

@given("the shop is open")
def _(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")

@when("I ask for a new password")
def _(mobile):
    with mobile.step("Tap it"):
        mobile.tap(text="Forgot password?").expect_screen("Reset password")

@when("I go back")
def _(mobile):
    mobile.expect_visible(text="Email")

@then(parsers.parse('I see "{text}"'))
def _(mobile, text):
    mobile.expect_visible(text=text, timeout=0.1)
"""


TITLES = [
    ["Given the shop is open"],
    ["Given the shop is open"],
    ["When I ask for a new password", "Tap it"],
    ["When I ask for a new password", "Tap it"],
    ["And I go back"],
    ["And I go back (2)"],
    ['Then I see "<b>Nowhere</b>"'],
]


@pytest.fixture(autouse=True)
def _scenarios(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pytest_bdd")
    monkeypatch.setenv("PYTEST_ADDOPTS", "-p no:hypothesispytest")
    (pytester.path / "shop.feature").write_text(FEATURE, "utf-8")


def test_the_steps_of_a_scenario_are_groups_of_its_trace(
    run: Run, pytester: pytest.Pytester
) -> None:
    run(STEPS, "--replicant-output=out").assert_outcomes(failed=1)
    (trace,) = trace_records(pytester.path)
    assert [event["group"] for event in trace["events"]] == TITLES


@pytest.mark.thorough
def test_allure_and_playwright_show_each_step_once(run: Run, pytester: pytest.Pytester) -> None:
    from zipfile import ZipFile

    run(STEPS, "--replicant-output=out", "--alluredir=allure", "-n", "1").assert_outcomes(failed=1)
    (path,) = (pytester.path / "allure").glob("*-result.json")
    result = json.loads(path.read_text("utf-8"))
    titles = list(dict.fromkeys(group[0] for group in TITLES))
    assert [step["name"] for step in result["steps"]] == titles
    assert [step["status"] for step in result["steps"]] == ["passed"] * 4 + ["failed"]
    (packed,) = pytester.path.glob("out/*/*/trace.zip")
    with ZipFile(packed) as archive:
        shown = archive.read("trace.trace").decode("utf-8")
    assert all(shown.count(json.dumps(title)) == 1 for title in titles)


def test_without_pytest_bdd_nothing_of_it_is_loaded(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = """
    def test_it(request):
        import sys
        assert not request.config.pluginmanager.hasplugin("replicant-gherkin")
    """
    run(source, "-p", "no:pytest-bdd").assert_outcomes(passed=1)
