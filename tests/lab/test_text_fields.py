"""What is typed is read back: a field that holds something else is not filled."""

from __future__ import annotations

import pytest

from pytest_replicant import Secret, by

from .exhibits_shown import Visit, disproved, proves, refused, refutes, shows
from .lab_phone import LabPhone

NAME, NOTE, NICKNAME = by(resource_id="name"), by(resource_id="note"), by(resource_id="nickname")


@pytest.mark.on_both
@proves("dropping-field")
def test_letters_that_were_dropped_are_typed_again_and_it_is_reported(lab: LabPhone) -> None:
    with lab.recorded() as (mobile, recorder):
        mobile.open_url("lab://dropping-field")
        outcome = mobile.fill(NAME, "Ada Lovelace")
        outcome.expect_state(text="Ada Lovelace").expect_visible(text="Hello, Ada Lovelace")
        assert outcome.result.recovery is not None
        assert [(one.strategy, one.policy, one.recovered) for one in recorder.recoveries] == [
            ("retry_adjustment", "flaky", True)
        ]


@refutes("dropping-field")
@pytest.mark.slow
@pytest.mark.parametrize("recovery", ["off", "allow"])
def test_a_field_that_goes_on_dropping_is_not_filled(visit: Visit, recovery: str) -> None:
    mobile = visit("dropping-field?lost=9999", recovery=recovery)
    with refused("ACTION_REJECTED"):
        mobile.fill(NAME, "Ada Lovelace")


@shows("autocorrect-field")
def test_what_was_corrected_was_not_typed(visit: Visit) -> None:
    mobile = visit("autocorrect-field")
    with refused("ACTION_REJECTED", "the end"):
        mobile.fill(NOTE, "teh end")
    mobile.fill(NOTE, "the end").expect_state(text="the end")


@shows("masked-field")
def test_a_password_is_proven_by_signing_in_and_dots_are_no_text(
    visit: Visit, lab: LabPhone
) -> None:
    mobile = visit("masked-field")
    outcome = mobile.fill(by(resource_id="password"), Secret("open sesame"))
    assert outcome.result.details["read_back"] == "length"
    with disproved(code="EXPECT_STATE_MISMATCH"):
        outcome.expect_state(text="open sesame", timeout=0.3)
    mobile.tap(resource_id="open").expect_state(by(resource_id="result"), text="Open")
    assert lab.events == ["password right"]
    assert "open sesame" not in lab.log


@shows("limited-field")
@pytest.mark.slow
def test_what_was_cut_off_was_not_typed_and_it_is_said_how_much_was(visit: Visit) -> None:
    mobile = visit("limited-field")
    with refused("ACTION_REJECTED", "Grace Ho"):
        mobile.fill(NICKNAME, "Grace Hopper")
    mobile.fill(NICKNAME, "Ada").expect_state(text="Ada").expect_visible(text="3 of 8")


@proves("hint-field")
def test_a_text_that_equals_its_hint_is_typed(visit: Visit) -> None:
    visit("hint-field").fill(by(resource_id="empty_city"), "City").expect_visible(
        text="4 and 4 letters"
    )


@refutes("hint-field")
def test_a_hint_is_no_text(visit: Visit, lab: LabPhone) -> None:
    if (lab.driver.info.api or 0) < 26 and lab.driver.info.platform == "android":
        pytest.skip(
            "before Android 8 a field's hint is its text, and nothing on the phone tells the two "
            "apart"
        )
    mobile = visit("hint-field")
    mobile.expect_state(by(resource_id="empty_city"), text="")
    with disproved(code="EXPECT_STATE_MISMATCH"):
        mobile.expect_state(by(resource_id="empty_city"), text="City")
