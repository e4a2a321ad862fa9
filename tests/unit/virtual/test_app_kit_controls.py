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


@pytest.mark.parametrize(("label", "name"), [("Agree", "agreed"), ("Loud", "loud")])
def test_a_box_or_switch_turns_with_each_tap(phone: VirtualPhone, hand: Hand, label: str, name: str) -> None:
    assert hand.find(text=label).checkable
    for expected in (True, False):
        hand.tap(text=label)
        assert getattr(state_of(phone), name) is expected
        assert hand.find(text=label).checked is expected


def test_one_radio_button_of_a_group_is_chosen(phone: VirtualPhone, hand: Hand) -> None:
    hand.tap(text="Van")
    hand.tap(text="Van")
    assert state_of(phone).way == 1
    assert [hand.find(text=each).checked for each in ("Post", "Van")] == [False, True]


@pytest.mark.parametrize("value", [0, 1, 7, 15, 29, 30])
def test_a_tap_on_a_track_sets_the_value_to_the_pixel(phone: VirtualPhone, hand: Hand, value: int) -> None:
    frame = hand.find(id="tip").frame
    inset = round(16 * phone.profile.scale)
    x = frame.left + inset + round((frame.width - 2 * inset) * value / 30)
    phone.tap(x, frame.center.y)
    assert state_of(phone).tip == value
    assert hand.find(id="tip").text == f"{value:.1f}"


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


def test_a_stepper_stops_at_its_ends(phone: VirtualPhone, hand: Hand) -> None:
    for _ in range(3):
        hand.tap(id="plus")
    assert state_of(phone).count == 2
    assert not hand.find(id="plus").enabled
    assert hand.find(id="quantity").text == "2"


def test_a_disabled_button_swallows_the_tap(phone: VirtualPhone, hand: Hand) -> None:
    hand.tap(id="off")
    assert state_of(phone).events == []


def test_long_press_and_tap_are_distinguished(phone: VirtualPhone, hand: Hand) -> None:
    center = hand.find(text="Press").bounds.center
    phone.long_press(center.x, center.y)
    phone.swipe(center.x, center.y, center.x, center.y, ms=1000)
    phone.swipe(center.x, center.y, center.x + 3, center.y, ms=50)
    phone.long_press(center.x, center.y, ms=100)
    assert state_of(phone).events == ["long press", "long press", "tap", "tap"]


def test_a_long_press_that_no_one_waits_for_is_a_tap(phone: VirtualPhone, hand: Hand) -> None:
    center = hand.find(text="Agree").bounds.center
    phone.long_press(center.x, center.y)
    assert state_of(phone).agreed


def test_the_toolbar_has_title_actions_and_the_arrow(phone: VirtualPhone, hand: Hand) -> None:
    toolbar = hand.find(id="toolbar")
    assert [child.text for child in toolbar.children if child.text] == ["Controls"]
    hand.tap(description="More")
    assert state_of(phone).events == ["more"]
    hand.tap(text="Next")
    hand.tap(description="Navigate up")
    assert hand.find(id="toolbar").children[0].text == "Controls"


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
