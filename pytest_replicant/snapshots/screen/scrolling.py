"""What scrolls, and so moves what is in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...model import Node

_LISTS = ("RecyclerView", "ListView", "GridView")
_IOS_LISTS = ("CollectionView", "Table")
_PANES = ("ScrollView", "WebView", "ViewPager", "ViewPager2")
SCROLLERS = (*_LISTS, *_IOS_LISTS, *_PANES)
"""How the classes end that scroll as soon as they hold enough, so that nobody needs to be told."""


def is_list(node: Node) -> bool:
    """Whether its class says that its children are rows."""
    return node.class_name.endswith(_LISTS) or node.class_name in _IOS_LISTS


def is_collection(node: Node) -> bool:
    """A list whose children are its rows, rather than a pane that scrolls one big child."""
    if is_list(node):
        return True
    return bool(node.states.scrollable) and not node.class_name.endswith(_PANES) and len(node.children) > 1


def scrolls(node: Node) -> bool:
    """Whether a node is a pane, whose content moves in it."""
    return bool(node.states.scrollable) or is_list(node)


def panes(nodes: Sequence[Node]) -> list[int]:
    """For each node the nearest thing around it that scrolls, -1 where nothing does."""
    found = [-1] * len(nodes)
    for node in nodes:
        if node.parent >= 0:
            found[node.index] = node.parent if scrolls(nodes[node.parent]) else found[node.parent]
    return found
