"""What a screen and a dialog are called."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .words import clean, short_id

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..model.element import Node
    from .layout import Layout

_BARS = ("Toolbar", "ActionBar", "AppBar", "ActionBarContainer")
_BAR_IDS = ("toolbar", "action_bar", "top_app_bar", "app_bar")
_WHOLE_WINDOW = ("_root", "_layout")  # action_bar_root is no bar but what holds one and everything below it
_DIALOG_TITLES = ("alertTitle", "dialog_title", "alert_title")


class Heading(NamedTuple):
    """``node`` is the index of the node that shows the text, -1 where no single one does."""

    text: str
    node: int


def screen_title(layout: Layout) -> Heading:
    """The pane title of the app's window, else the first text in its toolbar; dialogs do not count."""
    base = [node for node in layout.nodes if node.window == layout.stack.base and node.visible]
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
    """The title of what lies over the app's window; "" where that has none, None where nothing does. Many
    dumps hold the window on top alone: then the id of its title tells a dialog."""
    stack = layout.stack
    over = stack.top - {stack.base} if stack.base in stack.below else frozenset()
    if not over:
        alone = _marked(node for node in layout.nodes if node.window == stack.base and node.visible)
        return alone if alone.text else None
    inside = [node for node in layout.nodes if node.window in over]
    pane = next((node.pane_title for node in inside if node.pane_title), "")
    if pane:
        return Heading(clean(pane), -1)
    return _marked(inside)


def _marked(nodes: Iterable[Node]) -> Heading:
    """The text that its id says to be the title of a dialog."""
    marked = (node for node in nodes if node.text and short_id(node.resource_id) in _DIALOG_TITLES)
    return next((Heading(clean(node.text), node.index) for node in marked), Heading("", -1))


def short_activity(activity: str) -> str:
    """``CatalogueActivity`` of ``dev.replicant.shop/.CatalogueActivity``."""
    return activity.rpartition("/")[2].rpartition(".")[2]


def _is_bar(class_name: str, resource_id: str) -> bool:
    if class_name.endswith(_BARS):
        return True
    name = short_id(resource_id).lower()
    return any(part in name for part in _BAR_IDS) and not name.endswith(_WHOLE_WINDOW)
