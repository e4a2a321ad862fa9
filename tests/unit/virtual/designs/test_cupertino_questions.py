"""What iOS asks the user for, and what it does with the answer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_replicant.virtual import VirtualPhone

from ..frail_app import CAMERA, FRAIL, frail_state
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


def test_the_location_can_be_given_once() -> None:
    phone, hand, _ = frail_iphone()
    frail_app_may_ask_for(phone, LOCATION)
    hand.tap(id="ask")
    root = window(phone, "system_dialog").root
    assert root.description == "Allow \u201cFrail\u201d to use your location?"
    buttons = all_of(root, "Button")
    assert [node.text for node in buttons] == ["Allow Once", "Allow While Using App", "Don\u2019t Allow"]
    assert len({node.bounds.top for node in buttons}) == 3
    hand.tap(text="Allow Once")
    hand.tap(id="ask")
    assert frail_state(phone).answers == [True, True], "while the process lives it is not asked again"
    phone.stop_app(FRAIL)
    phone.start_app(FRAIL)
    frail_state(phone).permission = LOCATION
    hand.tap(id="ask")
    assert hand.top_kind() == "system_dialog"


@pytest.mark.parametrize(("release", "label"), [("16.7", "OK"), ("17.5", "Allow"), ("26", "Allow")])
def test_the_word_for_yes_depends_on_the_release(release: str, label: str) -> None:
    phone, hand, _ = frail_iphone(release)
    frail_state(phone).permission = CAMERA
    hand.tap(id="ask")
    root = window(phone, "system_dialog").root
    assert root.description == "\u201cFrail\u201d Would Like to Access the Camera"
    assert [node.text for node in all_of(root, "Button")] == ["Don\u2019t Allow", label]


def test_who_refused_is_not_asked_again() -> None:
    phone, hand, _ = frail_iphone()
    hand.tap(id="ask")
    hand.tap(text="Don\u2019t Allow")
    hand.tap(id="ask")
    assert hand.top_kind() == "app"
    assert frail_state(phone).answers == [False, False]
    phone.clear_app(FRAIL)
    phone.start_app(FRAIL)
    hand.tap(id="ask")
    assert hand.top_kind() == "system_dialog", "an app that is installed anew may ask"


def frail_app_may_ask_for(phone: VirtualPhone, permission: str) -> None:
    """As if its declaration named it."""
    package = phone.packages.get(FRAIL)
    assert package is not None
    phone.packages.add(replace(package, requested=(*package.requested, permission)))
    frail_state(phone).permission = permission
