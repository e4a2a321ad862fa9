"""The search index of a screen, and the spatial relations between its nodes."""

from __future__ import annotations

import itertools
import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import compress

from ...model import Element, Node, Selector, grouped
from ..labels.rows import MOST_LABELS, Labels
from ..parsers.dump import Platform
from ..screen.layout import Layout, is_collection, wider
from ..text import (
    LONGEST,
    clean,
    is_framework,
    is_generated,
    is_short_word,
    is_shortened,
    is_volatile,
    short_id,
)


@dataclass(frozen=True)
class SearchIndex:
    """The index of one screen. Nodes are known by their index; ``by_ref`` finds an element by its
    ref. Each lookup table is computed on first use."""

    labels: Labels
    elements: tuple[Element, ...]
    headings: tuple[Element, ...]
    by_ref: Mapping[str, Element]
    reports_hints: bool = True

    @property
    def layout(self) -> Layout:
        return self.labels.layout

    @property
    def platform(self) -> Platform:
        return self.layout.platform

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
        return dict.fromkeys(compress(range(len(self.nodes)), self.layout.shown))

    @cached_property
    def element_at(self) -> dict[int, Element]:
        return {element.index: element for element in self.elements}

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
        """The nodes that a lasting id or label distinguishes from all others, with that
        selector."""
        found: dict[int, Selector] = {}
        for node in self.nodes:
            selector = self._landmark(node)
            if selector is not None:
                found[node.index] = selector
        return found

    @cached_property
    def landmark_order(self) -> list[int]:
        return sorted(self.landmarks)

    @cached_property
    def labels_before(self) -> list[int]:
        """The number of labelled nodes before each node, and in all."""
        return [0, *itertools.accumulate(map(bool, self.labels.own))]

    @cached_property
    def wider(self) -> list[int]:
        """The nearest ancestor of each node with a label that the node does not hold itself; -1 for
        none."""
        return wider(self.nodes, self.count_labels)

    @cached_property
    def shortened(self) -> frozenset[str]:
        """Ids whose names the build shortened: most ids of their package on this screen are short
        and no words."""
        ids = (whole.rpartition(":id/") for whole in {node.resource_id for node in self.nodes})
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
        """The nodes in the rows of a list, whose ids the next row may have too. Anything higher
        than half of the screen is a page."""
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
        """Returns a selector by a chosen id, else by a lasting label; None if neither is unique."""
        short = short_id(node.resource_id)
        if self.lasts(node.resource_id) and len(self.identified[short]) == 1:
            return Selector(resource_id=short)
        label = self.labels.label[node.index]
        seen = label and self.layout.shown[node.index] and not is_typed(node, label)
        if not seen or len(label) > LONGEST or is_volatile(label):
            return None
        return Selector(text=label) if len(self.named[label]) == 1 else None


def is_typed(node: Node, label: str) -> bool:
    """Whether a field's label may be typed text, since old Android versions do not distinguish the
    two."""
    return bool(node.states.editable) and label == clean(node.text) and label not in (
        clean(node.hint), clean(node.description)
    )  # fmt: skip


def inside(screen: SearchIndex, found: Sequence[int], around: Sequence[int]) -> list[int]:
    """Returns the nodes below one of ``around``. Subtrees are nested or apart: the farthest end so
    far decides."""
    farthest = list(itertools.accumulate((screen.ends[index] for index in around), max))
    kept: list[int] = []
    for index in found:
        before = bisect_left(around, index)
        if before and farthest[before - 1] > index:
            kept.append(index)
    return kept


def holding(screen: SearchIndex, found: Sequence[int], inner: Sequence[int]) -> list[int]:
    """Returns the nodes with one of ``inner`` below them."""
    return [index for index in found if _count(inner, index + 1, screen.ends[index])]


def sharing_row(screen: SearchIndex, found: Sequence[int], inner: Sequence[int]) -> list[int]:
    """Returns the nodes with one of ``inner`` in their row: inside themselves where they are a row,
    else in the row around them."""
    ends, labels = screen.ends, screen.labels
    holds = _unmarked_rows(screen, found, inner)
    kept: list[int] = []
    for index in found:
        row = labels.row_of(screen.nodes[index])
        if _count(inner, index, ends[index] if labels.rows[index] == index else index + 1):
            shares = True
        elif row >= 0:
            shares = _count(inner, row, ends[row]) > 0
        else:
            shares = holds(index)
        if shares:
            kept.append(index)
    return kept


def _unmarked_rows(
    screen: SearchIndex, found: Sequence[int], inner: Sequence[int]
) -> Callable[[int], bool]:
    """Tells whether the unmarked row of a node holds one of ``inner``: the smallest part around it
    that holds a label besides its own.

    Where labels stand level with the node, or another match shares that part, only nodes on its
    height count: a "Delete" next to "Milk" never belongs to the "Bread" below. So it is of a node
    that is a row already."""
    ends, rows = screen.ends, screen.labels.rows
    labels_level, inner_level = _level_with(screen, screen.labelled), _level_with(screen, inner)

    def holds(index: int) -> bool:
        part = screen.wider[index]
        if part < 0 or screen.count_labels(part) > MOST_LABELS:
            return False
        own_end, end = ends[index], ends[part]
        if _count(inner, part, end) == _count(inner, index, own_end):
            return False
        rivals = _count(found, part, end) - _count(found, index, own_end)
        level = labels_level(part)(index) - screen.count_labels(index)
        if rows[index] == index or rivals or level > 0:
            return inner_level(part)(index) > 0
        return True

    return holds


def _level_with(screen: SearchIndex, among: Sequence[int]) -> Callable[[int], Callable[[int], int]]:
    """Counts, of some nodes, those in a part of the screen that lie on the height of another
    node."""
    nodes, ends = screen.nodes, screen.ends

    @cache
    def in_part(part: int) -> Callable[[int], int]:
        inside = among[bisect_left(among, part) : bisect_left(among, ends[part])]
        boxes = [nodes[index].bounds for index in inside]
        tops = sorted(box.top for box in boxes)
        bottoms = sorted(max(box.bottom, box.top + 1) for box in boxes)

        def crossing(index: int) -> int:
            bounds = nodes[index].bounds
            return max(bisect_left(tops, bounds.bottom) - bisect_left(bottoms, bounds.top + 1), 0)

        return crossing

    return in_part


def nearest(
    screen: SearchIndex, found: Sequence[int], anchors: Sequence[int], slack: int = 0
) -> list[int]:
    """Returns the nodes that share the smallest container with an anchor, and of these the ones at
    the smallest distance or farther by at most ``slack`` pixels."""
    ends = screen.ends
    container = _containers(screen, found)
    groups = grouped((container(anchor), anchor) for anchor in anchors)
    smallest = min((ends[index] - index for index in groups if index >= 0), default=0)
    gaps: dict[int, float] = {}
    limit = math.inf
    for index, members in groups.items():
        if index >= 0 and ends[index] - index == smallest:
            inside = found[bisect_left(found, index) : bisect_left(found, ends[index])]
            limit = _closest(screen, inside, members, slack, limit, gaps)
    return sorted(index for index, gap in gaps.items() if gap <= limit)


def _containers(screen: SearchIndex, found: Sequence[int]) -> Callable[[int], int]:
    """Finds the smallest part of the screen that holds an anchor and another match; -1 if there is
    none."""
    nodes, ends, fitting = screen.nodes, screen.ends, set(found)
    answers: tuple[dict[int, int], dict[int, int]] = {}, {}

    def container(anchor: int) -> int:
        """Nodes passed on the way remember the answer."""
        itself = anchor in fitting
        known, path, index = answers[itself], [], anchor
        while index >= 0 and index not in known:
            path.append(index)
            if _count(found, index, ends[index]) > itself:
                known[index] = index
                break
            index = nodes[index].parent
        answer = known[index] if index >= 0 else -1
        known.update(dict.fromkeys(path, answer))
        return answer

    return container


def _closest(
    screen: SearchIndex,
    found: Sequence[int],
    anchors: Sequence[int],
    slack: int,
    limit: float,
    gaps: dict[int, float],
) -> float:
    """Adds to ``gaps`` the nodes within the ``limit`` around an anchor, which gets smaller by each,
    and returns that. Nodes out of reach by height are skipped."""
    nodes = screen.nodes
    by_top = sorted(found, key=lambda index: nodes[index].bounds.top)
    tops = [nodes[index].bounds.top for index in by_top]
    tallest = max((nodes[index].bounds.height for index in found), default=0)
    for anchor in anchors:
        at = nodes[anchor].bounds
        first = bisect_left(tops, at.top - max(tallest, 0) - limit)
        last = bisect_right(tops, max(at.bottom, at.top) + limit)
        for index in by_top[first:last]:
            other = nodes[index].bounds
            across = max(at.left - other.right, other.left - at.right, 0)
            gap = math.hypot(across, max(other.top - at.bottom, at.top - other.bottom, 0))
            if index != anchor and gap <= limit:
                limit = min(limit, gap + slack)
                gaps[index] = min(gap, gaps.get(index, gap))
    return limit


def _count(indexes: Sequence[int], start: int, end: int) -> int:
    """Counts the sorted ``indexes`` from ``start`` up to but not at ``end``."""
    return bisect_left(indexes, end) - bisect_left(indexes, start)
