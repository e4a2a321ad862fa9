"""Rows: the repeated parts of a list, within which a "Delete" belongs to a "Milk"."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..model.element import Node
    from .layout import Layout

_COLLECTIONS = frozenset(
    {"RecyclerView", "ListView", "GridView", "ExpandableListView", "AbsListView",
     "Table", "CollectionView"}
)  # fmt: skip
_MOST_LABELS = 12  # a row with more is a pane
_PANES = ("ScrollView", "WebView", "ViewPager", "ViewPager2")


def row_roots(
    layout: Layout, owner: Sequence[int], labelled: Sequence[bool], controls: Sequence[bool]
) -> list[int]:
    """For each node the nearest row around it, itself included, -1 where there is none.

    A row is a child of a list; one of several siblings of one class that each hold a label and as many
    controls; or a control that owns the labels inside it (``owner``)."""
    roots = [-1] * len(layout.nodes)
    repeated = _repeated(layout, labelled, controls)
    for node in layout.nodes:
        above = roots[node.parent] if node.parent >= 0 else -1
        roots[node.index] = node.index if _is_row(node, layout, owner, repeated) else above
    return roots


def _is_row(node: Node, layout: Layout, owner: Sequence[int], repeated: set[int]) -> bool:
    if node.index in repeated or (node.children and owner[node.index] == node.index):
        return True
    if not node.children or node.parent < 0:
        return False
    return node.class_name == "Cell" or _is_list(layout.nodes[node.parent].class_name)


def _is_list(class_name: str) -> bool:
    return class_name in _COLLECTIONS or class_name.endswith(("RecyclerView", "ListView", "GridView"))


def is_collection(node: Node) -> bool:
    """A list whose children are its rows, rather than a pane that scrolls one big child."""
    if _is_list(node.class_name):
        return True
    scrolls = bool(node.states.scrollable) and not node.class_name.endswith(_PANES)
    return scrolls and len(node.children) > 1


def _repeated(layout: Layout, labelled: Sequence[bool], controls: Sequence[bool]) -> set[int]:
    """Siblings of one class and id that each hold a label and as many controls, but nothing that scrolls: those
    are panes."""
    labels, touches, scrolls = list(map(int, labelled)), list(map(int, controls)), [False] * len(layout.nodes)
    for node in reversed(layout.nodes):
        scrolls[node.index] |= bool(node.states.scrollable)
        if node.parent >= 0:
            labels[node.parent] += labels[node.index]
            touches[node.parent] += touches[node.index]
            scrolls[node.parent] |= scrolls[node.index]
    found: set[int] = set()
    for parent in layout.nodes:
        if len(parent.children) < 2:
            continue
        alike: dict[tuple[str, str, int], list[int]] = {}
        for index in parent.children:
            child = layout.nodes[index]
            if child.children and touches[index] and not scrolls[index] and 0 < labels[index] <= _MOST_LABELS:
                alike.setdefault((child.class_name, child.resource_id, touches[index]), []).append(index)
        found.update(index for kind in alike.values() if len(kind) > 1 for index in kind)
    return found
