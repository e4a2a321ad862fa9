"""iOS by itself: keyboard and focus, keys, home screen, apps that hang and die."""

from __future__ import annotations

import pytest

from pytest_replicant.virtual import IPHONE, Latency, VirtualPhone
from pytest_replicant.virtual.designs.cupertino.system_ui import twelve_hours

from ..frail_app import FRAIL, frail_state
from ..toy_app import PACKAGE, TOY, Hand, ManualClock, state_of
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


def test_keys_lie_next_to_one_another() -> None:
    phone, hand = iphone()
    hand.tap(id="email")
    keys = [node for kind in ("Key", "Button") for node in all_of(window(phone, "keyboard").root, kind)]
    assert len(keys) == 26 + 5
    in_order = [node.description for node in window(phone, "keyboard").root.children[0].children]
    assert in_order[19:28] == ["shift", *"zxcvbnm", "delete"]
    for index, key in enumerate(keys):
        for other in keys[index + 1 :]:
            assert key.bounds.intersect(other.bounds).is_empty, (key.description, other.description)


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
    assert [node.resource_id for node in all_of(window(phone, "keyboard").root, "Button")] == ["shift", key]
    hand.tap(resource_id=key)
    assert state_of(phone).events == (["done"] if key == "Go" else [])
    assert phone.keyboard_shown is (id == "note")


def test_the_focus_waits_for_a_keyboard_that_rises() -> None:
    clock = ManualClock()
    phone = VirtualPhone([TOY], profile=IPHONE, latency=Latency(screen_change_ms=180), clock=clock)
    phone.start_app(PACKAGE)
    clock.now += 1
    hand = Hand(phone)
    hand.tap(id="email")
    assert not phone.keyboard_shown
    clock.now += 1
    assert phone.keyboard_shown
    assert hand.find(id="email").focused


def test_an_iphone_has_no_back_key() -> None:
    phone, hand = iphone()
    hand.tap(text="Next")
    assert phone.press_key("BACK") is True
    assert hand.find(resource_id="BackButton")
    phone.press_key("HOME")
    assert phone.foreground()[0] == "com.apple.springboard"


def test_the_home_screen_has_an_icon_per_app_that_opens_it() -> None:
    phone, hand = iphone()
    phone.press_key("HOME")
    (icon,) = all_of(window(phone, "app").root, "Icon")
    assert (icon.description, icon.package) == ("Toy", "com.apple.springboard")
    hand.tap(description="Toy")
    assert phone.foreground()[0] == PACKAGE


def test_a_crashed_app_leaves_the_home_screen_without_a_word() -> None:
    phone, hand, _ = frail_iphone()
    for _ in range(2):
        hand.tap(id="crash")
        assert phone.foreground()[0] == "com.apple.springboard"
        assert hand.kinds() == ["app", "status_bar", "navigation_bar"]
        phone.start_app(FRAIL)


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


def test_the_volume_has_a_pill_that_goes() -> None:
    clock = ManualClock()
    phone = VirtualPhone([], profile=IPHONE, latency=Latency(*[0] * 8), clock=clock)
    phone.press_key("VOLUME_UP")
    assert not window(phone, "volume_panel").accessible
    clock.now += 4
    assert "volume_panel" not in [each.kind for each in phone.windows()]


@pytest.mark.parametrize(
    ("clock", "shown"), [("09:41", "9:41"), ("00:05", "12:05"), ("12:30", "12:30"), ("21:41", "9:41")]
)
def test_the_clock_is_of_twelve_hours(clock: str, shown: str) -> None:
    assert twelve_hours(clock) == shown


def test_every_window_says_how_it_is_drawn() -> None:
    phone, hand = iphone()
    hand.tap(id="email")
    assert {each.design for each in phone.windows()} == {"cupertino"}
