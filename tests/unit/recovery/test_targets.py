"""Another element for a target: of a stale ref, and of an ambiguous selector."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_replicant.model import Element, Recovery, Selector
from pytest_replicant.snapshots import Snapshot
from tests.unit.snapshots.screens import (
    button,
    catalogue,
    hierarchy,
    node,
    parse,
    row,
    screen,
    text,
)

from .failures import Session, ask, failed

SAVE = screen(button("Save", resource_id="x:id/save"), title="Profile")


def line(
    name: str, price: str, top: int, of: str = "Button", label: str = "Add", resource_id: str = ""
) -> str:
    """A row with one thing to press."""
    at = (900, top, 1080, top + 100)
    return node(
        "LinearLayout",
        text(name, at=(0, top, 300, top + 50)),
        text(price, at=(0, top + 50, 300, top + 100)),
        node(of, at=at, text=label, clickable="true", resource_id=resource_id),
        at=(0, top, 1080, top + 100),
    )


LIST = screen(
    catalogue(line("Blue mug", "£9.90", 400), line("Tray", "£12.00", 500)), title="Catalogue"
)


def stale(was: Element, now: Snapshot, **facts: object) -> object:
    assert now.locate(was).verdict in ("gone", "replaced", "ambiguous")
    return ask("stale", failed("STALE_REFERENCE", now, element=was, target=was.ref, **facts))


def saved(now: str) -> object:
    return stale(parse(SAVE).find(text="Save"), parse(now, "s2"))


def added(now: str) -> object:
    was = next(e for e in parse(LIST).elements if e.label == "Add" and e.row_title == "Tray")
    return stale(was, parse(now, "s2"))


def target_of(answer: object) -> Element:
    target = getattr(answer, "target", None)
    assert isinstance(target, Element)
    return target


def test_a_screen_that_was_changing_is_asked_again() -> None:
    was = parse(SAVE).find(text="Save")
    answer = ask("stale", failed("STALE_REFERENCE", parse(LIST, "s2"), element=was, steady=False))
    assert answer is not None
    assert (answer.strategy, answer.target) == ("re_resolve", None)


@pytest.mark.parametrize(
    "now",
    [
        button("Save", resource_id="x:id/save_profile"),  # another id
        button("Save", at=(0, 310, 210, 410), resource_id=""),  # none, and a little lower
        node(
            "ToggleButton",
            at=(0, 300, 200, 400),
            text="Save",
            clickable="true",
            resource_id="x:id/save",
        ),
    ],
)
def test_what_was_rebuilt_in_its_place_under_its_name(now: str) -> None:
    answer = saved(screen(now, button("Cancel", at=(300, 300, 500, 400)), title="Profile"))
    assert target_of(answer).label == "Save"
    assert getattr(answer, "strategy", "") == "re_resolve"
    assert getattr(answer, "reason", "").endswith("alone has its name and its place")


def test_a_row_may_have_scrolled() -> None:
    rows = (
        line("Blue mug", "£9.90", 900, "ToggleButton"),
        line("Tray", "£12.00", 1000, "ToggleButton"),
    )
    found = target_of(
        added(screen(catalogue(*rows), title="Catalogue"))
    )  # the row says which of the two
    assert (found.row_title, found.class_name) == ("Tray", "ToggleButton")


@pytest.mark.parametrize(
    ("now", "why"),
    [
        (screen(button("Save as", resource_id="x:id/keep"), title="Profile"), "another name"),
        (
            screen(
                button("Save", at=(0, 1900, 200, 2000), resource_id="x:id/keep"), title="Profile"
            ),
            "elsewhere",
        ),
        (screen(button("Save", resource_id="x:id/keep"), title="Password"), "another screen"),
        (
            screen(node("TextView", at=(0, 300, 200, 400), text="Save"), title="Profile"),
            "nothing to press",
        ),
        (screen(title="Profile"), "gone"),
        (
            screen(
                button("Save", resource_id="x:id/keep"),
                button("Keep", at=(0, 380, 200, 480), resource_id="x:id/other"),
                title="Profile",
            ),
            "another comes nearly as near",
        ),
        (
            screen(
                node(
                    "ToggleButton",
                    at=(0, 300, 200, 400),
                    text="Save",
                    clickable="true",
                    resource_id="x:id/keep",
                ),
                title="Profile",
            ),
            "too little is left",
        ),
        (
            screen(
                node("Button", at=(0, 300, 200, 400), text="Save", resource_id="x:id/keep"),
                title="Profile",
            ),
            "a dead button",
        ),
        (
            screen(button("Save", resource_id="x:id/keep", package="dev.other"), title="Profile"),
            "another app",
        ),
    ],
    ids=lambda value: value if " " in value and "<" not in value else None,
)
def test_gone_is_a_possible_answer(now: str, why: str) -> None:
    assert saved(now) is None, why


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        (
            (
                line("Blue mug", "£9.90", 400, "ToggleButton"),
                line("Bowl", "£12.00", 500, "ToggleButton"),
            ),
            "row gone",
        ),
        ((line("Tray", "sold out", 500, "ToggleButton"),), "the row says something else"),
        (
            (
                line("Tray", "£12.00", 500, "ToggleButton"),
                line("Tray", "£12.00", 600, "ToggleButton"),
            ),
            "two such rows",
        ),
        ((line("Tray", "£12.00", 500, "ToggleButton", "Added"),), "another name"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_another_row_is_another_thing(rows: tuple[str, ...], why: str) -> None:
    assert added(screen(catalogue(*rows), title="Catalogue")) is None, why


def test_a_look_alike_has_no_successor() -> None:
    was = parse(SAVE).find(text="Save")
    now = parse(screen(button("Save", resource_id="x:id/keep"), title="Profile"), "s2")
    assert ask("stale", failed("STALE_REFERENCE", now, element=was)) is not None
    assert ask("stale", failed("STALE_REFERENCE", now, element=replace(was, fragile=True))) is None


def test_nothing_without_a_name_is_found_again() -> None:
    was = parse(screen(button("", resource_id="x:id/save"), title="Profile")).find(
        resource_id="x:id/save"
    )
    now = parse(screen(button("", resource_id="x:id/keep"), title="Profile"), "s2")
    assert ask("stale", failed("STALE_REFERENCE", now, element=was)) is None


def test_a_dialog_that_opened_is_another_screen() -> None:
    dialog = node(
        "FrameLayout",
        text("Sure?", resource_id="y:id/alertTitle"),
        button("Save", resource_id="y:id/ok"),
        at=(0, 250, 500, 500),
    )
    now = parse(hierarchy(dialog, node("FrameLayout")), "s2")
    assert stale(parse(SAVE).find(text="Save"), now) is None


ADD = Selector(text="Add")
ONE = screen(catalogue(row("Tray", "£12.00", 400)), title="Catalogue")
TWO = screen(catalogue(row("Tray", "£12.00", 400), row("Bowl", "£3.00", 500)), title="Catalogue")
BEFORE = parse(ONE, "s1").find(text="Add")


def chosen(now: str, before: Element | None, **facts: object) -> Recovery | None:
    snapshot = parse(now, "s2")
    candidates = tuple(e for e in snapshot.elements if e.label == "Add")
    failure = failed(
        "AMBIGUOUS_TARGET", snapshot, **{"candidates": candidates, "target": ADD, **facts}
    )
    return ask("ambiguous", failure, session=Session({ADD: before} if before is not None else {}))


def test_the_one_it_meant_before() -> None:
    answer = chosen(TWO, BEFORE)
    assert answer is not None
    assert answer.strategy == "alternate_candidate"
    assert isinstance(answer.target, Element)
    assert (answer.target.snapshot_id, answer.target.row_title) == ("s2", "Tray")
    assert answer.reason.endswith("alone earlier in this test, on this screen")


def test_also_where_it_has_moved() -> None:
    moved = screen(
        catalogue(row("Bowl", "£3.00", 400), row("Tray", "£12.00", 500)), title="Catalogue"
    )
    answer = chosen(moved, BEFORE)
    assert answer is not None
    assert getattr(answer.target, "row_title", "") == "Tray"


@pytest.mark.parametrize(
    ("now", "before", "why"),
    [
        (TWO, None, "it never meant one"),
        (TWO.replace("Catalogue", "Wish list"), BEFORE, "another screen"),
        (
            screen(
                catalogue(row("Mug", "£12.00", 400), row("Bowl", "£3.00", 500)), title="Catalogue"
            ),
            BEFORE,
            "that one is gone",
        ),
        (
            screen(
                catalogue(row("Tray", "£12.00", 400), row("Tray", "£12.00", 500)), title="Catalogue"
            ),
            BEFORE,
            "two look like it",
        ),
        (TWO, replace(BEFORE, fragile=True), "it was a look-alike then"),
        (TWO, BEFORE.remembered(), "its screen is not known"),
    ],
    ids=lambda value: value if isinstance(value, str) and "<" not in value else None,
)
def test_without_proof_there_is_no_choice(now: str, before: Element | None, why: str) -> None:
    assert chosen(now, before) is None, why
