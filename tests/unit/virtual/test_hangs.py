"""An app whose main thread is blocked: its screen, the input that waits, the system's dialog, the log."""

from __future__ import annotations

import pytest

from pytest_replicant.virtual import VirtualPhone

from .frail_app import FRAIL, FrailHand, frail_phone, frail_state
from .toy_app import ManualClock


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def hung(clock: ManualClock) -> tuple[VirtualPhone, FrailHand]:
    phone, hand = frail_phone(clock)
    hand.tap(id="hang")
    return phone, hand


Hung = tuple[VirtualPhone, FrailHand]


def test_the_screen_stands_still_until_the_app_is_back(hung: Hung, clock: ManualClock) -> None:
    phone, hand = hung
    assert frail_state(phone).count == 100
    assert hand.find(id="count").text == "0 taps"
    phone.press_key("VOLUME_UP")
    clock.now += 11
    assert hand.find(id="count").text == "0 taps"
    clock.now += 1
    assert hand.find(id="count").text == "100 taps"


def test_taps_wait_and_are_delivered_in_the_end(hung: Hung, clock: ManualClock) -> None:
    phone, hand = hung
    hand.tap(id="add")
    hand.tap(id="add")
    clock.now += 4
    assert frail_state(phone).count == 100
    clock.now += 8
    assert hand.find(id="count").text == "102 taps"
    hand.tap(id="add")
    assert hand.find(id="count").text == "103 taps"


def test_waiting_brings_the_dialog_back_while_the_app_hangs(hung: Hung, clock: ManualClock) -> None:
    phone, hand = hung
    hand.tap(id="add")
    clock.now += 5
    hand.tap(text="Wait")
    assert hand.top_kind() == "app"
    clock.now += 4
    assert hand.top_kind() == "app"
    clock.now += 1
    assert hand.top_kind() == "system_dialog"
    clock.now += 2
    assert hand.top_kind() == "app"
    assert hand.find(id="count").text == "101 taps"
    assert len([each for each in phone.log.entries() if each.message.startswith("ANR in")]) == 2


def test_keys_and_text_wait_too(clock: ManualClock) -> None:
    phone, hand = frail_phone(clock)
    hand.tap(id="note")
    assert phone.keyboard_shown
    hand.tap(id="hang")
    assert phone.type_text("abc")
    phone.press_key("DEL")
    assert frail_state(phone).note == ""
    clock.now += 12
    assert hand.find(id="note").text == "ab"


def test_back_waits_and_home_does_not(hung: Hung, clock: ManualClock) -> None:
    phone, hand = hung
    phone.press_key("BACK")
    assert phone.foreground()[0] == FRAIL
    phone.press_key("HOME")
    assert phone.foreground()[0] == "com.replicant.launcher"
    clock.now += 4
    phone.start_app(FRAIL)
    assert hand.find(id="count").text == "0 taps"
    clock.now += 8
    assert phone.foreground()[0] == "com.replicant.launcher"
