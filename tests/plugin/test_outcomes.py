"""How a test ends: failed, infra, soft, unverified, vacuous."""

from __future__ import annotations

import pytest

from tests.conftest import Run

pytestmark = [pytest.mark.slow, pytest.mark.thorough]

LAUNCH = 'mobile.launch("dev.replicant.shop").expect_screen("Sign in")'


def test_a_failing_check_prints_what_it_wanted_and_the_screen(run: Run) -> None:
    result = run(f"""
    def test_wrong(mobile):
        {LAUNCH}
        mobile.tap(text="Forgot password?").expect_screen("Catalogue")
    """)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "*expect_screen Catalogue on virtual*: Reset password*",
            '*Button "Send reset link"*',
            "*Open: *trace.html#a2*",
        ]
    )


def test_a_failed_action_is_failed_and_tells_the_nearest(run: Run) -> None:
    result = run(f"""
    def test_wrong(mobile):
        {LAUNCH}
        mobile.tap(text="Sing in")
    """)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(['*ELEMENT_NOT_FOUND*tap text="Sing in"*', '*"Sign in"*'])


def test_tool_trouble_is_infra(run: Run) -> None:
    result = run(
        f"""
    from pytest_replicant import DeviceOffline

    def test_offline(mobile):
        {LAUNCH}
        raise DeviceOffline("the cable is out", device="virtual")
    """,
        "-rE",
    )
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*the cable is out*"])


def test_a_file_that_cannot_be_collected_is_pytests_own_news(run: Run) -> None:
    result = run("import nothing_of_that_name")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*No module named 'nothing_of_that_name'*"])


def test_soft_failures_are_raised_together(run: Run) -> None:
    result = run(f"""
    def test_soft(mobile):
        {LAUNCH}
        mobile.soft.expect_visible(text="One").expect_visible(text="Two")
        mobile.soft.expect_visible(text="Email")
    """)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*2 checks failed*"])


def test_one_soft_failure_is_raised_as_itself(run: Run) -> None:
    result = run(f"""
    def test_soft(mobile):
        {LAUNCH}
        mobile.soft.expect_visible(text="One")
    """)
    result.assert_outcomes(failed=1)
    result.stdout.no_fnmatch_line("*SoftFailures*")


def test_an_unverified_end_is_told(run: Run) -> None:
    source = f"""
    def test_open_end(mobile):
        {LAUNCH}
        mobile.tap(text="Forgot password?")
    """
    result = run(source)
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["*test_open_end*ends on an unverified action*"])
    failing = run(source, ini="replicant_unverified = fail\n")
    failing.assert_outcomes(failed=1)


def test_a_vacuous_check_is_told(run: Run) -> None:
    source = f"""
    def test_vacuous(mobile):
        {LAUNCH}
        mobile.tap(text="Remember me").expect_visible(text="Email")
    """
    result = run(source)
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["*already held before*"])
    failing = run(source, ini="replicant_vacuous = fail\n")
    failing.assert_outcomes(failed=1)
