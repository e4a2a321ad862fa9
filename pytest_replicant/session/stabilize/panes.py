"""Panes: the lists, pagers and other parts of a screen whose content moves in them, also while all
of it fits.

By nodes, as a list with room for everything is no element: nothing of it could be touched or
scrolled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from ...model import Node, Rect, ancestors
from ...snapshots import Snapshot, is_pane, mask_progress

Sign = tuple[str, ...]

_SHARED = 5  # two reads show parts of one list if they share more than one in so many texts
_SIDEWAYS = ("HorizontalScrollView", "ViewPager", "ViewPager2")
_WRAPPED = ("ScrollView", "WebView")  # hold one part, which holds the content


@dataclass(frozen=True, eq=False)
class Pane:
    """A pane on one read, by its node."""

    snapshot: Snapshot
    node: Node

    def on(self, now: Snapshot) -> Pane | None:
        """The same pane on another read; None if it is not there, or is one of several that look
        alike."""
        pane, then = self.node, self.snapshot
        was = next((one for one in then.elements if one.index == pane.index), None)
        found = now.locate(was).element if was else None
        if found and found.class_name == pane.class_name:
            return Pane(now, found.node)
        alike = [one for one in now.nodes if _is_such(one, pane)]
        before = [one for one in then.nodes if _is_such(one, pane)]
        if len(alike) > 1 or len(before) != 1:
            alike = [one for one in alike if one.bounds == pane.bounds]
        return Pane(now, alike[0]) if len(alike) == 1 else None

    @cached_property
    def sideways(self) -> bool | None:
        """Whether its content lies side by side, by its class, else by how its children lie. None
        if neither tells, as if a single card shows."""
        pane = self.node
        if pane.class_name.endswith(_SIDEWAYS):
            return True
        children = [self.snapshot.nodes[index].bounds for index in pane.children]
        if len(children) < 2:
            is_upright = (
                pane.class_name in ("ScrollView", "NestedScrollView")
                and self.snapshot.platform != "ios"
            )
            return False if is_upright else None  # an iPhone's scroll views go any way
        return all(one.right <= other.left for one, other in pairwise(children))

    @property
    def content(self) -> Iterator[tuple[Node, Sign]]:
        """Every node in it that takes up room, with what it looks like; clocks and progress
        masked."""
        for node in self.snapshot.below(self.node):
            if not node.bounds.is_empty:
                texts = mask_progress(node.text), mask_progress(node.description)
                yield node, (node.class_name, node.resource_id, *texts)

    @cached_property
    def area(self) -> Rect:
        """Where its content shows: its own bounds, as far as they are on the screen, in the panes
        around it, and no keyboard lies over them."""
        area = self.node.bounds
        for around in panes_around(self.snapshot, self.node):
            if not around.node.bounds.is_empty:
                area = area.intersect(around.node.bounds)
        return in_view(self.snapshot, area)

    @cached_property
    def named_once(self) -> dict[Sign, Node]:
        """The texts in sight that are in it just once, by their look; not those in a pane within
        it, which moves by itself."""
        inner, found = set[int](), list[tuple[Sign, Node]]()
        for node, sign in self.content:
            if node.parent in inner or (
                is_pane(self.snapshot.nodes[node.parent]) and node.parent != self.node.index
            ):
                inner.add(node.index)
            elif node.words and self.area.contains(node.bounds.center):
                found.append((sign, node))
        often = Counter(sign for sign, _ in found)
        return {sign: node for sign, node in found if often[sign] == 1}

    def shares_texts(self, other: Pane) -> bool:
        """Whether enough of what it shows is on both reads for these to show parts of the same."""
        before, after = self.named_once.keys(), other.named_once.keys()
        return len(before & after) * _SHARED > min(len(before), len(after))

    # --- its rows ---------------------------------------------------------------------------------

    @cached_property
    def holder(self) -> Node:
        """The node whose children are the rows."""
        pane = self.node
        while pane.class_name.endswith(_WRAPPED) and len(pane.children) == 1:
            child = self.snapshot.nodes[pane.children[0]]
            pane = replace(child, class_name=pane.class_name) if child.children else child
        return pane

    @property
    def rows(self) -> list[Rect]:
        return [self.snapshot.nodes[index].bounds for index in self.holder.children]

    def item(self, node: Node, holder: Node | None = None) -> Node:
        """The row or the card that a node is in: what of the holder it is in."""
        holder = holder or self.holder
        for above in ancestors(self.snapshot.nodes, node):
            if above.index == holder.index:
                return node
            node = above
        return node

    def first_text(self, node: Node) -> str:
        """The first text of the row or the card that a node is in."""
        row = self.item(node)
        texts = (one.words for one in (row, *self.snapshot.below(row)))
        return next(filter(None, texts), "")

    @property
    def texts(self) -> list[Node]:
        return [one for one in self.snapshot.below(self.node) if one.words]

    @property
    def start(self) -> list[tuple[int, int]]:
        """Where the first text lies in it, and how high it is."""
        return [(one.bounds.top - self.area.top, one.bounds.height) for one in self.texts[:1]]

    @property
    def hides_nothing(self) -> bool:
        """Whether all its content is in sight: it is empty; it says itself that it does not scroll;
        or, on an iPhone, whose lists all say that they do, there is room in it for one row more. So
        there is to be below a single card, which may be one of several side by side."""
        snapshot, pane = self.snapshot, self.node
        if self.area.is_empty or not self.texts:
            return not self.area.is_empty
        if snapshot.platform == "android":
            return not pane.states.scrollable
        every = [snapshot.nodes[index].bounds for index in pane.children]
        rows = [one for one in every if not one.is_empty]
        card = len(rows) == 1 and self.sideways is None
        if not rows or not (pane.states.scrollable or card):
            return True
        whole = all(map(self.area.encloses, rows))
        return (
            whole
            and max(one.bottom for one in rows) + max(one.height for one in rows)
            <= self.area.bottom
        )


def panes_around(snapshot: Snapshot, node: Node) -> list[Pane]:
    """Every pane around a node, the nearest first."""
    return [Pane(snapshot, one) for one in ancestors(snapshot.nodes, node) if is_pane(one)]


def _is_such(node: Node, pane: Node) -> bool:
    """Whether it is there, and of the same kind."""
    if not node.visible or node.bounds.is_empty:
        return False
    return (node.class_name, node.resource_id) == (pane.class_name, pane.resource_id)


def in_view(snapshot: Snapshot, area: Rect) -> Rect:
    """The part of an area that is on the screen and above the keyboard."""
    width, height = snapshot.size
    area = area.intersect(Rect(0, 0, width, height)) if width and height else area
    keyboard = snapshot.keyboard
    if keyboard is not None and keyboard.top > area.top:
        area = Rect(area.left, area.top, area.right, min(area.bottom, keyboard.top))
    return area


def share_a_pane(one: Snapshot, other: Snapshot) -> bool:
    """Whether two reads show parts of one list in the same place, by any name of the screen around
    it."""
    if one.app != other.app or one.traits.differ_on_top(other.traits):
        return False
    there = {
        (node.class_name, node.resource_id, node.bounds): node
        for node in other.nodes
        if is_pane(node)
    }
    for node in one.nodes:
        again = (
            there.get((node.class_name, node.resource_id, node.bounds)) if is_pane(node) else None
        )
        if again and Pane(one, node).shares_texts(Pane(other, again)):
            return True
    return False
