"""An app whose main thread is blocked: its screen, the input that waits, the system's dialog, the
log."""

from __future__ import annotations

import pytest

from pytest_replicant.virtual import VirtualPhone

from .frail_app import FRAIL, FrailHand, frail_phone
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
