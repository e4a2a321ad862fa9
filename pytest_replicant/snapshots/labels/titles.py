"""Titles of screens and dialogs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import compress, islice
from math import ceil, sqrt
from typing import NamedTuple

from ...model import Node, Rect, ancestors
from ..screen.layout import Layout, is_collection, is_list, is_pane
from ..screen.windows import SYSTEM_UI, is_covered
from ..text import clean, short_id
from .labels import is_control

_BARS = ("Toolbar", "ActionBar", "AppBar", "ActionBarContainer")
_BAR_IDS = re.compile("toolbar|action_bar|app_bar")
_WHOLE_WINDOW = ("_root", "_layout")  # action_bar_root is no bar but what holds one and everything below it
_OLD_TITLE = "android:id/title"  # above the content it is that of the window, as before Android 3; else a row's
_MESSAGE = "android:id/message"
_DIALOG_TITLES = ("alertTitle", "dialog_title", "alert_title")
_MARKS = (*_DIALOG_TITLES, _MESSAGE)
_TITLE_ID = re.compile("(?:^|tv_|txt_|text_|page_|screen_|header_)title(?:_?(?:tv|text|label|view))?$|^tvTitle$")
_TABS = re.compile(r"(?:^|[^a-z])tabs?(?![a-z])|Tab(?!le)")
_CLASS = re.compile(r"[\w.]*[a-z\d](?:View|Controller|VC)|_Tt\w+")  # "TodayPageView", as iOS names bars

_PLACE = re.compile(r",[^,\d]*,?[^,\d]*\d+\D{1,6}\d+\s*$")  # "Home, tab, 1 of 5", as React Native says it
_CHOICES = ("RadioButton", "CheckedTextView", "ToggleButton")
_OF_SENTENCES = tuple(".,:;。，：；…")

_MOST_BARS = 20
_MOST_TEXTS = 3  # a title and a message, and a banner above them
_MOST_NODES = 200  # in a bar or a dialog, before its title
_MOST_TABS = 8
_MOST_IN_STRIP = 24  # tabs that scroll
_MOST_SIGNS = 40
_MOST_LETTERS = 300
_MOST_LINES = 40  # texts at the top, before the one that may be a title
_DEEPEST = 60  # ancestors that are looked at
_MOST_SELECTED = 20


class Heading(NamedTuple):
    """A title; ``node`` is the index of the node that shows it, -1 where no single one does. One that is only
    ``read`` off the screen names it and does not decide which screen it is: it may scroll away, or lie under a
    banner."""

    text: str
    node: int
    read: bool = False


_NONE = Heading("", -1)


def screen_title(layout: Layout) -> Heading:
    """Returns the pane title of the app's window, else the first text in its toolbar or navigation bar; else what
    is read as a title: the text next to the button at the top, a large first text, the open tab. Dialogs do not
    count."""
    if layout.platform == "ios":
        dialog = layout.stack.dialog
        inside = range(dialog, layout.ends[dialog]) if dialog >= 0 else ()
        found, bars = _navigation_title(layout, [node for node in layout.nodes if node.index not in inside])
        if found.text or dialog >= 0:
            return found
        return _read(layout, [] if bars else _top(layout))
    stack = layout.stack
    if stack.alone:
        return _NONE
    pane = next((window.pane for window in stack.others if window.number == stack.base), -1)
    if pane >= 0:
        return Heading(clean(layout.nodes[pane].pane_title), -1)
    top = _top(layout)
    return _bar_title(layout, top) or _read(layout, top)


def _top(layout: Layout) -> list[Node]:
    """Returns the visible nodes that begin in the upper third of the app's window."""
    window, base = _window(layout), layout.stack.base
    lowest = window.top + window.height // 3
    return [node for node in layout.nodes if node.bounds[1] <= lowest and node.window == base and node.visible]


def _bar_title(layout: Layout, top: Sequence[Node]) -> Heading | None:
    nodes = layout.nodes
    for bar in islice((node for node in top if _is_bar(node.class_name, node.resource_id)), _MOST_BARS):
        if bar.resource_id == _OLD_TITLE and _is_content(nodes, bar):
            continue
        for node in (bar, *_inside(layout, bar, _MOST_NODES)):
            if not (node.text and node.visible) or node.clickable or not node.class_name.endswith("TextView"):
                continue
            if not (_is_read_otherwise(node) or _is_in_tab(nodes, node, bar)):
                return Heading(clean(node.text), node.index)
        if bar.description and bar.children and not bar.clickable:  # a collapsing bar draws its title itself
            return Heading(clean(bar.description), bar.index)
    return None


def _inside(layout: Layout, node: Node, most: int) -> Sequence[Node]:
    """Returns its first descendants."""
    return layout.nodes[node.index + 1 : min(layout.ends[node.index], node.index + 1 + most)]


def _is_content(nodes: Sequence[Node], node: Node) -> bool:
    return any(one.resource_id == "android:id/content" for one in islice(ancestors(nodes, node), _DEEPEST))


def _is_read_otherwise(node: Node) -> bool:
    """Whether a screen reader says other words, as of the "RAD" of a calculator; never of a title."""
    return bool(node.description) and f" {clean(node.text)} " not in f" {clean(node.description)} "


def _is_in_tab(nodes: Sequence[Node], node: Node, bar: Node) -> bool:
    for one in ancestors(nodes, node):
        if one.index <= bar.index:
            return False
        if _TABS.search(f"{one.class_name} {short_id(one.resource_id)}"):
            return True
    return False


def _read(layout: Layout, top: Sequence[Node]) -> Heading:
    """Returns the title of a screen without a bar that says so, as a reader would find it."""
    window, shown = _window(layout), layout.shown
    if window.is_empty or app_name(layout) == SYSTEM_UI:
        return _NONE
    texts = [node for node in top if _is_text(node) and shown[node.index]]
    corners = [node for node in top if node.clickable and shown[node.index] and _is_corner(node, window)]
    if text := _next_to_button(layout, corners, texts, window):
        return Heading(text, -1, True)
    tab, navigates = _open_tab(layout, window)
    text = tab if navigates or not top else _large_text(layout, window) or _panel_title(layout, window)
    return Heading(text or tab, -1, True)


def _window(layout: Layout) -> Rect:
    """Returns the bounds of the app's window."""
    base = layout.stack.base
    return next((node.bounds for node in layout.nodes if node.window == base), Rect(0, 0, 0, 0))


def _next_to_button(layout: Layout, corners: Sequence[Node], texts: Sequence[Node], window: Rect) -> str:
    """Returns the text on the line of the icon button at the upper corner, which leads back or opens a menu. A
    button with words on that line makes it a banner, and a line below in larger letters makes it a greeting."""
    highest = min(corners, key=lambda node: node.bounds.top, default=None)
    if highest is None:
        return ""
    corners = [node for node in corners if _level(node.bounds, highest.bounds)][:_MOST_TABS]
    line = [n for n in texts if any(_level(n.bounds, one.bounds) for one in corners)][:_MOST_LINES]
    plain = [node for node in line if _is_plain(layout, node, window) and not _is_icon(node)]
    if not 0 < len(plain) < 3 or any(_says(node) for node in line if node not in plain):
        return ""
    title = min(plain, key=lambda node: node.bounds.top)
    if any(title.bounds.height < n.bounds.height for n in plain) or not _may_be_title(title):
        return ""
    next_to = any(_is_next(title, button) for button in corners)
    return _words(title) if next_to and not _is_partial(layout, title, window) else ""


def _says(node: Node) -> bool:
    """Whether words are drawn on it, rather than a picture that a description is of, or the letter of an icon
    font."""
    square = node.bounds.width * 2 <= node.bounds.height * 3
    return bool(node.text or not square) and not _is_icon(node)


def _is_corner(node: Node, window: Rect) -> bool:
    """Whether it is a small control at one of the upper corners, without words."""
    left, top, right, bottom = node.bounds
    if (right - left) * 5 > window.width or (bottom - top) * 2 > (right - left) * 3:
        return False
    at_edge = (left - window.left) * 10 <= window.width or (window.right - right) * 10 <= window.width
    high = (top + bottom - 2 * window.top) * 3 <= window.height
    return at_edge and high and not (node.text or node.states.editable)


def _is_next(node: Node, button: Node) -> bool:
    """Whether a text on the line of a button is next to it rather than over it."""
    apart = node.bounds.left >= button.bounds.right - 2 or node.bounds.right <= button.bounds.left + 2
    return apart and node.bounds.height <= 2 * button.bounds.height


def _large_text(layout: Layout, window: Rect) -> str:
    """Returns the first text, where its id says that it is the title, or it is larger than all others, by more the
    less else speaks for it: a banner, a row or a card is not, and a heading among headings is one of several."""
    main, rows = _main_part(layout, window)
    texts = [n for n in _shown(layout) if (_is_text(n) or n.states.editable) and main.contains(n.bounds.center)]
    texts.sort(key=lambda node: (node.bounds.top, node.bounds.left))
    above: list[Node] = []  # and on its line
    for first in texts[:_MOST_LINES]:
        if not _is_number(first) and _is_plain(layout, first, window):
            break
        above.append(first)
    else:
        return ""
    high = (first.bounds.top - main.top) / main.height
    if high > 2 / 3 or not _may_be_title(first) or _is_partial(layout, first, main):
        return ""
    if rows:
        return _words(first) if _words(first) in rows and high < 1 / 5 else ""  # else a heading, once it scrolls
    level = [node for node in texts if _says(node) and node is not first and _level(node.bounds, first.bounds)]
    buttons = [node for node in level if not _is_plain(layout, node, window)]
    if any(_is_wide(layout, node, main) for node in (*above, *buttons)):
        return ""  # a field to search, or a banner, comes before the parts of a page
    if not buttons and high < 1 / 3 and _TITLE_ID.search(short_id(first.resource_id)):
        alike = [n for n in layout.nodes if n.resource_id == first.resource_id]
        return _words(first) if len(alike) == 1 else ""  # else that of a row or a card
    enough = _enough(layout, first, high, buttons, main)
    return _words(first) if enough and _is_tight(first) and _margin(layout, first, texts, window) >= enough else ""


def _enough(layout: Layout, first: Node, high: float, buttons: Sequence[Node], main: Rect) -> float:
    """Returns how many times as large as all others a text must be so that it is the title; 0 where it is none."""
    text = _words(first)
    short = len(text) <= _MOST_SIGNS and not text.endswith(_OF_SENTENCES)
    if buttons:  # as around the title of a form; beside a section or a banner too
        if not short or high > 1 / 5 or any(button.states.selected for button in buttons):
            return 0
        alike = any((n.class_name, n.bounds.height) == (first.class_name, first.bounds.height) for n in buttons)
        centred = abs(first.bounds.center.x - main.center.x) * 40 <= main.width
        return 1 if centred and not alike and high < 1 / 8 else 1.4
    if high < 1 / 5 and short:
        panes = [node for node in layout.nodes if is_pane(node) and layout.shown[node.index]]
        below = [node for node in panes if node.bounds.top >= first.bounds.bottom]
        return 1.1 if below and len(below) == len(panes) else 1.15
    if high < 1 / 3:
        return 1.2
    plays = any(is_list(node) or node.adjustable or node.class_name == "SeekBar" for node in _shown(layout))
    return 1.3 if short and not plays else 0


def _margin(layout: Layout, first: Node, texts: Sequence[Node], window: Rect) -> float:
    """Returns how many times as large as those of all texts below it the letters of a text are; 0 without any, as
    it is not known."""
    below = [n for n in texts if n.text and n.bounds.bottom > first.bounds.top and n is not first]
    below = [node for node in below if not (is_control(node) or _is_icon(node))]
    if not below or len(below) > _MOST_NODES:
        return 0
    touched = [node for node in below if not _is_plain(layout, node, window)]
    loose = {node.bounds.height for node in touched if not _is_tight(node, 1)}  # with room around, as on a button
    inside = {node.index for node in touched if node.bounds.height in loose}
    sizes = [_size_of(node) for node in below if node.index not in inside]
    return _size_of(first) / max(sizes) if sizes and max(sizes) > 0 else 0


def _main_part(layout: Layout, window: Rect) -> tuple[Rect, frozenset[str]]:
    """Returns the window; where a list along its left side chooses what the rest shows, the rest, and the words of
    that list."""
    for node in _shown(layout):
        left, top, right, bottom = node.bounds
        narrow = left == window.left and (right - left) * 20 <= window.width * 9
        if narrow and (bottom - top) * 10 >= window.height * 7 and is_collection(node):
            rows = frozenset(_words(row) for row in layout.below(node.index) if _is_text(row))
            return Rect(right, window.top, window.right, window.bottom), rows
    return window, frozenset()


def _panel_title(layout: Layout, window: Rect) -> str:
    """Returns the title of what lies in the middle of a screen that is empty else, as a dialog in the app's own
    window does."""
    shown = _shown(layout)
    seen = [
        n.bounds for n in shown if n.text or n.description or (n.clickable and n.bounds.area * 2 < window.area)
    ]
    if len(seen) < 3:
        return ""
    left, right = min(box.left for box in seen) - window.left, window.right - max(box.right for box in seen)
    top, bottom = min(box.top for box in seen) - window.top, window.bottom - max(box.bottom for box in seen)
    centred = min(left, right) * 20 >= window.width and abs(left - right) * 10 <= window.width
    if not centred or top * 5 < window.height or bottom * 10 < window.height:
        return ""
    heading = _first_title(layout, shown)
    return heading.text if heading and any(is_control(node) for node in layout.nodes[heading.node :]) else ""


def _is_wide(layout: Layout, node: Node, main: Rect) -> bool:
    """Whether it belongs to a control of half the width."""
    around = (node, *islice(ancestors(layout.nodes, node), 4))
    touched = next((one for one in around if one.clickable or one.states.editable), None)
    return touched is not None and touched.bounds.width * 2 >= main.width and touched.bounds.area * 2 < main.area


def _size_of(node: Node) -> float:
    """Estimates the size of letters from the height of a text, and from its area the number of its lines."""
    height = node.bounds.height / 1.25
    ratio = height / max(sqrt(_area_of(node)), 1)
    return height / max(round(ratio), ceil(ratio / 1.25), 1)


def _area_of(node: Node) -> float:
    """Returns the room for each letter, in squares of its size. Signs of East Asia are as wide as two letters."""
    text = (node.text or node.description)[:_MOST_LETTERS]
    letters = len(text) if text.isascii() else sum(1 + (sign > "\u2e7f") for sign in text)
    return node.bounds.area / (0.6 * letters)


def _is_tight(node: Node, lines: int = 3) -> bool:
    """Whether a text of so many lines at most has no room around it, so that its size is known."""
    return 0.8 / lines < sqrt(_area_of(node)) * 1.25 / max(node.bounds.height, 1) < 1.4


def _is_text(node: Node) -> bool:
    """Whether it is a text: Flutter's have it as their description, as a picture has what it shows."""
    if node.children or not (node.text or node.description):
        return False
    return not (node.states.editable or node.class_name.endswith(("Image", "ImageView")))


def _words(node: Node) -> str:
    return clean(node.text or node.description)


def _is_icon(node: Node) -> bool:
    return not any(map(str.isalnum, node.text or node.description))


def _is_number(node: Node) -> bool:
    """Whether it has a letter at most, as numbers and clocks do."""
    return sum(map(str.isalpha, (node.text or node.description)[:_MOST_LETTERS])) < 2


def _may_be_title(node: Node) -> bool:
    """Whether it has more letters than digits, and does not break off as a greeting before a name does."""
    text = _words(node)
    letters = 2 * sum(map(str.isalpha, text)) >= len(text.replace(" ", ""))
    return letters and not text.endswith((",", "，")) and not (node.text and _is_read_otherwise(node))


def _is_plain(layout: Layout, node: Node, window: Rect) -> bool:
    """Whether a text belongs to no control; one over most of the window is a page. The hint of a field may be
    drawn over it."""
    if is_control(node):
        return False
    around = islice(ancestors(layout.nodes, node), _DEEPEST)
    if any(one.states.editable or (one.clickable and one.bounds.area * 2 < window.area) for one in around):
        return False
    near = layout.nodes[max(node.index - _MOST_TABS, 0) : node.index]
    return not any(one.states.editable and one.bounds.encloses(node.bounds) for one in near)


def _is_partial(layout: Layout, node: Node, main: Rect) -> bool:
    """Whether it belongs to a list, or to one of several panes side by side, rather than to the screen."""
    width = main.width
    around = [one for one in islice(ancestors(layout.nodes, node), _DEEPEST) if is_pane(one)]
    return any(is_collection(one) or one.bounds.width * 5 < width * 4 for one in around)


def _level(one: Rect, other: Rect) -> bool:
    """Whether the middle of one lies level with the other."""
    return other.top <= one.center.y < other.bottom


def _open_tab(layout: Layout, window: Rect) -> tuple[str, bool]:
    """Returns the label of the selected tab, and whether it is one of a bar at the bottom or the left: those go
    first, as their pages have tabs of their own."""
    shown = _shown(layout)
    chosen = [node.index for node in shown if node.states.selected]
    found = _tab_among(layout, chosen, window)
    if not found[0]:
        buttons = [node for node in shown if node.states.checked and node.class_name.endswith(_CHOICES)]
        found = _tab_among(layout, [node.index for node in buttons], window)
    return found


def _tab_among(layout: Layout, chosen: Sequence[int], window: Rect) -> tuple[str, bool]:
    found: list[tuple[bool, bool, int, str]] = []
    for index in chosen[:_MOST_SELECTED]:
        node = layout.nodes[index]
        for _ in range(3):
            if node.parent < 0:
                break
            label, upright = _tab_label(layout, node, chosen, window)
            if label:
                found.append(
                    (node.bounds.top * 2 > window.top + window.bottom, upright, node.bounds.bottom, label)
                )
                break
            node = layout.nodes[node.parent]
    low, upright, _, label = max(found, default=(False, False, 0, ""))
    return label, low or upright


def _tab_label(layout: Layout, node: Node, chosen: Sequence[int], window: Rect) -> tuple[str, bool]:
    """Returns the label of a selected node that is one of several tabs, and whether they are one below the other;
    "" where it is none."""
    nodes, bounds = layout.nodes, node.bounds
    parent = nodes[node.parent]
    if not 2 <= len(parent.children) <= _MOST_IN_STRIP:
        return "", False
    alike = [nodes[i] for i in parent.children if nodes[i].visible and nodes[i].class_name == node.class_name]
    tabs = [tab for tab in alike if tab.bounds.top == bounds.top or tab.bounds.bottom == bounds.bottom]
    upright = len(tabs) == 1
    if upright:
        tabs = [tab for tab in alike if (tab.bounds.left, tab.bounds.right) == (bounds.left, bounds.right)]
    selected = [tab for tab in tabs if any(tab.index <= i < layout.ends[tab.index] for i in chosen)]
    if len(tabs) < 2 or selected != [node]:
        return "", False
    labels = [_label_in(layout, tab) for tab in tabs]
    label = labels[tabs.index(node)]
    if sum(map(bool, labels)) < 2 or any(map(str.isdigit, label)):
        return "", False
    if upright:
        return (label, True) if _are_in_rail(layout, tabs, window) else ("", False)
    tabbed = _are_tabs(layout, parent, node) or _at_lower_edge(tabs, window) or _come_first(layout, tabs, window)
    return (label, False) if tabbed else ("", False)


def _label_in(layout: Layout, tab: Node) -> str:
    """Returns the first text in a tab that is no count, else its description without its place among the tabs."""
    inside = [tab, *_inside(layout, tab, _MOST_TABS)]
    text = next((node.text for node in inside if node.text and not _is_number(node)), "")
    said = next((node.description for node in inside if node.description), "")
    return clean(text or _PLACE.sub("", said.split("\n")[0]))


def _are_tabs(layout: Layout, parent: Node, tab: Node) -> bool:
    """Whether their classes or ids say so."""
    above = [parent] if parent.parent < 0 else [parent, layout.nodes[parent.parent]]
    near = [*above, tab, *_inside(layout, tab, 3)]
    return any(_TABS.search(f"{node.class_name} {short_id(node.resource_id)}") for node in near)


def _at_lower_edge(tabs: Sequence[Node], window: Rect) -> bool:
    across = max(tab.bounds.right for tab in tabs) - min(tab.bounds.left for tab in tabs)
    low = (window.bottom - tabs[0].bounds.bottom) * 10 <= window.height
    return len(tabs) > 2 and low and across * 10 >= window.width * 7


def _are_in_rail(layout: Layout, tabs: Sequence[Node], window: Rect) -> bool:
    """Whether they lie along the left edge, with one text each at most, as rows of things have more."""
    left, _, right, _ = tabs[0].bounds
    at_edge = (left - window.left) * 10 <= window.width and (right - left) * 10 <= window.width * 3
    texts = [[n for n in (tab, *layout.below(tab.index)) if n.text and not _is_number(n)] for tab in tabs]
    return at_edge and len(tabs) > 2 and all(len(inside) < 2 for inside in texts)


def _come_first(layout: Layout, tabs: Sequence[Node], window: Rect) -> bool:
    """Whether they are the first line of the screen: chips are below a title or a field."""
    top, bottom = tabs[0].bounds.top, tabs[0].bounds.bottom
    across = max(tab.bounds.right for tab in tabs) - min(tab.bounds.left for tab in tabs)
    if (bottom - window.top) * 8 > window.height or across * 10 < window.width * 3:
        return False
    return not any(n.bounds.bottom <= top and (n.text or n.description or n.clickable) for n in _shown(layout))


def dialog_title(layout: Layout) -> Heading | None:
    """Returns the title of the dialog over the app's window; "" for one without, None where there is no dialog.
    Many dumps hold the top window alone: then the id of its title or its message identifies a dialog."""
    stack = layout.stack
    if layout.platform == "ios":
        return _ios_dialog_title(layout) if stack.dialog >= 0 else None
    if not is_covered(stack):
        marks = [
            n for n in layout.nodes if n.resource_id.endswith(_MARKS) and n.window == stack.base and n.visible
        ]
        return _marked(marks) or (_NONE if any(node.resource_id == _MESSAGE for node in marks) else None)
    over = stack.over if stack.base in stack.below else {stack.base}
    inside = [node for node in layout.nodes if node.window in over and node.visible]
    pane = next((node.pane_title for node in inside if node.pane_title), "")
    if pane and not stack.sheet:
        return Heading(clean(pane), -1)
    return _marked(inside) or _first_title(layout, inside) or Heading(clean(pane), -1)


def dialog_says(layout: Layout) -> tuple[str, ...]:
    """Returns the message of the open dialog, else its first texts, to distinguish it from other dialogs."""
    nodes = _visible(layout)
    if layout.stack.dialog >= 0:
        nodes = list(layout.below(layout.stack.dialog))
    elif layout.stack.below:
        nodes = [node for node in layout.nodes if node.window in layout.stack.over and node.visible]
    message = next((node.text for node in nodes if node.text and node.resource_id == _MESSAGE), "")
    return tuple(map(clean, [message] if message else _first_texts(nodes)))


def _first_texts(nodes: Sequence[Node]) -> list[str]:
    """Returns the heading and the text below it: the texts before the first control or list, which change while a
    dialog is open."""
    found: list[str] = []
    for node in nodes[:_MOST_NODES]:
        if is_control(node) or is_collection(node) or len(found) == _MOST_TEXTS:
            break
        found += filter(None, [node.text or node.description])
    return found


def _shown(layout: Layout) -> list[Node]:
    """Returns what is shown of the app's window."""
    base = layout.stack.base
    return [node for node in compress(layout.nodes, layout.shown) if node.window == base]


def _visible(layout: Layout) -> list[Node]:
    """Returns the visible nodes of the app's window."""
    base = layout.stack.base
    return [node for node in layout.nodes if node.window == base and node.visible]


def _first_title(layout: Layout, nodes: Sequence[Node]) -> Heading | None:
    """Returns the first text of a dialog before its first control or list, where its id, the panel it is in, or
    its size next to the texts below says that it is the title and not the message."""
    texts: list[Node] = []
    for node in nodes[:_MOST_NODES]:
        page = node.clickable and node.bounds.area * 2 > nodes[0].bounds.area  # or the area around a sheet
        if node.states.editable or is_collection(node) or (is_control(node) and not page):
            break
        if node.text and not node.children and not _is_icon(node):
            texts.append(node)
    if not texts:
        return None
    first = texts[0]
    panels = (short_id(one.resource_id) for one in ancestors(layout.nodes, first))
    named = _TITLE_ID.search(short_id(first.resource_id)) or "topPanel" in panels or layout.stack.sheet
    sizes = [_size_of(node) for node in texts[1:]]
    if named or (sizes and _size_of(first) >= 1.2 * max(sizes)) or _introduces(texts):
        return Heading(clean(first.text), first.index, read=True)
    return None


def _introduces(texts: Sequence[Node]) -> bool:
    """Whether a short text is followed by a longer one in letters that are no larger."""
    first, second = texts[0], texts[1] if len(texts) > 1 else texts[0]
    short = len(first.text) <= _MOST_SIGNS and not first.text.endswith(_OF_SENTENCES)
    longer = len(second.text) * 2 >= len(first.text) * 3
    return short and longer and _size_of(first) >= 0.98 * _size_of(second) and _may_be_title(first)


def _marked(nodes: Iterable[Node]) -> Heading | None:
    """Returns the text whose id marks it as the title of a dialog."""
    for node in nodes:
        if not node.text or not node.resource_id.endswith(_DIALOG_TITLES):
            continue
        if short_id(node.resource_id) in _DIALOG_TITLES:
            return Heading(clean(node.text), node.index)
    return None


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


def _navigation_title(layout: Layout, nodes: Sequence[Node]) -> tuple[Heading, bool]:
    """Returns the title of the last visible navigation bar, which is on top: its text, preferably the one that the
    bar is named after; else the bar's name, unless that is the class of a view. Also whether there is a bar."""
    bars = [node for node in nodes if node.class_name == "NavigationBar"][-_MOST_BARS:]
    for bar in sorted(bars, key=lambda bar: (not bar.visible, -bar.index)):
        name = clean(bar.text or bar.resource_id)
        texts = _texts(layout, bar)
        own = [bar] if bar.text else []
        best = next((node for node in [*own, *texts] if clean(node.text) == name), texts[0] if texts else None)
        if best:
            return Heading(clean(best.text), best.index), True
        if name and not _CLASS.fullmatch(name):
            return Heading(name, -1), True
    return _NONE, bool(bars)


def _ios_dialog_title(layout: Layout) -> Heading:
    """Returns the dialog's name; else the title of its bar; else its first text, except for a popover or a
    menu."""
    dialog = layout.nodes[layout.stack.dialog]
    if dialog.text:
        return Heading(clean(dialog.text), dialog.index)
    heading, _ = _navigation_title(layout, layout.below(dialog.index))
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


@lru_cache(maxsize=4096)
def _is_bar(class_name: str, resource_id: str) -> bool:
    if class_name.endswith(_BARS) or resource_id == _OLD_TITLE:
        return True
    if not resource_id:
        return False
    name = short_id(resource_id).lower()
    if "search" in name or name.endswith(_WHOLE_WINDOW):
        return False
    return _BAR_IDS.search(name) is not None
