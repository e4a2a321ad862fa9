"""Under a dialog nothing is known of the app: Android leaves the app's window out of the hierarchy.

What was on the screen when the dialog opened is neither gone nor visible; only what is on the
dialog is decided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from pytest_replicant import DeviceSession, ExpectationFailed, Screen, by
from pytest_replicant.testing import SharedClock, VirtualDevice, virtual_device
from pytest_replicant.virtual import Button, Dialog, DialogButton, RunningApp, Spinner, Text, Widget

from .kit_controls import into
from .kit_phone import Held, kit_app

OPEN = r'cannot be decided while Dialog "Really\?" is open'


def screen(app: RunningApp[Held]) -> list[Widget]:
    yes = DialogButton(
        "OK",
        on_click=lambda: app.show(Dialog("Deleted", "Nothing is left", (DialogButton("Done"),))),
    )
    ask = Dialog("Really?", "All of them go", (yes, DialogButton("Cancel")))
    return [
        Text("Saving", id="saving"),
        Button("Delete", id="delete", on_click=lambda: app.show(ask)),
        Button("Keep", id="keep"),
        Spinner(
            ["Red", "Green"],
            id="colour",
            chosen=app.state.values.get("colour", 0),
            on_change=into(app, "colour"),
        ),
    ]


@pytest.fixture
def device() -> Iterator[VirtualDevice]:
    with virtual_device(kit_app(screen), clock=SharedClock()) as device:
        yield device


@pytest.fixture
def mobile(device: VirtualDevice) -> Iterator[DeviceSession]:
    with device.session(expect_timeout=0.5, action_timeout=0.5, recovery="off") as session:
        session.expect_visible(text="Saving")
        yield session


def test_a_test_of_a_dialog_from_its_opening_to_its_end(mobile: DeviceSession) -> None:
    mobile.tap(text="Delete").expect_visible(text="Really?").expect_visible(text="All of them go")
    mobile.tap(text="Cancel").expect_gone(text="Really?").expect_visible(text="Saving")
    mobile.expect_count(0, text="All of them go").expect_screen("Only")


CHECKS: dict[str, Callable[[DeviceSession], object]] = {
    "gone": lambda on: on.expect_gone(text="Saving"),
    "none of them": lambda on: on.expect_count(0, text="Saving"),
    "one of them": lambda on: on.expect_count(1, text="Saving"),
    "visible": lambda on: on.expect_visible(text="Saving"),
    "state": lambda on: on.expect_state(by(text="Keep"), enabled=True),
    "text": lambda on: on.expect_state(by(resource_id="saving"), text="Saving"),
    "never there, gone": lambda on: on.expect_gone(text="Error"),
    "never there, none": lambda on: on.expect_count(0, text="Error"),
    "lacks": lambda on: on.expect_screen(
        Screen("Ask", has=[by(text="Really?")], lacks=[by(text="Saving")])
    ),
}


@pytest.mark.parametrize("name", CHECKS)
def test_no_check_of_what_a_dialog_hides_says_yes_or_no(mobile: DeviceSession, name: str) -> None:
    mobile.tap(text="Delete").expect_visible(text="Really?")
    with pytest.raises(ExpectationFailed, match=OPEN):
        CHECKS[name](mobile)
    with pytest.raises(ExpectationFailed, match=r'Button "Cancel"'):
        CHECKS[name](mobile)


def test_a_ref_of_what_a_dialog_hides_is_neither_gone_nor_visible(mobile: DeviceSession) -> None:
    ref = mobile.snapshot().ref(text="Keep")
    mobile.tap(text="Delete").expect_visible(text="Really?")
    for check in (mobile.expect_gone, mobile.expect_visible):
        with pytest.raises(ExpectationFailed, match=OPEN):
            check(ref)
    with pytest.raises(ExpectationFailed, match=OPEN):
        mobile.expect_state(ref, enabled=True)


def test_of_the_dialog_itself_absence_can_be_proven(mobile: DeviceSession) -> None:
    mobile.tap(resource_id="colour").expect_visible(text="Green")
    options = by(class_name="ListView")
    mobile.expect_count(2, class_name="CheckedTextView").expect_gone(text="Blue", within=options)
    mobile.expect_count(0, text="Blue", within=options)
    with pytest.raises(ExpectationFailed, match="Green"):
        mobile.expect_gone(text="Green", within=options)
    with pytest.raises(ExpectationFailed, match="cannot be decided while"):
        mobile.expect_gone(text="Blue")


def test_another_dialog_may_hide_the_first_one(mobile: DeviceSession) -> None:
    mobile.tap(text="Delete").expect_visible(text="Really?")
    after = mobile.tap(text="OK").expect_visible(text="Deleted")
    with pytest.raises(ExpectationFailed, match='cannot be decided while Dialog "Deleted" is open'):
        after.expect_gone(text="Really?")
    mobile.tap(text="Done").expect_gone(text="Really?").expect_gone(text="Deleted")
