"""What a finger does to each control."""

from __future__ import annotations

import pytest

from pytest_replicant.virtual import VirtualPhone

from .toy_app import Hand, state_of, toy_phone


@pytest.fixture
def phone() -> VirtualPhone:
    return toy_phone()


@pytest.fixture
def hand(phone: VirtualPhone) -> Hand:
    return Hand(phone)


def test_a_drag_along_the_track_ends_where_the_finger_ends(phone: VirtualPhone, hand: Hand) -> None:
    frame = hand.find(id="tip").frame
    phone.swipe(frame.left + 42, frame.center.y, frame.right, frame.center.y + 300)
    assert state_of(phone).tip == 30
    phone.drag(frame.right - 42, frame.center.y, frame.left, frame.center.y)
    assert state_of(phone).tip == 0


def test_a_spinner_opens_its_choices_in_a_window(phone: VirtualPhone, hand: Hand) -> None:
    hand.tap(id="country")
    popup = phone.windows()[1]
    assert (popup.kind, popup.focused, popup.accessible) == ("popup", True, True)
    rows = [node for node in popup.root.walk() if node.class_name == "android.widget.CheckedTextView"]
    assert [(row.text, row.checked) for row in rows] == [("Denmark", True), ("Norway", False), ("Sweden", False)]
    hand.tap(text="Sweden")
    assert state_of(phone).country == 2
    assert hand.kinds()[:2] == ["app", "status_bar"]
    assert hand.find(resource_id="android:id/text1").text == "Sweden"


def test_a_touch_next_to_a_list_of_choices_only_closes_it(phone: VirtualPhone, hand: Hand) -> None:
    agree = hand.find(text="Agree").bounds.center
    hand.tap(id="country")
    phone.tap(agree.x, agree.y)
    assert "popup" not in hand.kinds()
    assert not state_of(phone).agreed


def test_long_press_and_tap_are_distinguished(phone: VirtualPhone, hand: Hand) -> None:
    center = hand.find(text="Press").bounds.center
    phone.long_press(center.x, center.y)
    phone.swipe(center.x, center.y, center.x, center.y, ms=1000)
    phone.swipe(center.x, center.y, center.x + 3, center.y, ms=50)
    phone.long_press(center.x, center.y, ms=100)
    assert state_of(phone).events == ["long press", "long press", "tap", "tap"]


def test_the_button_in_a_row_is_not_the_row() -> None:
    phone = toy_phone("Rows")
    hand = Hand(phone)
    hand.tap(text="Row 3")
    add = hand.find_all(id="add")[3].bounds.center
    phone.tap(add.x, add.y)
    assert state_of(phone).events == ["row 3", "add 3"]


def test_a_canvas_has_nothing_inside_and_is_reported_where_it_was_touched() -> None:
    phone = toy_phone("Surfaces")
    board = Hand(phone).find(id="board")
    assert (board.class_name, board.children) == ("android.view.View", [])
    phone.tap(board.frame.left + 12, board.frame.top + 34)
    assert state_of(phone).events == ["12,34"]


def test_what_is_in_a_web_page_has_the_pages_own_ids() -> None:
    hand = Hand(toy_phone("Surfaces"))
    assert hand.find(class_name="android.webkit.WebView").text == "Page"
    assert hand.find(resource_id="headline").text == "A page"


def test_what_is_dragged_is_dropped_on_what_is_under_the_finger() -> None:
    phone = toy_phone("Surfaces")
    hand = Hand(phone)
    start, end = hand.find(id="parcel").bounds.center, hand.find(id="board").bounds.center
    phone.drag(start.x, start.y, end.x, end.y)
    assert state_of(phone).events == ["dropped on board"]
