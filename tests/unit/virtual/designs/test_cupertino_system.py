"""iOS by itself: keyboard and focus, keys, home screen, apps that hang and die."""

from __future__ import annotations

import pytest

from ..frail_app import frail_state
from ..toy_app import PACKAGE, state_of
from .iphone import all_of, frail_iphone, front, iphone, kind_of, points, window


def test_fingers_type_on_the_keyboard() -> None:
    phone, hand = iphone()
    hand.tap(id="email")
    board = window(phone, "keyboard")
    assert (kind_of(board.root), board.package, board.accessible) == ("Keyboard", PACKAGE, True)
    assert points(board.root) == (0, 561, 393, 291)
    for key in ("a", "d", "space", "a", "b", "delete"):
        hand.tap(description=key)
    assert state_of(phone).email == "ad a"


def test_return_ends_the_editing_and_the_focus_goes() -> None:
    phone, hand = iphone("Form")
    hand.tap(id="name")
    assert hand.find(id="name").focused
    hand.tap(resource_id="Return")
    assert not phone.keyboard_shown
    assert not any(node.focused for node in window(phone, "app").root.walk())
    assert not phone.type_text("x"), "there is nothing to type in without a keyboard"


@pytest.mark.parametrize(("id", "key"), [("name", "Return"), ("note", "Return"), ("last", "Go")])
def test_the_return_key_says_when_it_does_more(id: str, key: str) -> None:
    phone, hand = iphone("Form")
    front(phone).focus(id)
    assert [node.resource_id for node in all_of(window(phone, "keyboard").root, "Button")] == [
        "shift",
        key,
    ]
    hand.tap(resource_id=key)
    assert state_of(phone).events == (["done"] if key == "Go" else [])
    assert phone.keyboard_shown is (id == "note")


def test_an_iphone_has_no_back_key() -> None:
    phone, hand = iphone()
    hand.tap(text="Next")
    assert phone.press_key("BACK") is True
    assert hand.find(resource_id="BackButton")
    phone.press_key("HOME")
    assert phone.foreground()[0] == "com.apple.springboard"


def test_a_hung_app_does_not_react_and_no_one_says_so() -> None:
    phone, hand, clock = frail_iphone()
    hand.tap(id="hang")
    hand.tap(id="add")
    clock.now += 11
    assert hand.kinds() == ["app", "status_bar", "navigation_bar"]
    assert frail_state(phone).count == 100
    clock.now += 2
    phone.windows()
    assert frail_state(phone).count == 101
