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


def test_long_press_and_tap_are_distinguished(phone: VirtualPhone, hand: Hand) -> None:
    center = hand.find(text="Press").bounds.center
    phone.long_press(center.x, center.y)
    phone.swipe(center.x, center.y, center.x, center.y, ms=1000)
    phone.swipe(center.x, center.y, center.x + 3, center.y, ms=50)
    phone.long_press(center.x, center.y, ms=100)
    assert state_of(phone).events == ["long press", "long press", "tap", "tap"]
