"""States of an element, in the terms of each platform."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..model import Element, Node
    from ..snapshots import Snapshot

CHOICES = frozenset({"Button", "Cell"})
"""What one of several to choose from is on iOS, where radio buttons have no type of their own."""


def checked_of(snapshot: Snapshot, element: Element) -> bool | None:
    """As reported; None where that is not known.

    iOS reports it of switches alone. Of a button or a row it tells whether it is selected, which any button may be
    or not: one that is counts as checked, and one that is not where another beside it is."""
    states = element.states
    if states.checked is not None or snapshot.platform != "ios" or element.class_name not in CHOICES:
        return states.checked
    if states.selected:
        return True
    return False if states.selected is False and _one_beside_is_selected(snapshot, element.node) else None


def _one_beside_is_selected(snapshot: Snapshot, node: Node) -> bool:
    return any(one.class_name == node.class_name and one.states.selected for one in _beside(snapshot, node))


def _beside(snapshot: Snapshot, node: Node) -> Iterator[Node]:
    """The other children of its parent; of a button that fills a row, what is in the rows beside."""
    nodes = snapshot.nodes
    if node.parent < 0:
        return
    parent = nodes[node.parent]
    yield from (nodes[index] for index in parent.children if index != node.index)
    if parent.class_name == "Cell" and parent.parent >= 0:
        rows = (nodes[index] for index in nodes[parent.parent].children if index != parent.index)
        yield from (nodes[index] for row in rows for index in row.children)
