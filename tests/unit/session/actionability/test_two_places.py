"""A match in what has come over the screen since the test was given it, and one that was there
before, are two: nothing is touched. What the test was given, in whatever way, is where it means to
act."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_replicant import ActionFailed, DeviceSession, by
from pytest_replicant.recovery import builtin
from pytest_replicant.testing import VirtualDevice
from pytest_replicant.virtual import (
    App,
    Button,
    Column,
    Dialog,
    DialogButton,
    EditText,
    Screen,
    SeekBar,
    Space,
    Stack,
    Text,
    Widget,
)

from ..on_phone import PACKAGE, Page, done, noting, page_on

BOTH = pytest.mark.parametrize("platform", ["android", "ios"])


class Elsewhere(Screen[dict[str, Any]]):
    title = "Elsewhere"

    def build(self, app: Page) -> Widget:
        return Column(
            [Text("Update now?"), Button("OK", on_click=lambda: app.state.update(done=["update"]))]
        )


def ask(app: Page, title: str) -> Dialog:
    return Dialog(
        title, f"{title} it is", (DialogButton("OK", noting(app, title)), DialogButton("Cancel"))
    )


def front(app: Page) -> Widget:
    """A page that opens "Rename", a dialog, and has an OK of its own; under a sheet where its state
    says so."""
    rename = Button("Open", on_click=lambda: app.show(ask(app, "Rename")))
    own = Button("OK", id="own", on_click=noting(app, "page"), width="fill")
    page = Column([rename, Text("hello"), Space(height=300), own], height="fill")
    sheet = Column(
        [
            Text("Delete the account?"),
            Space(height=300),
            Button("OK", on_click=noting(app, "sheet"), width="fill"),
        ],
        height="fill",
        background="#ffffff",
        elevation=8,
        on_click=noting(app, "veil"),
    )
    return Stack([page, sheet] if app.state.get("sheet") else [page], height="fill")


def comes(app: Page, device: VirtualDevice, what: str) -> None:
    """What nobody asked for comes up, after the test was given the screen."""
    if what == "replaced":
        app.dismiss()
    if what in ("over", "replaced"):
        app.show(ask(app, "Delete all"))
    elif what == "closed":
        app.dismiss()
    elif what == "system":
        device.phone.show_system_dialog("Storage low", "Free some", ("OK", "Cancel"))
    elif what == "other app":
        device.phone.start_app("qa.other")
    elif what == "sheet":
        app.state.update(sheet=True)
    app.changed()


def updated(device: VirtualDevice) -> list[str]:
    """What was done in the other app."""
    state: Any = device.phone.app_state("qa.other")
    return list(state.get("done", ()))


def at_rest(mobile: DeviceSession) -> None:
    mobile._context.clock.sleep(0.2)


GESTURES: dict[str, Callable[[DeviceSession], object]] = {
    "tap": lambda on: on.tap(text="OK"),
    "long press": lambda on: on.long_press(text="OK"),
    "branch": lambda on: on.tap(by(android=by(text="OK"), ios=by(text="OK"))),
    "first": lambda on: on.tap(by(text="OK", nth=0)),
}


@BOTH
@pytest.mark.parametrize("what", ["over", "replaced", "system", "closed"])
@pytest.mark.parametrize("gesture", GESTURES)
def test_the_test_was_given_a_dialog_and_another_one_is_there(
    platform: Any, what: str, gesture: str
) -> None:
    with page_on(platform, front) as (mobile, app, device):
        mobile.tap(text="Open").expect_visible(text="Rename")
        comes(app, device, what)
        at_rest(mobile)
        with pytest.raises(ActionFailed, match="AMBIGUOUS_TARGET"):
            GESTURES[gesture](mobile)
        assert done(app) == []


@BOTH
@pytest.mark.parametrize("what", ["over", "system", "other app", "sheet"])
@pytest.mark.parametrize("recover", [None, builtin], ids=["", "recovery"])
def test_the_test_was_given_a_page_and_something_came_over_it(
    platform: Any, what: str, recover: Any
) -> None:
    """However often it is tried: the outline in an error is no look at the screen."""
    other: App[dict[str, Any]] = App(package="qa.other", label="Other", state=dict, start=Elsewhere)
    with page_on(platform, front, other, recover=recover) as (mobile, app, device):
        mobile.tap(text="OK").expect_visible(text="hello")  # it meant that one before
        comes(app, device, what)
        at_rest(mobile)
        for _ in range(2):
            with pytest.raises(ActionFailed, match="AMBIGUOUS_TARGET"):
                mobile.tap(text="OK")
        assert done(app) == ["page"]
        if what == "other app":
            assert updated(device) == []


@BOTH
def test_a_dialog_that_was_answered_on_purpose_before(platform: Any) -> None:
    """That its OK was meant once says nothing of the next time, to recovery either."""
    with page_on(platform, front, recover=builtin) as (mobile, app, _):
        mobile.tap(text="Open").expect_visible(text="Rename")
        mobile.tap(text="OK").expect_gone(text="Rename")
        app.show(ask(app, "Rename"))
        app.changed()
        at_rest(mobile)
        with pytest.raises(ActionFailed, match="AMBIGUOUS_TARGET"):
            mobile.tap(text="OK")
        assert done(app) == ["Rename"]


@BOTH
def test_what_a_handler_of_interruptions_looked_at_was_not_given_to_the_test(platform: Any) -> None:
    with page_on(platform, front) as (mobile, app, _):
        delete = DialogButton("No thanks", lambda: app.show(ask(app, "Delete all")))
        with mobile.on_interrupt(by(text="Survey"), lambda on: on.tap(text="No thanks")) as survey:
            mobile.snapshot()
            app.show(Dialog("Survey", "How was it?", (delete,)))
            app.changed()
            at_rest(mobile)
            with pytest.raises(ActionFailed, match="AMBIGUOUS_TARGET"):
                mobile.tap(text="OK")
        assert (survey.count, done(app)) == (1, [])


@BOTH
def test_nothing_that_was_asked_for_was_there(platform: Any) -> None:
    """A search that found nothing gave the test no screen."""
    with page_on(platform, front) as (mobile, app, _):
        mobile.snapshot()
        app.show(ask(app, "Delete all"))
        app.changed()
        mobile._context.clock.sleep(0.6)
        assert mobile.find_all(text="Nothing of the kind") == []
        with pytest.raises(ActionFailed, match="AMBIGUOUS_TARGET"):
            mobile.tap(text="OK")
        assert done(app) == []


def deleting(app: Page) -> Widget:
    sure = Dialog(
        "Sure?", "Really", (DialogButton("Delete", noting(app, "deleted")), DialogButton("Cancel"))
    )
    return Column(
        [Button("Delete", on_click=lambda: app.show(sure)), EditText("Note", id="note")],
        height="fill",
    )


LOOKS: dict[str, Callable[[DeviceSession], object]] = {
    "plain": lambda on: on.tap(text="Delete"),
    "check": lambda on: on.tap(text="Delete").expect_visible(text="Sure?"),
    "snapshot": lambda on: (on.tap(text="Delete", silent=True), on.snapshot()),
    "wait": lambda on: (on.tap(text="Delete", silent=True), on.wait_for(text="Sure?")),
    "find": lambda on: (on.tap(text="Delete", silent=True), on.find(text="Sure?")),
}


@BOTH
@pytest.mark.parametrize("look", LOOKS)
def test_the_dialog_that_an_action_led_to_is_where_the_next_one_is_meant(
    platform: Any, look: str
) -> None:
    with page_on(platform, deleting) as (mobile, app, _):
        LOOKS[look](mobile)
        mobile.tap(text="Delete").expect_gone(text="Sure?")
        assert done(app) == ["deleted"]


@BOTH
def test_after_a_silent_action_nobody_has_looked(platform: Any) -> None:
    with page_on(platform, deleting) as (mobile, app, _):
        mobile.tap(text="Delete", silent=True)
        with pytest.raises(ActionFailed, match="AMBIGUOUS_TARGET"):
            mobile.tap(text="Delete")
        assert done(app) == []


@BOTH
@pytest.mark.parametrize("silent", [False, True])
def test_another_app_that_the_test_started_is_where_it_means_to_act(
    platform: Any, silent: bool
) -> None:
    other: App[dict[str, Any]] = App(package="qa.other", label="Other", state=dict, start=Elsewhere)
    with page_on(platform, front, other) as (mobile, app, device):
        mobile.snapshot()
        mobile.launch("qa.other", silent=silent)
        mobile.tap(text="OK")
        assert (done(app), updated(device)) == ([], ["update"])
        mobile.activate(PACKAGE, silent=silent)
        mobile.tap(text="OK")
        assert done(app) == ["page"]


@BOTH
def test_a_control_is_not_set_on_in_another_window(platform: Any) -> None:
    """The first touch brings up a dialog with a slider of the same id."""

    def bars(app: Page) -> Widget:
        def bar(name: str) -> Widget:
            return SeekBar(
                id="amount",
                description="Amount",
                value=app.state.get(name, 0),
                on_change=into(name),
            )

        def into(name: str) -> Callable[[float], None]:
            def moved(value: float) -> None:
                app.state.update({name: value})
                if name == "page":
                    app.show(
                        Dialog(
                            "How many?", "", (DialogButton("Fine"),), content=lambda: bar("dialog")
                        )
                    )

            return moved

        return Column([bar("page")], height="fill")

    with page_on(platform, bars) as (mobile, app, _):
        with pytest.raises(ActionFailed):
            mobile.adjust(resource_id="amount", to=63)
        assert "dialog" not in app.state
