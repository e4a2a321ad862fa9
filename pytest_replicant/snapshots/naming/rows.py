"""Rows: the repeated parts of a list, within which a "Delete" belongs to a "Milk"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..screen.scrolling import is_list

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..screen.layout import Layout

MOST_LABELS = 12
"""In a row: a part of the screen with more is a pane."""


def row_roots(
    layout: Layout, owner: Sequence[int], labelled: Sequence[bool], controls: Sequence[bool]
) -> list[int]:
    """For each node the nearest row around it, itself included, -1 where there is none.

    A row is a child of a list; one of several siblings of one class that each hold a label and as many
    controls; or a control that owns the labels inside it (``owner``)."""
    roots = [-1] * len(layout.nodes)
    rows = _repeated(layout, labelled, controls) | _listed(layout)
    for node in layout.nodes:
        index, above = node.index, node.parent
        if index in rows or (owner[index] == index and node.children):
            roots[index] = index
        elif above >= 0:
            roots[index] = roots[above]
    return roots


def _listed(layout: Layout) -> set[int]:
    """Cells, and what lists hold, dividers and the like apart."""
    nodes = layout.nodes
    found: set[int] = set()
    for node in nodes:
        if not node.children:
            continue
        if node.class_name == "Cell":
            found.add(node.index)
        elif is_list(node):
            found.update(index for index in node.children if nodes[index].children)
    return found


def _repeated(layout: Layout, labelled: Sequence[bool], controls: Sequence[bool]) -> set[int]:
    """Siblings of one class and id that each hold a label and as many controls, but nothing that scrolls: those
    are panes."""
    labels, touches, scrolls = list(map(int, labelled)), list(map(int, controls)), [False] * len(layout.nodes)
    for node in reversed(layout.nodes):
        index, above = node.index, node.parent
        if node.states.scrollable:
            scrolls[index] = True
        if above >= 0:
            labels[above] += labels[index]
            touches[above] += touches[index]
            scrolls[above] |= scrolls[index]
    found: set[int] = set()
    for parent in layout.nodes:
        if len(parent.children) < 2:
            continue
        alike: dict[tuple[str, str, int], list[int]] = {}
        for index in parent.children:
            child = layout.nodes[index]
            if child.children and touches[index] and not scrolls[index] and 0 < labels[index] <= MOST_LABELS:
                alike.setdefault((child.class_name, child.resource_id, touches[index]), []).append(index)
        found.update(index for kind in alike.values() if len(kind) > 1 for index in kind)
    return found
