"""From the windows of a virtual phone to XCUITest's elements."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_replicant.model import Rect
from pytest_replicant.virtual import Look, UiNode, Window, XCElement, element_tree
from pytest_replicant.virtual.renderers.xcuitest import springboard_tree

SIZE = (1179, 2556)
SCREEN = Rect(0, 0, *SIZE)


def node(class_name: str = "android.widget.TextView", *inside: UiNode, **more: object) -> UiNode:
    made = UiNode(class_name, "dev.replicant.toy", SCREEN, SCREEN, children=list(inside))
    return replace(made, **more)  # type: ignore[arg-type]  # whatever a test varies


def window(root: UiNode, **more: object) -> Window:
    made = Window("app", "dev.replicant.toy", "Toy", 1, root)
    return replace(made, **more)  # type: ignore[arg-type]  # whatever a test varies


def tree(*windows: Window) -> XCElement:
    return element_tree(
        windows, bundle_id="dev.replicant.toy", name="Toy", pid=7, size=SIZE, scale=3.0
    )


def element(class_name: str, *inside: UiNode, **more: object) -> XCElement:
    return tree(window(node(class_name, *inside, **more))).children[0].children[0]


@pytest.mark.parametrize(
    ("class_name", "kind"),
    [
        ("android.widget.TextView", "StaticText"),
        ("android.widget.ImageButton", "Button"),
        ("android.widget.Switch", "Switch"),
        ("android.widget.CheckBox", "Switch"),
        ("android.widget.RadioButton", "Button"),
        ("android.widget.ProgressBar", "ActivityIndicator"),
        ("androidx.recyclerview.widget.RecyclerView", "CollectionView"),
        ("android.widget.LinearLayout", "Other"),
        ("android.view.View", "Other"),
        ("XCUIElementTypeNavigationBar", "NavigationBar"),
    ],
)
def test_every_view_has_its_element(class_name: str, kind: str) -> None:
    assert element(class_name).type == kind


def test_a_field_without_text_reports_its_placeholder_as_its_value() -> None:
    empty = element("android.widget.EditText", hint="Email", editable=True)
    assert (empty.type, empty.value, empty.placeholder, empty.label) == (
        "TextField",
        "Email",
        "Email",
        "",
    )
    typed = element("android.widget.EditText", hint="Email", text="a@b", editable=True)
    assert (typed.value, typed.placeholder) == ("a@b", "Email")


def test_rows_of_a_list_are_cells() -> None:
    row = node("android.widget.LinearLayout", node(text="Blue mug"))
    lonely = node("android.widget.Button", text="More", clickable=True)
    found = element("androidx.recyclerview.widget.RecyclerView", row, lonely)
    assert [child.type for child in found.children] == ["Cell", "Cell"]
    assert [child.label for child in found.children] == [None, None]
    assert [[inner.type for inner in child.children] for child in found.children] == [
        ["StaticText"],
        ["Button"],
    ]


def test_androids_own_ids_are_none_of_an_iphones() -> None:
    assert element("android.view.View", resource_id="android:id/content").identifier == ""
    assert element("android.view.View", resource_id="dev.replicant.toy:id/box").identifier == "box"
    assert element("android.view.View", resource_id="page-id").identifier == "page-id"


def test_a_dialog_is_an_alert_with_its_title() -> None:
    title = node(text="Sure?", resource_id="android:id/alertTitle")
    dialog = window(node("android.widget.FrameLayout", title), kind="dialog")
    alert = tree(window(node()), dialog).children[1].children[0]
    assert (alert.type, alert.label) == ("Alert", "Sure?")


def test_the_systems_alerts_are_springboards() -> None:
    question = window(
        node(text="Allow?", resource_id="android:id/alertTitle"), kind="system_dialog"
    )
    windows = [window(node()), question]
    assert len(tree(*windows).children) == 1
    board = springboard_tree(windows, pid=58, size=SIZE, scale=3.0)
    assert board.bundle_id == "com.apple.springboard"
    assert [child.children[0].type for child in board.children] == ["Alert"]


@pytest.mark.parametrize(
    ("more", "kind"),
    [
        ({"password": True}, "SecureTextField"),
        ({"hint": "Search products"}, "SearchField"),
        ({"look": Look(shape="field_search")}, "SearchField"),
        ({"hint": "Email"}, "TextField"),
    ],
)
def test_kinds_of_fields(more: dict[str, object], kind: str) -> None:
    assert element("android.widget.EditText", editable=True, **more).type == kind


def test_what_a_keyboard_covers_and_what_is_scrolled_away_is_not_visible() -> None:
    keys = window(node(bounds=Rect(0, 1600, 1179, 2556)), kind="keyboard")
    texts = [node(bounds=Rect(0, top, 900, top + 90)) for top in (90, 1560, 1700)]
    away = node(bounds=Rect(0, 2600, 900, 2556))
    found = (
        tree(window(node("android.widget.LinearLayout", *texts, away)), keys)
        .children[0]
        .children[0]
    )
    assert [child.visible for child in found.children] == [True, True, False, False]


def test_the_elements_under_a_point_are_those_drawn_last() -> None:
    lower, upper = (
        node("android.widget.Button", text=text, frame=Rect(30, 30, 330, 330)) for text in "ab"
    )
    hidden = node(
        "android.widget.Button", text="c", frame=Rect(30, 30, 330, 330), bounds=Rect(0, 0, 0, 0)
    )
    app = tree(window(node("android.widget.FrameLayout", lower, upper, hidden)))
    assert [each.type for each in app.at(20, 20)] == ["Application", "Window", "Other", "Button"]
    assert app.at(20, 20)[-1].label == "b"
    assert app.at(400, 20) == []
