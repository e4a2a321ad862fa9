"""Several windows in one dump."""

from __future__ import annotations

from itertools import permutations

import pytest

from ..screens import button, hierarchy, node, parse, text

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
    assert [element.label for element in snapshot.elements] == ["OK"]
    assert (snapshot.app, snapshot.title, snapshot.dialog) == ("dev.shop", "Checkout", "Sure?")


@pytest.mark.parametrize("order", list(permutations([APP, DIALOG, QUESTION])))
def test_what_the_system_asks_lies_over_a_smaller_dialog_of_the_app(order: tuple[str, ...]) -> None:
    assert [element.label for element in parse(hierarchy(*order)).elements] == ["Don’t allow"]


def test_a_keyboard_is_announced_and_its_keys_are_not_listed() -> None:
    snapshot = parse(hierarchy(APP, KEYBOARD))
    assert snapshot.keyboard_visible
    assert "(keyboard open)" in snapshot.outline()
    assert [element.label for element in snapshot.elements] == ["Buy"]


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
    assert [e.label for e in parse(hierarchy(BAR, APP)).elements] == ["Buy"]
    assert [e.label for e in parse(hierarchy(APP, shade)).elements] == ["Wi-Fi"]


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
    assert [element.label for element in snapshot.elements] == ["Themes"]
    assert not snapshot.traits.differ(parse(hierarchy(settings)).traits)


def test_a_keyboard_over_the_notifications_is_a_keyboard() -> None:
    reply = node("EditText", at=(0, 300, 1080, 400), hint="Reply", package="com.android.systemui")
    shade = node("FrameLayout", reply, at=(0, 0, 1080, 2400), package="com.android.systemui")
    snapshot = parse(hierarchy(shade, KEYBOARD))
    assert (snapshot.keyboard_visible, [element.label for element in snapshot.elements]) == (True, ["Reply"])
