"""Dialogs and what else opens over a screen."""

from __future__ import annotations

import pytest

from pytest_replicant.virtual import VirtualPhone

from .toy_app import Hand, state_of, toy_phone


@pytest.fixture
def phone() -> VirtualPhone:
    phone = toy_phone()
    Hand(phone).tap(text="Ask")
    return phone


@pytest.fixture
def hand(phone: VirtualPhone) -> Hand:
    return Hand(phone)


def test_a_touch_outside_cancels_and_reaches_nothing_below(phone: VirtualPhone, hand: Hand) -> None:
    agree = hand.find(text="Agree").bounds.center
    phone.tap(agree.x, agree.y)
    assert "dialog" not in hand.kinds()
    assert state_of(phone).events == ["cancelled"]
    assert not state_of(phone).agreed
