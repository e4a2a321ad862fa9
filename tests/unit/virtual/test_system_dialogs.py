"""What the system puts over an app: an app that keeps stopping, notices of its own."""

from __future__ import annotations

import pytest

from .frail_app import FRAIL, FrailHand, frail_phone, frail_state
from .toy_app import ManualClock


def crash(hand: FrailHand) -> None:
    hand.phone.start_app(FRAIL)
    hand.tap(id="crash")


def test_no_one_is_asked_any_more_about_an_app_that_was_stopped() -> None:
    phone, hand = frail_phone(ManualClock())
    crash(hand)
    crash(hand)
    phone.stop_app("some.other.app")
    assert hand.top_kind() == "system_dialog"
    phone.stop_app(FRAIL)
    assert hand.top_kind() == "app"


@pytest.mark.parametrize("leave", ["button", "BACK", "beside"])
def test_a_notice_of_the_system_is_closed_like_any_dialog(leave: str) -> None:
    phone, hand = frail_phone()
    phone.show_system_dialog(
        "Battery low", "10% left", ("Got it", "Dismiss"), package="com.android.systemui"
    )
    assert (hand.top.kind, hand.top.package) == ("system_dialog", "com.android.systemui")
    assert hand.find(resource_id="android:id/button2").text == "Dismiss"
    assert hand.find(text="Battery low").package == "com.android.systemui"
    hand.tap(id="add")
    assert frail_state(phone).count == 0
    phone.show_system_dialog("Battery low", "10% left", ("Got it", "Dismiss"))
    if leave == "button":
        hand.tap(text="Dismiss")
    elif leave == "BACK":
        phone.press_key("BACK")
    else:
        phone.tap(5, 300)
    assert hand.top_kind() == "app"
    hand.tap(id="add")
    assert frail_state(phone).count == 1
