"""The order in which a person reads what is on the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unicodedata import bidirectional

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...model import Node

_LONGEST_START = 40  # characters before the first letter


def in_reading_order(nodes: Sequence[Node]) -> list[Node]:
    """Line by line, each from the side where its script begins: iOS lists the number at the end of a row before
    the row's title."""
    if len(nodes) < 2:
        return list(nodes)
    ordered: list[Node] = []
    line: list[Node] = []
    for node in sorted(nodes, key=_place):
        if line and not _is_beside(node, line[0]):
            ordered += _along(line)
            line = []
        line.append(node)
    return ordered + _along(line)


def _place(node: Node) -> tuple[int, int]:
    box = node.bounds
    return box.top + box.bottom, box.left


def _along(line: list[Node]) -> list[Node]:
    if len(line) < 2:
        return line
    from_the_right = sum(_direction(node.text or node.description) for node in line) < 0
    return sorted(line, key=lambda node: -node.bounds.right if from_the_right else node.bounds.left)


def _direction(text: str) -> int:
    """1 where the first letter is written to the right, -1 where to the left, 0 without a letter."""
    for sign in text[:_LONGEST_START]:
        kind = bidirectional(sign)
        if kind in ("L", "R", "AL"):
            return 1 if kind == "L" else -1
    return 0


def _is_beside(one: Node, other: Node) -> bool:
    """Whether most of the lower of the two lies beside the higher one."""
    _, top, _, bottom = one.bounds
    _, first, _, last = other.bounds
    return (min(bottom, last) - max(top, first)) * 2 > min(bottom - top, last - first)
