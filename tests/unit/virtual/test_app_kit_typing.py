"""Fields, the caret, the keyboard."""

from __future__ import annotations

import pytest

from pytest_replicant.virtual import VirtualPhone

from .toy_app import Hand, ManualClock, state_of, toy_phone


@pytest.fixture
def phone() -> VirtualPhone:
    return toy_phone("Form")


@pytest.fixture
def hand(phone: VirtualPhone) -> Hand:
    return Hand(phone)


def test_setting_text_takes_a_node_of_an_older_screen_and_no_label(
    phone: VirtualPhone, hand: Hand
) -> None:
    old = hand.find(hint="Name")
    hand.tap(hint="Secret")
    assert phone.set_text(old, "later")
    assert hand.find(hint="Name").text == "later"
    assert not phone.set_text(hand.find(text="Form"), "title")


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        (["DEL"], "ab"),
        (["MOVE_HOME", "DEL"], "abc"),
        (["MOVE_HOME", "FORWARD_DEL"], "bc"),
        (["DPAD_LEFT", "X"], "abxc"),
        (["MOVE_HOME", "DPAD_RIGHT", "KEYCODE_7", "MOVE_END", "AT"], "a7bc@"),
        (["SPACE", "67", 67], "ab"),
        (["COPY", "PASTE"], "abcabc"),
    ],
)
def test_keys_edit_at_the_caret(
    phone: VirtualPhone, hand: Hand, keys: list[str | int], text: str
) -> None:
    hand.tap(hint="Name")
    phone.type_text("abc")
    for key in keys:
        assert phone.press_key(key)
    assert hand.find(hint="Name").text == text


def test_enter_goes_to_the_next_field_and_the_last_one_acts(
    phone: VirtualPhone, hand: Hand
) -> None:
    hand.tap(hint="Name")
    phone.press_key("ENTER")
    assert hand.find(hint="Secret").focused
    phone.press_key("TAB")
    phone.press_key("TAB")
    assert hand.find(hint="Last").focused
    phone.press_key("ENTER")
    assert state_of(phone).events == ["done"]
    assert not phone.keyboard_shown


def test_the_keyboard_is_a_window_to_type_on(phone: VirtualPhone, hand: Hand) -> None:
    hand.tap(hint="Name")
    keyboard = next(window for window in phone.windows() if window.kind == "keyboard")
    assert (keyboard.package, keyboard.accessible) == ("com.google.android.inputmethod.latin", True)
    for letter in "hi":
        hand.tap(text=letter, package=keyboard.package)
    hand.tap(description="Space")
    hand.tap(description="Delete")
    assert hand.find(hint="Name").text == "hi"


def test_a_double_tap_selects_a_word_and_typing_replaces_it(
    phone: VirtualPhone, hand: Hand
) -> None:
    hand.tap(hint="Name")
    phone.type_text("Ada Lovelace")
    left, top, _, bottom = hand.find(hint="Name").bounds
    phone.tap(left + 2, (top + bottom) // 2)
    phone.finger_down = phone.now() + 0.05
    phone.tap(left + 2, (top + bottom) // 2)
    phone.type_text("Eve")
    assert hand.find(hint="Name").text == "Eve Lovelace"


def test_what_the_shell_copies_is_on_the_screen_and_pasting_it_is_announced() -> None:
    clock = ManualClock()
    phone = toy_phone("Form", clock=clock)
    hand = Hand(phone)

    def shown() -> list[str]:
        return [
            node.text
            for window in phone.windows()
            if window.accessible
            for node in window.root.walk()
        ]

    phone.set_clip("hunter2")
    assert "hunter2" in shown()
    hand.tap(hint="Secret")
    phone.paste()
    assert phone.last_toast == "Toy pasted from your clipboard"
    phone.last_toast = None
    phone.paste()
    assert phone.last_toast is None  # once for each app and clip
    clock.now += 7
    assert "hunter2" not in shown()
