"""Text goes into the field that was meant, wherever a keyboard or the app itself has moved it; or
nowhere."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Literal

import pytest

from pytest_replicant import ActionFailed, DeviceSession, Secret, Selector, by
from pytest_replicant.drivers import Platform
from pytest_replicant.recovery import builtin
from pytest_replicant.testing import VirtualDevice
from pytest_replicant.virtual import (
    Column,
    EditText,
    RecyclerList,
    Row,
    Scroll,
    Text,
    Widget,
)

from .on_phone import Page, page_on

PLATFORMS: tuple[Platform, ...] = ("android", "ios")
Room = Literal["resize", "pan"]
PASSWORD = "correct horse"
VERBS = ("fill", "silent", "append", "clear")


def type_into(mobile: DeviceSession, target: Selector, verb: str) -> None:
    """By one of ``VERBS``."""
    if verb == "clear":
        mobile.clear_text(target)
    else:
        mobile.fill(target, Secret(PASSWORD), append=verb == "append", silent=verb == "silent")


def field(app: Page, name: str, hint: str = "", **options: Any) -> EditText:
    def keep(text: str) -> None:
        app.state[name] = text

    return EditText(hint, text=app.state.get(name, ""), on_change=keep, **options)


@contextmanager
def form_on(
    platform: Platform, build: Callable[[Page], Widget], room: Room = "resize", **settings: Any
) -> Iterator[tuple[DeviceSession, dict[str, Any], VirtualDevice]]:
    """A session on a form, and what the app holds."""
    with page_on(platform, build, room=room, title="Form", recover=builtin, **settings) as (
        session,
        app,
        device,
    ):
        yield session, app.state, device


# --- a field at the foot of a form, which the keyboard moves --------------------------------------


def foot(app: Page, *, scrolls: bool, captions: bool) -> Widget:
    """Three fields without ids, the last two where the keyboard comes up."""
    rows: list[Widget] = []
    for name in ("Name", "City", "Notes"):
        rows += [Text(name)] if captions else []
        rows.append(field(app, name, "" if captions else name, key=name))
        rows += [Text("Line\nLine\nLine", height=240)] if name == "Name" else []
    if scrolls:
        return Column([Scroll(rows, weight=1)], height="fill")
    return Column([*rows[:2], Column(weight=1), *rows[2:]], height="fill")


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("room", ["resize", "pan"])
@pytest.mark.parametrize(("scrolls", "captions"), [(False, True), (True, False)])
def test_a_field_at_the_foot_of_a_form_is_filled(
    platform: Platform, room: Room, scrolls: bool, captions: bool
) -> None:
    with form_on(platform, lambda app: foot(app, scrolls=scrolls, captions=captions), room) as (
        mobile,
        held,
        _,
    ):
        mobile.fill(text="Notes", value="Ring twice").expect_state(text="Ring twice")
        assert held == {"Notes": "Ring twice"}
        assert mobile.snapshot().dialog is None


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("room", ["resize", "pan"])
def test_so_is_one_that_is_filled_silently_added_to_and_emptied(
    platform: Platform, room: Room
) -> None:
    with form_on(platform, lambda app: foot(app, scrolls=False, captions=True), room) as (
        mobile,
        held,
        _,
    ):
        mobile.fill(text="Notes", value="Ring", silent=True)
        mobile.fill(text="Name", value="Ada", silent=True)
        mobile.hide_keyboard()
        mobile.fill(text="Notes", value=" twice", append=True)
        mobile.hide_keyboard()
        mobile.clear_text(text="Name", silent=True)
        mobile.fill(text="City", value=Secret("Bath"), append=True)
        assert held == {"Name": "", "City": "Bath", "Notes": "Ring twice"}
        mobile.hide_keyboard()
        mobile.clear_text(text="Notes").expect_state(text="")
        assert held["Notes"] == ""


def guests(app: Page) -> Widget:
    """Longer than the screen, and one hint for all."""
    rows = [
        Row([Text(f"Guest {n}", weight=1), field(app, str(n), "Name", width=200)])
        for n in range(1, 30)
    ]
    return Column([RecyclerList(rows, weight=1)], height="fill")


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("room", ["resize", "pan"])
def test_so_is_one_of_many_alike_in_a_list_that_the_keyboard_scrolls(
    platform: Platform, room: Room
) -> None:
    with form_on(platform, guests, room) as (mobile, held, _):
        for at in (-2, -1):
            shown = str(mobile.snapshot())
            guest = re.findall(r"Guest (\d+)", shown)[at]
            mobile.fill(by(role="text_field", row_with=by(text=f"Guest {guest}")), "Ada")
            assert held.pop(guest) == "Ada"
            assert held == {}
            mobile.hide_keyboard()


def complaining(app: Page) -> Widget:
    """A touch puts two lines above the field that is touched."""
    amount = field(app, "Amount", "Amount", key="amount")
    amount.on_click = lambda: app.state.update(touched="yes")
    lines = [Text("Enter an amount"), Text("In euro")] if "touched" in app.state else []
    return Column(
        [Text("Pay"), *lines, amount, field(app, "Note", "Note", key="note")], height="fill"
    )


@pytest.mark.parametrize("platform", PLATFORMS)
def test_so_is_one_that_the_app_moves_together_with_its_focus(platform: Platform) -> None:
    with form_on(platform, complaining) as (mobile, held, _):
        mobile.fill(text="Amount", value="5")
        assert held == {"touched": "yes", "Amount": "5"}


# --- a form that moves at the touch ---------------------------------------------------------------

Rows = Callable[[Page, str, int], list[Widget]]


def hinted(app: Page, name: str, _: int) -> list[Widget]:
    return [field(app, name, name)]


def captioned(app: Page, name: str, _: int) -> list[Widget]:
    return [Column([Text(name), field(app, name)])]


def captions_between(app: Page, name: str, _: int) -> list[Widget]:
    return [Text(name), field(app, name)]


def alike(app: Page, name: str, at: int) -> list[Widget]:
    """One hint for all, each in a row of its own."""
    return [Row([Text(name, weight=1), field(app, name, "Answer", width=180)])]


def of_one_id(app: Page, name: str, _: int) -> list[Widget]:
    return [Column([Text(name), field(app, name, id="value")])]


NAMES = ("Name", "Email", "Password", "Country")


def moving(app: Page, rows: Rows, *, listed: bool) -> Widget:
    """What is touched in the place of the password is the field above it, which moves there just
    before."""
    moved = app.state.get("moved")
    names = ("Title", *NAMES[:3]) if moved else NAMES
    widgets = [one for at, name in enumerate(names) for one in rows(app, name, at)]
    for one in widgets:
        for each in (one, *one.parts()):
            if isinstance(each, EditText):
                each.on_click = lambda: app.state.update(moved=True)
    return RecyclerList(widgets, weight=1) if listed else Column(widgets, height="fill")


WAYS = [(rows, "fill") for rows in (hinted, captioned, captions_between, alike, of_one_id)]
WAYS += [(hinted, verb) for verb in VERBS[1:]]


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize(
    "listed", [False, pytest.param(True, marks=pytest.mark.ci)], ids=["form", "list"]
)
@pytest.mark.parametrize(("rows", "verb"), WAYS)
def test_nothing_is_typed_into_the_field_that_came_into_its_place(
    platform: Platform, rows: Rows, listed: bool, verb: str
) -> None:
    with form_on(platform, lambda app: moving(app, rows, listed=listed)) as (mobile, held, _):
        held.update(Email="ada@example.com", Name="Ada")
        named = (
            by(text="Password")
            if rows is not alike
            else by(text="Answer", row_with=by(text="Password"))
        )
        if rows is captions_between:
            named = by(
                class_name=mobile.snapshot().find_all(role="text_field")[2].class_name, nth=2
            )
        with pytest.raises(
            ActionFailed, match=r"did not take the focus.*the focus is on.*Nothing was typed"
        ) as failed:
            type_into(mobile, named, verb)
        assert PASSWORD not in str(failed.value)
        assert held == {"Email": "ada@example.com", "Name": "Ada", "moved": True}
        mobile.fill(named if named.nth is None else replace(named, nth=3), Secret(PASSWORD))
        assert held["Password"] == PASSWORD


# --- a focus that moves while it is typed ---------------------------------------------------------


def two(app: Page) -> Widget:
    return Column([field(app, "Email", "Email"), field(app, "Password", "Password")], height="fill")


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("verb", VERBS)
def test_a_text_that_went_into_another_field_is_a_failure_that_names_it_and_is_not_typed_again(
    platform: Platform, verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with form_on(platform, two) as (mobile, held, device):
        held.update(Email="ada@example.com", Password="old")
        place = mobile.find(text="Email").center
        driver, times = device.driver, []

        def moving_before(name: str) -> None:
            send = getattr(driver, name)

            def moved(*args: Any) -> None:
                times.append(name)
                driver.tap(place)
                send(*args)

            monkeypatch.setattr(driver, name, moved)

        moving_before("clear_text" if verb == "clear" else "type_text")
        if hasattr(driver, "replace_text"):
            moving_before("replace_text")
        with pytest.raises(
            ActionFailed, match=r'"Password" was meant, and the text went into .*"Email"'
        ) as failed:
            type_into(mobile, by(text="Password"), verb)
        assert PASSWORD not in str(failed.value)
        assert len(times) == 1, "it is not typed again"
        assert held["Email"] != "ada@example.com", "it did go there"
        assert held["Password"] in ("old", "")


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("silent", [False, True])
def test_a_field_that_hands_the_focus_on_once_it_is_full_is_filled(
    platform: Platform, silent: bool
) -> None:
    """As those of a code that came by message do; and a text that another field mirrors went into
    its own."""

    def code(app: Page) -> Widget:
        def entered(text: str) -> None:
            app.state.update(one=text, two=text)
            app.focus("two")

        first = EditText("First", text=app.state.get("one", ""), on_change=entered, id="one")
        return Column(
            [first, EditText("Second", text=app.state.get("two", ""), id="two")], height="fill"
        )

    with form_on(platform, code) as (mobile, held, _):
        mobile.fill(text="First", value="42", silent=silent)
        assert held == {"one": "42", "two": "42"}
