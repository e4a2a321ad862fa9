"""What is typed is read back: a field that holds something else is not filled."""

from __future__ import annotations

import pytest

from pytest_replicant import Secret, by

from .exhibits_shown import Visit, disproved, proves, refused, refutes
from .lab_phone import LabPhone


@pytest.mark.on_both
@proves("dropping-field")
def test_letters_that_were_dropped_are_typed_again_and_it_is_told(lab: LabPhone) -> None:
    with lab.recorded() as (mobile, recorder):
        mobile.open_url("lab://dropping-field")
        outcome = mobile.fill(by(resource_id="name"), "Ada Lovelace")
        outcome.expect_state(text="Ada Lovelace").expect_visible(text="Hello, Ada Lovelace")
        assert outcome.result.recovery is not None
        assert [(one.strategy, one.policy, one.recovered) for one in recorder.recoveries] == [
            ("retry_adjustment", "flaky", True)
        ]


@refutes("dropping-field")
@pytest.mark.slow
@pytest.mark.parametrize("settings", [{"recovery": "off"}, {}])
def test_a_field_that_goes_on_dropping_is_not_filled(visit: Visit, settings: dict[str, object]) -> None:
    mobile = visit("dropping-field?lost=9999", **settings)
    with refused("ACTION_REJECTED"):
        mobile.fill(by(resource_id="name"), "Ada Lovelace")
    with disproved(code="EXPECT_STATE_MISMATCH"):
        mobile.expect_state(by(resource_id="name"), text="Ada Lovelace")


@proves("autocorrect-field")
def test_what_a_keyboard_makes_of_it_is_what_is_expected(visit: Visit) -> None:
    mobile = visit("autocorrect-field")
    mobile.fill(by(resource_id="note"), "the end").expect_state(text="the end")


@pytest.mark.on_both
@refutes("autocorrect-field")
def test_what_was_corrected_was_not_typed(visit: Visit) -> None:
    mobile = visit("autocorrect-field")
    with refused("ACTION_REJECTED", "the end"):
        mobile.fill(by(resource_id="note"), "teh end")
    with disproved(code="EXPECT_STATE_MISMATCH"):
        mobile.expect_state(by(resource_id="note"), text="teh end")


@proves("masked-field")
def test_a_password_is_proven_by_signing_in(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("masked-field")
    outcome = mobile.fill(by(resource_id="password"), Secret("open sesame"))
    assert outcome.result.details["read_back"] == "length"
    mobile.tap(resource_id="open").expect_state(by(resource_id="result"), text="Open")
    assert lab.events == ["password right"]
    assert "open sesame" not in lab.log


@refutes("masked-field")
def test_dots_are_no_text_and_a_wrong_password_opens_nothing(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("masked-field")
    outcome = mobile.fill(by(resource_id="password"), Secret("open pepper"))
    with disproved(code="EXPECT_STATE_MISMATCH"):
        outcome.expect_state(text="open pepper")
    outcome = mobile.tap(resource_id="open")
    with disproved(code="EXPECT_STATE_MISMATCH"):
        outcome.expect_state(by(resource_id="result"), text="Open")
    assert lab.events == ["password wrong"]


@proves("limited-field")
def test_what_fits_goes_in(visit: Visit) -> None:
    mobile = visit("limited-field")
    mobile.fill(by(resource_id="nickname"), "Ada").expect_state(text="Ada").expect_visible(text="3 of 8")


@refutes("limited-field")
@pytest.mark.slow
def test_what_was_cut_off_was_not_typed_and_it_is_said_how_much_was(visit: Visit) -> None:
    mobile = visit("limited-field")
    with refused("ACTION_REJECTED", "Grace Ho"):
        mobile.fill(by(resource_id="nickname"), "Grace Hopper")
    with disproved(code="EXPECT_STATE_MISMATCH"):
        mobile.expect_state(by(resource_id="nickname"), text="Grace Hopper")


@proves("hint-field")
def test_a_text_that_equals_its_hint_is_typed(visit: Visit) -> None:
    mobile = visit("hint-field")
    mobile.fill(by(resource_id="empty_city"), "City").expect_visible(text="4 and 4 letters")


@refutes("hint-field")
def test_a_hint_is_no_text(visit: Visit, lab: LabPhone) -> None:
    if (lab.driver.info.api or 0) < 26 and lab.driver.info.platform == "android":
        pytest.skip("before Android 8 a field's hint is its text, and nothing on the phone tells the two apart")
    mobile = visit("hint-field")
    mobile.expect_state(by(resource_id="empty_city"), text="")
    with disproved(code="EXPECT_STATE_MISMATCH"):
        mobile.expect_state(by(resource_id="empty_city"), text="City")
    with disproved(code="EXPECT_STATE_MISMATCH"):
        mobile.expect_state(by(resource_id="result"), text="4 and 4 letters")
