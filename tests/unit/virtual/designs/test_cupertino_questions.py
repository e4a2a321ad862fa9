"""What iOS asks the user for, and what it does with the answer."""

from __future__ import annotations

from ..frail_app import FRAIL, frail_state
from .iphone import all_of, frail_iphone, kind_of, window

LOCATION = "android.permission.ACCESS_FINE_LOCATION"


def test_a_question_in_apple_s_words() -> None:
    phone, hand, _ = frail_iphone()
    hand.tap(id="ask")
    root = window(phone, "system_dialog").root
    assert (kind_of(root), hand.top.package) == ("Alert", "com.apple.springboard")
    assert root.description == "\u201cFrail\u201d Would Like to Send You Notifications"
    assert [node.text for node in all_of(root, "Button")] == ["Don\u2019t Allow", "Allow"]
    assert phone.foreground()[0] == FRAIL, "SpringBoard lies over it, it is not in its place"
    hand.tap(text="Allow")
    assert frail_state(phone).answers == [True]
