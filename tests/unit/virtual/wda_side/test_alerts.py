"""Alerts of the app and of the system: what they say, and how they are answered."""

from __future__ import annotations

import pytest

from .desk_app import DESK, SPRINGBOARD, Wire

REFUSE = "Don\u2019t Allow"


def test_which_button_is_meant_is_a_matter_of_place(desk: Wire) -> None:
    desk.tap("ask")
    first, last = desk.get("wda/alert/buttons")
    desk.post("alert/accept")
    desk.tap("ask")
    desk.post("/alert/dismiss")
    assert desk.events == [last.lower(), first.lower()]


def test_the_settings_may_say_which_button_is_meant(desk: Wire) -> None:
    desk.set(
        acceptAlertButtonSelector="**/XCUIElementTypeButton[`label == 'No'`]",
        dismissAlertButtonSelector="((",
    )
    desk.tap("ask")
    first = desk.get("wda/alert/buttons")[0]
    desk.post("alert/accept")
    desk.tap("ask")
    desk.post("alert/dismiss")  # by its place, where the selector is none
    assert desk.events == ["no", first.lower()]


def test_a_button_that_is_not_there(desk: Wire) -> None:
    desk.tap("ask")
    status, error, message = desk.refused("POST", "alert/accept", {"name": "Perhaps"})
    assert (status, error) == (400, "invalid element state")
    assert "'Perhaps'" in message
    assert "Yes" in message
    assert desk.events == []


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "alert/text"),
        ("POST", "alert/accept"),
        ("POST", "alert/dismiss"),
        ("GET", "wda/alert/buttons"),
    ],
)
def test_no_alert(desk: Wire, method: str, path: str) -> None:
    assert desk.refused(method, path)[:2] == (404, "no such alert")


def test_the_system_s_alert_is_none_of_the_app_s_elements(desk: Wire) -> None:
    desk.tap("where")
    assert "XCUIElementTypeAlert" not in desk.get("source")
    assert desk.get("wda/activeAppInfo")["bundleId"] == DESK
    assert "location" in desk.get("alert/text")
    assert REFUSE in desk.get("wda/alert/buttons")


def test_where_the_settings_say_so_the_system_s_alert_is_the_active_app(desk: Wire) -> None:
    desk.open(bundleId=DESK, forceAppLaunch=False).set(respectSystemAlerts=True)
    assert "Press" in desk.get("source")
    desk.tap("where")
    source = desk.get("source")
    assert "XCUIElementTypeAlert" in source
    assert "Press" not in source
    assert desk.get("wda/activeAppInfo")["bundleId"] == SPRINGBOARD
    desk.tap(REFUSE)
    assert desk.events == ["False"]
    assert "Press" in desk.get("source")


def test_the_settings_may_answer_alerts_by_themselves(desk: Wire) -> None:
    desk.set(defaultAlertAction="accept")
    desk.tap("ask")
    assert "XCUIElementTypeAlert" not in desk.get("source")
    assert len(desk.events) == 1
    desk.open(defaultAlertAction="dismiss")
    desk.tap("ask")
    assert desk.refused("GET", "alert/text")[1] == "no such alert"
    assert sorted(desk.events) == ["no", "yes"]


def test_in_a_session_of_no_app_the_setting_shows_no_alert_of_the_system(desk: Wire) -> None:
    desk.set(respectSystemAlerts=True)
    desk.tap("where")
    assert "XCUIElementTypeAlert" not in desk.get("source")
    assert desk.get("wda/activeAppInfo")["bundleId"] == DESK
