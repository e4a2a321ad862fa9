"""Windows of both platforms: the app's, dialogs, keyboards and system windows."""

from __future__ import annotations

from itertools import permutations

import pytest

from ..ios_screens import app, cell, el, lines, static, table
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


def test_a_keyboard_is_announced_and_its_keys_are_not_listed() -> None:
    snapshot = parse(hierarchy(APP, KEYBOARD))
    assert snapshot.keyboard_visible
    assert "(keyboard open)" in snapshot.outline()
    assert labels_of(snapshot.elements) == ["Buy"]


def test_what_lies_under_the_keyboard_is_still_listed() -> None:
    app = node("FrameLayout", button("Save", at=(0, 2000, 1080, 2100)))
    assert parse(hierarchy(KEYBOARD, app)).find(text="Save").label == "Save"


def test_without_a_keyboard_none_is_announced() -> None:
    snapshot = parse(hierarchy(APP, BAR))
    assert not snapshot.keyboard_visible
    assert "keyboard" not in snapshot.outline()


def test_the_system_bars_are_dropped_and_an_open_shade_is_not() -> None:
    shade = node(
        "FrameLayout",
        node("Button", at=(0, 500, 500, 600), text="Wi-Fi", clickable="true", package="com.android.systemui"),
        package="com.android.systemui",
    )
    assert labels_of(parse(hierarchy(BAR, APP)).elements) == ["Buy"]
    assert labels_of(parse(hierarchy(APP, shade)).elements) == ["Wi-Fi"]


def test_windows_side_by_side_are_both_listed() -> None:
    left = node("FrameLayout", button("Left"), at=(0, 0, 540, 2400))
    right = node("FrameLayout", button("Right", at=(600, 300, 800, 400)), at=(540, 0, 1080, 2400))
    assert {e.label for e in parse(hierarchy(left, right)).elements} == {"Left", "Right"}


def test_a_tool_tip_does_not_hide_the_screen() -> None:
    tip = node("FrameLayout", text("Saved", at=(0, 2100, 500, 2200)), at=(0, 2100, 500, 2200))
    assert {e.label for e in parse(hierarchy(APP, tip)).elements} == {"Buy", "Saved"}


@pytest.mark.parametrize("keyboard_first", [True, False])
def test_the_settings_of_a_keyboard_are_an_app_with_a_keyboard_open(keyboard_first: bool) -> None:
    settings = node(
        "FrameLayout", button("Themes", package="org.keyboard"), at=(0, 0, 1080, 2400), package="org.keyboard"
    )
    windows = (KEYBOARD, settings) if keyboard_first else (settings, KEYBOARD)
    snapshot = parse(hierarchy(*windows))
    assert (snapshot.app, snapshot.keyboard_visible) == ("org.keyboard", True)
    assert labels_of(snapshot.elements) == ["Themes"]
    assert not snapshot.traits.differ(parse(hierarchy(settings)).traits)


def test_a_keyboard_over_the_notifications_is_a_keyboard() -> None:
    reply = node("EditText", at=(0, 300, 1080, 400), hint="Reply", package="com.android.systemui")
    shade = node("FrameLayout", reply, at=(0, 0, 1080, 2400), package="com.android.systemui")
    snapshot = parse(hierarchy(shade, KEYBOARD))
    assert (snapshot.keyboard_visible, labels_of(snapshot.elements)) == (True, ["Reply"])


MAIN = el(
    "Window",
    el("NavigationBar", static("Checkout", at=(100, 30, 175, 24)), at=(0, 20, 375, 44), name="Checkout"),
    ios_button("Buy"),
)
EMPTY = el("Window", el("Other"), visible="false")


def alert(title: str, *actions: str, kind: str = "Alert", **attributes: str) -> str:
    """As iOS builds it: two scroll views that hold all they need to show."""
    words = el("Other", static(title, at=(60, 250, 250, 20)), static("Really?", at=(60, 280, 250, 20)), at=BOX)
    buttons = [ios_button(action, at=(60 + 130 * n, 330, 125, 44)) for n, action in enumerate(actions)]
    panes = el("ScrollView", words, at=BOX) + el("ScrollView", *buttons, at=BOX)
    return el(kind, el("Other", panes, at=BOX), at=BOX, **{"label": title, "name": title, **attributes})


BOX = (50, 240, 275, 140)


@pytest.mark.parametrize("kind", ["Alert", "Sheet", "Popover"])
def test_a_dialog_is_announced_and_what_lies_below_is_not_listed(kind: str) -> None:
    snapshot = ios_parse(app(MAIN, EMPTY, el("Window", el("Other", alert("Delete?", "No", "Yes", kind=kind)))))
    assert (snapshot.title, snapshot.dialog) == ("Checkout", "Delete?")
    assert lines(snapshot) == [
        "Checkout  (Shop)",
        'Dialog "Delete?"',
        '"Really?"',
        'Button "No"',
        'Button "Yes"',
        "(1 window below: Checkout)",
    ]


def test_a_dialog_in_the_window_of_the_app_hides_the_rest_of_it() -> None:
    sheet = el("Sheet", ios_button("Photo", at=(0, 500, 375, 50)), at=(0, 500, 375, 167))
    snapshot = ios_parse(app(el("Window", ios_button("Buy"), sheet)))
    assert labels_of(snapshot.elements) == ["Photo"]
    assert snapshot.dialog == ""


def test_of_two_alerts_the_last_one_is_on_top() -> None:
    first, second = el("Window", alert("First", "OK")), el("Window", alert("Second", "Fine"))
    snapshot = ios_parse(app(MAIN, first, second))
    assert snapshot.dialog == "Second"
    assert labels_of(snapshot.elements) == ["Really?", "Fine"]
    assert "(2 windows below: Checkout)" in snapshot.outline()


def test_an_alert_of_which_nothing_is_visible_is_none() -> None:
    gone = el("Alert", ios_button("OK", visible="false"), label="Gone", visible="false")
    snapshot = ios_parse(app(MAIN, el("Window", gone)))
    assert snapshot.dialog is None
    assert labels_of(snapshot.elements) == ["Buy"]


def test_the_title_of_a_dialog_is_its_label_else_its_bar_else_its_first_text() -> None:
    bar = el("NavigationBar", static("Options", at=(60, 250, 200, 20)), at=(50, 240, 275, 44))
    unnamed = alert("Sure?", "OK").replace(' label="Sure?" name="Sure?"', "")
    assert ios_parse(app(MAIN, unnamed)).dialog == "Sure?"
    assert ios_parse(app(MAIN, el("Popover", bar, ios_button("A"), at=BOX))).dialog == "Options"
    assert ios_parse(app(MAIN, el("Popover", static("Just a text"), at=BOX))).dialog == ""
    assert ios_parse(alert("Alone", "OK")).dialog == "Alone"


def test_the_title_is_read_from_below_a_dialog_that_hides_it() -> None:
    hidden = MAIN.replace('visible="true"', 'visible="false"')
    assert ios_parse(app(hidden, alert("Delete?", "OK"))).title == "Checkout"


def keyboard(*beside: str, **attributes: str) -> str:
    done = el("Toolbar", ios_button("Done", at=(300, 384, 60, 36)), at=(0, 380, 375, 44))
    key = el("Key", label="q", at=(0, 430, 30, 40), **attributes)
    keys = el("Keyboard", key, at=(0, 424, 375, 200), **attributes)
    return el("Other", done, keys, *beside, at=(0, 380, 375, 287))


GLOBE = ios_button("Next keyboard", at=(10, 625, 40, 40))


@pytest.mark.parametrize(
    "source",
    [
        app(MAIN, el("Window", el("Other", keyboard(GLOBE)))),
        app(MAIN.replace("</XCUIElementTypeWindow>", keyboard(GLOBE) + "</XCUIElementTypeWindow>")),
    ],
)
def test_a_keyboard_is_announced_and_neither_keys_nor_what_is_next_to_them_listed(source: str) -> None:
    snapshot = ios_parse(source)
    assert snapshot.keyboard_visible
    assert "(keyboard open)" in snapshot.outline()
    assert labels_of(snapshot.elements) == ["Buy", "Done"]


def test_a_keyboard_that_is_not_visible_is_not_open() -> None:
    assert not ios_parse(app(MAIN, el("Window", keyboard(visible="false")))).keyboard_visible
    assert not ios_parse(app(MAIN)).keyboard_visible


def test_what_lies_under_the_keyboard_of_an_iphone_is_still_listed() -> None:
    below = MAIN.replace(
        "</XCUIElementTypeWindow>", ios_button("Save", at=(0, 600, 375, 44)) + "</XCUIElementTypeWindow>"
    )
    assert ios_parse(app(below, el("Window", keyboard()))).find(text="Save").label == "Save"


def test_the_bars_lie_above_what_scrolls_below_them() -> None:
    """A row that is scrolled under the navigation bar comes later in the hierarchy, but does not cover it."""
    row = cell(static("Milk", at=(16, 20, 100, 44)), label="Milk", top=20)
    bar = el("NavigationBar", ios_button("Back", at=(0, 24, 60, 36)), at=(0, 20, 375, 44))
    assert ios_parse(app(el("Window", bar, table(row)))).find(text="Back").label == "Back"


def test_what_lies_under_a_later_control_is_covered() -> None:
    dimmed = el("Button", label="Close menu") + el("Other", ios_button("Above"), at=(0, 0, 200, 667))
    assert labels_of(ios_parse(app(el("Window", ios_button("Below"), dimmed))).elements) == [
        "Close menu",
        "Above",
    ]


def test_a_view_that_is_called_by_what_is_in_it_covers_nothing() -> None:
    """As large as the screen, to show a message somewhere on it."""
    host = el("Other", static("Saved", at=(100, 600, 100, 20)), label="Saved")
    assert labels_of(ios_parse(app(el("Window", ios_button("Buy"), host))).elements) == ["Buy", "Saved"]


@pytest.mark.parametrize("kind", ["Button", "Other"])
def test_an_open_menu_covers_all_that_was_there_before_even_the_bars(kind: str) -> None:
    region = el(kind, name="PopoverDismissRegion", label="dismiss popup")
    rows = [
        cell(ios_button(name, at=(0, top, 375, 44)), top=top) for name, top in (("Small", 200), ("Large", 244))
    ]
    menu = el("CollectionView", *rows, at=(0, 200, 375, 88))
    bar = el("NavigationBar", ios_button("More", at=(300, 20, 75, 44)), at=(0, 20, 375, 44), name="Checkout")
    page = el("Window", el("Other", bar, ios_button("Small", at=(16, 300, 100, 44))), el("Other", region, menu))
    assert [element.label for element in ios_parse(app(page)).elements if element.label] == [
        "dismiss popup", "Small", "Large",
    ]  # fmt: skip
    closed = page.replace("PopoverDismissRegion", "Backdrop")
    assert "More" in labels_of(ios_parse(app(closed)).elements)


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


def test_a_menu_that_is_not_to_be_seen_covers_nothing() -> None:
    closed = menu_window("Small").replace('visible="true"', 'visible="false"')
    snapshot = ios_parse(app(MAIN, closed))
    assert snapshot.dialog is None
    assert labels_of(snapshot.elements) == ["Buy"]


def test_an_alert_over_a_menu_is_what_lies_on_top() -> None:
    snapshot = ios_parse(app(MAIN, menu_window("Small"), el("Window", alert("Sure?", "OK"))))
    assert snapshot.dialog == "Sure?"
    assert labels_of(snapshot.elements) == ["Really?", "OK"]


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
