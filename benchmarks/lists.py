"""Rows of a capture, found from its XML alone and not as the product finds them, and how they
move."""

from __future__ import annotations

import copy
import itertools
import statistics
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from .tree import Node, box, class_of, is_scroller, move_to, said, shift, words_of
from .wording import replacing

if TYPE_CHECKING:
    from random import Random

    from .tree import Tree

_FEWEST = 3
_LARGEST = 0.5  # of the list: something larger is a page
_FILLS = 0.95  # of a scroller's length: the pane that is scrolled, not what is on it


@dataclass
class List:
    """``rows`` are children of one class of ``container``, which is the scroller or the only thing
    in it."""

    scroller: Node
    container: Node
    rows: list[Node]
    axis: Literal["down", "across", "grid"]

    def start(self, row: Node) -> int:
        return box(row).left if self.axis == "across" else box(row).top

    def length(self, row: Node) -> int:
        """Of the row with the gap after it."""
        gaps = [
            self.start(after) - self._end(before) for before, after in itertools.pairwise(self.rows)
        ]
        return self._end(row) - self.start(row) + max(round(statistics.median(gaps)), 0)

    def _end(self, row: Node) -> int:
        return box(row).right if self.axis == "across" else box(row).bottom

    @property
    def pitch(self) -> int:
        """From one row to the next."""
        edges = [self.start(row) for row in self.rows]
        steps = [after - before for before, after in itertools.pairwise(edges) if after > before]
        return round(statistics.median(steps)) if steps else max(box(self.rows[0]).height, 1)

    def said(self) -> Counter[str]:
        """In how many rows each text occurs."""
        return Counter(text for row in self.rows for text in set(said(row)))

    def items(self) -> list[Node]:
        """Rows that begin with something that no other row says."""
        times = self.said()
        return [row for row in self.rows if times[said(row)[0]] == 1]

    def models(self) -> list[Node]:
        """Items that the list's edges do not cut off."""
        inside = self.rows[1:-1]
        return [row for row in self.items() if row in inside] or self.items()


class NoList(Exception):
    """Nothing on a screen is a list."""


def list_of(tree: Tree, rng: Random) -> List:
    """One of the lists. Raises ``NoList``."""
    found = [
        one for node in tree.nodes() if is_scroller(node) and (one := list_in(node)) is not None
    ]
    items = [one for one in found if _holds_items(one)]
    if not items:
        raise NoList
    return rng.choice(items)


def _holds_items(found: List) -> bool:
    """A row of a form or of settings has ids of its own or begins like others; no other would be
    shown in its place."""
    ids = [{node.get("resource-id") or "" for node in row.iter()} - {""} for row in found.rows]
    rows_with = Counter(name for row in ids for name in row)
    own = sum(any(rows_with[name] == 1 for name in row) for row in ids)
    return own * 2 < len(found.rows) and len(found.items()) * 2 > len(found.rows)


def list_in(scroller: Node) -> List | None:
    """The list that a scroller holds, be it of items or of the parts of a form."""
    container = scroller
    while len(container) == 1:
        container = container[0]
    room = box(scroller).area
    kinds = Counter(class_of(child) for child in container)
    if not kinds or room == 0:
        return None
    kind = kinds.most_common(1)[0][0]
    rows = [
        child
        for child in container
        if class_of(child) == kind and 0 < box(child).area <= room * _LARGEST and said(child)
    ]
    if len(rows) < _FEWEST or not any(len(row) for row in rows):
        return None
    return List(scroller, container, rows, axis_of(rows))


def axis_of(rows: list[Node]) -> Literal["down", "across", "grid"]:
    """Which way rows follow each other."""
    boxes = [box(row) for row in rows]
    pairs = list(itertools.pairwise(boxes))
    if all(after.top >= before.bottom - 2 for before, after in pairs):
        return "down"
    if all(after.left >= before.right - 2 for before, after in pairs):
        return "across"
    return "grid"


def along(found: List, by: int) -> tuple[int, int]:
    """So many pixels in the direction in which the rows follow each other."""
    return (by, 0) if found.axis == "across" else (0, by)


def move_on(found: List, place: int, by: int) -> None:
    """Moves the rows from ``place`` on by pixels, and what stands between them with them. In a grid
    each goes where the next one was, or, for ``by`` below zero, the one before."""
    if found.axis == "grid":
        _move_slots(found, place, 1 if by > 0 else -1)
        return
    first = found.start(found.rows[place])
    for child in found.container:
        if not box(child).is_empty and found.start(child) >= first:
            shift(child, *along(found, by))


def _move_slots(found: List, place: int, step: int) -> None:
    slots = [box(row) for row in found.rows]
    one, last = slots[-2:]
    slots.append(last.shifted(last.left - one.left, last.top - one.top))
    for number in range(place, len(found.rows)):
        move_to(found.rows[number], slots[number + step])


def scroll(scroller: Node, dx: int, dy: int) -> None:
    """Moves what is in a scroller, but not the pane that fills it."""
    room = box(scroller)
    pending = list(scroller)
    while pending:
        node = pending.pop()
        at = box(node)
        fills = at.height >= room.height * _FILLS if dy else at.width >= room.width * _FILLS
        if fills and len(node):
            pending.extend(node)
        else:
            shift(node, dx, dy)


def settle(tree: Tree, found: List) -> None:
    """After rows have moved: what left the list is no longer reported."""
    tree.clip(list(found.container), box(found.scroller))


def fill(tree: Tree, found: List, row: Node, rng: Random) -> None:
    """Other content in a row: what only this row says is replaced, what several say ("Delete")
    stays."""
    times = found.said()
    other = replacing(rng, tree.texts())
    for node in row.iter():
        for name, text in words_of(node).items():
            if times[text] == 1:
                node.set(name, other(text))


def copy_of(tree: Tree, row: Node, like: Node) -> Node:
    """A new row in the place of ``like``."""
    made = copy.deepcopy(row)
    made.tail = None
    tree.rekey_all(made)
    move_to(made, box(like))
    return made


def exchange(one: Node, other: Node) -> None:
    """Two rows change places, in the document too."""
    here, there = box(one), box(other)
    move_to(one, there)
    move_to(other, here)
    parent = one.getparent()
    assert parent is not None
    place, target = parent.index(one), parent.index(other)
    order = list(parent)
    order[place], order[target] = other, one
    parent[:] = order
