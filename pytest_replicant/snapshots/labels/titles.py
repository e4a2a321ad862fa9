"""Titles of screens and dialogs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ...model import Node
from ..screen.layout import Layout, is_collection
from ..screen.windows import is_covered
from ..text import clean, short_id
from .labels import is_control

_BARS = ("Toolbar", "ActionBar", "AppBar", "ActionBarContainer")
_BAR_IDS = re.compile("toolbar|action_bar|app_bar")
_WHOLE_WINDOW = ("_root", "_layout")  # action_bar_root is no bar but what holds one and everything below it
_MESSAGE = "android:id/message"
_DIALOG_TITLES = ("alertTitle", "dialog_title", "alert_title")

_MOST_BARS = 20
_MOST_TEXTS = 2  # a title and a message
_MOST_NODES = 200  # in a bar or a dialog, before its title


class Heading(NamedTuple):
    """A title; ``node`` is the index of the node that shows it, -1 where no single one does."""

    text: str
    node: int


def screen_title(layout: Layout) -> Heading:
    """Returns the pane title of the app's window, else the first text in its toolbar; dialogs do not count."""
    if layout.platform == "ios":
        dialog = layout.stack.dialog
        inside = range(dialog, layout.ends[dialog]) if dialog >= 0 else ()
        return _navigation_title(layout, [node for node in layout.nodes if node.index not in inside])
    if layout.stack.alone:
        return Heading("", -1)
    base = _visible(layout)
    pane = next((node.pane_title for node in base if node.pane_title), "")
    if pane:
        return Heading(clean(pane), -1)
    for bar in base:
        if not _is_bar(bar.class_name, bar.resource_id):
            continue
        for node in (bar, *layout.below(bar.index)):
            if node.text and node.class_name.endswith("TextView") and not node.clickable and node.visible:
                return Heading(clean(node.text), node.index)
        if bar.description and bar.children and not bar.clickable:  # a collapsing bar draws its title itself
            return Heading(clean(bar.description), bar.index)
    return Heading("", -1)


def dialog_title(layout: Layout) -> Heading | None:
    """Returns the title of the dialog over the app's window; "" for one without, None where there is no dialog.
    Many dumps hold the top window alone: then the id of its title or its message identifies a dialog."""
    stack = layout.stack
    if layout.platform == "ios":
        return _ios_dialog_title(layout) if stack.dialog >= 0 else None
    over = stack.over if stack.base in stack.below else {stack.base}
    inside = [node for node in layout.nodes if node.window in over and node.visible]
    if not is_covered(stack):
        alone = _marked(inside)
        return alone if alone.text or any(node.resource_id == _MESSAGE for node in inside) else None
    pane = next((node.pane_title for node in inside if node.pane_title), "")
    if pane:
        return Heading(clean(pane), -1)
    return _marked(inside)


def dialog_says(layout: Layout) -> str:
    """Returns the message of the open dialog, else its first texts, to distinguish it from other dialogs."""
    nodes = _visible(layout)
    if layout.stack.dialog >= 0:
        nodes = list(layout.below(layout.stack.dialog))
    elif layout.stack.below:
        nodes = [node for node in layout.nodes if node.window in layout.stack.over and node.visible]
    message = next((node.text for node in nodes if node.text and node.resource_id == _MESSAGE), "")
    return clean(message or " ".join(_first_texts(nodes)))


def _first_texts(nodes: Sequence[Node]) -> list[str]:
    """Returns the heading and the text below it: the texts before the first control or list, which change while a
    dialog is open."""
    found: list[str] = []
    for node in nodes[:_MOST_NODES]:
        if is_control(node) or is_collection(node) or len(found) == _MOST_TEXTS:
            break
        found += filter(None, [node.text or node.description])
    return found


def _visible(layout: Layout) -> list[Node]:
    """Returns the visible nodes of the app's window."""
    base = layout.stack.base
    return [node for node in layout.nodes if node.window == base and node.visible]


def _marked(nodes: Iterable[Node]) -> Heading:
    """Returns the text whose id marks it as the title of a dialog."""
    for node in nodes:
        if not node.text or not node.resource_id.endswith(_DIALOG_TITLES):
            continue
        if short_id(node.resource_id) in _DIALOG_TITLES:
            return Heading(clean(node.text), node.index)
    return Heading("", -1)


def app_name(layout: Layout) -> str:
    """Returns the package of the window that the app fills; else the app's name on iOS; "" where neither is
    reported."""
    base = next((node for node in layout.nodes if node.window == layout.stack.base), None)
    package = base.package if base else ""
    root = layout.nodes[0] if layout.nodes else None
    return package or (clean(root.text) if root and root.class_name == "Application" else "")


def short_activity(activity: str) -> str:
    """``CatalogueActivity`` of ``dev.replicant.shop/.CatalogueActivity``."""
    return activity.rpartition("/")[2].rpartition(".")[2]


def _navigation_title(layout: Layout, nodes: Sequence[Node]) -> Heading:
    """Returns the title of the last visible navigation bar, which is on top: its text, preferably the one that the
    bar is named after; else the bar's name."""
    bars = [node for node in nodes if node.class_name == "NavigationBar"][-_MOST_BARS:]
    for bar in sorted(bars, key=lambda bar: (not bar.visible, -bar.index)):
        name = clean(bar.text or bar.resource_id)
        texts = _texts(layout, bar)
        own = [bar] if bar.text else []
        best = next((node for node in [*own, *texts] if clean(node.text) == name), texts[0] if texts else None)
        if best or name:
            return Heading(clean(best.text), best.index) if best else Heading(name, -1)
    return Heading("", -1)


def _ios_dialog_title(layout: Layout) -> Heading:
    """Returns the dialog's name; else the title of its bar; else its first text, except for a popover or a
    menu."""
    dialog = layout.nodes[layout.stack.dialog]
    if dialog.text:
        return Heading(clean(dialog.text), dialog.index)
    heading = _navigation_title(layout, layout.below(dialog.index))
    if heading.text or dialog.class_name in ("Popover", "Window"):
        return heading
    return next((Heading(clean(node.text), node.index) for node in _texts(layout, dialog)), heading)


def _texts(layout: Layout, within: Node) -> list[Node]:
    """Returns the nearest labels inside that belong to no control."""
    found: list[Node] = []
    index, end = within.index + 1, min(layout.ends[within.index], within.index + _MOST_NODES)
    while index < end:
        node = layout.nodes[index]
        if node.visible and clean(node.text) and not node.clickable:
            found.append(node)
        index = layout.ends[index] if node.clickable else index + 1
    return found


def _is_bar(class_name: str, resource_id: str) -> bool:
    if class_name.endswith(_BARS):
        return True
    if not resource_id:
        return False
    name = short_id(resource_id).lower()
    return _BAR_IDS.search(name) is not None and not name.endswith(_WHOLE_WINDOW)
