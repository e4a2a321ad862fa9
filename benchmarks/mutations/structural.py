"""Rows come and go, layouts are nested otherwise."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import TYPE_CHECKING

from pytest_replicant.model import Rect

from ..lists import List, copy_of, exchange, fill, list_of, move_on, settle
from ..tree import Node, box, said, words_within

if TYPE_CHECKING:
    from random import Random

    from ..tree import Tree

_TOUCH = {
    "clickable": "true",
    "checkable": "true",
    "checked": "false",
    "resource_id": "android:id/checkbox",
}


def row_first(tree: Tree, rng: Random) -> bool:
    """A new row comes in at the start of a list, and the others move on."""
    return _insert(tree, rng, first=True)


def row_middle(tree: Tree, rng: Random) -> bool:
    """A new row comes in in the middle of a list, and those after it move on."""
    return _insert(tree, rng, first=False)


def _insert(tree: Tree, rng: Random, *, first: bool) -> bool:
    found = list_of(tree, rng)
    place = 0 if first else rng.randint(1, len(found.rows) - 1)
    made = copy_of(tree, rng.choice(found.models()), found.rows[place])
    fill(tree, found, made, rng)
    insert(tree, found, place, made)
    return True


def insert(tree: Tree, found: List, place: int, made: Node) -> None:
    """Puts a row before another one, and moves that and those after it on."""
    like = found.rows[place]
    move_on(found, place, found.length(made))
    like.addprevious(made)
    settle(tree, found)


def row_copied(tree: Tree, rng: Random) -> bool:
    """An exact copy of a row comes in below it: two rows that nothing distinguishes."""
    found = list_of(tree, rng)
    row = rng.choice(found.models())
    insert(tree, found, found.rows.index(row), copy_of(tree, row, row))
    return True


def row_removed(tree: Tree, rng: Random) -> bool:
    """A row goes, and those after it close the gap."""
    found = list_of(tree, rng)
    remove(tree, found, rng.randint(0, len(found.rows) - 2))
    return True


def remove(tree: Tree, found: List, place: int) -> None:
    """Takes a row out, and lets those after it close the gap."""
    row = found.rows[place]
    if place + 1 < len(found.rows):
        move_on(found, place + 1, -found.length(row))
    found.container.remove(row)
    settle(tree, found)


def rows_swapped(tree: Tree, rng: Random) -> bool:
    """Two rows of one size change places, as after sorting."""
    rows = _of_one_size(tree, rng)
    pairs = [pair for pair in itertools.combinations(rows, 2) if said(pair[0]) != said(pair[1])]
    if not pairs:
        return False
    exchange(*rng.choice(pairs))
    return True


def rows_rotated(tree: Tree, rng: Random) -> bool:
    """The first row of a list goes to its end, and the others move up."""
    rows = _of_one_size(tree, rng)
    if len(rows) < 3:
        return False
    for other in rows[1:]:
        exchange(rows[0], other)
    return True


def _of_one_size(tree: Tree, rng: Random) -> list[Node]:
    """The rows of a list that have the size of most of them."""
    found = list_of(tree, rng)
    sizes = [(box(row).width, box(row).height) for row in found.rows]
    most = Counter(sizes).most_common(1)[0][0]
    return [row for row, size in zip(found.rows, sizes, strict=True) if size == most]


def touched_words(tree: Tree, rng: Random) -> bool:
    """The words of rows stand in a part that takes touches of its own, next to a button without
    any."""
    found = list_of(tree, rng)
    if tree.platform == "ios":
        return False
    for row in found.rows:
        next(node for node, _, _ in words_within(row)).set("clickable", "true")
        at = box(row)
        place = Rect(at.right - at.width // 8, at.top, at.right, at.bottom)
        row.append(tree.make("RadioButton", place, **_TOUCH))
    return True


def wrapper(tree: Tree, rng: Random) -> bool:
    """A part of the screen is put into one more layout."""
    parts = [node for node in tree.nodes() if len(node) and node not in tree.tops()]
    if not parts:
        return False
    _wrap(tree, rng.choice(parts))
    return True


def wrapper_root(tree: Tree, rng: Random) -> bool:
    """The whole content is put into one more layout."""
    content = tree.content()
    if content in tree.tops():
        return False
    _wrap(tree, content)
    return True


def _wrap(tree: Tree, node: Node) -> None:
    parent = node.getparent()
    assert parent is not None
    made = tree.make("FrameLayout", box(node))
    parent.replace(node, made)
    made.append(node)
