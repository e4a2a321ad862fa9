"""Titles of screens and dialogs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache, reduce
from itertools import compress, islice, takewhile
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
_CHOICES = ("RadioButton", "CheckedTextView")
_OF_SENTENCES = tuple(".,:;。，：；…")

_MOST_BARS = 20
_MOST_NODES = 200  # in a bar or a dialog, before its title; letters of a text
_MOST_TABS = 8
_MOST_IN_STRIP = 24  # tabs that scroll
_MOST_SIGNS = 40  # of a title
_MOST_LINES = 40  # texts at the top, before the one that may be a title
_DEEPEST = 60  # ancestors that are looked at


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
        return _read(layout, barred=bars)
    stack = layout.stack
    if stack.alone:
        return _NONE
    pane = next((window.pane for window in stack.others if window.number == stack.base), -1)
    if pane >= 0:
        return Heading(clean(layout.nodes[pane].pane_title), -1)
    return _bar_title(layout) or _read(layout)


def _bar_title(layout: Layout) -> Heading | None:
    nodes, window, base = layout.nodes, _window(layout), layout.stack.base
    lowest = window.top + window.height // 3
    top = (node for node in nodes if node.bounds[1] <= lowest and node.window == base and node.visible)
    for bar in islice((node for node in top if _is_bar(node.class_name, node.resource_id)), _MOST_BARS):
        around = islice(ancestors(nodes, bar), _DEEPEST)
        if bar.resource_id == _OLD_TITLE and any(one.resource_id == "android:id/content" for one in around):
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


def _is_read_otherwise(node: Node) -> bool:
    """Whether a screen reader says other words, as of the "RAD" of a calculator; never of a title."""
    return bool(node.description) and f" {clean(node.text)} " not in f" {clean(node.description)} "


def _is_in_tab(nodes: Sequence[Node], node: Node, bar: Node) -> bool:
    inside = takewhile(lambda one: one.index > bar.index, ancestors(nodes, node))
    return any(_TABS.search(f"{one.class_name} {short_id(one.resource_id)}") for one in inside)


def _read(layout: Layout, barred: bool = False) -> Heading:
    """Returns the title of a screen without a bar that says so, as a reader would find it; of one with a bar that
    does not, the open tab."""
    window, base = _window(layout), layout.stack.base
    if window.is_empty or app_name(layout) == SYSTEM_UI:
        return _NONE
    shown = [node for node in compress(layout.nodes, layout.shown) if node.window == base]
    if text := "" if barred else _next_to_button(layout, shown, window):
        return Heading(text, -1, True)
    choices = [node for node in shown if node.states.checked and node.class_name.endswith(_CHOICES)]
    for chosen in ([node for node in shown if node.states.selected], choices):
        navigates, tab = _open_tab(layout, chosen, shown, window)
        if tab:
            break
    if not (navigates or barred):
        tab = _large_text(layout, shown, window) or _panel_title(layout, shown, window) or tab
    return Heading(tab, -1, True)


def _window(layout: Layout) -> Rect:
    """Returns the bounds of the app's window."""
    base = layout.stack.base
    return next((node.bounds for node in layout.nodes if node.window == base), Rect(0, 0, 0, 0))


def _next_to_button(layout: Layout, shown: Sequence[Node], window: Rect) -> str:
    """Returns the text on the line of the icon button at the upper corner, which leads back or opens a menu. A
    button with words on that line makes it a banner, except for one in the middle, as a title can be touched too;
    a line below in larger letters makes it a greeting."""
    corners = [node for node in shown if node.clickable and _is_corner(node, window)]
    highest = min(corners, key=lambda node: node.bounds.top, default=None)
    if highest is None:
        return ""
    corners = [node for node in corners if _level(node.bounds, highest.bounds)][:_MOST_TABS]
    line = [n for n in shown if _is_text(n) and any(_level(n.bounds, one.bounds) for one in corners)]
    plain = [node for node in line[:_MOST_LINES] if _is_plain(layout, node, window) and not _is_icon(node)]
    words = [node for node in line[:_MOST_LINES] if _says(node) and node not in plain]
    if not plain and len(words) == 1 and words[0].class_name == "TextView" and words[0].clickable:
        in_middle = _is_tight(words[0], 1) and _is_centred(words[0], window)
        plain, words = words if in_middle and _is_plain(layout, layout.nodes[words[0].parent], window) else [], []
    title = min(plain, key=lambda node: node.bounds.top, default=None)
    if title is None or words or len(plain) > 2 or any(title.bounds.height < n.bounds.height for n in plain):
        return ""
    left, _, right, _ = title.bounds
    edges = [one.bounds for one in corners if title.bounds.height <= 2 * one.bounds.height]
    next_to = any(left >= one.right - 2 or right <= one.left + 2 for one in edges)  # rather than over it
    return _words(title) if next_to and _may_be_title(title) and not _is_partial(layout, title, window) else ""


def _is_centred(node: Node, around: Rect) -> bool:
    return abs(node.bounds.center.x - around.center.x) * 40 <= around.width


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


def _large_text(layout: Layout, shown: Sequence[Node], window: Rect) -> str:
    """Returns the first text, where its id says that it is the title, or it is larger than all others, by more the
    less else speaks for it: a banner, a row or a card is not, and a heading among headings is one of several."""
    main, rows = _main_part(layout, shown, window)
    texts = [n for n in shown if (_is_text(n) or n.states.editable) and main.contains(n.bounds.center)]
    texts.sort(key=lambda node: (node.bounds.top, node.bounds.left))
    plain = (at for at, n in enumerate(texts) if not _is_number(n) and _is_plain(layout, n, window))
    at = next(plain, _MOST_LINES)
    first = texts[at] if at < _MOST_LINES else None
    if first is None or not _may_be_title(first) or _is_partial(layout, first, main):
        return ""
    words, high = _words(first), (first.bounds.top - main.top) / main.height
    if rows:  # else it may be a heading that has scrolled there
        return words if words in rows and high < 1 / 5 else ""
    level = [node for node in texts if _says(node) and node is not first and _level(node.bounds, first.bounds)]
    buttons = [node for node in level if not _is_plain(layout, node, window)]
    if any(_is_wide(layout, node, main) for node in (*texts[:at], *buttons)):
        return ""  # a field to search, or a banner, comes before the parts of a page
    if not buttons and high < 1 / 3 and _TITLE_ID.search(short_id(first.resource_id)):
        alike = [n for n in layout.nodes if n.resource_id == first.resource_id]
        return words if len(alike) == 1 else ""  # else that of a row or a card
    enough = _enough(layout, first, high, buttons, main, shown)
    if not _is_tight(first):  # then it is as wide as its column, and the column narrower than the screen
        left, _, right, _ = first.bounds
        column = [n for n in texts if (n.bounds.left, n.bounds.right) == (left, right)]
        inset = len(column) > 1 and (left - main.left) * 40 > main.width < (main.right - right) * 40
        enough = max(enough, 1.4) if inset and enough else 0
    return words if enough and _margin(layout, first, texts, window) >= enough else ""


def _enough(
    layout: Layout, first: Node, high: float, buttons: Sequence[Node], main: Rect, shown: Sequence[Node]
) -> float:
    """Returns how many times as large as all others a text must be so that it is the title; 0 where it is none."""
    short = _is_short(_words(first))
    if buttons:  # as around the title of a form; next to a section or a banner too
        alike = any((n.class_name, n.bounds.height) == (first.class_name, first.bounds.height) for n in buttons)
        if _is_centred(first, main) and not alike and high < 1 / 8:
            return float(short)
        return 1.4 if short and high < 1 / 5 and not any(n.states.selected for n in buttons) else 0
    if high < 1 / 5 and short:
        panes = [node for node in shown if is_pane(node)]
        return 1.1 if panes and all(node.bounds.top >= first.bounds.bottom for node in panes) else 1.15
    if high < 1 / 3:
        return 1.2
    moves = any(one.states.scrollable for one in islice(ancestors(layout.nodes, first), _DEEPEST))
    moves = moves or any(is_list(node) or node.adjustable or node.class_name == "SeekBar" for node in shown)
    return 1.3 if short and high < 2 / 3 and not moves else 0


def _margin(layout: Layout, first: Node, texts: Sequence[Node], window: Rect) -> float:
    """Returns how many times as large as those of all texts below it the letters of a text are; 0 without any, as
    it is not known. Texts in controls count where they have no room around them."""
    below = [n for n in texts if n.text and n.bounds.bottom > first.bounds.top and n is not first]
    below = [node for node in below if not (is_control(node) or _is_icon(node))]
    if not 0 < len(below) <= _MOST_NODES:
        return 0
    inside = {node.index for node in below if not _is_plain(layout, node, window)}
    loose = {node.bounds.height for node in below if node.index in inside and not _is_tight(node, 1)}
    sizes = [_size_of(n) for n in below if n.index not in inside or n.bounds.height not in loose]
    return _size_of(first) / max(sizes) if sizes and max(sizes) > 0 else 0


def _main_part(layout: Layout, shown: Sequence[Node], window: Rect) -> tuple[Rect, frozenset[str]]:
    """Returns the window; where a list along its left side chooses what the rest shows, the rest, and the words of
    that list."""
    for node in shown:
        left, top, right, bottom = node.bounds
        narrow = left == window.left and (right - left) * 20 <= window.width * 9
        if narrow and (bottom - top) * 10 >= window.height * 7 and is_collection(node):
            rows = frozenset(_words(row) for row in layout.below(node.index) if _is_text(row))
            return Rect(right, window.top, window.right, window.bottom), rows
    return window, frozenset()


def _panel_title(layout: Layout, shown: Sequence[Node], window: Rect) -> str:
    """Returns the title of what lies in the middle of an empty screen, as a dialog does in the app's window."""
    half = window.area // 2
    seen = [n.bounds for n in shown if n.text or n.description or (n.clickable and n.bounds.area < half)]
    box = reduce(Rect.union, seen, seen[0]) if seen else window
    left, right = box.left - window.left, window.right - box.right
    centred = min(left, right) * 20 >= window.width and abs(left - right) * 10 <= window.width
    if (
        not centred
        or (box.top - window.top) * 5 < window.height
        or (window.bottom - box.bottom) * 10 < window.height
    ):
        return ""
    heading = _first_title(layout, shown)
    return heading.text if heading and any(is_control(node) for node in layout.nodes[heading.node :]) else ""


def _is_wide(layout: Layout, node: Node, main: Rect) -> bool:
    """Whether it belongs to a control of half the width."""
    around = (node, *islice(ancestors(layout.nodes, node), 4))
    touched = next((one.bounds for one in around if one.clickable or one.states.editable), None)
    return touched is not None and touched.width * 2 >= main.width and touched.area * 2 < main.area


def _size_of(node: Node) -> float:
    """Estimates the size of letters from the height of a text, and from its area the number of its lines."""
    height = node.bounds.height / 1.25
    ratio = height / max(sqrt(_area_of(node)), 1)
    return height / max(round(ratio), ceil(ratio / 1.25), 1)


def _area_of(node: Node) -> float:
    """Returns the room for each letter, in squares of its size. Signs of East Asia are as wide as two letters."""
    text = (node.text or node.description)[:_MOST_NODES]
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
    return sum(map(str.isalpha, (node.text or node.description)[:_MOST_NODES])) < 2


def _may_be_title(node: Node) -> bool:
    """Whether it has more letters than digits, and does not break off as a greeting before a name does. What
    Flutter describes in several lines is of several texts."""
    text = _words(node)
    letters = 2 * sum(map(str.isalpha, text)) >= len(text.replace(" ", ""))
    parts = text.endswith((",", "，")) or "\n" in (node.text or node.description).strip()
    return letters and not parts and not (node.text and _is_read_otherwise(node))


def _is_short(text: str) -> bool:
    """Whether it is no sentence, and counts nothing."""
    return len(text) <= _MOST_SIGNS and not text.endswith(_OF_SENTENCES) and not any(map(str.isdigit, text))


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
    around = [one for one in islice(ancestors(layout.nodes, node), _DEEPEST) if is_pane(one)]
    return any(is_collection(one) or one.bounds.width * 5 < main.width * 4 for one in around)


def _level(one: Rect, other: Rect) -> bool:
    """Whether the middle of one lies level with the other."""
    return other.top <= one.center.y < other.bottom


def _open_tab(layout: Layout, chosen: Sequence[Node], shown: Sequence[Node], window: Rect) -> tuple[bool, str]:
    """Returns the label of the selected tab, and whether it is one of a bar at the bottom or the left: those go
    first, as their pages have tabs of their own."""
    found = [(False, False, 0, "")]
    for node in chosen[:_MOST_TABS]:
        for one in islice((node, *ancestors(layout.nodes, node)), 3):
            tabs, upright = _row_of(layout, one, chosen)
            labels = [_label_in(layout, tab) for tab in tabs]
            label = labels[tabs.index(one)] if sum(map(bool, labels)) > 1 else ""
            if label and not any(map(str.isdigit, label)) and _are_tabs(layout, tabs, upright, shown, window):
                low = one.bounds.bottom * 2 > window.top + window.bottom
                found.append((low and not upright, upright, one.bounds.bottom, label))
                break
    low, upright, _, label = max(found)
    return low or upright, label


def _row_of(layout: Layout, node: Node, chosen: Sequence[Node]) -> tuple[list[Node], bool]:
    """Returns a selected node and its unselected siblings on one line, else those below and above it; and whether
    it is the latter."""
    nodes, bounds, ends = layout.nodes, node.bounds, layout.ends
    children = nodes[node.parent].children if node.parent >= 0 else ()
    alike = [nodes[i] for i in children[:_MOST_IN_STRIP] if nodes[i].class_name == node.class_name]
    tabs = [tab for tab in alike if tab.bounds.top == bounds.top or tab.bounds.bottom == bounds.bottom]
    upright = len(tabs) < 2
    if upright:
        tabs = [tab for tab in alike if (tab.bounds.left, tab.bounds.right) == (bounds.left, bounds.right)]
    others = [tab for tab in tabs if tab is not node]
    both = any(tab.index <= one.index < ends[tab.index] for one in chosen for tab in others)
    return [tab for tab in tabs if tab.visible and not both], upright


def _label_in(layout: Layout, tab: Node) -> str:
    """Returns the first text in a tab that is no count, else its description without its place among the tabs."""
    inside = [tab, *_inside(layout, tab, _MOST_TABS)]
    text = next((node.text for node in inside if node.text and not _is_number(node)), "")
    said = next((node.description for node in inside if node.description), "")
    return clean(text or _PLACE.sub("", said.split("\n")[0]))


def _are_tabs(layout: Layout, tabs: Sequence[Node], upright: bool, shown: Sequence[Node], window: Rect) -> bool:
    """Whether they lie along the left edge, with one text each at most, as rows of things have more; fill the
    lower edge; are the first line, as chips are below a title or a field; or their classes or ids say so."""
    box = tabs[0].bounds.union(tabs[-1].bounds)
    if upright:
        texts = [[n for n in (tab, *layout.below(tab.index)) if n.text and not _is_number(n)] for tab in tabs]
        at_edge = (box.left - window.left) * 10 <= window.width and box.width * 10 <= window.width * 3
        return at_edge and len(tabs) > 2 and all(len(inside) < 2 for inside in texts)
    near = [*islice(ancestors(layout.nodes, tabs[0]), 2), tabs[0], *_inside(layout, tabs[0], 3)]
    if any(_TABS.search(f"{node.class_name} {short_id(node.resource_id)}") for node in near):
        return True
    if (window.bottom - box.bottom) * 10 <= window.height:
        return len(tabs) > 2 and box.width * 10 >= window.width * 7
    first = not any(n.bounds.bottom <= box.top and (n.text or n.description or n.clickable) for n in shown)
    return first and (box.bottom - window.top) * 8 <= window.height and box.width * 10 >= window.width * 3


def dialog_title(layout: Layout) -> Heading | None:
    """Returns the title of the dialog over the app's window; "" for one without, None where there is no dialog.
    Many dumps hold the top window alone: then the id of its title or its message identifies a dialog."""
    stack = layout.stack
    if layout.platform == "ios":
        return _ios_dialog_title(layout) if stack.dialog >= 0 else None
    if not is_covered(stack):
        marks = [n for n in layout.nodes if n.resource_id.endswith(_MARKS)]
        marks = [node for node in marks if node.window == stack.base and node.visible]
        return _marked(marks) or (_NONE if any(node.resource_id == _MESSAGE for node in marks) else None)
    over = stack.over if stack.base in stack.below else {stack.base}
    inside = [node for node in layout.nodes if node.window in over and node.visible]
    pane = next((node.pane_title for node in inside if node.pane_title), "")
    if pane and not stack.sheet:
        return Heading(clean(pane), -1)
    return _marked(inside) or _first_title(layout, inside) or Heading(clean(pane), -1)


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
    first, second = (*texts, texts[0])[:2]
    longer = len(second.text) * 2 >= len(first.text) * 3 and _size_of(second) <= 1.02 * _size_of(first)
    return longer and _is_short(first.text) and _may_be_title(first)


def _marked(nodes: Iterable[Node]) -> Heading | None:
    """Returns the text whose id marks it as the title of a dialog."""
    texts = (node for node in nodes if node.text and node.resource_id.endswith(_DIALOG_TITLES))
    marked = (node for node in texts if short_id(node.resource_id) in _DIALOG_TITLES)
    return next((Heading(clean(node.text), node.index) for node in marked), None)


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
    end = 0  # of the last control
    for node in _inside(layout, within, _MOST_NODES):
        if node.clickable and node.index >= end:
            end = layout.ends[node.index]
        elif node.index >= end and node.visible and clean(node.text):
            found.append(node)
    return found


@lru_cache(maxsize=4096)
def _is_bar(class_name: str, resource_id: str) -> bool:
    name = short_id(resource_id).lower()
    by_id = _BAR_IDS.search(name) and "search" not in name and not name.endswith(_WHOLE_WINDOW)
    return class_name.endswith(_BARS) or resource_id == _OLD_TITLE or bool(by_id)
