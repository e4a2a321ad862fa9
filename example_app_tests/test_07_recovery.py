"""What comes in between is dealt with by policies, and shows: these tests end as recovered, and not
as passed.

A policy is asked once the waiting is over, so these steps wait for a second rather than for five.
"""

from __future__ import annotations

import pytest

from pytest_replicant import ActionFailed, DeviceSession


def test_a_survey_is_dismissed_by_a_policy_of_our_own(mobile: DeviceSession) -> None:
    """By ``pytest_replicant_recover`` in ``conftest.py``. The tap that came before it counted,
    once."""
    mobile.open_url("lab://survey?tap=2&delay=1").expect_visible(text="Step 1 of 3")
    for step in ("Step 2 of 3", "Step 3 of 3", "Done"):
        mobile.tap(text="Continue", timeout=1).expect_visible(text=step, timeout=1)


def test_a_permission_is_denied_where_nobody_said_otherwise(mobile: DeviceSession) -> None:
    """``replicant_permission_prompts`` says how; a test that is about the prompt finds it
    untouched."""
    mobile.open_url("lab://permission-question")
    outcome = mobile.tap(text="Where am I?")
    outcome.expect_visible(text="We may not know", timeout=1)


def test_a_message_of_the_system_is_closed(mobile: DeviceSession) -> None:
    mobile.open_url("lab://system-notice?delay=1")
    mobile.wait_for(text="Battery low")
    outcome = mobile.tap(text="Tap", timeout=1).expect_visible(text="Tapped 1 times")
    state = outcome.result.recovery
    assert state is not None
    assert (state.recovery_strategy, state.recovery_attempts) == ("state_refresh", 1)


@pytest.mark.replicant(allow=["step_back"])
def test_a_lost_tap_is_done_again_where_a_test_allows_it(mobile: DeviceSession) -> None:
    """Once the screen proves that nothing came of it, and never otherwise."""
    mobile.open_url("lab://lost-tap").expect_visible(text="Locked")
    mobile.tap(text="Unlock").expect_visible(text="Unlocked", timeout=1)


def test_what_is_simply_wrong_stays_wrong(mobile: DeviceSession) -> None:
    """No evidence, no recovery: a wrong name is not mended."""
    mobile.open_url("lab://counter").expect_visible(text="Tap")
    with pytest.raises(ActionFailed, match="ELEMENT_NOT_FOUND"):
        mobile.tap(text="Type", timeout=0.5)
