"""Fields that rewrite what is typed, sliders that round or keep their value, bars that come and go, what moves."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_replicant.virtual import (
    App,
    Button,
    Column,
    EditText,
    RunningApp,
    Screen,
    SeekBar,
    Text,
    VirtualPhone,
    Widget,
    render_hierarchy,
)
from pytest_replicant.virtual.app_kit.timers import Timer

from .toy_app import STILL, Hand, ManualClock

PACKAGE = "dev.replicant.extras"
Extras = RunningApp[dict[str, Any]]


class Main(Screen[dict[str, Any]]):
    title = "Extras"

    def build(self, app: Extras) -> Widget:
        state = app.state

        def put(name: str) -> Any:
            return lambda value: state.__setitem__(name, value)

        def step() -> None:
            state["x"] = state.get("x", 0) + 10

        def go() -> None:
            state["timer"] = app.every(100, step)

        def undo() -> None:
            app.snackbar("Deleted", "Undo", lambda: put("undone")(True))

        return Column(
            [
                EditText("Code", id="code", transform=lambda text: text.replace("7", "").upper()),
                SeekBar(id="step", value=state.get("step", 0), high=95, step=10, on_change=put("step")),
                SeekBar(id="mute", value=state.get("mute", 0), reports_value=False, on_change=put("mute")),
                Text("o", id="ball", margin=(state.get("x", 0), 0, 0, 0)),
                Button("Go", on_click=go),
                Button("Undo bar", on_click=undo),
                Button("Bar", on_click=lambda: app.snackbar("Saved", ms=1000)),
                Column(weight=1),
                Button("Pay", id="pay", width="fill", on_click=lambda: put("paid")(True)),
            ],
            height="fill",
        )


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def phone(clock: ManualClock) -> VirtualPhone:
    app: App[dict[str, Any]] = App(package=PACKAGE, label="Extras", state=dict, start=Main)
    phone = VirtualPhone([app], latency=STILL, clock=clock)
    phone.start_app(PACKAGE)
    return phone


@pytest.fixture
def hand(phone: VirtualPhone) -> Hand:
    return Hand(phone, PACKAGE)


def state(phone: VirtualPhone) -> dict[str, Any]:
    found = phone.app_state(PACKAGE)
    assert isinstance(found, dict)
    return found


# --- fields, sliders --------------------------------------------------------------------------------------
def test_a_field_makes_its_own_of_what_is_typed(phone: VirtualPhone, hand: Hand) -> None:
    hand.tap(id="code")
    phone.type_text("a7b")
    assert hand.find(id="code").text == "AB"
    phone.press_key("DPAD_LEFT")
    phone.type_text("7x")
    assert hand.find(id="code").text == "AXB"
    phone.type_text("y")
    assert hand.find(id="code").text == "AXYB"
    phone.set_text(hand.find(id="code"), "777q")
    assert hand.find(id="code").text == "Q"


def test_a_slider_may_keep_its_value_to_itself(phone: VirtualPhone, hand: Hand) -> None:
    center = hand.find(id="mute").frame.center
    phone.tap(center.x, center.y)
    assert state(phone)["mute"] == 50
    assert hand.find(id="mute").text == ""
    assert "50.0" not in render_hierarchy(phone.windows(), 0).decode()
    assert hand.find(id="mute").look.progress == 0.5


# --- bars -------------------------------------------------------------------------------------------------
def test_a_bar_covers_what_is_below_it_and_goes_away(phone: VirtualPhone, hand: Hand, clock: ManualClock) -> None:
    pay = hand.find(id="pay").bounds
    hand.tap(text="Bar")
    text = hand.find(text="Saved")
    assert text.resource_id == f"{PACKAGE}:id/snackbar_text"
    bar = hand.find(class_name="com.google.android.material.snackbar.Snackbar$SnackbarLayout")
    assert bar.clickable
    assert bar.bounds.contains(pay.center)
    assert hand.kinds().count("app") == 1
    phone.tap(pay.center.x, pay.center.y)
    assert "paid" not in state(phone)
    clock.now += 1.1
    assert not hand.find_all(text="Saved")
    phone.tap(pay.center.x, pay.center.y)
    assert state(phone)["paid"]


# --- what moves -------------------------------------------------------------------------------------------
def test_what_is_done_every_so_often_goes_on_until_it_is_called_off(
    phone: VirtualPhone, hand: Hand, clock: ManualClock
) -> None:
    start = hand.find(id="ball").bounds.left
    hand.tap(text="Go")
    clock.now += 0.35
    assert hand.find(id="ball").bounds.left == start + round(phone.profile.scale * 30)
    timer = state(phone)["timer"]
    assert isinstance(timer, Timer)
    timer.cancel()
    clock.now += 5
    assert hand.find(id="ball").bounds.left == start + round(phone.profile.scale * 30)
