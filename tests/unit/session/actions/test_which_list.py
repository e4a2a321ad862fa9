"""Which list is scrolled and read: the one that is meant. Two lists, or two options of which one is
out of sight, are never a choice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_replicant import ActionFailed, DeviceSession, by
from pytest_replicant.testing.virtual import HorizontalScroll
from pytest_replicant.virtual import (
    Button,
    Column,
    Dialog,
    DialogButton,
    RadioGroup,
    RecyclerList,
    Scroll,
    Text,
    Widget,
)

from ..on_phone import Page, shown_on
from .test_ends_of_lists import BOTH


def listed(name: str, count: int, **size: Any) -> Widget:
    rows = [Button(f"{name} {number}", key=f"{name}{number}") for number in range(count)]
    return RecyclerList(rows, id=f"list_{name}", **(size or {"weight": 1}))


PART = by(resource_id="list_b")
COLLECTS: dict[str, Callable[[DeviceSession], list[Any]]] = {
    "within": lambda on: on.collect(text_contains="b ", within=PART),
    "view": lambda on: on.within(PART).collect(text_contains="b "),
    "ref": lambda on: on.collect(text_contains="b ", within=on.find(PART).ref),
    "branch": lambda on: on.collect(
        by(android=by(text_contains="b ", within=PART), ios=by(text_contains="b ", within=PART))
    ),
    "around it": lambda on: on.collect(text_contains="b ", within=by(resource_id="lower")),
}
SCROLLS: dict[str, Callable[[DeviceSession], object]] = {
    "within": lambda on: on.scroll_to(text="b 25", within=PART),
    "view": lambda on: on.within(PART).scroll_to(text="b 25"),
}


def large_and_small(app: Page) -> Widget:
    lower = Column([listed("b", 30, height=200)], id="lower", width="fill")
    return Column([Text("b is below"), listed("a", 40), lower], height="fill")


@BOTH
@pytest.mark.parametrize("how", COLLECTS)
def test_the_list_that_is_read_is_the_one_that_the_selector_is_confined_to(
    platform: str, how: str
) -> None:
    with shown_on(platform, large_and_small) as mobile:
        assert len(COLLECTS[how](mobile)) == 30
        mobile.expect_visible(text="a 0")


@BOTH
@pytest.mark.parametrize("how", SCROLLS)
def test_the_list_that_is_scrolled_is_the_one_that_the_selector_is_confined_to(
    platform: str, how: str
) -> None:
    with shown_on(platform, large_and_small) as mobile:
        SCROLLS[how](mobile)
        mobile.expect_visible(text="b 25").expect_visible(text="a 0")


@BOTH
def test_a_part_that_is_out_of_sight_is_scrolled_to(platform: str) -> None:
    """It is in the list, not the list: what it lies in is scrolled, and as long as it is not there
    the largest."""

    def cards(app: Page) -> Widget:
        rows = [
            Column([Text(f"Card {at}"), Button("Buy")], id=f"card{at}", key=str(at))
            for at in range(30)
        ]
        return Column(
            [listed("a", 9, height=200), RecyclerList(rows, id="cards", weight=1)], height="fill"
        )

    with shown_on(platform, cards) as mobile:
        mobile.scroll_to(text="Buy", within=by(resource_id="card25")).expect_visible(text="Card 25")
        mobile.expect_visible(text="a 0")


@BOTH
def test_what_fits_outside_of_the_list_is_not_left_out_unsaid(platform: str) -> None:
    with shown_on(platform, large_and_small) as mobile:
        with pytest.raises(
            ActionFailed, match=r"AMBIGUOUS_TARGET[\s\S]*lies outside of[\s\S]*container="
        ):
            mobile.collect(text_contains="b ")
        assert len(mobile.collect(by(text_contains="a "), by(resource_id="list_a"))) == 40


TOWNS = ["Springfield", *(f"Town {number}" for number in range(40)), "Springfield"]
City = Callable[[Page, list[str], Callable[[int], Callable[[], None]]], Widget]


def accordion(app: Page, towns: list[str], choose: Callable[[int], Callable[[], None]]) -> Widget:
    opens = Button(
        "City", id="city", class_name="Spinner", on_click=lambda: app.state.update(open=True)
    )
    options = (
        [Button(town, on_click=choose(at)) for at, town in enumerate(towns)]
        if app.state.get("open")
        else []
    )
    return Column(
        [Scroll([opens, *options, *(Text(f"foot {at}") for at in range(40))], weight=1)],
        height="fill",
    )


def two_lists(app: Page, towns: list[str], choose: Callable[[int], Callable[[], None]]) -> Widget:
    def lists() -> Widget:
        rows = [Button(town, key=str(at), on_click=choose(at)) for at, town in enumerate(towns)]
        return Column([RecyclerList(rows[:20], height=200), RecyclerList(rows[20:], height=200)])

    ask = Dialog("City?", "", (DialogButton("Cancel"),), content=lists)
    opens = Button("City", id="city", class_name="Spinner", on_click=lambda: app.show(ask))
    return Column([opens, Text(f"chosen {app.state.get('town')}")], height="fill")


def radio_buttons(
    app: Page, towns: list[str], choose: Callable[[int], Callable[[], None]]
) -> Widget:
    group = RadioGroup(
        id="city", options=towns, chosen=app.state.get("town", 5), on_change=lambda at: choose(at)()
    )
    return Column([Scroll([Text("Where?"), group, Text("And now?")], weight=1)], height="fill")


def tabs(app: Page, towns: list[str], choose: Callable[[int], Callable[[], None]]) -> Widget:
    now = app.state.get("town", 0)
    each = [
        Button(town, key=str(at), selected=at == now, on_click=choose(at), width=160)
        for at, town in enumerate(towns[:9] + towns[-1:])
    ]
    return Column([HorizontalScroll(each, id="city")], height="fill")


OFFERS: dict[str, tuple[City, Any, str]] = {
    "options in the page": (accordion, by(resource_id="city"), "select"),
    "two lists in a dialog": (two_lists, by(resource_id="city"), "select"),
    "radio buttons": (radio_buttons, by(text="Town 3"), "adjust"),
    "tabs": (tabs, by(text="Town 1"), "adjust"),
}


@BOTH
@pytest.mark.parametrize("what", OFFERS)
@pytest.mark.parametrize("alone", [False, True], ids=["two", "one"])
def test_of_two_that_are_never_in_sight_together_none_is_chosen(
    platform: str, what: str, alone: bool
) -> None:
    chosen: list[int] = []
    build, target, verb = OFFERS[what]

    def page(app: Page) -> Widget:
        def choose(at: int) -> Callable[[], None]:
            return lambda: (chosen.append(at), app.state.update(town=at, open=False), app.dismiss())  # type: ignore

        return build(app, ["Shelbyville", *TOWNS[1:]] if alone else TOWNS, choose)

    with shown_on(platform, page) as mobile:

        def act() -> None:
            if verb == "select":
                mobile.select(target, option="Springfield", silent=True)
            else:
                mobile.adjust(target, to="Springfield", silent=True)

        if alone:
            act()
            assert chosen == [9 if what == "tabs" else 41]
        else:
            with pytest.raises(ActionFailed, match="AMBIGUOUS_TARGET"):
                act()
            assert chosen == []
