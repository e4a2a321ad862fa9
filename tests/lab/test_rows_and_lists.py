"""Rows that look alike, lists that grow and move: what is tapped is what was meant."""

from __future__ import annotations

import pytest

from pytest_replicant import UsageError, by

from .exhibits_shown import Visit, disproved, proves, refused, refutes
from .lab_phone import LabPhone


@proves("look-alikes")
def test_a_row_is_named_by_what_is_special_about_it(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("look-alikes?seed=7")
    mobile.tap(text="Buy", row_with=by(text="Oak")).expect_visible(text="Bought the chair of oak")
    assert [event.rpartition(" ")[2] for event in lab.events] == ["(Oak)"]


@refutes("look-alikes")
def test_of_eight_buttons_none_is_guessed(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("look-alikes?twins=2")
    with refused("AMBIGUOUS_TARGET"):
        mobile.tap(text="Buy")
    with refused("AMBIGUOUS_TARGET"):
        mobile.tap(text="Buy", row_with=by(text="Oak"))  # there are two of oak, to the last letter
    assert lab.events == []
    outcome = mobile.tap(text="Buy", row_with=by(text="Ebony"))
    with disproved():
        outcome.expect_visible(text="Bought the chair of oak")


@proves("inserting-list")
def test_the_message_that_is_meant_is_opened_wherever_it_is_by_now(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("inserting-list?every=150")
    mobile.tap(text="Message 3").expect_visible(text="Opened message 3")
    assert lab.events == ["opened message 3"]


@refutes("inserting-list")
def test_a_place_kept_from_an_earlier_look_opens_another_message(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("inserting-list?every=150")
    place = mobile.find(text="Message 3").center
    mobile.wait_for(text="Message 9", timeout=2)
    outcome = mobile.tap_at(*place)
    with disproved():
        outcome.expect_visible(text="Opened message 3", timeout=0.5)
    with disproved():
        outcome.expect_unchanged(timeout=0.5)
    assert lab.events != ["opened message 3"]


@pytest.mark.on_both
@proves("long-list")
def test_a_far_row_is_scrolled_to_by_its_name(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("long-list?rows=60")
    mobile.scroll_to(text="Row 55").expect_visible(text="Row 55")
    with disproved("scrolled out of view"):  # it is still in the list
        mobile.expect_gone(text="Row 1")
    mobile.tap(text="Row 55").expect_visible(text="Chose row 55")
    assert lab.events == ["chose row 55"]


@refutes("long-list")
def test_a_row_that_is_not_there_is_said_not_to_be(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("long-list?rows=25")
    with refused("ELEMENT_NOT_FOUND"):
        mobile.scroll_to(text="Row 26")
    with disproved():
        mobile.expect_visible(text="Row 1")  # which has left the screen
    assert lab.events == []


@pytest.mark.on_both
@refutes("long-list")
def test_what_stands_above_a_list_is_not_gone_by_scrolling_it(visit: Visit) -> None:
    outcome = visit("long-list").scroll("down")
    with disproved():
        outcome.expect_gone(text="Nothing yet")
    with disproved():
        outcome.expect_count(0, text="Nothing yet")


@proves("endless-list")
def test_a_wheel_is_not_the_end_of_the_list(visit: Visit) -> None:
    mobile = visit("endless-list?delay=300&pages=3")
    mobile.scroll_to(text="Row 45", timeout=4).expect_visible(text="Row 45")


@refutes("endless-list")
def test_nothing_is_scrolled_for_ever(visit: Visit) -> None:
    mobile = visit("endless-list?delay=50")
    with refused("ELEMENT_NOT_FOUND"):
        mobile.scroll_to(text="Row 0", max_swipes=4)


@proves("pull-to-refresh")
def test_a_pull_at_the_top_renews_the_list(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("pull-to-refresh?delay=300")
    mobile.scroll("up").expect_visible(text="Renewed 1 times", timeout=3)
    assert "renewed 1" in lab.events


@refutes("pull-to-refresh")
def test_a_scroll_down_renews_nothing(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("pull-to-refresh?delay=300")
    outcome = mobile.scroll("down")
    with disproved():
        outcome.expect_visible(text="Renewed 1 times")
    assert lab.events == []


@proves("nested-scrollers")
def test_the_list_inside_is_scrolled_where_it_is_named(visit: Visit) -> None:
    mobile = visit("nested-scrollers")
    outcome = mobile.scroll("down", by(resource_id="inner"))
    outcome.expect_visible(text="Outer row 1")
    with disproved("scrolled out of view"):
        outcome.expect_gone(text="Inner row 1")


@refutes("nested-scrollers")
def test_what_the_page_scrolled_is_not_taken_for_the_list(visit: Visit) -> None:
    mobile = visit("nested-scrollers")
    outcome = mobile.scroll("down", by(resource_id="inner"))
    with disproved():
        outcome.expect_gone(text="Outer row 1")
    with disproved():
        outcome.expect_unchanged()


@pytest.mark.on_both
@proves("side-scroller")
def test_the_row_is_scrolled_to_the_side(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("side-scroller")
    mobile.scroll_to(text="Wool", container=by(resource_id="filters"), direction="right")
    mobile.tap(text="Wool").expect_state(selected=True).expect_visible(text="Only wool")
    assert lab.events == ["filter Wool"]


@pytest.mark.on_both
@refutes("side-scroller")
def test_the_page_has_no_wool_below(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("side-scroller")
    with refused("ELEMENT_NOT_FOUND"):
        mobile.scroll_to(text="Wool", direction="down")
    outcome = mobile.tap(text="Brass")
    with disproved(code="EXPECT_STATE_MISMATCH"):
        outcome.expect_state(selected=False)
    assert lab.events == ["filter Brass"]


@proves("reorder")
def test_a_row_is_dragged_onto_another(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("reorder")
    outcome = mobile.drag(by(description="Move Call Ada"), by(description="Move Water the plants"))
    outcome.expect_changed()
    rows = [row.label for row in outcome.snapshot.elements if row.label in ("Call Ada", "Water the plants")]
    assert rows[:2] == ["Call Ada", "Water the plants"]
    assert lab.events == ["moved Call Ada to 0"]


@refutes("reorder")
def test_a_tap_on_the_handle_moves_nothing(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("reorder")
    outcome = mobile.tap(description="Move Call Ada")
    with disproved():
        outcome.expect_changed()
    with refused("ELEMENT_NOT_FOUND"):
        mobile.drag(by(description="Move Nobody"), by(text="Feed the cat"))
    assert lab.events == []


@proves("drop-zones")
def test_a_parcel_is_dropped_where_it_belongs(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("drop-zones")
    mobile.drag(by(text="Books"), by(text="Lagos")).expect_count(2, text="Empty")
    assert lab.events[-1] == "dropped Books at Lagos"


@refutes("drop-zones")
def test_a_drop_beside_leaves_everything_as_it_was(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("drop-zones")
    outcome = mobile.drag(by(text="Books"), by(text="Drag parcels to where they belong"))
    outcome.expect_count(3, text="Empty")
    with disproved():
        outcome.expect_count(2, text="Empty")
    assert lab.events == []
    with pytest.raises(UsageError):
        mobile.drag("Books", "Lagos")


@pytest.mark.on_both
@proves("tall-row")
def test_a_list_goes_on_below_a_row_taller_than_the_screen(visit: Visit) -> None:
    mobile = visit("tall-row")
    lines = mobile.collect(text_matches="^(Headline|Signed)", max_swipes=60)
    assert lines.labels == ["Headline", "Signed, the editors"]
    assert mobile.scroll("down").reached_end
    mobile.expect_gone(text="Signed, the authors")
    mobile.scroll_to(text="Headline", direction="up").expect_visible(text="Headline")
    assert not mobile.scroll("down").reached_end
    mobile.scroll_to(text="Signed, the editors").expect_visible(text="Signed, the editors")


@pytest.mark.on_both
@refutes("tall-row")
def test_what_is_below_a_tall_row_is_not_gone(visit: Visit) -> None:
    mobile = visit("tall-row", recovery="off")
    mobile.expect_visible(text="Headline")
    with refused("ELEMENT_NOT_FOUND"):
        mobile.scroll_to(text="Signed, the authors")
    mobile.expect_visible(text="Signed, the editors")
    with disproved("scrolled out of view"):
        mobile.expect_gone(text="Headline")


@pytest.mark.on_both
@proves("equal-lists")
def test_one_of_two_equal_lists_is_named(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("equal-lists")
    mobile.scroll_to(text="Right 30", container=by(resource_id="right"))
    mobile.tap(text="Right 30").expect_visible(text="Chose right 30")
    mobile.expect_visible(text="Left 1")  # the other did not move
    assert lab.events == ["chose right 30"]


@pytest.mark.on_both
@refutes("equal-lists")
def test_neither_of_two_equal_lists_is_chosen(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("equal-lists", recovery="off")
    with refused("AMBIGUOUS_TARGET", "container="):
        mobile.scroll_to(text="Right 30")
    with refused("AMBIGUOUS_TARGET", "container="):
        mobile.scroll("down")
    mobile.expect_visible(text="Left 1").expect_visible(text="Right 1")
    assert lab.events == []


@pytest.mark.on_both
@proves("bare-cards")
def test_a_button_of_a_card_without_ids_is_its_own_after_another_went(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("bare-cards")
    mobile.tap(text="Arrived").expect_gone(text="Lamp")
    mobile.tap(text="Cancel", row_with=by(text="Table")).expect_visible(text="Cancelled table")
    assert lab.events == ["cancelled table"]


@pytest.mark.on_both
@refutes("bare-cards")
@pytest.mark.parametrize("first", ["Arrived", "Rename"])
def test_a_button_of_a_card_that_went_or_is_renamed_is_no_other_cards(
    visit: Visit, lab: LabPhone, first: str
) -> None:
    mobile = visit("bare-cards", recovery="off")
    card = "Lamp" if first == "Arrived" else "Sofa"
    ref = mobile.find(text="Cancel", row_with=by(text=card)).ref
    mobile.tap(text=first).expect_gone(text=card)
    with refused("STALE_REFERENCE"):
        mobile.tap(ref)
    assert lab.events == []
