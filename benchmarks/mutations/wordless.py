"""Look-alikes without a word, of which one comes or goes: only their place may distinguish them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_replicant.model import Rect

from ..lists import List, axis_of, copy_of, list_of
from ..tree import Node, box, words_of
from .structural import insert, remove

if TYPE_CHECKING:
    from random import Random

    from ..tree import Tree

_ROW, _SCROLLER = "replicant-row", "replicant-scroller"
_ACROSS, _CELLS = 4, 11  # of a grid, whose last line has room for one more
_NAMED = {3: "Camera", 7: "Music"}  # in half of the grids


def strip_rows(tree: Tree, rng: Random) -> bool:
    """A list whose rows say nothing."""
    found = list_of(tree, rng)
    for row in found.rows:
        row.set(_ROW, "")
        for node in row.iter():
            for name in (*words_of(node), "hint", "value"):
                if not node.get(name, "0").isdecimal():
                    node.set(name, "")
    found.scroller.set(_SCROLLER, "")
    return True


def add_grid(tree: Tree, rng: Random) -> bool:
    """A grid of equal icons over the lower half of the content; two of them have words, or none
    has."""
    at, named = box(tree.content()), _NAMED if rng.random() < 0.5 else {}
    wide, high, top = at.width // _ACROSS, at.height // 2 // 3, at.top + at.height // 2
    if at.is_empty:
        return False
    cells = []
    for number in range(_CELLS):
        left, upper = at.left + number % _ACROSS * wide, top + number // _ACROSS * high
        place = Rect(left, upper, left + wide, upper + high)
        words = {"text": named[number]} if number in named else {}
        cells.append(tree.make("ImageView", place, clickable="true", **words))
        cells[-1].set(_ROW, "")
    grid = tree.make("GridView", Rect(at.left, top, at.right, at.bottom), *cells, scrollable="true")
    grid.set(_SCROLLER, "")
    tree.content().append(grid)
    return True


def one_goes(tree: Tree, rng: Random) -> bool:
    """One of several without words goes, and those after it close the gap."""
    found = _prepared(tree)
    remove(tree, found, found.rows.index(rng.choice(_silent(found))))
    return True


def one_comes(tree: Tree, rng: Random) -> bool:
    """One comes among several without words, and those after it move on.

    False where another one leaves for it: nothing in the hierarchy would say that anything
    happened.
    """
    found = _prepared(tree)
    row = rng.choice(_silent(found))
    insert(tree, found, found.rows.index(row), copy_of(tree, row, row))
    return sum(row.get("visible") != "false" for row in tree.marked(_ROW)) > len(found.rows)


def _prepared(tree: Tree) -> List:
    rows, scroller = tree.marked(_ROW), tree.marked(_SCROLLER)[0]
    container = rows[0].getparent()
    assert container is not None
    return List(scroller, container, rows, axis_of(rows))


def _silent(found: List) -> list[Node]:
    return [row for row in found.rows if not words_of(row)]
