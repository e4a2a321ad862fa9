"""Windows of both platforms: the app's, dialogs, keyboards and system windows."""

from __future__ import annotations

from ..ios_screens import app, el, static
from ..ios_screens import button as ios_button
from ..ios_screens import parse as ios_parse
from ..screens import labels_of

MAIN = el(
    "Window",
    el(
        "NavigationBar",
        static("Checkout", at=(100, 30, 175, 24)),
        at=(0, 20, 375, 44),
        name="Checkout",
    ),
    ios_button("Buy"),
)


def menu_window(*options: str) -> str:
    """As iOS opens a menu: in a window of its own, over what a touch next to it meets."""
    region = el("Button", name="PopoverDismissRegion", label="dismiss popup")
    rows = [ios_button(name, at=(16, 200 + 44 * n, 200, 44)) for n, name in enumerate(options)]
    return el("Window", region, el("CollectionView", *rows, at=(16, 200, 200, 44 * len(rows))))


def test_a_menu_in_a_window_of_its_own_lies_over_the_rest() -> None:
    snapshot = ios_parse(app(MAIN, menu_window("Small", "Large")))
    assert (snapshot.title, snapshot.dialog) == ("Checkout", "")
    assert labels_of(snapshot.elements) == ["dismiss popup", "", "Small", "Large"]
    assert snapshot.outline().endswith("(1 window below: Checkout)")
    covered = snapshot.beneath
    assert covered is not None
    assert covered.find(text="Buy").class_name == "Button"


def test_what_the_keyboard_alone_hides_is_beneath_and_what_hides_otherwise_is_not() -> None:
    under = ios_button("Sign in", at=(16, 500, 100, 44), visible="false")
    hidden = ios_button("Secret", at=(16, 200, 100, 44), visible="false")
    keys = el(
        "Window", el("Keyboard", el("Key", label="q", at=(0, 450, 30, 40)), at=(0, 430, 375, 237))
    )
    snapshot = ios_parse(app(el("Window", ios_button("Buy"), under, hidden), keys))
    assert labels_of(snapshot.elements) == ["Buy"]
    assert snapshot.beneath is not None
    assert labels_of(snapshot.beneath.elements) == ["Buy", "Sign in"]
    without = ios_parse(app(el("Window", ios_button("Buy"), under, hidden)))
    assert without.beneath is None
