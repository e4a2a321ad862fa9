"""What moves and what is covered: nothing is tapped where it was, and nothing through what lies
over it."""

from __future__ import annotations

import pytest

from pytest_replicant import by

from .exhibits_shown import Visit, disproved, proves, refused, refutes, shows
from .lab_phone import LabPhone
from .needed import TOASTS, needs


@shows("moving-button")
def test_a_button_is_tapped_once_it_rests_and_not_before(visit: Visit, lab: LabPhone) -> None:
    with refused("ELEMENT_NOT_INTERACTABLE", "mov"):
        visit("moving-button?lasts=0", recovery="off").tap(text="Catch me", timeout=1)
    visit("moving-button?lasts=800").tap(text="Catch me").expect_visible(text="Caught 1 times")
    assert lab.events == ["caught 1"]


@proves("layout-shift")
def test_what_is_meant_is_pressed_before_and_after_the_shift(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("layout-shift?delay=500")
    mobile.tap(text="Keep").expect_visible(text="Pressed keep")
    mobile.wait_for(text="Now with free delivery")
    mobile.tap(text="Keep").expect_visible(text="Pressed keep")
    assert lab.events == ["pressed keep", "pressed keep"]


@pytest.mark.on_both
@refutes("overlay")
def test_nothing_is_tapped_through_a_cover_and_the_cover_is_named(
    visit: Visit, lab: LabPhone
) -> None:
    mobile = visit("overlay?lasts=0")
    with refused("ELEMENT_NOT_INTERACTABLE", "covered by"):
        mobile.tap(text="Pay")
    assert lab.events == []


@proves("bottom-bar")
def test_a_button_under_the_bar_is_brought_out(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("bottom-bar")
    mobile.scroll("down")
    mobile.tap(text="Accept").expect_visible(text="Accept")
    assert lab.events == ["pressed accept"]


@shows("toasts")
@needs(TOASTS)
def test_a_toast_is_seen_and_is_no_part_of_the_screen_nor_of_the_next_action_or_test(
    lab: LabPhone,
) -> None:
    with lab.recorded() as (mobile, _):
        mobile.open_url("lab://toasts")
        outcome = mobile.tap(text="Archive").expect_seen(text="Archived one message")
        with disproved():
            outcome.expect_visible(text="Archived one message", timeout=0.3)
        with disproved():
            mobile.tap(text="Next").expect_seen(text="Archived one message", timeout=0.3)
        mobile.tap(text="Archive").expect_seen(text="Archived one message")
    assert lab.events == ["archived", "next", "archived"]
    with lab.recorded() as (mobile, _), disproved():
        mobile.expect_seen(text="Archived one message", timeout=0.3)


@pytest.mark.on_both
@proves("snackbar")
def test_a_snackbar_is_waited_for_and_its_offer_is_not_taken(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("snackbar?lasts=1000")
    mobile.tap(text="Archive").expect_visible(text="Undo")
    mobile.tap(text="Next").expect_gone(text="Undo")
    assert lab.events == ["archived", "next"]


@shows("restless-form")
def test_a_form_is_sent_while_parts_of_it_never_rest(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("restless-form?flaw=4")
    mobile.hide_keyboard()
    with disproved():
        mobile.expect_visible(text="£ 18.90", timeout=0.3)  # which the flaw made another
    mobile.tap(text="Send").expect_visible(text="Sent 1 times")
    assert lab.events == ["sent 1"]


@refutes("carousel")
def test_an_offer_that_is_over_is_not_taken_for_the_next(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("carousel?every=0")
    with refused("ELEMENT_NOT_FOUND"):
        mobile.tap(text="Lamp")
    mobile.swipe("left", by(resource_id="offers"))
    with disproved("scrolled out of view"):
        mobile.expect_gone(text="Mug")
    assert lab.events == []


@pytest.mark.on_both
@refutes("sheet-in-app")
def test_what_is_under_a_sheet_is_not_tapped(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("sheet-in-app", recovery="off")
    mobile.tap(text="Share").expect_visible(text="Copy link")
    if mobile.platform == "android":  # an iPhone does not report which containers take touches
        with refused("ELEMENT_NOT_INTERACTABLE", "covered"):
            mobile.tap(text="Pay")
    mobile.tap(text="Close").expect_gone(text="Copy link").expect_visible(text="Pay")
    assert lab.events == []
