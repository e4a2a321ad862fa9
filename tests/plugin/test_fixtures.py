from __future__ import annotations

import pytest

from tests.conftest import Run

pytestmark = pytest.mark.slow


def test_mobile_drives_the_shop(run: Run) -> None:
    source = """
    def test_reset(mobile):
        mobile.launch("dev.replicant.shop").expect_screen("Sign in")
        mobile.tap(text="Forgot password?").expect_screen("Reset password")

    def test_next_test_starts_afresh(mobile):
        mobile.launch().expect_screen("Sign in")
    """
    result = run(source, ini="replicant_app = dev.replicant.shop\n")
    result.assert_outcomes(passed=2)


def test_the_phone_is_kept_warm_between_tests(run: Run) -> None:
    source = """
    seen = []

    def test_one(mobile_device):
        seen.append(mobile_device)

    def test_two(mobile_device, mobile):
        assert seen == [mobile_device]
        assert mobile.platform == "android"
    """
    run(source, ini="replicant_unverified = ignore\n").assert_outcomes(passed=2)


def test_session_args_can_be_overridden(run: Run) -> None:
    source = """
    import pytest

    @pytest.fixture(scope="session")
    def mobile_session_args():
        return {"app": "dev.replicant.shop", "expect_timeout": 0.2}

    def test_app(mobile):
        mobile.launch().expect_screen("Sign in")

    def test_time_out(mobile):
        with pytest.raises(AssertionError, match=r"\\(\\d+ reads, 0\\.[2-9] s\\)"):
            mobile.launch().expect_screen("Nowhere")
    """
    run(source).assert_outcomes(passed=2)


def test_an_app_that_a_link_started_is_stopped_as_well(run: Run) -> None:
    result = run("""
    def test_first(mobile):
        mobile.open_url("lab://counter").expect_visible(text="Tap")
        mobile.tap(text="Tap").expect_visible(text="1")
        assert mobile.app_status("dev.replicant.lab") == "foreground"

    def test_second(mobile):
        mobile.open_url("lab://counter").expect_visible(text="0")
    """)
    result.assert_outcomes(passed=2)
    result.stdout.no_fnmatch_line("*already held before*")
