"""Screen key and fingerprint: the digests of a screen and of its content."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from ...model import Element, Elements, Node, Nodes, ScreenTraits, Strings
from ..labels.labels import is_control
from ..labels.titles import MESSAGE
from ..screen.layout import SCROLLERS, Layout, inherited, is_collection, is_pane
from ..screen.windows import is_covered
from ..text import clean, is_framework, mask_count, mask_numbers, mask_volatile, short_id
from .refs import digest


def traits_of(
    layout: Layout, app: str, title: str, dialog: str | None, elements: Iterable[Element]
) -> ScreenTraits:
    """Returns the traits that identify a screen; for one without a title these include its
    frame."""
    tab, *parts = frame(layout, named=bool(title))
    ways = frozenset(part for part in parts if part.startswith("way "))
    texts: set[str] = set()
    for element in elements:
        texts.update((element.label, *element.folded))
    return ScreenTraits(
        app=app,
        title=mask_count(title),
        dialog=mask_count(dialog or ""),
        says=() if dialog is None else tuple(map(mask_numbers, _dialog_says(layout))),
        covered=is_covered(layout.stack),
        tab=tab,
        parts=frozenset(parts) - ways,
        ways=ways,
        texts=frozenset(texts - {""}),
    )


_MOST_NODES = 200  # of a dialog, before its message
_MOST_TEXTS = 3  # a title and a message, and a banner above them


def _dialog_says(layout: Layout) -> Strings:
    """Returns the message of the open dialog, else the texts before its first control or list,
    which change while it is open: its heading and the text below it."""
    stack = layout.stack
    nodes: Nodes
    if stack.dialog >= 0:
        nodes = layout.below(stack.dialog)
    else:
        windows = stack.over if stack.below else {stack.base}
        nodes = [node for node in layout.nodes if node.window in windows and node.visible]
    found: list[str] = []
    for node in nodes:
        if node.text and node.resource_id == MESSAGE:
            return (clean(node.text),)
    for node in nodes[:_MOST_NODES]:
        if is_control(node) or is_collection(node) or len(found) == _MOST_TEXTS:
            break
        if node.words:
            found.append(clean(node.words))
    return tuple(found)


def screen_key_of(known_by: ScreenTraits, activity: str, dialog: str | None) -> str:
    """Returns the screen key: equal under scrolling and content."""
    over = "" if dialog is None else f"dialog:{known_by.dialog}"
    parts = sorted(known_by.parts | known_by.ways)
    names = "screen", known_by.app, activity, known_by.title, over, known_by.tab
    return f"{digest((*names, *parts)):016x}"


def fingerprint_of(key: str, headings: Iterable[str], elements: Elements, loading: bool) -> str:
    """Returns the fingerprint: equal under clock ticks, focus and small moves; different after a
    toggle or other content."""
    parts = [key, *map(mask_volatile, headings), "loading" if loading else ""]
    for element in elements:
        parts += content(element)
    return f"{digest(parts):016x}"


def content(element: Element) -> list[str]:
    """Returns the content of one element, without its position."""
    states = element.states
    return [
        element.class_name,
        element.resource_id,
        mask_volatile(element.label),
        "" if element.value is None else mask_volatile(str(element.value)),
        f"{states.checked}{states.selected}{states.enabled}{states.expanded}",
        *(mask_volatile(label) for label in element.folded),
    ]


_PASSING = re.compile(r"toast|snack|badge|progress|loading|banner|red_?dot", re.IGNORECASE)
_THIN = 0.15  # of the screen's height: what scrolls in less is a bar, not a page
_TOP = 0.12  # of the window's height: where its heading stands
_MARK = 0.15  # of a tab's height: the line that marks the open one
_ACROSS = 0.6  # of the window's width: what tabs take at least
_MOST_TABS = 8


class _Still(NamedTuple):
    """The app's window without the content of its scrollers. By index: ``label``, the first text in
    each subtree that is more than a number; ``chosen``, whether something in it is selected."""

    layout: Layout
    nodes: list[Node]
    label: list[str]
    chosen: list[bool]


def frame(layout: Layout, *, named: bool) -> list[str]:
    """Returns the parts of the frame, for a digest. First the open tab, "" if it is unknown; a
    ``named`` screen needs no more. Then ids of containers and controls, the classes around
    scrollers, the tabs and the text at the top; if there are none of these, the classes of the
    controls."""
    still = _still(layout)
    bar = _bar(still)
    tab = _open_tab(still, bar)
    if named:
        return [tab]
    parts = {f"id {short_id(node.resource_id)}" for node in still.nodes if _lasts(node)}
    parts |= layout.once("ways", None, lambda: set(_ways_to_scrollers(still)))
    parts |= {f"tab {still.label[tab.index]}" for tab in bar}
    heading = _heading(still, bar)
    if heading:
        parts.add(f"top {heading}")
    parts = parts or {f"control {node.class_name}" for node in still.nodes if is_control(node)}
    return [tab, *sorted(parts)]


def _open_tab(still: _Still, bar: Nodes) -> str:
    """Returns the label of the selected tab, or of the only tab with a line along its edge."""
    for tabs in _alike(still):
        chosen = [tab for tab in tabs if still.chosen[tab.index]]
        if len(chosen) == 1 and _are_tabs(still, tabs):
            return still.label[chosen[0].index]
    marked = [tab for tab in bar if _is_marked(still, tab)]
    return still.label[marked[0].index] if len(marked) == 1 else ""


def _still(layout: Layout) -> _Still:
    """Removes the content of scrollers. A scroller is known by its class too: a page that fits
    today does not tomorrow."""
    nodes, base = layout.nodes, layout.stack.base
    moving = layout.once("moving", None, lambda: _moving(layout))
    label, chosen = [""] * len(nodes), [False] * len(nodes)
    for node in reversed(nodes):
        index = node.index
        chosen[index] |= node.states.selected is True
        if node.words and node.visible and not node.states.editable:
            own = clean(node.words)
            if any(map(str.isalpha, own)):
                label[index] = mask_numbers(own)
        if node.parent >= 0:
            label[node.parent] = label[index] or label[node.parent]
            chosen[node.parent] |= chosen[index]
    mine = [node for node in nodes if node.window == base and not moving[node.index]]
    return _Still(layout, [node for node in mine if node.visible], label, chosen)


def _moving(layout: Layout) -> list[bool]:
    thin = _THIN * layout.size[1]
    return inherited(
        layout.nodes,
        False,
        lambda above, known: known or (is_pane(above) and above.bounds.height > thin),
    )


def _lasts(node: Node) -> bool:
    """Whether the id belongs to the screen rather than to its content: texts, toasts and badges
    come and go."""
    if not node.resource_id or is_framework(node.resource_id) or _PASSING.search(node.resource_id):
        return False
    return bool(node.children) or is_control(node) or not node.words


def _ways_to_scrollers(still: _Still) -> Iterator[str]:
    """Yields a digest of the classes from the window down to each scroller; scrollers inside
    scrollers do not count."""
    way: dict[int, int] = {}
    for node in still.nodes:
        way[node.index] = digest((str(way.get(node.parent, 0)), node.class_name))
        if node.class_name.endswith(SCROLLERS):
            yield f"way {way[node.index]:x}"


def _alike(still: _Still) -> Iterator[list[Node]]:
    """Yields groups of siblings of one class and height, side by side and all labelled, as tabs
    are."""
    nodes = still.layout.nodes
    for parent in still.nodes:
        if not 2 <= len(parent.children) <= _MOST_TABS:
            continue
        tabs = [nodes[index] for index in parent.children if nodes[index].visible]
        labelled = len(tabs) > 1 and all(still.label[tab.index] for tab in tabs)
        if labelled and _make_a_bar(tabs):
            yield tabs


def _make_a_bar(tabs: list[Node]) -> bool:
    """Whether they are of one class and height, and none reaches over the next."""
    kinds = {(tab.class_name, tab.bounds.top, tab.bounds.bottom) for tab in tabs}
    return len(kinds) == 1 and all(
        one.bounds.right <= other.bounds.left + 2 for one, other in pairwise(tabs)
    )


def _bar(still: _Still) -> list[Node]:
    """Returns the tabs of the bar along the window: three or more controls of one width."""
    for tabs in _alike(still):
        widths = [tab.bounds.width for tab in tabs]
        if len(tabs) < 3 or max(widths) - min(widths) > 0.1 * max(widths):
            continue
        if sum(widths) > 0.7 * still.layout.size[0] and all(map(is_control, tabs)):
            return tabs
    return []


def _are_tabs(still: _Still, alike: Nodes) -> bool:
    """Whether siblings are tabs: choices within a form stand side by side too, but neither across
    the window nor in a container called tabs."""
    if alike[-1].bounds.right - alike[0].bounds.left >= _ACROSS * still.layout.size[0]:
        return True
    around = still.layout.around(alike[0], 2)
    names = [f"{node.class_name} {short_id(node.resource_id)}" for node in around]
    return "tab" in " ".join(names).lower()


def _is_marked(still: _Still, tab: Node) -> bool:
    box = tab.bounds
    for index in tab.children:
        line = still.layout.nodes[index].bounds
        at_edge = line.top == box.top or line.bottom == box.bottom
        if at_edge and 0 < line.height <= _MARK * box.height and not still.label[index]:
            return True
    return False


def _heading(still: _Still, bar: Nodes) -> str:
    """Returns the first text at the top that is no control; "" for none."""
    windows = [node.bounds for node in still.nodes if node.parent < 0]
    if not windows:
        return ""
    top, height = min(box.top for box in windows), max(box.height for box in windows)
    tabs = {tab.index for tab in bar}
    for node in still.nodes:
        if node.children or not node.words or node.parent in tabs or is_control(node):
            continue
        if still.label[node.index] and node.bounds.center.y < top + _TOP * height:
            return still.label[node.index]
    return ""
