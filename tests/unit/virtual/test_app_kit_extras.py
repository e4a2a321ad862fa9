"""Fields that rewrite what is typed, sliders that round or keep their value, bars that come and go,
what moves."""

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
)

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
                SeekBar(
                    id="step", value=state.get("step", 0), high=95, step=10, on_change=put("step")
                ),
                SeekBar(
                    id="mute",
                    value=state.get("mute", 0),
                    reports_value=False,
                    on_change=put("mute"),
                ),
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


# --- fields, sliders ------------------------------------------------------------------------------


# --- bars -----------------------------------------------------------------------------------------


# --- what moves -----------------------------------------------------------------------------------
