"""From the windows of a virtual phone to XCUITest's elements."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_replicant.model.geometry import Rect
from pytest_replicant.virtual.renderers.xcuitest import Frame, XCElement, element_tree, springboard_tree
from pytest_replicant.virtual.ui import Look, UiNode, Window

SIZE = (1179, 2556)
SCREEN = Rect(0, 0, *SIZE)


def node(class_name: str = "android.widget.TextView", *inside: UiNode, **more: object) -> UiNode:
    made = UiNode(class_name, "dev.replicant.toy", SCREEN, SCREEN, children=list(inside))
    return replace(made, **more)  # type: ignore[arg-type]  # whatever a test varies


def window(root: UiNode, **more: object) -> Window:
    made = Window("app", "dev.replicant.toy", "Toy", 1, root)
    return replace(made, **more)  # type: ignore[arg-type]  # whatever a test varies


def tree(*windows: Window) -> XCElement:
    return element_tree(windows, bundle_id="dev.replicant.toy", name="Toy", pid=7, size=SIZE, scale=3.0)


def element(class_name: str, *inside: UiNode, **more: object) -> XCElement:
    return tree(window(node(class_name, *inside, **more))).children[0].children[0]


def test_an_application_holds_a_window_for_each_of_the_apps_windows() -> None:
    app = tree(
        window(node()), window(node(), kind="status_bar", accessible=False), window(node(), kind="keyboard")
    )
    assert (app.type, app.bundle_id, app.label, app.pid) == ("Application", "dev.replicant.toy", "Toy", 7)
    assert app.frame == Frame(0, 0, 393, 852)
    assert [child.type for child in app.children] == ["Window", "Window"]
    assert [child.index for child in app.children] == [0, 1]
    assert app.children[1].children[0].type == "Keyboard"


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


def test_frames_are_points_with_fractions() -> None:
    found = element("android.widget.TextView", frame=Rect(10, 20, 110, 51))
    assert found.frame == pytest.approx((10 / 3, 20 / 3, 100 / 3, 31 / 3))
    assert found.frame.integral() == (3, 6, 34, 11)


def test_a_field_without_text_tells_its_placeholder_as_its_value() -> None:
    empty = element("android.widget.EditText", hint="Email", editable=True)
    assert (empty.type, empty.value, empty.placeholder, empty.label) == ("TextField", "Email", "Email", "")
    typed = element("android.widget.EditText", hint="Email", text="a@b", editable=True)
    assert (typed.value, typed.placeholder) == ("a@b", "Email")


def test_a_password_is_bullets() -> None:
    found = element("android.widget.EditText", text="•••", password=True, editable=True)
    assert (found.type, found.value) == ("SecureTextField", "•••")


def test_a_progress_bar_tells_its_share() -> None:
    found = element("android.widget.ProgressBar", look=Look(progress=0.25))
    assert (found.type, found.value) == ("ProgressIndicator", "25%")


def test_rows_of_a_list_are_cells() -> None:
    row = node("android.widget.LinearLayout", node(text="Blue mug"))
    lonely = node("android.widget.Button", text="More", clickable=True)
    found = element("androidx.recyclerview.widget.RecyclerView", row, lonely)
    assert [child.type for child in found.children] == ["Cell", "Cell"]
    assert [child.label for child in found.children] == [None, None]
    assert [[inner.type for inner in child.children] for child in found.children] == [["StaticText"], ["Button"]]


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
    question = window(node(text="Allow?", resource_id="android:id/alertTitle"), kind="system_dialog")
    windows = [window(node()), question]
    assert len(tree(*windows).children) == 1
    board = springboard_tree(windows, pid=58, size=SIZE, scale=3.0)
    assert board.bundle_id == "com.apple.springboard"
    assert [child.children[0].type for child in board.children] == ["Alert"]
