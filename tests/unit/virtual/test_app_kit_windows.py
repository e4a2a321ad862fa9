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


@pytest.mark.parametrize(("button", "events"), [("Yes", ["yes"]), ("No", [])])
def test_a_button_closes_the_dialog_and_acts(
    phone: VirtualPhone, hand: Hand, button: str, events: list[str]
) -> None:
    hand.tap(text=button)
    assert "dialog" not in hand.kinds()
    assert state_of(phone).events == events


def test_a_touch_outside_cancels_and_reaches_nothing_below(phone: VirtualPhone, hand: Hand) -> None:
    agree = hand.find(text="Agree").bounds.center
    phone.tap(agree.x, agree.y)
    assert "dialog" not in hand.kinds()
    assert state_of(phone).events == ["cancelled"]
    assert not state_of(phone).agreed


def test_a_swipe_does_not_reach_what_is_below(phone: VirtualPhone, hand: Hand) -> None:
    tip = hand.find(id="tip").frame
    phone.swipe(tip.left + 42, tip.center.y, tip.right, tip.center.y)
    assert state_of(phone).tip == 0


def test_a_long_message_scrolls_and_leaves_the_buttons_in_sight() -> None:
    phone = toy_phone("Perils")
    hand = Hand(phone)
    hand.tap(text="Terms")
    root = phone.windows()[1].root
    button = hand.find(resource_id="android:id/button1")
    assert button.bounds == button.frame
    assert root.bounds.encloses(button.bounds)
    before = hand.find(resource_id="android:id/message").frame
    phone.swipe(root.bounds.center.x, 1500, root.bounds.center.x, 1000)
    assert hand.find(resource_id="android:id/message").frame == before.shifted(0, -500)
