"""Actionability and settling on a phone of its own kind: the lab's screens, over the real protocols."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pytest_replicant import ActionFailed
from pytest_replicant.session import DeviceSession
from pytest_replicant.testing import virtual_session
from tests.lab.exhibits_shown import refused

pytestmark = pytest.mark.slow

LAB = "dev.replicant.lab"


@pytest.fixture
def mobile() -> Iterator[DeviceSession]:
    with virtual_session(LAB, recover=None, screenshots=False, action_timeout=2.0) as session:
        yield session


def stage(session: DeviceSession, name: str) -> dict[str, Any]:
    action = session._context.recorder.results[-1]
    return dict(next(step for step in action.trace.steps if step.stage == name).metadata)


def test_a_button_that_is_enabled_late_is_awaited(mobile: DeviceSession) -> None:
    mobile.open_url("lab://late-button?delay=700", LAB)
    mobile.tap(text="Agree").expect_visible(text="Agreed 1 times")


def test_a_moving_button_is_tapped_once_it_rests(mobile: DeviceSession) -> None:
    mobile.open_url("lab://moving-button?lasts=2500", LAB)
    mobile.tap(text="Catch me", timeout=5)
    assert "moving" in stage(mobile, "resolve")["waited_for"]
    mobile.expect_visible(text="Caught 1 times")


def test_a_prompt_of_the_system_is_named_with_its_buttons(mobile: DeviceSession) -> None:
    mobile.open_url("lab://permission-question", LAB)
    mobile.tap(text="Where am I?")
    with pytest.raises(ActionFailed, match='covered by Dialog "Allow Lab') as failed:
        mobile.tap(text="Where am I?", timeout=0.3)
    assert 'Next: answer_permission("allow")' in str(failed.value)
    with refused("ELEMENT_NOT_FOUND", "A system alert covers the app"):
        mobile.tap(text="Elsewhere", timeout=0.3)


def test_a_message_over_the_button_is_waited_for(mobile: DeviceSession) -> None:
    mobile.open_url("lab://snackbar", LAB)
    mobile.tap(text="Archive")
    mobile.tap(text="Next", timeout=5)
    assert "(snackbar)" in stage(mobile, "resolve")["waited_for"]
    mobile.expect_visible(text="Next", timeout=1)


def test_a_carousel_is_found_once_and_not_waited_for_again(mobile: DeviceSession) -> None:
    mobile.open_url("lab://carousel?every=100", LAB)
    assert "masked" in stage(mobile, "stabilize")
    mobile.open_url("lab://carousel?every=100", LAB)
    assert stage(mobile, "stabilize")["reads"] < 6


def test_a_wheel_that_turns_for_ever_is_given_up_on_once(mobile: DeviceSession) -> None:
    mobile.open_url("lab://endless-spinner", LAB)
    assert stage(mobile, "stabilize")["reason"] == "it went on loading"
    mobile.tap(text="Go on").expect_visible(text="Went on 1 times")
    assert stage(mobile, "stabilize")["masked"].startswith("ProgressBar")
    assert stage(mobile, "stabilize")["reads"] < 6


def test_a_screen_that_loads_is_shown_once_it_has(mobile: DeviceSession) -> None:
    outcome = mobile.open_url("lab://late-content?delay=1500", LAB)
    assert not outcome.snapshot.loading
    assert "loading" in stage(mobile, "stabilize")["waited_for"]
