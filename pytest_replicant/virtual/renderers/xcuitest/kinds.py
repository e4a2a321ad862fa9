"""Which element of XCUITest a view of an app kit's screen is, and what it says of itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...app_kit.choices import SeekBar, Spinner
from ...app_kit.fields import BULLET
from .element import PREFIX

if TYPE_CHECKING:
    from ...ui import UiNode
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
    "RecyclerView": "CollectionView",  # of which only the cells in sight are there, as of a list of SwiftUI
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
    {"Button", "StaticText", "Switch", "Slider", "ProgressIndicator", "ActivityIndicator", "Key", "Link", "Icon",
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
    if kind == "Other" and not node.children:  # what an app draws by itself, but for the texts of a web page
        kind = "StaticText" if node.text else kind
    elif kind in ("StaticText", "Other") and is_pressed(node):
        return "Button"
    return kind


def is_group(node: UiNode) -> bool:
    """Whether a node only holds others, as far as its class says."""
    return node.class_name.rpartition(".")[2] not in KINDS and not node.class_name.startswith(PREFIX)


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
    """Returns the field's value: an empty field reports its placeholder, a field without a label an empty one."""
    element.placeholder = node.hint or None
    text = BULLET * len(node.text) if node.password else node.text
    element.value = text or node.hint or None
    element.focused = node.focused
    if element.type in ("TextField", "SecureTextField"):
        element.label = node.description


def _fill_choice(element: XCElement, node: UiNode) -> None:
    """Returns the value: 1 for a chosen button or tab; a pop-up button is labelled with its choice."""
    element.selected = node.selected or node.checked
    owner = node.owner
    if isinstance(owner, Spinner):
        shown = owner.label.text
        element.label, element.value = (node.description, shown or None) if node.description else (shown, None)
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
