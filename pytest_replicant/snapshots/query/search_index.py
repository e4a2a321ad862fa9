"""The search index of a screen, and the spatial relations between its nodes."""

from __future__ import annotations

import itertools
import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ...model import Element, Node, Selector, ancestors, grouped
from ..labels.rows import MOST_LABELS, Labels
from ..parsers.dump import Platform
from ..screen.layout import Layout, is_collection, scrolls, wider
from ..text import LONGEST, clean, is_framework, is_generated, is_short_word, is_shortened, is_volatile, short_id


@dataclass(frozen=True)
class SearchIndex:
    """The index of one screen. Nodes are known by their index; ``by_ref`` finds an element by its ref. Each lookup
    table is computed on first use."""

    platform: Platform
    layout: Layout
    labels: Labels
    elements: tuple[Element, ...]
    headings: tuple[Element, ...]
    by_ref: Mapping[str, Element]
    reports_hints: bool = True

    @property
    def nodes(self) -> tuple[Node, ...]:
        return self.layout.nodes

    @property
    def ends(self) -> list[int]:
        """Of each node the index after its last descendant."""
        return self.layout.ends

    @cached_property
    def shown(self) -> dict[int, None]:
        """Every visible node, element or not, in document order, with fast lookup."""
        return {index: None for index, here in enumerate(self.layout.shown) if here}

    @cached_property
    def element_at(self) -> dict[int, Element]:
        return {element.index: element for element in self.elements}

    def parent_of(self, element: Element) -> Element | None:
        """Returns the nearest addressable ancestor."""
        around = (self.element_at.get(node.index) for node in ancestors(self.nodes, element.node))
        return next(filter(None, around), None)

    def scrollers_around(self, part: Node) -> Iterator[Element]:
        """Yields the elements that scroll around a node, the nearest first."""
        known, above = self.element_at, ancestors(self.nodes, part)
        return (known[node.index] for node in above if scrolls(node) and node.index in known)

    def children_of(self, element: Element) -> tuple[Element, ...]:
        """Returns the addressable descendants with no addressable element in between."""
        found: list[Element] = []
        index, end = element.index + 1, self.ends[element.index]
        while index < end:
            child = self.element_at.get(index)
            if child is not None:
                found.append(child)
            index = self.ends[index] if child is not None else index + 1
        return tuple(found)

    @cached_property
    def heading_at(self) -> dict[int, Element]:
        return {element.index: element for element in self.headings}

    @cached_property
    def named(self) -> dict[str, list[int]]:
        """Shown nodes by their label, in document order."""
        label = self.labels.label
        return grouped((label[index], index) for index in self.shown if label[index])

    @cached_property
    def identified(self) -> dict[str, list[int]]:
        """Nodes by their id, whole and short, in document order."""
        named = ((node.resource_id, node.index) for node in self.nodes if node.resource_id)
        return grouped((name, index) for whole, index in named for name in {whole, short_id(whole)})

    @cached_property
    def labelled(self) -> list[int]:
        """The nodes with a label of their own, in document order."""
        return [index for index, label in enumerate(self.labels.own) if label]

    @cached_property
    def of_class(self) -> dict[str, list[int]]:
        """Nodes by their class, in document order."""
        return grouped((node.class_name, node.index) for node in self.nodes)

    @cached_property
    def landmarks(self) -> dict[int, Selector]:
        """The nodes that a lasting id or label distinguishes from all others, with that selector."""
        found = ((node.index, self._landmark(node)) for node in self.nodes)
        return {index: selector for index, selector in found if selector is not None}

    @cached_property
    def landmark_order(self) -> list[int]:
        return sorted(self.landmarks)

    @cached_property
    def labels_before(self) -> list[int]:
        """The number of labelled nodes before each node, and in all."""
        return [0, *itertools.accumulate(map(bool, self.labels.own))]

    @cached_property
    def wider(self) -> list[int]:
        """The nearest ancestor of each node with a label that the node does not hold itself; -1 for none."""
        return wider(self.nodes, self.count_labels)

    @cached_property
    def shortened(self) -> frozenset[str]:
        """Ids whose names the build shortened: most ids of their package on this screen are short and no words."""
        ids = (resource_id.rpartition(":id/") for resource_id in {node.resource_id for node in self.nodes})
        named = grouped((package, name) for package, _, name in ids if package)
        found: list[str] = []
        for package, names in named.items():
            short = list(filter(is_shortened, names))
            if 2 * (len(short) - sum(map(is_short_word, short))) > len(names):
                found += [f"{package}:id/{name}" for name in short]
        return frozenset(found)

    def lasts(self, resource_id: str) -> bool:
        """Whether a developer chose the id, so that the next build has it too."""
        short = short_id(resource_id)
        given = is_framework(resource_id) or is_generated(short) or resource_id in self.shortened
        return bool(clean(short)) and not given

    @cached_property
    def listed(self) -> list[bool]:
        """The nodes in the rows of a list, whose ids the next row may have too. Anything higher than half of
        the screen is a page."""
        nodes, highest = self.nodes, self.layout.size[1] // 2
        found: list[bool] = []
        for node in nodes:
            above = node.parent
            inside = above >= 0 and is_collection(nodes[above]) and node.bounds.height <= highest
            found.append(inside or (above >= 0 and found[above]))
        return found

    def count_labels(self, index: int) -> int:
        """Counts the labels at or below a node."""
        return self.labels_before[self.ends[index]] - self.labels_before[index]

    def _landmark(self, node: Node) -> Selector | None:
        """Returns a selector by a chosen id, else by a lasting label; None where neither is unique."""
        short = short_id(node.resource_id)
        if self.lasts(node.resource_id) and len(self.identified[short]) == 1:
            return Selector(resource_id=short)
        label = self.labels.label[node.index]
        seen = label and self.layout.shown[node.index] and not is_typed(node, label)
        if not seen or len(label) > LONGEST or is_volatile(label):
            return None
        return Selector(text=label) if len(self.named[label]) == 1 else None


def is_typed(node: Node, label: str) -> bool:
    """Whether a field's label may be typed text, since old Android versions do not distinguish the two."""
    return bool(node.states.editable) and label == clean(node.text) and label not in (
        clean(node.hint), clean(node.description)
    )  # fmt: skip


_FEW = 4  # anchors, for which sorting does not pay


def inside(screen: SearchIndex, found: Sequence[int], around: Sequence[int]) -> list[int]:
    """Returns the nodes below one of ``around``. Subtrees are nested or apart: the farthest end so far decides."""
    ends = screen.ends
    farthest = list(itertools.accumulate((ends[index] for index in around), max))
    kept: list[int] = []
    for index in found:
        before = bisect_left(around, index)
        if before and farthest[before - 1] > index:
            kept.append(index)
    return kept


def holding(screen: SearchIndex, found: Sequence[int], inner: Sequence[int]) -> list[int]:
    """Returns the nodes with one of ``inner`` below them."""
    ends = screen.ends
    return [index for index in found if _count(inner, index + 1, ends[index])]


def sharing_row(screen: SearchIndex, found: Sequence[int], inner: Sequence[int]) -> list[int]:
    """Returns the nodes with one of ``inner`` in their row: inside themselves where they are a row, else in the
    row around them."""
    ends, nodes, rows = screen.ends, screen.nodes, screen.labels.rows
    loose = _Loose(screen, found, inner)
    kept: list[int] = []
    for index in found:
        if _count(inner, index, ends[index] if rows[index] == index else index + 1):
            kept.append(index)
            continue
        row = screen.labels.row_of(nodes[index])
        if (_count(inner, row, ends[row]) > 0) if row >= 0 else loose.holds(index, itself=rows[index] == index):
            kept.append(index)
    return kept


class _Loose:
    """Unmarked rows: the smallest part around a node that holds a label besides its own.

    Where labels stand level with the node, or another match shares that part, only nodes on its height count: a
    "Delete" next to "Milk" never belongs to the "Bread" below."""

    def __init__(self, screen: SearchIndex, found: Sequence[int], inner: Sequence[int]) -> None:
        self._screen, self._found, self._inner = screen, found, inner
        self._heights: dict[tuple[int, bool], _Heights] = {}

    def holds(self, index: int, *, itself: bool) -> bool:
        """Whether the row holds one of ``inner``. ``itself``: the node is a row already, and only nodes on its
        height count besides."""
        screen, part = self._screen, self._screen.wider[index]
        if part < 0 or screen.count_labels(part) > MOST_LABELS:
            return False
        own_end, end = screen.ends[index], screen.ends[part]
        if _count(self._inner, part, end) == _count(self._inner, index, own_end):
            return False
        rivals = _count(self._found, part, end) - _count(self._found, index, own_end)
        level = self._on_height_of(index, part, labels=True) - screen.count_labels(index)
        if itself or rivals or level > 0:
            return self._on_height_of(index, part, labels=False) > 0
        return True

    def _on_height_of(self, index: int, part: int, *, labels: bool) -> int:
        key = (part, labels)
        if key not in self._heights:
            end = self._screen.ends[part]
            own = self._screen.labels.own
            among: Iterable[int] = [number for number in range(part, end) if own[number]]
            if not labels:
                among = self._inner[bisect_left(self._inner, part) : bisect_left(self._inner, end)]
            self._heights[key] = _Heights(self._screen, among)
        return self._heights[key].crossing(index)


class _Heights:
    """Counts how many of some nodes lie on the height of another."""

    def __init__(self, screen: SearchIndex, among: Iterable[int]) -> None:
        self._nodes = screen.nodes
        bounds = [self._nodes[index].bounds for index in among]
        self._tops = sorted(rect.top for rect in bounds)
        self._bottoms = sorted(max(rect.bottom, rect.top + 1) for rect in bounds)

    def crossing(self, index: int) -> int:
        bounds = self._nodes[index].bounds
        begun = bisect_left(self._tops, bounds.bottom)
        return max(begun - bisect_left(self._bottoms, bounds.top + 1), 0)


def nearest(screen: SearchIndex, found: Sequence[int], anchors: Sequence[int], slack: int = 0) -> list[int]:
    """Returns the nodes that share the smallest container with an anchor, and of these the ones at the smallest
    distance or farther by at most ``slack`` pixels."""
    ends = screen.ends
    shared = _Shared(screen, found)
    groups = grouped((shared.container(anchor), anchor) for anchor in anchors)
    smallest = min((ends[index] - index for index in groups if index >= 0), default=0)
    best = _Closest(screen, slack)
    for index, members in groups.items():
        if index >= 0 and ends[index] - index == smallest:
            best.add(found[bisect_left(found, index) : bisect_left(found, ends[index])], members)
    return sorted(best.found())


class _Shared:
    """Finds the smallest part of the screen that holds an anchor and another match."""

    def __init__(self, screen: SearchIndex, found: Sequence[int]) -> None:
        self._layout, self._found = screen.layout, found
        self._fitting = set(found)
        self._known: tuple[dict[int, int], dict[int, int]] = {}, {}

    def container(self, anchor: int) -> int:
        """Returns its index, -1 if there is none. Nodes passed on the way remember the answer."""
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
    """Collects the nodes at the smallest distance from any anchor so far, within ``slack`` pixels."""

    def __init__(self, screen: SearchIndex, slack: int) -> None:
        self._nodes = screen.nodes
        self._slack = slack
        self._limit = float("inf")
        self._gaps: dict[int, float] = {}

    def found(self) -> list[int]:
        return [index for index, gap in self._gaps.items() if gap <= self._limit]

    def add(self, found: Sequence[int], anchors: Sequence[int]) -> None:
        """Adds candidates. Of many anchors, those out of reach by height are skipped."""
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
        """Returns the pixels between the two rectangles, 0 where they touch."""
        one, other = self._nodes[anchor].bounds, self._nodes[index].bounds
        across = max(one.left - other.right, other.left - one.right, 0)
        down = max(one.top - other.bottom, other.top - one.bottom, 0)
        return math.hypot(across, down) if across and down else float(across or down)


def _count(indexes: Sequence[int], start: int, end: int) -> int:
    """Counts the sorted ``indexes`` from ``start`` up to but not at ``end``."""
    return bisect_left(indexes, end) - bisect_left(indexes, start)
