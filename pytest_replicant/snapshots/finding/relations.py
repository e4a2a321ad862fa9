"""The keywords about surroundings: ``within``, ``has``, ``row_with`` and ``near``.

Each takes the nodes that fit so far and those it is about, both as indexes in document order, and returns the
first that hold. A subtree is the span from a node to its end, so what lies in it is found by bisection.
"""

from __future__ import annotations

import itertools
import math
from bisect import bisect_left
from typing import TYPE_CHECKING

from ..naming.rows import MOST_LABELS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .place import Place

_FEW = 4  # anchors, for which sorting does not pay


def inside(place: Place, found: Sequence[int], around: Sequence[int]) -> list[int]:
    """Those below one of ``around``. Subtrees are nested or apart: the farthest end so far decides."""
    ends = place.layout.ends
    farthest = list(itertools.accumulate((ends[index] for index in around), max))
    kept: list[int] = []
    for index in found:
        before = bisect_left(around, index)
        if before and farthest[before - 1] > index:
            kept.append(index)
    return kept


def holding(place: Place, found: Sequence[int], inner: Sequence[int]) -> list[int]:
    """Those with one of ``inner`` below them."""
    ends = place.layout.ends
    return [index for index in found if _count(inner, index + 1, ends[index])]


def beside(place: Place, found: Sequence[int], inner: Sequence[int]) -> list[int]:
    """Those with one of ``inner`` in their row: in themselves where they are one, or in the row around them."""
    ends, nodes, rows = place.layout.ends, place.layout.nodes, place.labels.rows
    loose = _Loose(place, found, inner)
    kept: list[int] = []
    for index in found:
        if _count(inner, index, ends[index] if rows[index] == index else index + 1):
            kept.append(index)
            continue
        row = place.labels.row_of(nodes[index])
        if (_count(inner, row, ends[row]) > 0) if row >= 0 else loose.holds(index, itself=rows[index] == index):
            kept.append(index)
    return kept


class _Loose:
    """Rows that nothing marks as such: the smallest part around a node that holds a label besides its own.

    Where labels stand beside the node, or another that fits shares that part, only what is on its height
    counts: a "Delete" beside "Milk" is never that of the "Bread" below."""

    def __init__(self, place: Place, found: Sequence[int], inner: Sequence[int]) -> None:
        self._place, self._found, self._inner = place, found, inner
        self._heights: dict[tuple[int, bool], _Heights] = {}

    def holds(self, index: int, *, itself: bool) -> bool:
        """``itself``: the node is a row already, and has only what is on its height besides."""
        place, part = self._place, self._place.wider[index]
        if part < 0 or place.count_labels(part) > MOST_LABELS:
            return False
        own_end, end = place.layout.ends[index], place.layout.ends[part]
        if _count(self._inner, part, end) == _count(self._inner, index, own_end):
            return False
        rivals = _count(self._found, part, end) - _count(self._found, index, own_end)
        level = self._on_height_of(index, part, labels=True) - place.count_labels(index)
        if itself or rivals or level > 0:
            return self._on_height_of(index, part, labels=False) > 0
        return True

    def _on_height_of(self, index: int, part: int, *, labels: bool) -> int:
        key = (part, labels)
        if key not in self._heights:
            end = self._place.layout.ends[part]
            own = self._place.labels.own
            among: Iterable[int] = [number for number in range(part, end) if own[number]]
            if not labels:
                among = self._inner[bisect_left(self._inner, part) : bisect_left(self._inner, end)]
            self._heights[key] = _Heights(self._place, among)
        return self._heights[key].crossing(index)


class _Heights:
    """How many of some nodes lie on the height of another."""

    def __init__(self, place: Place, among: Iterable[int]) -> None:
        self._nodes = place.layout.nodes
        bounds = [self._nodes[index].bounds for index in among]
        self._tops = sorted(rect.top for rect in bounds)
        self._bottoms = sorted(max(rect.bottom, rect.top + 1) for rect in bounds)

    def crossing(self, index: int) -> int:
        bounds = self._nodes[index].bounds
        begun = bisect_left(self._tops, bounds.bottom)
        return max(begun - bisect_left(self._bottoms, bounds.top + 1), 0)


def nearest(place: Place, found: Sequence[int], anchors: Sequence[int], slack: int = 0) -> list[int]:
    """Those that share the smallest container with an anchor, of these the ones at the smallest distance, and
    those that are farther by no more than ``slack`` pixels."""
    ends = place.layout.ends
    shared = _Shared(place, found)
    containers = [(anchor, shared.container(anchor)) for anchor in anchors]
    smallest = min((ends[index] - index for _, index in containers if index >= 0), default=0)
    groups: dict[int, list[int]] = {}
    for anchor, index in containers:
        if index >= 0 and ends[index] - index == smallest:
            groups.setdefault(index, []).append(anchor)
    best = _Closest(place, slack)
    for index, members in groups.items():
        best.add(found[bisect_left(found, index) : bisect_left(found, ends[index])], members)
    return sorted(best.found())


class _Shared:
    """The smallest part of the screen that holds an anchor and another node that fits."""

    def __init__(self, place: Place, found: Sequence[int]) -> None:
        self._layout, self._found = place.layout, found
        self._fitting = set(found)
        self._known: tuple[dict[int, int], dict[int, int]] = {}, {}

    def container(self, anchor: int) -> int:
        """Its index, -1 where there is none. Nodes passed on the way remember the answer."""
        itself = anchor in self._fitting
        known, path, index = self._known[itself], [], anchor
        while index >= 0 and index not in known:
            path.append(index)
            if _count(self._found, index, self._layout.ends[index]) > itself:
                known[index] = index
                break
            index = self._layout.nodes[index].parent
        answer = known[index] if index >= 0 else -1
        known.update(dict.fromkeys(path, answer))
        return answer


class _Closest:
    """The nodes at the smallest distance from any anchor so far, within ``slack`` pixels."""

    def __init__(self, place: Place, slack: int) -> None:
        self._nodes = place.layout.nodes
        self._slack = slack
        self._limit = float("inf")
        self._gaps: dict[int, float] = {}

    def found(self) -> list[int]:
        return [index for index, gap in self._gaps.items() if gap <= self._limit]

    def add(self, found: Sequence[int], anchors: Sequence[int]) -> None:
        """Of many anchors, those whose height is out of reach of one are passed over."""
        if len(anchors) <= _FEW:
            for anchor, index in itertools.product(anchors, found):
                self._offer(anchor, index)
            return
        by_top = sorted(found, key=lambda index: self._nodes[index].bounds.top)
        tops = [self._nodes[index].bounds.top for index in by_top]
        tallest = max((self._nodes[index].bounds.height for index in found), default=0)
        for anchor in anchors:
            bounds = self._nodes[anchor].bounds
            first, last = 0, len(by_top)
            if self._limit < float("inf"):
                reach = int(self._limit) + 1
                first = bisect_left(tops, bounds.top - max(tallest, 0) - reach)
                last = bisect_left(tops, max(bounds.bottom, bounds.top) + reach + 1)
            for index in by_top[first:last]:
                self._offer(anchor, index)

    def _offer(self, anchor: int, index: int) -> None:
        if index == anchor:
            return
        gap = self._distance(anchor, index)
        if gap <= self._limit:
            self._limit = min(self._limit, gap + self._slack)
            self._gaps[index] = min(gap, self._gaps.get(index, gap))

    def _distance(self, anchor: int, index: int) -> float:
        """Pixels between the two rectangles, 0 where they touch."""
        one, other = self._nodes[anchor].bounds, self._nodes[index].bounds
        across = max(one.left - other.right, other.left - one.right, 0)
        down = max(one.top - other.bottom, other.top - one.bottom, 0)
        return math.hypot(across, down) if across and down else float(across or down)


def _count(indexes: Sequence[int], start: int, end: int) -> int:
    """How many of sorted ``indexes`` lie from ``start`` up to but not at ``end``."""
    return bisect_left(indexes, end) - bisect_left(indexes, start)
