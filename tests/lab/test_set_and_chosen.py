"""Controls are set to what was asked for, or it is said what they were set to instead."""

from __future__ import annotations

import pytest

from pytest_replicant import by
from pytest_replicant.model import Point

from .exhibits_shown import Visit, disproved, proves, refused, refutes
from .lab_phone import LabPhone
from .needed import CHECKED_APART, needs


@proves("stepped-slider")
def test_a_slider_is_set_and_read_back(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("stepped-slider")
    mobile.adjust(by(resource_id="slider"), 70).expect_visible(text="Up to £70")
    assert lab.events[-1] == "stepped-slider set to 70"


@refutes("stepped-slider")
def test_what_lies_between_two_steps_cannot_be_set(visit: Visit) -> None:
    mobile = visit("stepped-slider")
    with refused("CONTROL_CONVERGENCE_FAILED"):
        mobile.adjust(by(resource_id="slider"), 33)
    with disproved():
        mobile.expect_visible(text="Up to £33")


@refutes("stepped-slider")
def test_what_is_set_again_is_compared_with_what_was_before_the_first_time(visit: Visit) -> None:
    mobile = visit("stepped-slider", allow=frozenset({"step_back"}))
    outcome = mobile.adjust(by(resource_id="slider"), 70)
    with disproved("tried step_back"):
        outcome.expect_visible(text="Up to £90")
    outcome.expect_changed()
    with disproved():
        outcome.expect_unchanged()


@proves("silent-slider")
def test_the_line_that_shows_the_effect_is_what_is_checked(visit: Visit) -> None:
    mobile = visit("silent-slider")
    mobile.swipe("right", by(resource_id="slider")).expect_changed().expect_visible(text="Text is large")


@refutes("silent-slider")
def test_a_value_that_nobody_reports_is_neither_set_nor_read(visit: Visit) -> None:
    mobile = visit("silent-slider")
    with disproved(code="EXPECT_STATE_MISMATCH", match="not reported"):
        mobile.expect_state(by(resource_id="slider"), value=40)
    with refused("SEMANTIC_MISMATCH"):
        mobile.adjust(by(resource_id="slider"), 80)


@proves("vertical-slider")
def test_an_upright_slider_is_set(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("vertical-slider")
    mobile.adjust(by(resource_id="slider"), 80, tolerance=2).expect_visible(
        by(text_matches="Volume (7[89]|8[0-2])")
    )


@refutes("vertical-slider")
def test_an_upright_slider_is_not_past_its_end(visit: Visit) -> None:
    mobile = visit("vertical-slider")
    with refused("CONTROL_CONVERGENCE_FAILED"):
        mobile.adjust(by(resource_id="slider"), 140)
    with disproved():
        mobile.expect_visible(text="Volume 140")


@proves("stepper")
def test_a_stepper_is_pressed_as_often_as_it_takes(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("stepper")
    mobile.adjust(by(resource_id="guests"), 5).expect_visible(text="A table for 5")
    assert lab.events == ["stepper set to 3", "stepper set to 4", "stepper set to 5"]


@refutes("stepper")
def test_a_stepper_stops_where_its_button_does_no_more(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("stepper?most=4")
    with refused("CONTROL_CONVERGENCE_FAILED"):
        mobile.adjust(by(resource_id="guests"), 7)
    with disproved():
        mobile.expect_visible(text="A table for 7")
    assert "stepper set to 5" not in lab.events


@pytest.mark.on_both
@proves("halves")
def test_one_half_is_touched_and_the_words_are_read(visit: Visit) -> None:
    mobile = visit("halves")
    mobile.adjust(by(resource_id="heating"), 22).expect_state(
        by(resource_id="heating"), text="Heating, 22 degrees"
    )


@pytest.mark.on_both
@refutes("halves")
def test_a_tap_in_the_middle_does_not_lower(visit: Visit) -> None:
    mobile = visit("halves")
    mobile.tap(by(resource_id="heating"))
    with disproved(code="EXPECT_STATE_MISMATCH"):
        mobile.expect_state(by(resource_id="heating"), text="Heating, 19 degrees")
    with refused("CONTROL_CONVERGENCE_FAILED"):
        mobile.adjust(by(resource_id="heating"), 99)


@proves("spoken-control")
def test_a_number_is_read_out_of_words(visit: Visit) -> None:
    mobile = visit("spoken-control")
    mobile.adjust(by(resource_id="brightness"), 70, tolerance=3).expect_visible(text="The room is bright")


@refutes("spoken-control")
def test_a_number_that_words_do_not_say_is_not_reached(visit: Visit) -> None:
    mobile = visit("spoken-control")
    with refused("CONTROL_CONVERGENCE_FAILED"):
        mobile.adjust(by(resource_id="brightness"), 170)
    with disproved(code="EXPECT_STATE_MISMATCH"):
        mobile.expect_state(by(resource_id="brightness"), text="Brightness, 170 percent")


@proves("dropdown")
def test_a_choice_is_made_by_its_words(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("dropdown")
    mobile.select(by(resource_id="size"), "Large").expect_visible(text="A large one")
    assert lab.events == ["size Large"]


@refutes("dropdown")
def test_what_is_not_offered_cannot_be_chosen(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("dropdown")
    with refused("ELEMENT_NOT_FOUND", "Extra large"):
        mobile.select(by(resource_id="size"), "Tiny")
    with disproved():
        mobile.expect_visible(text="A tiny one")
    assert lab.events == []


@pytest.mark.on_both
@proves("segments")
def test_a_segment_is_selected_and_never_checked(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("segments")
    mobile.tap(text="Month").expect_state(selected=True).expect_visible(text="By the month")
    mobile.expect_state(by(text="Week"), selected=False)
    assert lab.events == ["span Month"]


@refutes("segments")
def test_what_is_not_reported_is_neither_true_nor_false(visit: Visit) -> None:
    mobile = visit("segments")
    outcome = mobile.tap(text="Month")
    with disproved(code="EXPECT_STATE_MISMATCH"):
        outcome.expect_state(checked=False)
    with disproved(code="EXPECT_STATE_MISMATCH"):
        outcome.expect_selected(False)
    with disproved(code="EXPECT_STATE_MISMATCH"):
        mobile.expect_state(by(text="Week"), checked=True)


@refutes("segments")
@needs(CHECKED_APART)
def test_what_is_selected_is_not_checked(visit: Visit) -> None:
    outcome = visit("segments").tap(text="Month")
    with disproved(code="EXPECT_STATE_MISMATCH"):
        outcome.expect_state(checked=True)


@refutes("dropdown")
def test_a_list_that_stays_open_since_its_tap_was_lost_chose_nothing(
    visit: Visit, lab: LabPhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    mobile = visit("dropdown", recovery="off")
    driver, taps = mobile._context.driver, []
    real = driver.tap

    def second_is_lost(point: Point) -> None:
        taps.append(point)
        if len(taps) != 2:
            real(point)

    monkeypatch.setattr(driver, "tap", second_is_lost)
    with refused("ACTION_REJECTED", "still open"):
        mobile.select(by(resource_id="size"), "Large")
    assert (len(taps), lab.events) == (2, [])
