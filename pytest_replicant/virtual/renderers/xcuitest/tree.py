"""From the windows of a virtual phone to XCUITest's elements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ...app_kit.choices import SeekBar, Spinner
from ...app_kit.fields import BULLET
from .element import PREFIX, Frame, XCElement

if TYPE_CHECKING:
    from ....model import Rect
    from ...ui import UiNode, Window
    from .element import XCElement


# By the last word of the class; all others are Other.
KINDS = {
    "TextView": "StaticText",
    "CheckedTextView": "Button",
    "Button": "Button",
    "ImageButton": "Button",
    "ImageView": "Image",
    "CheckBox": "Switch",
    "Switch": "Switch",
    "RadioButton": "Button",
    "SeekBar": "Slider",
    "RatingBar": "Slider",
    "ProgressBar": "ProgressIndicator",
    "EditText": "TextField",
    "Spinner": "Button",
    # of which only the cells in sight are there, as of a list of SwiftUI
    "RecyclerView": "CollectionView",
    "ListView": "Table",
    "ScrollView": "ScrollView",
    "HorizontalScrollView": "ScrollView",
    "ViewPager2": "CollectionView",
    "WebView": "WebView",
}
LISTS = frozenset({"Table", "CollectionView"})
FIELDS = frozenset({"TextField", "SecureTextField", "SearchField", "TextView"})
# Composite widgets that are one thing to a user.
LEAVES = frozenset(
    {"Button", "StaticText", "Switch", "Slider", "ProgressIndicator", "ActivityIndicator", "Key",
     "Link", "Icon",
     "PageIndicator", "Stepper", "Toggle", "PickerWheel"}
) | FIELDS  # fmt: skip
TRAITS = {
    "Button": ("Button",),
    "Image": ("Image",),
    "Link": ("Link",),
    "StaticText": ("StaticText",),
    "Switch": ("Button", "ToggleButton"),
    "Slider": ("Adjustable",),
    "SearchField": ("SearchField",),
    "ProgressIndicator": ("UpdatesFrequently",),
    "Key": ("KeyboardKey",),
    "TabBar": ("TabBar",),
}


def kind_of(node: UiNode) -> str:
    """The short type of a node's element."""
    if node.class_name.startswith(PREFIX):
        return node.class_name.removeprefix(PREFIX)
    kind = KINDS.get(node.class_name.rpartition(".")[2], "Other")
    if kind == "TextField":
        return _field(node)
    if kind == "ProgressIndicator" and node.look.progress is None:
        return "ActivityIndicator"
    if kind == "Image":
        return "Button" if node.clickable and node.description else kind
    if (
        kind == "Other" and not node.children
    ):  # what an app draws by itself, but for the texts of a web page
        kind = "StaticText" if node.text else kind
    elif kind in ("StaticText", "Other") and is_pressed(node):
        return "Button"
    return kind


def is_group(node: UiNode) -> bool:
    """Whether a node only holds others, as far as its class says."""
    return node.class_name.rpartition(".")[2] not in KINDS and not node.class_name.startswith(
        PREFIX
    )


def is_pressed(node: UiNode) -> bool:
    """Whether a tap on it is for itself: it holds nothing else that takes one."""
    return node.clickable and not any(below.clickable or below.editable for below in _below(node))


def _below(node: UiNode) -> Iterator[UiNode]:
    return (each for child in node.children for each in child.walk())


def _field(node: UiNode) -> str:
    if node.password:
        return "SecureTextField"
    if getattr(node.owner, "multiline", False):
        return "TextView"
    said = f"{node.hint} {node.description} {node.look.shape}".lower()
    return "SearchField" if "search" in said else "TextField"


def fill(element: XCElement, node: UiNode) -> None:
    """Label, value, placeholder and states, by the kind of element."""
    kind = element.type
    element.label = node.description or None
    if kind in FIELDS:
        _fill_field(element, node)
    elif kind == "Switch":
        element.label = node.description or node.text or None
        element.value = "1" if node.checked else "0"
    elif kind == "Slider":
        element.value = _slider_value(node)
    elif kind == "ProgressIndicator":
        element.label = element.label or "Progress"
        element.value = _per_cent(node.look.progress or 0.0)
    elif kind == "ActivityIndicator":
        element.label, element.value = element.label or "In progress", "1"
    else:
        element.label = node.description or (node.text if kind != "WebView" else "") or None
        if kind == "StaticText":
            element.value = node.text or element.label
        _fill_choice(element, node)
    traits = TRAITS.get(kind, ())
    if element.selected:
        traits = (*traits, "Selected")
    element.traits = traits if element.enabled else (*traits, "NotEnabled")


def _fill_field(element: XCElement, node: UiNode) -> None:
    """Returns the field's value: an empty field reports its placeholder, a field without a label an
    empty one."""
    element.placeholder = node.hint or None
    text = BULLET * len(node.text) if node.password else node.text
    element.value = text or node.hint or None
    element.focused = node.focused
    if element.type in ("TextField", "SecureTextField"):
        element.label = node.description


def _fill_choice(element: XCElement, node: UiNode) -> None:
    """Returns the value: 1 for a chosen button or tab; a pop-up button is labelled with its
    choice."""
    element.selected = node.selected or node.checked
    owner = node.owner
    if isinstance(owner, Spinner):
        shown = owner.label.text
        element.label, element.value = (
            (node.description, shown or None) if node.description else (shown, None)
        )
    elif element.selected and element.type in ("Button", "Tab"):
        element.value = "1"


def _slider_value(node: UiNode) -> str | None:
    """Returns the app's own label where it declares one, as a screen reader speaks it."""
    owner = node.owner
    if isinstance(owner, SeekBar):
        return str(owner.value) if owner.reports_value else None
    return _per_cent(node.look.progress) if node.look.progress is not None else node.text or None


def _per_cent(share: float) -> str:
    return f"{round(share * 100)}%"


SPRINGBOARD = "com.apple.springboard"
OVER_APPS = frozenset({"system_dialog", "banner"})
"""SpringBoard's windows that are in its hierarchy under any app in front."""
SYSTEM_KINDS = frozenset({"status_bar", "navigation_bar", "volume_panel"}) | OVER_APPS
ALERTS = frozenset({"Alert", "Sheet"})
TITLES = ("android:id/alertTitle", "android:id/message")


def element_tree(
    windows: Sequence[Window],
    *,
    bundle_id: str,
    name: str,
    pid: int,
    size: tuple[int, int],
    scale: float,
) -> XCElement:
    """An app's elements: a window for each of the app's, its alerts, its keyboard; ``size`` is the
    screen's in pixels."""
    own = [window for window in windows if window.kind not in SYSTEM_KINDS and _is_reported(window)]
    return _application(own, bundle_id, name, pid, size, scale)


def springboard_tree(
    windows: Sequence[Window], *, pid: int, size: tuple[int, int], scale: float, name: str = " "
) -> XCElement:
    """SpringBoard's elements: its home screen where that is in front, and the alerts of the system
    over the app."""
    home = (
        window
        for window in windows
        if window.package == SPRINGBOARD and window.kind not in SYSTEM_KINDS
    )
    own = [*filter(_is_reported, home), *(window for window in windows if window.kind in OVER_APPS)]
    return _application(own, SPRINGBOARD, name, pid, size, scale)


def recorded_element(node: UiNode) -> XCElement:
    """The element of a recorded node, with those below it."""
    element = XCElement(node.class_name, Frame(0.0, 0.0, 0.0, 0.0), node=node)
    recorded_as(element, node)
    element.children = list(map(recorded_element, node.children))
    return element


def recorded_as(element: XCElement, node: UiNode) -> None:
    """Fills in what was reported, but for a field's text, which may be another by now."""
    seen = node.recorded
    assert seen is not None
    element.frame = Frame(*seen.frame) if seen.frame else element.frame
    element.identifier, element.label, element.placeholder = seen.id, seen.text, seen.hint
    element.value, element.traits = seen.value, tuple(filter(None, seen.traits.split(", ")))
    if node.editable:
        element.value, element.focused = (
            node.text or seen.hint or ("" if seen.value == "" else None),
            node.focused,
        )
    element.enabled, element.visible = "disabled" not in seen.states, "hidden" not in seen.states
    element.accessible, element.selected = "accessible" in seen.states, "selected" in seen.states


def _is_reported(window: Window) -> bool:
    return window.accessible or window.kind == "toast"


def _application(
    windows: Sequence[Window],
    bundle_id: str,
    name: str,
    pid: int,
    size: tuple[int, int],
    scale: float,
) -> XCElement:
    screen = Frame(0.0, 0.0, size[0] / scale, size[1] / scale)
    root = XCElement("Application", screen, label=name, bundle_id=bundle_id, pid=pid)
    for window in [window for window in windows if window.root.recorded]:
        recorded_as(root, window.root)
        root.children += map(recorded_element, window.root.children)
    keyboard = next((window.root.bounds for window in windows if window.kind == "keyboard"), None)
    for window in [window for window in windows if not window.root.recorded]:
        covered = keyboard if window.kind not in ("keyboard", "toast") else None
        element = XCElement("Window", screen)
        element.children = [_content(window, _Elements(scale, covered), screen)]
        root.children.append(element)
    for element in root.walk():
        element.number_children()
    return root


def _content(window: Window, elements: _Elements, screen: Frame) -> XCElement:
    """Builds the elements of a window: an alert is one element around all that it holds, and so is
    a keyboard. Around a menu lies what closes it."""
    content = elements.element(window.root)
    if window.kind == "popup":
        region = XCElement(
            "Button", screen, identifier="PopoverDismissRegion", label="dismiss popup"
        )
        region.accessible, region.traits = True, ("Button",)
        return XCElement("Other", screen, children=[region, content])
    kind = {"dialog": "Alert", "system_dialog": "Alert", "keyboard": "Keyboard"}.get(window.kind)
    if kind is None or any(each.type in (*ALERTS, "Keyboard") for each in content.walk()):
        return content
    around = XCElement(kind, content.frame, children=[content], node=window.root)
    if kind == "Alert":
        around.label = _title(window) or None
    return around


def _title(window: Window) -> str:
    """What an alert is called: its title, or the message of one that has no title."""
    texts = (
        node
        for node in window.root.walk()
        if node.resource_id in ("android:id/alertTitle", "android:id/message")
    )
    return next((node.text for node in texts if node.text), "")


class _Elements:
    """Makes elements of nodes; ``covered`` is where a keyboard lies over them."""

    def __init__(self, scale: float, covered: Rect | None) -> None:
        self._scale = scale
        self._covered = covered

    def element(self, node: UiNode, *, in_list: bool = False, inside: bool = False) -> XCElement:
        """The element of a node with those below it; a row of a list is a cell. ``inside`` one that
        is a single thing for accessibility, nothing is accessible by itself."""
        kind = kind_of(node)
        if in_list and kind != "Cell":
            return self._cell(node, kind)
        element = self._bare(node, kind)
        element.accessible = not inside and _is_accessible(element)
        if kind == "Button" and not is_group(node):
            element.children = self._title(node, element)
        elif kind == "WebView":
            element.children = [self._page(node, element)]
        elif kind not in LEAVES or is_group(node):
            within = inside or element.accessible
            element.children = [
                self.element(child, in_list=kind in LISTS, inside=within) for child in node.children
            ]
        return element

    def _cell(self, node: UiNode, kind: str) -> XCElement:
        """A row that is a group becomes the cell; one that is a control is within a cell of its
        own."""
        if is_group(node) and kind in ("Other", "Button"):
            cell = self._bare(node, "Cell")
            cell.children = [self.element(child) for child in node.children]
            return cell
        inner = self.element(node)
        return XCElement("Cell", inner.frame, visible=inner.visible, children=[inner], node=node)

    def _title(self, node: UiNode, button: XCElement) -> list[XCElement]:
        """The text on a button that is called by another name; on a pop-up button, its choice."""
        text = node.text or next((each.text for each in node.children if each.text), "")
        if not text or text == button.label:
            return []
        title = XCElement("StaticText", button.frame, label=text, value=text, node=node)
        title.enabled, title.visible, title.traits = button.enabled, button.visible, ("StaticText",)
        return [title]

    def _page(self, node: UiNode, view: XCElement) -> XCElement:
        """Builds the content of a web view, under the title of the page."""
        page = XCElement(
            "Other", view.frame, label=node.text or None, visible=view.visible, node=node
        )
        page.children = [self.element(child) for child in node.children]
        return page

    def _bare(self, node: UiNode, kind: str) -> XCElement:
        element = XCElement(kind, self._frame(node.frame), identifier=identifier(node), node=node)
        element.enabled = node.enabled
        element.visible = self._is_visible(node.bounds)
        fill(element, node)
        return element

    def _is_visible(self, bounds: Rect) -> bool:
        return not bounds.is_empty and (self._covered is None or not self._covered.encloses(bounds))

    def _frame(self, rect: Rect) -> Frame:
        scale = self._scale
        return Frame(rect.left / scale, rect.top / scale, rect.width / scale, rect.height / scale)


def _is_accessible(element: XCElement) -> bool:
    """What accessibility reads out as one thing: controls and texts, and what has a label and
    nothing inside."""
    node = element.node
    return element.type in LEAVES or (
        node is not None and not node.children and bool(element.label)
    )


def identifier(node: UiNode) -> str:
    """The part of a resource id after ``:id/``; Android's own ids are none of an iPhone's."""
    package, slash, name = node.resource_id.partition(":id/")
    if not slash:
        return node.resource_id
    return "" if package == "android" else name
