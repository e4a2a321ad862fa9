"""Actions on apps: starting, stopping, links and the background."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_replicant import ActionFailed, ProtocolError
from pytest_replicant.drivers import AppInFront, SystemDialogs
from pytest_replicant.model import ManualClock
from pytest_replicant.virtual import Button, Column, RunningApp, Screen, Text, Widget
from tests.lab.exhibits_shown import refused

from ..conftest import Play
from ..scripted_phone import APP, LAUNCHER, ScriptedPhone, button, screen

OTHER = "dev.example.other"
HOME = screen(button("Go"), title="Home")
AWAY = screen(button("Stay"), title="Away")


def test_a_launch_succeeds_once_the_app_is_in_front(play: Play) -> None:
    session, phone = play([HOME])
    outcome = session.launch(OTHER)
    assert outcome.result.details["read_back"] == f"{OTHER} in front"
    assert phone.front == OTHER


def test_a_launch_that_brings_nothing_to_the_front_fails(play: Play) -> None:
    session, phone = play([HOME])
    phone.stubborn = True
    with pytest.raises(
        ActionFailed, match=f"NAVIGATION_NO_CHANGE  launch {OTHER} on scripted: {APP} in front"
    ):
        session.launch(OTHER)
    assert list(session._context.launched_apps) == [OTHER], (
        "it may have been started all the same, and is reset at the end"
    )


def test_an_app_that_takes_its_time_is_waited_for(play: Play, clock: ManualClock) -> None:
    session, phone = play([HOME])
    began = clock.now()
    phone.app_in_front = lambda: AppInFront(OTHER if clock.now() > began + 3 else APP)  # type: ignore[method-assign]
    session.launch(OTHER, timeout=10)
    assert 3 < clock.now() - began < 5


def test_an_app_that_hands_over_to_another_has_been_launched(play: Play) -> None:
    session, phone = play([HOME])
    phone.on_gesture = lambda phone: setattr(phone, "front", "dev.example.browser")
    phone.app_status = lambda app: "background"  # type: ignore[method-assign]
    session.launch(OTHER)


def test_an_app_that_died_at_once_has_not(play: Play) -> None:
    session, phone = play([HOME])
    phone.on_gesture = lambda phone: setattr(phone, "front", LAUNCHER)
    phone.app_status = lambda app: "stopped"  # type: ignore[method-assign]
    with pytest.raises(ActionFailed, match="it does not run: did it crash"):
        session.launch(OTHER)


def test_a_permission_prompt_over_the_app_is_no_failed_launch(play: Play) -> None:
    session, phone = play([HOME])
    phone.system_dialogs = SystemDialogs(permission_packages=frozenset({"dev.example.asks"}))
    phone.on_gesture = lambda phone: setattr(phone, "front", "dev.example.asks")
    session.launch(OTHER)


def test_activate_is_held_to_the_same(play: Play) -> None:
    session, phone = play([HOME])
    session.activate(OTHER)
    phone.stubborn = True
    with refused("NAVIGATION_NO_CHANGE"):
        session.activate("dev.example.third")


def test_home_leaves_what_the_test_started(play: Play) -> None:
    session, phone = play([HOME])
    session.launch(APP)
    session.home()
    assert phone.front == LAUNCHER
    session.home()  # being there already is no failure
    session.launch(APP)
    phone.stubborn = True
    with pytest.raises(ActionFailed, match="the phone did not go home"):
        session.home(timeout=0.5)


def test_background_for_a_while_brings_the_same_app_back(play: Play, clock: ManualClock) -> None:
    session, phone = play([HOME])
    began = clock.now()
    outcome = session.background(30)
    assert 30 <= clock.now() - began < 33
    assert [kind for kind, _ in phone.gestures] == ["key home", f"launch {APP}"]
    assert outcome.result.details["app"] == phone.front == APP
    assert len(session._context.recorder.results) == 1


def test_an_app_that_does_not_leave_was_not_in_the_background(play: Play) -> None:
    session, phone = play([HOME])
    phone.stubborn = True
    with refused("NAVIGATION_NO_CHANGE", "did not go home"):
        session.background(5, timeout=0.5)
    assert [kind for kind, _ in phone.gestures] == ["key home"]


def opens(phone: ScriptedPhone, front: str, frame: bytes) -> None:
    def open_url(url: str, app: str | None) -> None:
        phone.front, phone.frames = front, [frame]

    phone.open_url = open_url  # type: ignore[method-assign]


@pytest.mark.parametrize(
    ("app", "front", "frame"),
    [(None, OTHER, HOME), (None, APP, AWAY), (APP, APP, HOME), (OTHER, OTHER, AWAY)],
    ids=["another app", "another screen", "the app named, as it was", "another app named"],
)
def test_a_link_that_opens(play: Play, app: str | None, front: str, frame: bytes) -> None:
    session, phone = play([HOME])
    opens(phone, front, frame)
    session.open_url("shop://cart", app)


@pytest.mark.parametrize(
    ("app", "front", "frame"),
    [(None, APP, HOME), (OTHER, APP, AWAY)],
    ids=["nothing", "another app than named"],
)
def test_a_link_that_does_not(play: Play, app: str | None, front: str, frame: bytes) -> None:
    session, phone = play([HOME])
    opens(phone, front, frame)
    phone.app_status = lambda app: "stopped"  # type: ignore[method-assign]
    with refused("NAVIGATION_NO_CHANGE"):
        session.open_url("shop://cart", app, timeout=0.5)


def test_a_screen_that_could_not_be_read_is_not_the_same_screen(play: Play) -> None:
    """With nothing to compare the link is not known to have opened; nor is it said that nothing
    changed."""
    session, phone = play([ProtocolError("no window")])
    opens(phone, APP, AWAY)
    with pytest.raises(ActionFailed, match="before could not be read") as failed:
        session.open_url("shop://cart", timeout=0.5)
    assert "the screen is the same" not in str(failed.value)
    session.open_url("shop://cart", APP)


class Counting(Screen[dict[str, Any]]):
    title = "Counting"

    def build(self, app: RunningApp[dict[str, Any]]) -> Widget:
        def add() -> None:
            app.state["count"] = app.state.get("count", 0) + 1

        def die() -> None:
            raise RuntimeError("on purpose")

        count = Text(f"{app.state.get('count', 0)} taps", id="count")
        return Column(
            [count, Button("Add", id="add", on_click=add), Button("Die", id="die", on_click=die)]
        )
