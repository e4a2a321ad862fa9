"""Nothing leaks from one test into the next, and nothing that an app does at a test's edges is lost."""

from __future__ import annotations

import pytest

from tests.conftest import Run

pytestmark = pytest.mark.slow

DYING = """
import unittest
import pytest
from pytest_replicant import connect

CRASH = 'am start -n dev.replicant.lab/.Crash'

@pytest.fixture
def dies_at_its_end(mobile):
    mobile.launch("dev.replicant.lab", activity=".Crash").expect_visible(text="Weigh")
    yield mobile
    mobile.tap(text="Weigh", silent=True)
    mobile.wait_for_change()

def test_dies_in_teardown(dies_at_its_end):
    dies_at_its_end.expect_visible(text="Weigh")

def test_dies_before_a_skip(mobile):
    mobile.launch("dev.replicant.lab", activity=".Crash").expect_visible(text="Weigh")
    mobile.tap(text="Weigh", silent=True)
    mobile.wait_for_change()
    pytest.skip("no more of it")

def test_dies_though_the_test_did_not_start_it(mobile):
    mobile.shell(CRASH)
    mobile.wait_for(text="Weigh")
    mobile.tap(text="Weigh", silent=True)
    mobile.wait_for_change()
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")

def test_dies_in_a_block_of_its_own():
    with connect("virtual?latency=0") as mobile:
        mobile.launch("dev.replicant.lab", activity=".Crash").expect_visible(text="Weigh")
        mobile.tap(text="Weigh", silent=True)
        mobile.wait_for_change()

class TestCase(unittest.TestCase):
    @pytest.fixture(autouse=True)
    def phone(self, mobile):
        self.mobile = mobile

    def test_soft_before_a_skip(self):
        self.mobile.launch("dev.replicant.shop").soft.expect_visible(text="Never", timeout=0)
        self.skipTest("no more of it")

    @unittest.expectedFailure
    def test_soft_as_expected(self):
        self.mobile.launch("dev.replicant.shop").soft.expect_visible(text="Never", timeout=0)

    def test_skips(self):
        self.mobile.launch("dev.replicant.shop").expect_screen("Sign in")
        self.skipTest("nothing went wrong")

def test_the_next_one_finds_no_dialog_of_the_system(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in").expect_gone(text_contains="keeps stopping")
"""


def test_a_crash_is_reported_wherever_it_happens(run: Run) -> None:
    result = run(DYING, ini="replicant_read_on = 0\n")
    result.assert_outcomes(passed=2, failed=4, errors=1, xfailed=1, skipped=1)
    for name, word in (
        ("test_dies_in_teardown", "ERROR"),
        ("test_dies_before_a_skip", "FAILED"),
        ("test_dies_though_the_test_did_not_start_it", "FAILED"),
        ("test_dies_in_a_block_of_its_own", "FAILED"),
        ("TestCase::test_soft_before_a_skip", "FAILED"),
    ):
        result.stdout.fnmatch_lines([f"{word} *{name}*"])


def test_a_crash_there_may_be_ignored_as_anywhere(run: Run) -> None:
    result = run(DYING.split("def test_dies_though")[0], ini="replicant_crash = ignore\n")
    result.assert_outcomes(passed=1, skipped=1)


def test_what_a_test_leaves_behind_proves_nothing_in_the_next(run: Run) -> None:
    result = run(
        """
        import pytest
        from pytest_replicant import UsageError, connect

        KEPT = {}

        def test_first(mobile):
            mobile.launch("dev.replicant.lab", activity=".Toasts")
            KEPT["outcome"] = mobile.tap(text="Archive").expect_seen(text_contains="rchived")
            KEPT["mobile"], KEPT["part"] = mobile, mobile.within(text="Archive")
            with connect("virtual?latency=0") as other:
                other.launch("dev.replicant.shop")
            with pytest.raises(UsageError, match="has ended"):
                other.snapshot()

        def test_a_toast_of_before_was_not_seen(mobile):
            with pytest.raises(AssertionError):
                mobile.expect_seen(text_contains="rchived", timeout=0.2)

        @pytest.mark.parametrize("use", [
            lambda kept: kept["mobile"].tap(text="Archive"),
            lambda kept: kept["mobile"].soft.expect_visible(text="Never"),
            lambda kept: kept["part"].find_all(text="Archive"),
            lambda kept: kept["mobile"].shell("id"),
            lambda kept: kept["mobile"].logs(),
            lambda kept: kept["mobile"].crashes(),
            lambda kept: kept["mobile"].current_app,
            lambda kept: kept["mobile"].wait_for(text="Archive"),
            lambda kept: kept["outcome"].expect_visible(text="Archive"),
            lambda kept: kept["outcome"].snapshot,
        ])
        def test_a_session_that_has_ended_refuses(mobile, use):
            mobile.launch("dev.replicant.lab").expect_visible(text="Look-alike rows")
            with pytest.raises(UsageError, match="has ended"):
                use(KEPT)
            assert KEPT["outcome"].result.success
        """
    )
    result.assert_outcomes(passed=12)
