"""The checks on a virtual phone, through the real driver, on screens that make checks lie."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from pytest_replicant import ExpectationFailed
from pytest_replicant.session import DeviceSession
from pytest_replicant.testing import virtual_session

pytestmark = pytest.mark.slow

LAB = "dev.replicant.lab"
Exhibit = Callable[[str], DeviceSession]


@pytest.fixture
def exhibit() -> Iterator[Exhibit]:
    """``exhibit("flash?lasts=300")``: a session with that page of the lab in front, on a clock of
    its own."""
    with ExitStack() as stack:

        def show(page: str) -> DeviceSession:
            session = stack.enter_context(
                virtual_session(LAB, expect_timeout=1.5, read_on=0.0, screenshots=False)
            )
            session.launch()
            session.open_url(f"lab://{page}", silent=True)
            return session

        yield show


def test_the_log_of_a_server_that_answers(exhibit: Exhibit) -> None:
    mobile = exhibit("backend?delay=50")
    outcome = mobile.tap(text="Load")
    outcome.expect_log("<-- 200", tag="OkHttp", app=LAB).expect_visible(
        text="Two parcels are on their way"
    )
    assert outcome.classify().outcome == "success"
    with pytest.raises(ExpectationFailed, match="<-- 200 OK"):
        outcome.expect_log("<-- 500", tag="OkHttp", timeout=0.3)


def test_a_server_that_fails_is_reported_from_a_screen_that_does(exhibit: Exhibit) -> None:
    mobile = exhibit("silent-backend?delay=50")
    outcome = mobile.tap(text="Load").expect_log("failed: HTTP 500", level="E")
    with pytest.raises(ExpectationFailed):
        outcome.expect_changed(timeout=0.3)
    shown = outcome.classify()
    assert shown.outcome == "backend_failure"
    assert "https://api.lab.replicant.dev/v1/parcels: 500" in shown.reason


def test_a_dump_that_takes_long_is_waited_for_twice(exhibit: Exhibit) -> None:
    mobile = exhibit("slow-dump?delay=800")
    mobile.expect_visible(text="Tap", timeout=0.5).expect_gone(text="Pay", timeout=0.5)
    with pytest.raises(ExpectationFailed):
        mobile.expect_gone(text="Tap", timeout=0)


def test_a_clock_is_a_change_and_an_outline_may_leave_it_out(exhibit: Exhibit) -> None:
    mobile = exhibit("clock?every=200")
    outcome = mobile.tap(text="Keep")
    outcome.expect_outline(
        """
        Ticking clock
        ImageButton "Navigate up"
        ...
        Button "Keep"
        "Kept 1 times"
        """
    )
    with pytest.raises(ExpectationFailed, match="the screen is Ticking clock"):
        outcome.expect_outline('Stopped clock\n...\nButton "Keep"\n...', timeout=0.2)
    with pytest.raises(ExpectationFailed):
        outcome.expect_unchanged(timeout=1)


def test_an_app_that_goes_to_the_background_and_comes_back(exhibit: Exhibit) -> None:
    mobile = exhibit("counter")
    mobile.home().expect_app("background").expect_app("foreground", "com.replicant.launcher")
    mobile.activate().expect_app("foreground").expect_no_crash()
    with pytest.raises(ExpectationFailed, match="background"):
        mobile.home().expect_app("stopped", timeout=0.3)
