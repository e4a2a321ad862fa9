"""Pages that lie upon each other in one window: a fragment that was added, a stack of screens, a presented view.

Nothing in a hierarchy says that a page is opaque. Two pages fill the window and are siblings. That the upper one
hides the lower one shows where both have a bar of their own, or where texts lie upon texts that no one could read.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from ...model import Node, Rect
from ..text import short_id

OLD_TITLE = "android:id/title"  # above the content it is that of the window, as before Android 3; else a row's
_CLASSES = ("Toolbar", "ActionBar", "AppBar", "ActionBarContainer")
_IDS = re.compile("toolbar|action_bar|app_bar")
_MOST_PAGES = 8  # siblings that fill a window; texts of a page
_MOST_TEXTS = 60


class Below(NamedTuple):
    """The nodes of a page that lies under another one: from ``start`` to before ``end``; ``over`` is the index of
    that. ``hidden``: the upper one is known to hide it; else it is only not the page on top, as it may show
    through."""

    start: int
    end: int
    over: int
    hidden: bool


@lru_cache(maxsize=4096)
def is_bar(class_name: str, resource_id: str) -> bool:
    """Whether class or id are those of a bar at the top of a page, which has its title."""
    name = short_id(resource_id).lower()
    by_id = _IDS.search(name) and "search" not in name and not name.endswith(("_root", "_layout"))
    of_bars = class_name == "NavigationBar" or class_name.endswith(_CLASSES)
    return of_bars or resource_id == OLD_TITLE or bool(by_id)


def pages_below(nodes: Sequence[Node], ends: Sequence[int], base: int) -> list[Below]:
    """The pages of a window that lie under others of it."""
    root = next((node for node in nodes if node.window == base), None)
    if root is None or root.bounds.is_empty:
        return []
    least = root.bounds.area * 4 // 5  # bars of the system may lie outside of a page
    filling: defaultdict[int, list[Node]] = defaultdict(list)
    for node in nodes:
        if node.window == base and node.visible and node.bounds.area >= least and node.parent >= 0:
            filling[node.parent].append(node)
    stacks = (pages[:_MOST_PAGES] for pages in filling.values() if len(pages) > 1)
    pairs = (pair for pages in stacks for pair in combinations(pages, 2))
    window = root.bounds
    found = []
    for lower, upper in pairs:
        if lower.bounds.intersect(upper.bounds).intersect(window).area < least:
            continue  # side by side, as in a pager
        page, over = (_Page(nodes[one.index : ends[one.index]], window) for one in (lower, upper))
        if over.hides(page) or over.is_above(page):
            found.append(Below(lower.index, ends[lower.index], upper.index, over.hides(page)))
    return found


class _Page:
    """What a page shows: ``texts`` of its leaves, and its ``bars``, in the upper third of the window. ``named``: a
    pane of its size is announced by a title."""

    def __init__(self, nodes: Sequence[Node], window: Rect) -> None:
        seen = [node for node in nodes if node.visible and not node.bounds.intersect(window).is_empty]
        said = (node.bounds for node in seen if (node.text or node.description) and not node.children)
        self.texts = [box for box in said if box.area * 2 < window.area][:_MOST_TEXTS]
        lowest = window.top + window.height // 3
        bars = (node.bounds for node in seen if is_bar(node.class_name, node.resource_id))
        self.bars = [box for box in bars if box.top <= lowest and box.width * 5 >= window.width * 4]
        self.named = any(node.pane_title and node.bounds.area * 5 >= window.area * 4 for node in seen)
        self._middle = range(window.top + window.height // 10, window.bottom - window.height // 7)

    def hides(self, lower: _Page) -> bool:
        """Whether both have a title as panes; or it has a bar or, above a body, a text where the lower one has its
        bar; or at least half of the lower texts would be drawn over."""
        if self.named and lower.named:
            return True
        on_bar = self.bars + (self.texts if self._has_body() else [])
        if any(_meet(one, on_bar) for one in lower.bars):
            return True
        return 0 < len(lower.texts) <= 2 * sum(_meet(one, self.texts) for one in lower.texts)

    def is_above(self, lower: _Page) -> bool:
        """Whether both have a body: a message or a button at the lower edge alone is part of the page below."""
        return self._has_body() and lower._has_body()

    def _has_body(self) -> bool:
        return any(box.center.y in self._middle for box in self.texts)


def _meet(one: Rect, others: Sequence[Rect]) -> bool:
    return any(not one.intersect(other).is_empty for other in others)
