"""Pages that lie over each other in one window: a fragment that was added, a stack of screens, a presented view.

Nothing in a hierarchy says that a page is opaque. Two pages fill the window and are siblings. That the upper one
hides the lower one shows if both have a bar of their own, or if texts lie over texts that no one could read.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from ...model import (
    Node,
    Nodes,
    Rect,
)
from ..text import short_id

OLD_TITLE = "android:id/title"  # above the content it is that of the window, as before Android 3; else a row's
_CLASSES = ("Toolbar", "ActionBar", "AppBar", "ActionBarContainer")
_IDS = re.compile("toolbar|action_bar|app_bar")
_MOST_PAGES = 8  # siblings that fill a window
_MOST_TEXTS = 60  # of a page


class Below(NamedTuple):
    """The nodes of a page that lies under another one: from ``start`` to before ``end``; ``over`` is the index of
    that. ``hidden``: it is known to hide them; else they are only not on top, and may show through."""

    start: int
    end: int
    over: int
    hidden: bool


@lru_cache(maxsize=4096)
def is_bar(class_name: str, resource_id: str) -> bool:
    """Whether class or id are those of a bar at the top of a page, which has its title."""
    name = short_id(resource_id).lower()
    by_id = _IDS.search(name) and "search" not in name and not name.endswith(("_root", "_layout"))
    by_class = class_name == "NavigationBar" or class_name.endswith(_CLASSES)
    return by_class or resource_id == OLD_TITLE or bool(by_id)


def pages_below(nodes: Nodes, ends: Sequence[int], base: int, shown: list[bool], under: list[bool]) -> list[Below]:
    """The pages of a window that lie under others of it. Those that are hidden are no longer ``shown``, and
    ``under`` others."""
    window = next((node.bounds for node in nodes if node.window == base), Rect(0, 0, 0, 0))
    siblings: defaultdict[int, list[Node]] = defaultdict(list)
    for node in nodes:
        if node.window == base and _fills(node, window):
            siblings[node.parent].append(node)
    found: list[Below] = []
    for stack in siblings.values():
        if len(stack) == 1:
            continue
        pages = [(node, _page(nodes[node.index : ends[node.index]], window)) for node in stack[:_MOST_PAGES]]
        for at, (node, page) in enumerate(pages, start=1):
            hiding = [one for one, over in pages[at:] if _hides(over, page)]
            others = [one for one, over in pages[at:] if over.body and page.body]
            for over in (hiding or others)[:1]:
                found.append(Below(node.index, ends[node.index], over.index, bool(hiding)))
            if hiding:
                _hide(range(node.index, ends[node.index]), shown, under)
    return found


def _hide(page: range, shown: list[bool], under: list[bool]) -> None:
    for index in page:
        under[index] |= shown[index]
        shown[index] = False


def _fills(node: Node, window: Rect) -> bool:
    """Whether it fills a window, of which bars of the system may take a part."""
    return node.visible and node.bounds.intersect(window).area * 5 > window.area * 4


class _Page(NamedTuple):
    """What a page shows: its ``texts``, and its ``bars`` at the top. ``body``: there are texts between its bars; a
    message at the lower edge alone is part of the page below."""

    texts: list[Rect]
    bars: list[Rect]
    body: bool


def _page(nodes: Nodes, window: Rect) -> _Page:
    seen = [node for node in nodes if node.visible and not node.bounds.intersect(window).is_empty]
    texts = [node.bounds for node in seen if _is_text(node, window)][:_MOST_TEXTS]
    tops = [node for node in seen if node.bounds.top * 3 <= window.bottom]
    bars = [node.bounds for node in tops if is_bar(node.class_name, node.resource_id)]
    middle = range(window.top + window.height // 10, window.bottom - window.height // 7)
    return _Page(texts, bars, any(box.center.y in middle for box in texts))


def _is_text(node: Node, window: Rect) -> bool:
    """Whether it is a text, rather than what describes a picture or a page that fills the window."""
    leaf = bool(node.words) and not node.children
    return leaf and node.bounds.area * 2 < window.area


def _hides(upper: _Page, lower: _Page) -> bool:
    """Whether the upper page has a bar or, above a body, a text where the lower one has its bar; or at least half
    of the lower texts would be drawn over."""
    on_bar = [*upper.bars, *(upper.texts if upper.body else ())]
    drawn_over = [box for box in lower.texts if _meets(box, upper.texts)]
    return any(_meets(bar, on_bar) for bar in lower.bars) or 0 < len(lower.texts) <= 2 * len(drawn_over)


def _meets(box: Rect, others: Iterable[Rect]) -> bool:
    return any(not box.intersect(other).is_empty for other in others)
