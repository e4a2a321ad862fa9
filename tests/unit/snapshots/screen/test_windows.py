"""Windows of both platforms: the app's, dialogs, keyboards and system windows."""

from __future__ import annotations

from itertools import permutations

import pytest

from ..ios_screens import app, el, static
from ..ios_screens import button as ios_button
from ..ios_screens import parse as ios_parse
from ..screens import button, hierarchy, labels_of, node, parse, text

APP = node(
    "FrameLayout", node("Toolbar", text("Checkout", at=(0, 0, 400, 90)), at=(0, 0, 1080, 100)), button("Buy")
)
DIALOG = node(
    "FrameLayout",
    text("Sure?", at=(120, 920, 400, 1000), resource_id="dev.shop:id/alertTitle"),
    button("OK", at=(700, 1400, 900, 1480), resource_id="android:id/button1"),
    at=(100, 900, 980, 1500),
)
KEYBOARD = node(
    "FrameLayout",
    button("q", at=(0, 1700, 100, 1800), package="com.google.android.inputmethod.latin"),
    at=(0, 1600, 1080, 2400),
    package="com.google.android.inputmethod.latin",
)
PERMISSION = "com.google.android.permissioncontroller"
QUESTION = node(
    "FrameLayout",
    node("Button", at=(100, 1500, 980, 1600), text="Don’t allow", package=PERMISSION, clickable="true"),
    at=(50, 800, 1030, 1700),
    package=PERMISSION,
)
BAR = node(
    "FrameLayout",
    node("TextView", at=(0, 0, 90, 60), text="12:00", package="com.android.systemui"),
    at=(0, 0, 1080, 60),
    package="com.android.systemui",
)


@pytest.mark.parametrize("order", list(permutations([APP, DIALOG, KEYBOARD, BAR])))
def test_a_dialog_hides_what_is_below_in_whatever_order_windows_come(order: tuple[str, ...]) -> None:
    snapshot = parse(hierarchy(*order))
    assert snapshot.outline().splitlines()[:2] == ["Checkout  (dev.shop)", 'Dialog "Sure?"']
    assert "(1 window below: Checkout)" in snapshot.outline()
    assert labels_of(snapshot.elements) == ["OK"]
    assert (snapshot.app, snapshot.title, snapshot.dialog) == ("dev.shop", "Checkout", "Sure?")


@pytest.mark.parametrize("order", list(permutations([APP, DIALOG, QUESTION])))
def test_what_the_system_asks_lies_over_a_smaller_dialog_of_the_app(order: tuple[str, ...]) -> None:
    assert labels_of(parse(hierarchy(*order)).elements) == ["Don’t allow"]


MAIN = el(
    "Window",
    el("NavigationBar", static("Checkout", at=(100, 30, 175, 24)), at=(0, 20, 375, 44), name="Checkout"),
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
    keys = el("Window", el("Keyboard", el("Key", label="q", at=(0, 450, 30, 40)), at=(0, 430, 375, 237)))
    snapshot = ios_parse(app(el("Window", ios_button("Buy"), under, hidden), keys))
    assert labels_of(snapshot.elements) == ["Buy"]
    assert snapshot.beneath is not None
    assert labels_of(snapshot.beneath.elements) == ["Buy", "Sign in"]
    without = ios_parse(app(el("Window", ios_button("Buy"), under, hidden)))
    assert without.beneath is None
