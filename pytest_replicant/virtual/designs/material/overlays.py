"""Windows that are not modal: they lie over the app, and take the touches in their own bounds
alone.

Packages and ids as in recorded hierarchies of Launcher3's taskbar, Samsung's Edge panels,
Messenger's chat heads, AOSP's LocalFloatingToolbarPopup and FillUi, and a video that plays on in a
corner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ....model import Rect
from ...app_kit.metrics import Metrics, text_width
from ...ui import UiNode, Window
from ..system_nodes import Pressed, plain_node

LAUNCHER = "com.google.android.apps.nexuslauncher"
EDGE_PANELS = "com.samsung.android.app.cocktailbarservice"
CHAT = "com.facebook.orca"
VIDEO = "com.google.android.youtube"


@dataclass(frozen=True, slots=True)
class Place:
    """Where they go: the screen, and the field that has the focus, None if none has. ``package`` is
    that of the app, ``top`` is where the status bar ends."""

    size: tuple[int, int]
    metrics: Metrics
    package: str
    top: int
    field: Rect | None


def overlays(names: Iterable[str], place: Place) -> list[Window]:
    """Those of ``names`` that are there now."""
    made = (MADE[name](place) for name in names)
    return [window for window in made if window is not None]


def _taskbar(place: Place) -> Window:
    width, height = place.size
    frame = Rect(0, height - 120, width, height)
    root = plain_node(
        "android.widget.FrameLayout",
        LAUNCHER,
        frame,
        id="taskbar_container",
        shape="navigation_bar",
    )
    root.look.background = "#202124"
    for number, label in enumerate(("All apps", "Files", "Camera")):
        left = width // 2 - 180 + 120 * number
        icon = Rect(left, frame.top + 10, left + 100, frame.bottom - 10)
        root.children.append(
            _button("android.widget.TextView", LAUNCHER, icon, label, Pressed(key="HOME"))
        )
    return _window(LAUNCHER, "Taskbar", 42, root)


def _edge(place: Place) -> Window:
    width, height = place.size
    frame = Rect(width - 20, height * 18 // 100, width, height * 32 // 100)
    root = plain_node(
        "android.widget.FrameLayout",
        EDGE_PANELS,
        frame,
        id="trigger_layout_container",
        shape="card",
    )
    root.look.background = "#9aa0a6"
    root.children = [_button("android.widget.ImageView", EDGE_PANELS, frame, "Edge panels")]
    return _window(EDGE_PANELS, "CocktailBarTrigger", 43, root)


def _bubble(place: Place) -> Window:
    width, height = place.size
    side = place.metrics.px(56)
    frame = Rect(width - side, height * 36 // 100, width, height * 36 // 100 + side)
    root = plain_node("android.widget.FrameLayout", CHAT, frame, shape="card")
    root.look.background = "#0084ff"
    root.children = [_button("android.widget.ImageView", CHAT, frame, "Ada, 1 new message")]
    return _window(CHAT, "ChatHead", 18, root)


def _picture(place: Place) -> Window:
    width, height = place.size
    right, bottom = width - place.metrics.px(12), height * 78 // 100
    frame = Rect(right - width // 2, bottom - width * 9 // 32, right, bottom)
    root = plain_node("android.widget.FrameLayout", VIDEO, frame, shape="card")
    root.look.background = "#202124"
    root.children = [_button("android.widget.FrameLayout", VIDEO, frame, "Video player")]
    return _window(VIDEO, f"{VIDEO}/.PlayerActivity", 17, root)


def _toolbar(place: Place) -> Window | None:
    """Above the field, as for one that was just pressed."""
    if place.field is None:
        return None
    words = (("Paste", Pressed(key="PASTE")), ("Select all", Pressed()))
    size_px, padding = place.metrics.px(14), place.metrics.px(12)
    height = place.metrics.px(44)
    left, bottom = place.field.left, max(place.field.top - place.metrics.px(4), place.top + height)
    frame = Rect(left, bottom - height, left, bottom)
    root = plain_node("android.widget.FrameLayout", place.package, frame, shape="card")
    for text, pressed in words:
        right = left + text_width(text, size_px) + 2 * padding
        bounds = Rect(left, frame.top, right, bottom)
        item = _button("android.widget.LinearLayout", place.package, bounds, text, pressed)
        label = plain_node(
            "android.widget.TextView", place.package, bounds, text=text, shape="text"
        )
        label.resource_id, label.look.text_size = (
            "android:id/floating_toolbar_menu_item_text",
            size_px,
        )
        item.children = [label]
        root.children.append(item)
        left = right
    root.bounds = root.frame = Rect(frame.left, frame.top, left, bottom)
    return _window(place.package, "FloatingToolbar", 15, root)


def _autofill(place: Place) -> Window | None:
    """The list of what fits the field, below it."""
    if place.field is None:
        return None
    top, text = place.field.bottom, "Account of Ada"
    frame = Rect(place.field.left, top, place.field.right, top + place.metrics.px(40))
    root = plain_node("android.widget.FrameLayout", "android", frame, shape="card")
    listed = plain_node("android.widget.ListView", "android", frame)
    row = _button(
        "android.widget.LinearLayout", "android", frame, "", Pressed(glyph="ada@example.com")
    )
    label = plain_node("android.widget.TextView", "android", frame, text=text, shape="text")
    root.resource_id, listed.resource_id = (
        "android:id/autofill_dataset_picker",
        "android:id/autofill_dataset_list",
    )
    label.look.text_size = place.metrics.px(14)
    root.children, listed.children, row.children = [listed], [row], [label]
    return _window("android", "AutofillDatasetPicker", 16, root)


def _button(
    class_name: str, package: str, frame: Rect, description: str, pressed: Pressed | None = None
) -> UiNode:
    node = plain_node(class_name, package, frame, description=description, shape="box")
    node.clickable = node.focusable = True
    node.owner = pressed or Pressed()
    return node


def _window(package: str, title: str, layer: int, root: UiNode) -> Window:
    return Window("overlay", package, title, layer, root, accessible=False)


MADE: dict[str, Callable[[Place], Window | None]] = {
    "taskbar": _taskbar,
    "edge": _edge,
    "bubble": _bubble,
    "toolbar": _toolbar,
    "autofill": _autofill,
    "pip": _picture,
}
"""By the name that ``windows=`` has for it."""
