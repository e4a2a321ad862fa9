"""A screen on which a keyboard leaves no room, and one that is wide when nobody has turned it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from pytest_replicant.errors import ActionFailed
from pytest_replicant.session import DeviceSession
from pytest_replicant.testing import VirtualDevice, virtual_device
from pytest_replicant.virtual import (
    App,
    Button,
    Column,
    EditText,
    Profile,
    Screen,
    Scroll,
    Text,
    Widget,
)

SMALL = Profile(width=720, height=1280, density=320)
QUICK: dict[str, Any] = {
    "action_timeout": 0.5,
    "expect_timeout": 0.5,
    "read_on": 0.0,
    "screenshots": False,
    "recovery": "off",
}
FORM = "dev.example.form"


class Form(Screen[dict[str, Any]]):
    """Its button is called as the screen is, and stands below what the keyboard leaves."""

    activity = ".Form"
    title = "Send"

    def build(self, app: Any) -> Widget:
        state = app.state
        field = EditText("Name", id="name", text=state.get("name", ""))
        field.on_change = lambda text: state.update(name=text)
        more = [] if state.get("name") and state.get("shy") else [self.button(app)]
        return Scroll(children=[field, *(Text(f"Line {n}", height=60) for n in range(5)), *more])

    def button(self, app: Any) -> Widget:
        return Button("Send", id="send", on_click=lambda: app.toast("Sent"))


@contextmanager
def form(profile: Profile = SMALL, **state: Any) -> Iterator[tuple[DeviceSession, VirtualDevice]]:
    app = App(package=FORM, label="Form", state=lambda _: dict(state), start=Form)
    with virtual_device(app, profile=profile) as device, device.session(**QUICK) as mobile:
        yield mobile, device


def test_a_button_that_made_room_for_the_keyboard_is_tapped_and_not_the_title_of_its_name() -> None:
    with form() as (mobile, device):
        mobile.fill(text="Name", value="Ada")
        assert [each.class_name for each in mobile.find_all(text="Send")] != [
            "android.widget.Button"
        ]
        outcome = mobile.tap(text="Send").expect_seen(text="Sent")
        assert not device.phone.keyboard_shown
        (stage,) = [step for step in outcome.trace.steps if "keyboard" in step.metadata]
        assert (
            stage.metadata["keyboard"] == "hidden, since there was no room for the target above it"
        )


def test_what_was_never_there_is_not_found_and_the_keyboard_stays() -> None:
    with form() as (mobile, device):
        mobile.fill(text="Name", value="Ada")
        with pytest.raises(ActionFailed, match="ELEMENT_NOT_FOUND"):
            mobile.tap(text="Delete")
        assert device.phone.keyboard_shown


def test_where_there_is_room_the_keyboard_stays() -> None:
    with form(Profile()) as (mobile, device):
        mobile.fill(text="Name", value="Ada")
        mobile.tap(resource_id="send").expect_seen(text="Sent")
        assert device.phone.keyboard_shown


class Way(Screen[None]):
    activity = ".Way"
    title = "Way"

    def build(self, app: Any) -> Widget:
        return Column(children=[Text("wide" if app.landscape else "high")])


def test_a_tablet_is_wide_until_it_is_turned() -> None:
    app = App(package="dev.example.way", label="Way", state=lambda _: None, start=Way)
    with virtual_device(app, profile="tablet") as device, device.session(**QUICK) as mobile:
        assert (device.driver.orientation(), device.phone.rotation) == ("landscape", 0)
        mobile.expect_visible(text="wide")
        mobile.rotate("portrait").expect_visible(text="high")
        assert device.phone.size == (1600, 2560)
        mobile.rotate("landscape").expect_visible(text="wide")
        assert device.phone.rotation == 0
