"""What is tapped reaches the app once, whatever is slow, lost or silent."""

from __future__ import annotations

import pytest

from pytest_replicant import Failure, Recovery, RecoveryState
from pytest_replicant.session import RecoveryContext

from .exhibits_shown import Visit, disproved, proves, refutes, shows
from .lab_phone import LabPhone
from .needed import LOG, needs

STEP_BACK = frozenset({"step_back"})


def stepping_back(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery:
    """A policy that asks for nothing else, whatever a test allows."""
    return Recovery("step_back", reason="by rote")


@shows("counter")
def test_one_tap_is_one_tap_and_a_wrong_claim_is_no_reason_to_tap_again(
    visit: Visit, lab: LabPhone
) -> None:
    outcome = visit("counter", allow=STEP_BACK).tap(text="Tap").expect_visible(text="1")
    assert outcome.result.lifecycle_state == "verified"
    assert outcome.result.recovery is None
    with disproved():
        outcome.expect_visible(text="2")
    assert lab.events == ["tap 1"]


@pytest.mark.on_both
@proves("lost-tap")
def test_a_lost_tap_is_repeated_where_that_is_allowed_and_says_so(lab: LabPhone) -> None:
    with lab.recorded(allow=STEP_BACK) as (mobile, recorder):
        mobile.open_url("lab://lost-tap")
        outcome = mobile.tap(text="Unlock").expect_visible(text="Unlocked")
        assert lab.events == ["lost tap 1", "unlock tap 2"]
        assert [(one.strategy, one.policy, one.recovered) for one in recorder.recoveries] == [
            ("step_back", "mismatch", True)
        ]
        assert outcome.result.lifecycle_state == "verified"


@refutes("lost-tap")
@pytest.mark.parametrize("settings", [{}, {"recovery": "report", "allow": STEP_BACK}])
def test_a_lost_tap_fails_where_nothing_may_repeat_it(
    visit: Visit, lab: LabPhone, settings: dict[str, object]
) -> None:
    outcome = visit("lost-tap", **settings).tap(text="Unlock")
    with disproved():
        outcome.expect_visible(text="Unlocked")
    assert lab.events == ["lost tap 1"]


@refutes("lost-tap")
def test_a_tap_that_is_lost_again_fails(visit: Visit, lab: LabPhone) -> None:
    outcome = visit("lost-tap?lost=9", allow=STEP_BACK).tap(text="Unlock")
    with disproved("tried step_back"):
        outcome.expect_visible(text="Unlocked")
    assert lab.events == ["lost tap 1", "lost tap 2"]


@proves("place-order")
def test_one_order_is_placed_and_its_proof_awaited(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("place-order?delay=600", allow=STEP_BACK)
    mobile.tap(text="Place order").expect_visible(text="Orders: 1")
    assert lab.events == ["order 1 placed"]


@refutes("place-order")
@pytest.mark.parametrize("delay", [0, pytest.param(9000, marks=needs(LOG))])
def test_without_proof_nothing_is_ordered_twice(visit: Visit, lab: LabPhone, delay: int) -> None:
    mobile = visit(f"place-order?delay={delay}", recover=stepping_back)
    outcome = mobile.tap(text="Place order")
    with disproved("step_back was refused"):
        outcome.expect_visible(text="Orders: 2")
    assert lab.events == ["order 1 placed"]


@proves("silent-order")
@needs(LOG)
def test_an_order_without_feedback_is_in_the_log(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("silent-order")
    mobile.tap(text="Place order").expect_unchanged().expect_log("order 1 placed")
    assert lab.events == ["order 1 placed"]


@refutes("silent-order")
@needs(LOG)
def test_nothing_to_be_seen_is_not_nothing_done(visit: Visit, lab: LabPhone) -> None:
    outcome = visit("silent-order", recover=stepping_back).tap(text="Place order")
    with disproved():
        outcome.expect_visible(text="Orders: 1")
    with disproved():
        outcome.expect_changed()
    assert lab.events == ["order 1 placed"]
