"""Alerts of apps and of SpringBoard, and menus."""

from __future__ import annotations

from ..toy_app import state_of
from .iphone import iphone, window


def test_only_its_buttons_close_an_alert() -> None:
    phone, hand = iphone()
    hand.tap(text="Ask")
    phone.tap(20, phone.size[1] // 2)
    phone.press_key("BACK")
    assert "dialog" in hand.kinds()
    hand.tap(text="Yes")
    assert "dialog" not in hand.kinds()
    assert state_of(phone).events == ["yes"]


def test_a_notice_is_springboard_s_and_waits_for_its_button() -> None:
    phone, hand = iphone()
    phone.show_system_dialog("Battery low", "10%", ("OK",))
    alert = window(phone, "system_dialog")
    assert (alert.package, alert.root.description) == ("com.apple.springboard", "Battery low")
    phone.tap(20, 300)
    phone.press_key("BACK")
    assert "system_dialog" in hand.kinds()
    hand.tap(text="OK")
    assert "system_dialog" not in hand.kinds()
