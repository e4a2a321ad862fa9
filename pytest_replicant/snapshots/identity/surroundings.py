"""What lies around an element, for those that cannot be told apart by what they are themselves."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

from ...model import Anchor, Rect
from ..screen.scrolling import is_collection, panes, scrolls
from ..text.lasting import is_framework
from ..text.masking import mask_numbers
from ..text.words import short_id

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...model import Node
    from ..naming.labels import Labels
    from ..screen.layout import Layout

_MOST_TRIED = 16  # labels on the way up; more within one line is a table without an order
_FURTHEST = 2  # heights between a heading and what it heads
_MOST_IDS = 64  # around a node; iOS hierarchies may be deeper than any screen needs


class Surroundings:
    """Of one screen; worked out when first asked for, since most screens never ask."""

    def __init__(self, layout: Layout, labels: Labels) -> None:
        self._layout = layout
        self._labels = labels
        self._unique: dict[tuple[int, int], dict[str, Rect]] = {}

    def section(self, index: int) -> str:
        """The label that stands before a node, as a heading does; numbers are masked, since counts change."""
        above = self._last_before(index)
        return mask_numbers(self._labels.own[above]) if above >= 0 else ""

    def ids(self, index: int) -> str:
        """The ids of what a node lies in, from the outside in; the framework's own say nothing."""
        found: list[str] = []
        above = self._named_above[index]
        while above >= 0 and len(found) < _MOST_IDS:
            found.append(short_id(self._layout.nodes[above].resource_id))
            above = self._named_above[above]
        return " ".join(reversed(found))

    def anchors(self, index: int) -> tuple[Anchor, ...]:
        """The nearest labels before and after a node in its pane, of those that are there only once; the pane
        itself where it holds none."""
        within, known = self._within(index), self.labels(index)
        node, end = self._layout.nodes[index], self._layout.ends[index]
        at = bisect_right(within, (node.bounds.center.y, node.bounds.left, index))
        found: list[Anchor] = []
        for side in (within[max(at - _MOST_TRIED, 0) : at][::-1], within[at : at + _MOST_TRIED]):
            for _, _, label in side:
                text = self._labels.own[label]
                if text in known and not index <= label < end:
                    found.append(Anchor(text, known[text]))
                    break
        return tuple(found) or (Anchor("", self.pane(index)),)

    def labels(self, index: int) -> Mapping[str, Rect]:
        """Where the labels are in the pane of a node; those that are there more than once are left out."""
        place = self._place(index)
        if place not in self._unique:
            nodes, own = self._layout.nodes, self._labels.own
            within = self._within(index)
            times = Counter(own[label] for _, _, label in within)
            self._unique[place] = {own[i]: nodes[i].bounds for _, _, i in within if times[own[i]] == 1}
        return self._unique[place]

    def pane(self, index: int) -> Rect:
        """What scrolls around a node, or the screen where nothing does."""
        pane = self._panes[index]
        return self._layout.nodes[pane].bounds if pane >= 0 else Rect(0, 0, *self._layout.size)

    def may_scroll(self, index: int) -> bool:
        """Whether something around a node scrolls or is a list."""
        return self._panes[index] >= 0

    def listed(self, index: int) -> bool:
        """Whether a node is in a list."""
        return self._listed[index]

    def numbered(self, index: int) -> bool:
        """Whether another of its class has the same id but for the number."""
        node = self._layout.nodes[index]
        return len(self._series.get(_series(node), ())) > 1

    def _place(self, index: int) -> tuple[int, int]:
        return self._panes[index], self._layout.nodes[index].window

    def _within(self, index: int) -> list[tuple[int, int, int]]:
        return self._by_pane.get(self._place(index), [])

    def _last_before(self, index: int) -> int:
        """Index of the nearest label before a node in reading order, in the same pane and no further away than a
        heading is from what it heads; -1 where there is none. Panes have no heading: what they hold moves."""
        node, end = self._layout.nodes[index], self._layout.ends[index]
        if scrolls(node):
            return -1
        within = self._within(index)
        top, left, height = node.bounds.top, node.bounds.left, node.bounds.height
        start = bisect_right(within, (top + height * 3 // 4, 0, 0))
        for _, _, label in within[max(start - _MOST_TRIED, 0) : start][::-1]:
            bounds = self._layout.nodes[label].bounds
            if not index <= label < end and (bounds.left < left or bounds.bottom <= top):
                return label if top - bounds.bottom <= _FURTHEST * max(height, bounds.height) else -1
        return -1

    @cached_property
    def _listed(self) -> list[bool]:
        nodes = self._layout.nodes
        found = [False] * len(nodes)
        for node in nodes:
            if node.parent >= 0:
                found[node.index] = found[node.parent] or is_collection(nodes[node.parent])
        return found

    @cached_property
    def _series(self) -> dict[tuple[str, str], set[str]]:
        """Ids with a number in them, by class and what they are without it."""
        found: dict[tuple[str, str], set[str]] = {}
        for node in self._layout.nodes:
            if any(map(str.isdigit, node.resource_id)):
                found.setdefault(_series(node), set()).add(node.resource_id)
        return found

    @cached_property
    def _named_above(self) -> list[int]:
        """For each node the nearest one around it with an id of the app's, -1 where there is none."""
        nodes = self._layout.nodes
        found = [-1] * len(nodes)
        for node in nodes:
            if node.parent >= 0:
                name = nodes[node.parent].resource_id
                named = name and not is_framework(name)
                found[node.index] = node.parent if named else found[node.parent]
        return found

    @cached_property
    def _panes(self) -> list[int]:
        """For each node the nearest thing around it that scrolls, -1 where nothing does."""
        return panes(self._layout.nodes)

    @cached_property
    def _by_pane(self) -> dict[tuple[int, int], list[tuple[int, int, int]]]:
        """The free labels of each pane from the top: middle, left edge, index."""
        found: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
        labels = self._labels
        for node in self._layout.nodes:
            index = node.index
            if labels.own[index] and labels.owner[index] < 0 and not labels.controls[index]:
                place = (node.bounds.center.y, node.bounds.left, index)
                found.setdefault(self._place(index), []).append(place)
        for within in found.values():
            within.sort()
        return found


def _series(node: Node) -> tuple[str, str]:
    return node.class_name, mask_numbers(node.resource_id)
