"""What moves and what is covered: nothing is tapped where it was, and nothing through what lies over it."""

from __future__ import annotations

import pytest

from pytest_replicant import by

from .exhibits_shown import Visit, disproved, proves, refused, refutes
from .lab_phone import LabPhone
from .needed import TOASTS, needs


@proves("moving-button")
def test_a_button_is_tapped_once_it_rests(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("moving-button?lasts=800")
    mobile.tap(text="Catch me").expect_visible(text="Caught 1 times")
    assert lab.events == ["caught 1"]


@refutes("moving-button")
def test_a_button_that_never_rests_is_not_tapped(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("moving-button?lasts=0", recovery="off")
    with refused("ELEMENT_NOT_INTERACTABLE", "mov"):
        mobile.tap(text="Catch me", timeout=1)
    assert lab.events == []


@proves("layout-shift")
def test_what_is_meant_is_pressed_before_and_after_the_shift(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("layout-shift?delay=500")
    mobile.tap(text="Keep").expect_visible(text="Pressed keep")
    mobile.wait_for(text="Now with free delivery")
    mobile.tap(text="Keep").expect_visible(text="Pressed keep")
    assert lab.events == ["pressed keep", "pressed keep"]


@refutes("layout-shift")
def test_the_place_of_the_one_is_the_other_after_the_shift(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("layout-shift?delay=500")
    place = mobile.find(text="Keep").center
    mobile.wait_for(text="Now with free delivery")
    outcome = mobile.tap_at(*place)
    with disproved():
        outcome.expect_visible(text="Pressed keep")
    assert lab.events == ["pressed delete"]


@proves("overlay")
def test_a_cover_is_waited_for(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("overlay?lasts=800")
    mobile.tap(text="Pay").expect_visible(text="Paid 1 times")
    assert lab.events == ["paid 1"]


@pytest.mark.on_both
@refutes("overlay")
def test_nothing_is_tapped_through_a_cover_and_the_cover_is_named(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("overlay?lasts=0")
    with refused("ELEMENT_NOT_INTERACTABLE", "covered by"):
        mobile.tap(text="Pay")
    with disproved():
        mobile.expect_visible(text="Paid 1 times")
    assert lab.events == []


@proves("bottom-bar")
def test_a_button_under_the_bar_is_brought_out_or_refused(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("bottom-bar")
    mobile.scroll("down")
    mobile.tap(text="Accept").expect_visible(text="Accept")
    assert lab.events == ["pressed accept"]


@refutes("bottom-bar")
def test_the_bar_is_not_the_button_under_it(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("bottom-bar", recovery="off")
    mobile.tap(text="Help").expect_visible(text="Pressed help")
    with disproved():
        mobile.expect_visible(text="Pressed accept")
    assert lab.events == ["pressed help"]


@proves("toasts")
def test_a_toast_is_seen_though_no_dump_holds_it(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("toasts")
    mobile.tap(text="Archive").expect_seen(text="Archived one message").expect_visible(text="Archived")
    mobile.tap(text="Next").expect_visible(text="Next")
    assert lab.events == ["archived", "next"]


@pytest.mark.on_both
@refutes("toasts")
def test_a_toast_that_was_not_shown_is_not_seen(visit: Visit, lab: LabPhone) -> None:
    outcome = visit("toasts").tap(text="Archive")
    with disproved():
        outcome.expect_seen(text="Archived two messages")
    lab.clock.sleep(10)
    with disproved():
        outcome.expect_visible(text="Archived one message")


@refutes("toasts")
@needs(TOASTS)
def test_a_toast_is_no_part_of_the_screen_and_not_of_the_next_action(visit: Visit) -> None:
    mobile = visit("toasts")
    outcome = mobile.tap(text="Archive")
    with disproved():
        outcome.expect_visible(text="Archived one message")
    with disproved():
        outcome.expect_seen(text="Archived two messages")
    with disproved():
        mobile.tap(text="Next").expect_seen(text="Archived one message")


@pytest.mark.on_both
@proves("snackbar")
def test_a_snackbar_is_waited_for_and_its_offer_is_not_taken(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("snackbar?lasts=1000")
    mobile.tap(text="Archive").expect_visible(text="Undo")
    mobile.tap(text="Next").expect_gone(text="Undo")
    assert lab.events == ["archived", "next"]


@refutes("snackbar")
def test_an_offer_that_is_over_is_not_there(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("snackbar?lasts=500")
    outcome = mobile.tap(text="Archive")
    with disproved():
        outcome.expect_gone(text="Undo", timeout=0.1)
    outcome.expect_gone(text="Undo")
    with refused("ELEMENT_NOT_FOUND"):
        mobile.tap(text="Undo")
    assert lab.events == ["archived"]


@proves("endless-spinner")
def test_a_wheel_that_never_stops_holds_nothing_up(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("endless-spinner")
    mobile.tap(text="Go on").expect_visible(text="Went on 1 times").expect_visible(text="Everything is here")
    assert lab.events == ["went on 1"]


@refutes("endless-spinner")
def test_a_wheel_that_never_stops_is_not_gone(visit: Visit) -> None:
    mobile = visit("endless-spinner")
    with disproved():
        mobile.expect_visible(text="Went on 1 times")
    with disproved():
        mobile.expect_gone(text="Everything is here")


@proves("clock")
def test_a_tick_is_no_effect(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("clock?every=200")
    mobile.tap(text="Keep").expect_visible(text="Kept 1 times")
    assert lab.events == ["kept 1"]


@refutes("clock")
def test_a_clock_is_not_unchanged_and_no_tick_is_masked_for_a_check(visit: Visit) -> None:
    mobile = visit("clock?every=200")
    outcome = mobile.tap(text="Keep")
    with disproved():
        outcome.expect_unchanged()
    with disproved():
        outcome.expect_visible(text="Kept 2 times")
    with disproved(code="EXPECT_STATE_MISMATCH"):
        mobile.expect_state(by(resource_id="time"), text="10:00:00")


@proves("restless-form")
def test_a_form_is_sent_while_parts_of_it_never_rest(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("restless-form")
    mobile.hide_keyboard()
    mobile.tap(text="Send").expect_visible(text="Sent 1 times")
    assert lab.events == ["sent 1"]


@refutes("restless-form")
def test_a_flaw_of_its_look_is_no_other_text_but_where_the_text_is_wrong(visit: Visit) -> None:
    mobile = visit("restless-form?flaw=4")
    with disproved():
        mobile.expect_visible(text="£ 18.90")
    with disproved():
        mobile.expect_visible(text="Sent 1 times")


@proves("carousel")
def test_an_offer_is_waited_for_and_taken(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("carousel?every=1000")
    mobile.wait_for(text="Teapot")
    mobile.tap(text="Teapot").expect_visible(text="Took the teapot")
    assert lab.events == ["took the teapot"]


@refutes("carousel")
def test_an_offer_that_is_over_is_not_taken_for_the_next(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("carousel?every=0")
    with refused("ELEMENT_NOT_FOUND"):
        mobile.tap(text="Lamp")
    mobile.swipe("left", by(resource_id="offers"))
    with disproved("scrolled out of view"):
        mobile.expect_gone(text="Mug")
    with disproved():
        mobile.expect_visible(text="Mug")
    assert lab.events == []


@pytest.mark.on_both
@proves("sheet-in-app")
def test_a_sheet_of_the_apps_own_is_used_and_closed(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("sheet-in-app")
    mobile.tap(text="Share").expect_visible(text="Copy link")
    mobile.tap(text="Copy link")
    mobile.tap(text="Close").expect_gone(text="Copy link").expect_visible(text="Copied")
    mobile.tap(text="Pay").expect_visible(text="Paid")
    assert lab.events == ["copied", "paid"]


@pytest.mark.on_both
@refutes("sheet-in-app")
def test_what_is_under_a_sheet_is_neither_gone_nor_tapped(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("sheet-in-app", recovery="off")
    mobile.tap(text="Share").expect_visible(text="Copy link")
    with disproved():
        mobile.expect_gone(text="Pay")
    with disproved():
        mobile.expect_count(0, text="Pay")
    if mobile.platform == "android":  # an iPhone does not report which containers take touches
        with refused("ELEMENT_NOT_INTERACTABLE", "covered"):
            mobile.tap(text="Pay")
    assert lab.events == []


@pytest.mark.on_both
@proves("loading-veil")
def test_behind_a_veil_is_known_when_it_is_gone(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("loading-veil?lasts=500")
    mobile.expect_visible(text="Invoice 12")
    mobile.tap(text="Refresh").expect_gone(text="Invoice 12").expect_visible(text="Invoice 13")
    assert lab.events == ["refreshing"]


@pytest.mark.on_both
@refutes("loading-veil")
@pytest.mark.parametrize("number", [11, 12, 99])
def test_behind_a_veil_nothing_is_gone(visit: Visit, number: int) -> None:
    mobile = visit("loading-veil?lasts=0", recovery="off")
    outcome = mobile.tap(text="Refresh")
    with disproved():
        outcome.expect_gone(text=f"Invoice {number}")
    with disproved():
        mobile.expect_count(0, text=f"Invoice {number}")


@pytest.mark.on_both
@refutes("toasts")
@needs(TOASTS)
def test_a_toast_of_a_former_test_is_none_of_this_one(lab: LabPhone) -> None:
    with lab.recorded() as (mobile, _):
        mobile.open_url("lab://toasts")
        mobile.tap(text="Archive").expect_seen(text="Archived one message")
    with lab.recorded() as (mobile, _), disproved():
        mobile.expect_seen(text="Archived one message")
