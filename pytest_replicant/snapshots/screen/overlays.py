"""iOS: what lies over the app's window, and which windows can be reached below it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..parsers.xcui_tree import DIALOGS
from .windows import Stack

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...model import Node, Rect

_CHROME = frozenset({"Keyboard", "StatusBar"})
DISMISSES = "PopoverDismissRegion"
"""What iOS calls the area around an open menu or popover, over all that was there before."""


@dataclass(slots=True, eq=False)
class _Window:
    root: Node
    holds_something: bool = False  # a label, or what can be touched
    shows_something: bool = False
    is_menu: bool = False  # a touch beside it closes it


def stack(nodes: Sequence[Node]) -> Stack:
    """Sorts the windows of an iOS hierarchy, among which a parser counts alerts, sheets, popovers, the keyboard
    and the status bar. Of several dialogs that show something the last one is on top: siblings are drawn in
    document order. Where there is none, a window that a touch beside it closes is one: a menu."""
    windows = _collect(nodes)
    dialogs = [w for w in windows if w.root.class_name in DIALOGS and w.shows_something]
    dialogs = dialogs or [w for w in windows[1:] if w.is_menu and w.shows_something]
    apps = [
        w
        for w in windows
        if w.root.class_name not in _CHROME and w.root.class_name not in DIALOGS and w not in dialogs
    ]
    if not apps:  # a part of a hierarchy, such as an alert alone
        apps = windows
    base = max(apps, key=lambda w: (w.holds_something, w.root.bounds.area, -w.root.window)).root.window
    if not dialogs:
        keyboard = _keyboard(windows) if any(w.root.class_name not in _CHROME for w in windows) else None
        return Stack(base, frozenset(w.root.window for w in apps), (), keyboard)
    top = dialogs[-1].root.window
    below = {w.root.window for w in [*apps, *dialogs] if w.holds_something} - {top}
    return Stack(base, frozenset({top}), tuple(sorted(below)), _keyboard(windows), dialog=dialogs[-1].root.index)


def _collect(nodes: Sequence[Node]) -> list[_Window]:
    windows: list[_Window] = []  # a window's number is its place: they are counted in document order
    for node in nodes:
        if node.window == len(windows):
            windows.append(_Window(node))
        window = windows[node.window]
        if node.resource_id == DISMISSES:
            window.is_menu = window.is_menu or node.visible
            continue
        says = node.clickable or bool(node.text or node.description)
        if says and not node.bounds.is_empty and node.class_name != "Application":
            window.holds_something = True
            window.shows_something = window.shows_something or node.visible
    return windows


def _keyboard(windows: Sequence[_Window]) -> Rect | None:
    shown = (w.root for w in windows if w.root.class_name == "Keyboard" and w.shows_something)
    return next((root.bounds for root in shown if not root.bounds.is_empty), None)
