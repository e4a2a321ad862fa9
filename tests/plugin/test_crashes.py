"""An app that dies fails the test, whatever its checks saw of it; the options say otherwise."""

from __future__ import annotations

import pytest

from tests.conftest import Run, run_record

pytestmark = pytest.mark.slow

DIES_UNSEEN = """
import pytest

def test_dies(mobile):
    mobile.launch("dev.replicant.lab", activity=".Crash").expect_visible(text="Weigh")
    mobile.tap(text="Weigh")
    mobile.launch("dev.replicant.lab").expect_visible(text="Look-alike rows")
"""


def test_a_crash_fails_a_test_whose_checks_all_passed(run: Run) -> None:
    result = run(DIES_UNSEEN)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ['*dev.replicant.lab died: *after tap text="Weigh" (a2, *.py:5)*', "apps that died (1):"]
    )
    result.stdout.no_fnmatch_line("*raise failures*")  # how it was raised is no news


def test_a_crash_can_be_a_warning(run: Run) -> None:
    result = run(DIES_UNSEEN, ini="replicant_crash = warn\n")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["apps that died (1):", "*test_dies dev.replicant.lab died: *"])


def test_a_crash_can_be_ignored(run: Run) -> None:
    result = run(DIES_UNSEEN, ini="replicant_crash = ignore\n")
    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line("*died*")


def test_a_test_may_allow_it(run: Run) -> None:
    result = run(DIES_UNSEEN.replace("def test", '@pytest.mark.replicant(allow=["crash"])\ndef test'))
    result.assert_outcomes(passed=1)


def test_an_app_that_lives_is_no_news(run: Run) -> None:
    result = run("""
    def test_lives(mobile):
        mobile.launch("dev.replicant.lab").expect_visible(text="Look-alike rows").expect_no_crash()
    """)
    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line("*died*")


def test_a_test_that_failed_by_its_own_assert_is_told_of_it_too(run: Run) -> None:
    result = run("""
    def test_dies(mobile):
        mobile.launch("dev.replicant.lab", activity=".Crash").expect_visible(text="Weigh")
        mobile.tap(text="Weigh")
        assert mobile.current_app.app == "dev.replicant.lab"
    """)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*AssertionError*", "apps that died (1):", "*died: *"])


def test_a_fixture_that_fails_by_a_crash_is_told_of_it_too(run: Run, pytester: pytest.Pytester) -> None:
    run(
        """
        import pytest

        @pytest.fixture
        def weighed(mobile):
            mobile.launch("dev.replicant.lab", activity=".Crash").expect_visible(text="Weigh")
            mobile.tap(text="Weigh").expect_visible(text="Weighed")

        def test_it(weighed):
            pass

        def test_too(mobile):
            mobile.launch("dev.replicant.lab", activity=".Crash").expect_visible(text="Weigh")
            mobile.tap(text="Weigh")
            mobile.tap(text="Weighed")
        """,
        "--replicant-output=out",
        "--replicant-recovery=off",
    )
    (cause,) = run_record(pytester.path)["causes"]
    assert cause["title"] == "dev.replicant.lab died: NullPointerException at dying.Scales.weigh"
    assert cause["failures"] == 2


def test_an_iphone_tells_of_no_death_but_that_the_app_is_gone(run: Run) -> None:
    result = run(
        """
        def test_sees_nothing_of_it(mobile):
            mobile.open_url("lab://crash", "dev.replicant.lab").expect_visible(text="Weigh")
            mobile.tap(text="Weigh")

        def test_fails_by_it(mobile):
            mobile.open_url("lab://crash", "dev.replicant.lab").expect_visible(text="Weigh")
            mobile.tap(text="Weigh").expect_visible(text="Weighed", timeout=0.2)

        def test_stops_it(mobile):
            mobile.launch("dev.replicant.lab").expect_screen("Lab")
            mobile.stop("dev.replicant.lab")
            assert False
        """,
        "--replicant-device=virtual:ios?latency=0",
    )
    result.assert_outcomes(failed=3)
    gone = "dev.replicant.lab is not running any more; this platform does not report why"
    result.stdout.fnmatch_lines(
        [f"E *{gone}", "apps that died (2):", f"  *test_sees_nothing_of_it {gone}", f"  *test_fails_by_it {gone}"]
    )
