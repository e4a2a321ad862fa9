"""Rows that look alike, lists that grow and move: what is tapped is what was meant."""

from __future__ import annotations

import pytest

from pytest_replicant import UsageError, by

from .exhibits_shown import Visit, disproved, proves, refused, refutes, shows
from .lab_phone import LabPhone


@refutes("look-alikes")
def test_of_eight_buttons_none_is_guessed(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("look-alikes?twins=2")
    with refused("AMBIGUOUS_TARGET"):
        mobile.tap(text="Buy", row_with=by(text="Oak"))  # there are two of oak, to the last letter
    assert lab.events == []


@proves("inserting-list")
def test_the_message_that_is_meant_is_opened_wherever_it_is_by_now(
    visit: Visit, lab: LabPhone
) -> None:
    mobile = visit("inserting-list?every=150")
    mobile.tap(text="Message 3").expect_visible(text="Opened message 3")
    assert lab.events == ["opened message 3"]


@pytest.mark.on_both
@shows("long-list")
def test_a_far_row_is_scrolled_to_by_its_name_and_what_it_left_behind_is_not_gone(
    visit: Visit, lab: LabPhone
) -> None:
    mobile = visit("long-list?rows=60")
    for outside in ("Nothing yet", "Row 1"):
        with disproved():
            mobile.scroll_to(text="Row 55").expect_gone(text=outside)
    mobile.tap(text="Row 55").expect_visible(text="Chose row 55")
    assert lab.events == ["chose row 55"]


@shows("endless-list")
def test_a_wheel_is_not_the_end_of_the_list_and_nothing_is_scrolled_for_ever(visit: Visit) -> None:
    mobile = visit("endless-list?delay=300&pages=3")
    mobile.scroll_to(text="Row 45", timeout=4).expect_visible(text="Row 45")
    with refused("ELEMENT_NOT_FOUND"):
        visit("endless-list?delay=50").scroll_to(text="Row 0", max_swipes=4)


@refutes("pull-to-refresh")
def test_a_scroll_down_renews_nothing(visit: Visit, lab: LabPhone) -> None:
    outcome = visit("pull-to-refresh?delay=300").scroll("down")
    with disproved():
        outcome.expect_visible(text="Renewed 1 times")
    assert lab.events == []


@shows("nested-scrollers")
def test_the_list_inside_is_scrolled_where_it_is_named(visit: Visit) -> None:
    outcome = visit("nested-scrollers").scroll("down", by(resource_id="inner"))
    outcome.expect_visible(text="Outer row 1")
    with disproved("scrolled out of view"):
        outcome.expect_gone(text="Inner row 1")


@pytest.mark.on_both
@shows("side-scroller")
def test_the_row_is_scrolled_to_the_side_and_the_page_has_none_of_it_below(
    visit: Visit, lab: LabPhone
) -> None:
    mobile = visit("side-scroller")
    with refused("ELEMENT_NOT_FOUND"):
        mobile.scroll_to(text="Wool", direction="down")
    mobile.scroll_to(text="Wool", container=by(resource_id="filters"), direction="right")
    mobile.tap(text="Wool").expect_state(selected=True).expect_visible(text="Only wool")
    assert lab.events == ["filter Wool"]


@shows("reorder")
def test_a_row_is_dragged_onto_another_and_a_tap_moves_none(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("reorder")
    with disproved():
        mobile.tap(description="Move Call Ada").expect_changed()
    outcome = mobile.drag(by(description="Move Call Ada"), by(description="Move Water the plants"))
    outcome.expect_changed()
    rows = [
        row.label
        for row in outcome.snapshot.elements
        if row.label in ("Call Ada", "Water the plants")
    ]
    assert rows[:2] == ["Call Ada", "Water the plants"]
    assert lab.events == ["moved Call Ada to 0"]


@refutes("drop-zones")
def test_a_drop_beside_leaves_everything_as_it_was(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("drop-zones")
    mobile.drag(by(text="Books"), by(text="Drag parcels to where they belong")).expect_count(
        3, text="Empty"
    )
    assert lab.events == []
    with pytest.raises(UsageError):
        mobile.drag("Books", "Lagos")


@pytest.mark.on_both
@shows("tall-row")
def test_a_list_goes_on_below_a_row_taller_than_the_screen(visit: Visit) -> None:
    mobile = visit("tall-row")
    mobile.expect_visible(text="Headline")
    with refused("ELEMENT_NOT_FOUND"):
        mobile.scroll_to(text="Signed, the authors")
    mobile.expect_visible(text="Signed, the editors")
    with disproved("scrolled out of view"):
        mobile.expect_gone(text="Headline")
    assert mobile.scroll("down").reached_end


@pytest.mark.on_both
@shows("equal-lists")
def test_one_of_two_equal_lists_is_named_and_else_neither_is_chosen(
    visit: Visit, lab: LabPhone
) -> None:
    mobile = visit("equal-lists", recovery="off")
    with refused("AMBIGUOUS_TARGET", "container="):
        mobile.scroll("down")
    mobile.scroll_to(text="Right 30", container=by(resource_id="right"))
    mobile.tap(text="Right 30").expect_visible(text="Chose right 30")
    mobile.expect_visible(text="Left 1")  # the other did not move
    assert lab.events == ["chose right 30"]


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
    mobile.tap(text="Cancel", row_with=by(text="Table")).expect_visible(text="Cancelled table")
    assert lab.events == ["cancelled table"]
