"""Rows come and go, layouts are nested otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lists import copy_of, exchange, fill, list_of, move_on, settle
from ..tree import Node, box

if TYPE_CHECKING:
    from random import Random

    from ..tree import Tree


def row_first(tree: Tree, rng: Random) -> bool:
    """A new row comes in at the start of a list, and the others move on."""
    return _insert(tree, rng, first=True)


def row_middle(tree: Tree, rng: Random) -> bool:
    """A new row comes in in the middle of a list, and those after it move on."""
    return _insert(tree, rng, first=False)


def _insert(tree: Tree, rng: Random, *, first: bool) -> bool:
    found = list_of(tree, rng)
    if found is None:
        return False
    place = 0 if first else rng.randint(1, len(found.rows) - 1)
    like = found.rows[place]
    made = copy_of(tree, rng.choice(found.models()), like)
    fill(tree, found, made, rng)
    move_on(found, place, found.length(made))
    like.addprevious(made)
    settle(tree, found)
    return True


def row_copied(tree: Tree, rng: Random) -> bool:
    """An exact copy of a row comes in below it: two rows that nothing tells apart."""
    found = list_of(tree, rng)
    if found is None:
        return False
    row = rng.choice(found.models())
    place = found.rows.index(row)
    made = copy_of(tree, row, row)
    move_on(found, place, found.length(row))
    row.addprevious(made)
    settle(tree, found)
    return True


def row_removed(tree: Tree, rng: Random) -> bool:
    """A row goes, and those after it close the gap."""
    found = list_of(tree, rng)
    if found is None:
        return False
    place = rng.randint(0, len(found.rows) - 2)
    row = found.rows[place]
    move_on(found, place + 1, -found.length(row))
    found.container.remove(row)
    settle(tree, found)
    return True


def rows_swapped(tree: Tree, rng: Random) -> bool:
    """Two rows of one size change places, as after sorting."""
    found = list_of(tree, rng)
    if found is None:
        return False
    pairs = [
        (one, other)
        for number, one in enumerate(found.rows)
        for other in found.rows[number + 1 :]
        if (box(one).width, box(one).height) == (box(other).width, box(other).height)
    ]
    if not pairs:
        return False
    exchange(*rng.choice(pairs))
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
