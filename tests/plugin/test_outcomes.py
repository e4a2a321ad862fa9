"""What proves little is a warning, or fails the test where the ini says so."""

from __future__ import annotations

import pytest

from tests.conftest import Run

pytestmark = [pytest.mark.slow, pytest.mark.thorough]

SOURCE = """
def test_open_end(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    mobile.tap(text="Forgot password?")

def test_vacuous(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    mobile.tap(text="Remember me").expect_visible(text="Email")
"""


def test_an_unverified_end_and_a_vacuous_check(run: Run) -> None:
    result = run(SOURCE)
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines_random(
        ["*test_open_end*ends on an unverified action*", "*already held before*"]
    )
    failing = run(SOURCE, "-vv", ini="replicant_unverified = fail\nreplicant_vacuous = fail\n")
    failing.assert_outcomes(failed=2)
    line = "FAILED *::test_open_end - ExpectationFailed: the test ends on an unverified action*"
    failing.stdout.fnmatch_lines(["test_*.py:1: ExpectationFailed", line])
    failing.stdout.no_fnmatch_line("*entries are hidden*")
