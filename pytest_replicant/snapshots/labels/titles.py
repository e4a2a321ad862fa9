"""Titles of screens and dialogs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice
from math import ceil, sqrt
from typing import NamedTuple

from ...model import Node, Nodes, Rect
from ..parsers.dump import NOWHERE
from ..screen.layout import Layout, is_collection, is_list, is_pane
from ..screen.windows import OLD_TITLE, SYSTEM_UI, is_bar, is_covered
from ..text import clean, short_id
from .labels import is_control

MESSAGE = "android:id/message"
_DIALOG_TITLES = ("alertTitle", "dialog_title", "alert_title")

_TITLE_ID = re.compile(
    "(?:^|tv_|txt_|text_|page_|screen_|header_)title(?:_?(?:tv|text|label|view))?$|^tvTitle$"
)
_TABS = re.compile(r"(?:^|[^a-z])tabs?(?![a-z])|Tab(?!le)")
_CLASS = re.compile(
    r"[\w.]*[a-z\d](?:View|Controller|VC)|_Tt\w+"
)  # "TodayPageView", as iOS names bars
_PLACE = re.compile(
    r"[,\n][^,\d]*,?[^,\d]*\d+\D{1,6}\d+\s*$"
)  # "Home, tab, 1 of 5", as frameworks say it
_CHOICES = ("RadioButton", "CheckedTextView")
_OF_SENTENCES = tuple(".,:;。，：；…")
_MOST_BARS = 20  # and tabs in one that scrolls
_MOST_NODES = 200  # in a bar or a dialog, before its title; letters of a text
_MOST_TABS = 8
_MOST_LINES = 40  # texts at the top, before the one that may be a title; signs of a short one
_DEEPEST = 60  # ancestors that are looked at


class Heading(NamedTuple):
    """A title; ``node`` is the index of the node that shows it, -1 if no single one does. One that
    is only ``read`` does not decide which screen it is: it may scroll away, or lie under a
    banner."""

    text: str
    node: int = -1
    read: bool = False


_NONE = Heading("")


def _shown_by(node: Node) -> Heading:
    return Heading(clean(node.text), node.index)


def screen_title(layout: Layout) -> Heading:
    """Returns the pane title of the app's window, else the first text in its toolbar or navigation
    bar; else the likeliest title: the text next to the button at the top, a large first text,
    the open tab. No dialog's."""
    if layout.platform == "ios":
        return _ios_title(layout)
    if layout.stack.alone:
        return _NONE
    seen = [node for node in _on_top(layout) if node.visible]
    pane = next((node.pane_title for node in seen if node.pane_title), "")
    return Heading(clean(pane)) if pane else _bar_title(layout, seen) or _read(layout)


def _ios_title(layout: Layout) -> Heading:
    dialog = layout.stack.dialog
    if dialog >= 0:  # under which nothing is reported as visible
        outside = (*layout.nodes[:dialog], *layout.nodes[layout.ends[dialog] :])
        return _navigation_title(layout, outside)[0]
    shown: list[Node] = []
    for one in _on_top(layout):
        if any(node.visible for node in (one, *layout.below(one.index))):
            shown.append(one)
    found, bars = _navigation_title(layout, shown)
    return found if found.text else _read(layout, barred=bars)


def _on_top(layout: Layout) -> list[Node]:
    """Returns the nodes of the app's window in its bounds, under no other page; a dialog may lie
    over them."""
    window, base = layout.window, layout.stack.base
    below = {index for page in layout.pages for index in range(page.start, page.end)}
    mine = (n for n in layout.nodes if n.window == base and n.bounds.meets(window))
    return [n for n in mine if not (layout.covered[n.index] or n.index in below)]


def _bar_title(layout: Layout, seen: Nodes) -> Heading | None:
    lowest = layout.window.top + layout.window.height // 3
    top = (n for n in seen if n.bounds.top <= lowest and is_bar(n.class_name, n.resource_id))
    for bar in islice(top, _MOST_BARS):
        around = {one.resource_id for one in layout.around(bar, _DEEPEST)}
        if bar.resource_id == OLD_TITLE and "android:id/content" in around:
            continue
        inside = (node for node in seen if bar.index <= node.index < layout.ends[bar.index])
        for node in islice(inside, _MOST_NODES):
            if not node.text or node.clickable or not node.class_name.endswith("TextView"):
                continue
            in_bar = (one for one in layout.around(node) if one.index > bar.index)
            if not (any(map(_is_of_tab, in_bar)) or _is_read_otherwise(node)):
                return _shown_by(node)
        if (
            bar.description and bar.children and not bar.clickable
        ):  # a collapsing bar draws its title itself
            return Heading(clean(bar.description), bar.index)
    return None


def _is_of_tab(node: Node) -> bool:
    counted = _PLACE.search(node.description) if node.description else None
    return (counted or _TABS.search(f"{node.class_name} {short_id(node.resource_id)}")) is not None


def _is_read_otherwise(node: Node) -> bool:
    """Whether a screen reader says other words, as of the "RAD" of a calculator; never of a
    title."""
    return bool(node.description) and f" {clean(node.text)} " not in f" {clean(node.description)} "


def _read(layout: Layout, barred: bool = False) -> Heading:
    """Returns the title of a screen as a reader would find it; of one with a bar without a title,
    the open tab."""
    if layout.window.is_empty or app_name(layout) == SYSTEM_UI:
        return _NONE
    shown = [node for node in _on_top(layout) if layout.shown[node.index]]
    texts = [n for n in shown if _is_text(n) or n.states.editable]
    if text := "" if barred else _next_to_button(layout, shown, texts):
        return Heading(text, read=True)
    choices = [n for n in shown if n.states.checked and n.class_name.endswith(_CHOICES)]
    for chosen in ([node for node in shown if node.states.selected], choices):
        navigates, tab = _open_tab(layout, chosen, shown)
        if tab:
            break
    if not (navigates or barred):
        tab = _large_text(layout, shown, texts) or _panel_title(layout, shown) or tab
    return Heading(tab, read=True)


def _next_to_button(layout: Layout, shown: Nodes, texts: Nodes) -> str:
    """Returns the text on the line of the icon button at the upper corner, which leads back or
    opens a menu. Words on other buttons make it a banner, larger ones below it a greeting."""
    window = layout.window
    lowest = window.top + window.height // 3
    boxes = [n.bounds for n in shown if n.clickable and _is_corner(n, window)]
    highest = min(boxes, key=lambda box: box.top, default=NOWHERE)
    edges = [box for box in boxes if box.top <= lowest and _level(box, highest)][:_MOST_TABS]
    upper = (node for node in texts if node.bounds.top <= lowest)
    level = (node for node in upper if any(_level(node.bounds, one) for one in edges))
    line = list(islice(level, _MOST_LINES))
    plain = [node for node in line if _is_plain(layout, node) and not _is_icon(node)]
    title = min(plain, key=lambda node: node.bounds.top, default=None)
    if title is None or len(plain) > 2:
        return ""
    at = title.bounds
    if any(_says(node) and node not in plain for node in line) or any(
        at.height < node.bounds.height for node in plain
    ):
        return ""
    next_to = any(
        at.left >= one.right - 2 or at.right <= one.left + 2 for one in edges
    )  # rather than over it
    if not next_to or at.height > 2 * max(one.height for one in edges):
        return ""
    fits = _may_be_title(title) and not _is_partial(layout, title, window)
    return clean(title.words) if fits else ""


def _says(node: Node) -> bool:
    """Whether words are drawn on it, rather than a picture that is described, or the letter of an
    icon font."""
    square = node.bounds.width * 2 <= node.bounds.height * 3
    return bool(node.text or not square) and not _is_icon(node)


def _is_corner(node: Node, window: Rect) -> bool:
    """Whether it is a small control at one of the upper corners, without words."""
    left, top, right, bottom = node.bounds
    small = (right - left) * 5 <= window.width and (bottom - top) * 2 <= (right - left) * 3
    at_edge = min(left - window.left, window.right - right) * 10 <= window.width
    high = (top + bottom - 2 * window.top) * 3 <= window.height
    return small and at_edge and high and not (node.text or node.states.editable)


def _large_text(layout: Layout, shown: Nodes, texts: Nodes) -> str:
    """Returns the first text, where its id says that it is the title, or it is larger than all
    others, by more the less else speaks for it: a banner, a row or a card is not, and a heading
    among headings is one of several."""
    window = main = layout.window
    side = _side(shown, window)
    if side:
        main = Rect(side.bounds.right, *window[1:])
    texts = sorted(
        (n for n in texts if n.bounds.right > main.left), key=lambda node: node.bounds[1::-1]
    )
    plain = (n for n in texts[:_MOST_LINES] if not _is_number(n) and _is_plain(layout, n))
    first = next(plain, None)
    if first is None:
        return ""
    words, high = clean(first.words), (first.bounds.top - main.top) / main.height
    if side and high < 1 / 5:  # else it may be a heading that has scrolled there
        rows = {(row.text, row.description) for row in layout.below(side.index)}
        return words if (first.text, first.description) in rows else ""
    if side or high > 2 / 3 or not _may_be_title(first):
        return ""
    if _is_partial(layout, first, main, heads=True):
        return ""
    level = (n for n in texts if n is not first and _says(n) and _level(n.bounds, first.bounds))
    buttons = [node for node in level if not _is_plain(layout, node)]
    before = texts[: texts.index(first)]
    if any(_is_wide(layout, node, main) for node in (*before, *buttons)):
        return ""  # a field to search, or a banner, comes before the parts of a page
    if not buttons and high < 1 / 3 and _TITLE_ID.search(short_id(first.resource_id)):
        alike = [n for n in layout.nodes if n.resource_id == first.resource_id]
        return words if len(alike) == 1 else ""  # else that of a row or a card
    enough = _enough(layout, first, high, buttons, shown)
    if enough and any(map(is_collection, layout.around(first))):
        enough = max(enough, 1.5)
    sure = enough and _is_tight(first) and _margin(layout, first, texts) >= enough
    return words if sure else ""


def _enough(layout: Layout, first: Node, high: float, buttons: Nodes, shown: Nodes) -> float:
    """Returns how many times as large as all others a text must be so that it is the title; 0 if it
    is none."""
    short = _is_short(clean(first.words))
    if buttons:  # next to a section or a banner too
        return 1.4 if short and high < 1 / 5 and not any(n.states.selected for n in buttons) else 0
    if high < 1 / 5 and short:
        panes = any(n.bounds.top >= first.bounds.bottom and is_pane(n) for n in shown)
        return 1.1 if panes and not any(map(is_pane, layout.around(first))) else 1.15
    if high < 1 / 3:
        return 1.2
    if not short or any(one.states.scrollable for one in layout.around(first, _DEEPEST)):
        return 0
    moves = any(is_list(n) or n.adjustable or n.class_name == "SeekBar" for n in shown)
    return 0 if moves else 1.3


def _margin(layout: Layout, first: Node, texts: Nodes) -> float:
    """Returns how many times as large as all texts below it the letters of a text are; 0: not
    known."""
    said = (n for n in texts if n.text or not first.text)  # else what a picture is described by
    lower = (n for n in said if n is not first and n.bounds.bottom > first.bounds.top)
    below = [node for node in lower if not (is_control(node) or _is_icon(node))]
    if not 0 < len(below) <= _MOST_NODES:
        return 0
    inside = {node.index: node for node in below if not _is_plain(layout, node)}
    loose = {node.bounds.height for node in inside.values() if not _is_tight(node, 1)}
    sizes = [_size_of(n) for n in below if n.index not in inside or n.bounds.height not in loose]
    largest = max(sizes, default=0)
    return _size_of(first) / largest if largest > 0 else 0


def _side(shown: Nodes, window: Rect) -> Node | None:
    """Returns the list along the left side of the window, which opens the part next to it."""
    for node in shown:
        left, _, right, _ = box = node.bounds
        if left != window.left or right >= window.right or not is_collection(node):
            continue
        if box.width * 20 <= window.width * 9 and box.height * 10 >= window.height * 7:
            return node
    return None


def _panel_title(layout: Layout, shown: Nodes) -> str:
    """Returns the title of what lies in the middle of an empty screen, as a dialog does in the
    app's window."""
    left, top, right, bottom = window = layout.window
    half = window.area // 2
    seen = (n.bounds for n in shown if (n.words or n.clickable) and n.bounds.area < half)
    across, down = window.width // 20, window.height // 10
    middle = Rect(left + across, top + window.height // 5, right - across, bottom - down)
    heading = _first_title(layout, shown) if all(map(middle.encloses, seen)) else None
    if heading and any(map(is_control, layout.nodes[heading.node :])):
        return heading.text
    return ""


def _is_wide(layout: Layout, node: Node, main: Rect) -> bool:
    around = (node, *layout.around(node, 4))
    touched = next((one.bounds for one in around if one.clickable or one.states.editable), None)
    return touched is not None and touched.width * 2 >= main.width and touched.area * 2 < main.area


def _size_of(node: Node) -> float:
    """Estimates the size of letters from the height of a text, and from its area the number of its
    lines."""
    height = node.bounds.height / 1.25
    ratio = height / max(sqrt(_area_of(node)), 1)
    return height / max(round(ratio), ceil(ratio / 1.25), 1)


def _area_of(node: Node) -> float:
    """Returns the room for each letter, in squares of its size. Signs of East Asia are as wide as
    two letters."""
    text = node.words[:_MOST_NODES]
    letters = len(text) if text.isascii() else sum(1 + (sign > "\u2e7f") for sign in text)
    return node.bounds.area / (0.6 * letters)


def _is_tight(node: Node, lines: int = 3) -> bool:
    """Whether a text of so many lines at most has no room around it, so that its size is known."""
    return 0.8 / lines < sqrt(_area_of(node)) * 1.25 / max(node.bounds.height, 1) < 1.4


def _is_text(node: Node) -> bool:
    """Whether it is a text: Flutter's have it as their description, as a picture has what it
    shows."""
    leaf = bool(node.words) and not (node.children or node.states.editable)
    return leaf and not node.class_name.endswith(("Image", "ImageView"))


def _is_icon(node: Node) -> bool:
    return not any(map(str.isalnum, node.words))


def _is_number(node: Node) -> bool:
    """Whether it has a letter at most, as numbers and clocks do."""
    return sum(map(str.isalpha, node.words[:_MOST_NODES])) < 2


def _may_be_title(node: Node) -> bool:
    """Whether it is mostly letters, no greeting before a name, nothing that goes on, and not
    several in one."""
    text = clean(node.words)
    letters = 2 * sum(map(str.isalpha, text)) >= len(text.replace(" ", ""))
    parts = text.endswith((",", "，", "…", "...")) or "\n" in node.words.strip()
    return letters and not parts and not (node.text and _is_read_otherwise(node))


def _is_short(text: str) -> bool:
    """Whether it is no sentence, and counts nothing."""
    long = len(text) > _MOST_LINES or text.endswith(_OF_SENTENCES)
    return not (long or any(map(str.isdigit, text)))


def _is_plain(layout: Layout, node: Node) -> bool:
    """Whether a text is on no control or hint of a field; a control of most of the window is a
    page."""
    if is_control(node):
        return False
    half = layout.window.area / 2
    for one in layout.around(node, _DEEPEST):
        if one.states.editable or (one.clickable and one.bounds.area < half):
            return False
    near = layout.nodes[max(node.index - _MOST_TABS, 0) : node.index]
    return not any(one.states.editable and one.bounds.encloses(node.bounds) for one in near)


def _is_partial(layout: Layout, node: Node, main: Rect, heads: bool = False) -> bool:
    """Whether it is of one of several panes side by side, or of a list, unless it ``heads`` that,
    alone on top."""
    row, low = node, not heads or (node.bounds.top - main.top) * 6 > main.height
    for one in layout.around(node, _DEEPEST):
        if one.bounds.width * 5 < main.width * 4 and is_pane(one):
            return True
        if is_collection(one) and (low or _holds_more(layout, row, node)):
            return True
        row = one
    return False


def _holds_more(layout: Layout, row: Node, node: Node) -> bool:
    """Whether a row has words or a control besides a node."""
    inside = (row, *layout.below(row.index))
    return any(n is not node and (n.words or is_control(n)) for n in inside)


def _level(one: Rect, other: Rect) -> bool:
    """Whether the middle of one lies level with the other."""
    return other.top <= one.center.y < other.bottom


def _open_tab(layout: Layout, chosen: Nodes, shown: Nodes) -> tuple[bool, str]:
    """Returns the label of the open tab, and whether its bar is at the bottom or the left, which
    goes first."""
    window = layout.window
    found = [(False, False, 0, "")]
    for node in chosen[:_MOST_TABS]:
        for one in (node, *layout.around(node, 3)):
            tabs, upright = _row_of(layout, one)
            labels = list(filter(None, [_label_in(layout, tab) for tab in tabs]))
            label = _label_in(layout, one) if 1 < len(labels) == len(set(labels)) else ""
            if any(map(str.isdigit, label)):
                continue
            if label and _are_tabs(layout, tabs, upright, shown):
                low = one.bounds.bottom * 2 > window.top + window.bottom
                found.append((low and not upright, upright, one.bounds.bottom, label))
                break
    low, upright, _, label = max(found)
    return low or upright, label


def _row_of(layout: Layout, node: Node) -> tuple[list[Node], bool]:
    """Returns a selected node and its siblings on one line, else (then True) those below and above
    it."""
    nodes, box = layout.nodes, node.bounds
    children = nodes[node.parent].children if node.parent >= 0 else ()
    alike = [nodes[i] for i in children[:_MOST_BARS] if nodes[i].class_name == node.class_name]
    tabs = [tab for tab in alike if tab.bounds.top == box.top or tab.bounds.bottom == box.bottom]
    upright = len(tabs) < 2
    if upright:
        tabs = [tab for tab in alike if tab.bounds.left == box.left]
    return [tab for tab in tabs if tab.visible], upright


def _label_in(layout: Layout, tab: Node) -> str:
    """Returns the first text in a tab that is no count, else its description without its place
    among the tabs."""
    inside = [tab, *layout.below(tab.index, _MOST_TABS)]
    texts = [node.text for node in inside if node.text and not _is_number(node)]
    if not texts:
        said = [_PLACE.sub("", node.description) for node in inside if node.description]
        texts = said[0].split("\n") if said else [""]
    return clean(texts[0])


def _are_tabs(layout: Layout, tabs: Nodes, upright: bool, shown: Nodes) -> bool:
    """Whether they lie along the left edge, with one text each and no choice to make, as rows have;
    fill the lower edge; are the first line, as chips are below a title or a field; or their classes
    or ids say so."""
    window, first = layout.window, tabs[0]
    box = first.bounds.union(tabs[-1].bounds)
    if upright:
        if len(tabs) < 3 or max(box.left - window.left, box.width / 3) * 10 > window.width:
            return False
        for tab in tabs:
            texts = [n for n in (tab, *layout.below(tab.index)) if n.text and not _is_number(n)]
            if tab.checkable or len(texts) > 1:
                return False
        return True
    near = (*layout.around(first, 2), first, *layout.below(first.index, 3))
    if any(map(_is_of_tab, near)):
        return True
    if (window.bottom - box.bottom) * 10 <= window.height:
        return len(tabs) > 2 and box.width * 10 >= window.width * 7
    if (box.bottom - window.top) * 8 > window.height or box.width * 10 < window.width * 3:
        return False
    return not any(n.bounds.bottom <= box.top and (n.words or n.clickable) for n in shown)


def dialog_title(layout: Layout) -> Heading | None:
    """Returns the title of the dialog over the app's window; "" for one without, None if there is
    no dialog. Many dumps hold the top window alone: then the id of its title or its message
    identifies a dialog."""
    stack = layout.stack
    if layout.platform == "ios":
        return _ios_dialog_title(layout) if stack.dialog >= 0 else None
    if not is_covered(stack):
        inside = [node for node in layout.nodes if node.window == stack.base and node.visible]
        message = any(node.resource_id == MESSAGE for node in inside)
        return _marked(inside) or (_NONE if message else None)
    over = stack.over if stack.base in stack.below else {stack.base}
    inside = [node for node in layout.nodes if node.window in over and node.visible]
    pane = next((node.pane_title for node in inside if node.pane_title), "")
    named = Heading(clean(pane))
    if pane and not stack.sheet:
        return named
    return _marked(inside) or _first_title(layout, inside) or named


def _first_title(layout: Layout, nodes: Nodes) -> Heading | None:
    """Returns the first text of a dialog before its first control or list, where its id, the panel
    it is in, its size, or what follows says that it is the title and not the message: a longer
    text, else a list or field."""
    texts: list[Node] = []
    asks = False
    for node in nodes[:_MOST_NODES]:
        large = node.bounds.area * 2 > nodes[0].bounds.area
        page = node.clickable and large  # or the area around a sheet
        asks = bool(node.states.editable) or is_collection(node)
        if asks or (is_control(node) and not page):
            break
        if _is_text(node) and not (node.clickable or _is_icon(node)):
            texts.append(node)
    if not texts:
        return None
    first, *others = texts
    title, size = Heading(clean(first.words), first.index, read=True), _size_of(first)
    panels = [short_id(one.resource_id) for one in (first, *layout.around(first))]
    if _TITLE_ID.search(panels[0]) or "topPanel" in panels or layout.stack.sheet:
        return title
    if others and size >= 1.2 * max(map(_size_of, others)):
        return title
    if not (_is_short(title.text) and _may_be_title(first)) or first.resource_id == MESSAGE:
        return None
    if not others:
        return title if asks else None
    longer = len(clean(others[0].words)) * 2 >= len(title.text) * 3
    return title if longer and _size_of(others[0]) <= 1.02 * size else None


def _marked(nodes: Iterable[Node]) -> Heading | None:
    """Returns the text whose id marks it as the title of a dialog."""
    texts = (n for n in nodes if n.text and n.resource_id.endswith(_DIALOG_TITLES))
    found = next((n for n in texts if short_id(n.resource_id) in _DIALOG_TITLES), None)
    return _shown_by(found) if found else None


def app_name(layout: Layout) -> str:
    """Returns the package of the window that the app fills; "" if the dump has none. A label is
    none."""
    base = next((node for node in layout.nodes if node.window == layout.stack.base), None)
    return base.package if base else ""


def short_activity(activity: str) -> str:
    """``CatalogueActivity`` of ``dev.replicant.shop/.CatalogueActivity``."""
    return activity.rpartition("/")[2].rpartition(".")[2]


def _navigation_title(layout: Layout, nodes: Nodes) -> tuple[Heading, bool]:
    """Returns the title of the last visible navigation bar, which is on top: its text, preferably
    the one that the bar is named after; else the bar's name, unless that is the class of a view.
    Also whether there is a bar."""
    bars = [node for node in nodes if node.class_name == "NavigationBar"][-_MOST_BARS:]
    for bar in sorted(bars, key=lambda bar: (not bar.visible, -bar.index)):
        name = clean(bar.text or bar.resource_id)
        texts = _texts(layout, bar)
        named = [node for node in (bar, *texts) if node.text and clean(node.text) == name]
        best = [*named, *texts]
        if best:
            return _shown_by(best[0]), True
        if name and not _CLASS.fullmatch(name):
            return Heading(name), True
    return _NONE, bool(bars)


def _ios_dialog_title(layout: Layout) -> Heading:
    """Returns the dialog's name; else the title of its bar; else its first text, if it is no
    popover or menu."""
    dialog = layout.nodes[layout.stack.dialog]
    if dialog.text:
        return _shown_by(dialog)
    heading, _ = _navigation_title(layout, layout.below(dialog.index))
    if heading.text or dialog.class_name in ("Popover", "Window"):
        return heading
    return next(map(_shown_by, _texts(layout, dialog)), heading)


def _texts(layout: Layout, within: Node) -> list[Node]:
    """Returns the nearest labels inside that belong to no control."""
    found: list[Node] = []
    end = 0  # of the last control
    for node in layout.below(within.index, _MOST_NODES):
        if node.clickable and node.index >= end:
            end = layout.ends[node.index]
        elif node.index >= end and node.visible and clean(node.text):
            found.append(node)
    return found
