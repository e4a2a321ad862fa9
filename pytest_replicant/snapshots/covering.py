"""What lies under something else of the same window."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..model.element import Node
    from ..model.geometry import Rect

_BANDS = 64
_VIEW = "Other"  # of iOS: frameworks label each by all that is in it, so that its label covers nothing
_MOST_COVERS = 500  # a band; no screen needs more, and a hostile one must not cost hours


def covered(nodes: Sequence[Node], ends: Sequence[int], shown: Sequence[bool], height: int) -> list[bool]:
    """For each node, whether something later outside its subtree lies over all of it and takes its touches.

    That is a clickable node, or a part of the screen with a label of its own. A clickable node with nothing
    in it, as cards lay over their texts, hides what can be touched but not what can be read. Linear for
    screens: covers are kept by horizontal band."""
    bands: list[list[tuple[int, Rect, bool]]] = [[] for _ in range(_BANDS)]
    step = max(height // _BANDS, 1)
    hidden = [False] * len(nodes)
    content = [bool(node.text or node.description) for node in nodes]
    for node in reversed(nodes):
        if node.parent >= 0 and content[node.index]:
            content[node.parent] = True
        bounds = node.bounds
        if not shown[node.index] or bounds.is_empty:
            continue
        end, touched = ends[node.index], node.clickable or bool(node.states.scrollable)
        band = bands[_band(bounds.center.y, step)]
        if any(index >= end and rect.encloses(bounds) and (solid or touched) for index, rect, solid in band):
            hidden[node.index] = True
        elif node.clickable or (node.children and (node.text or node.description) and node.class_name != _VIEW):
            for number in range(_band(bounds.top, step), _band(bounds.bottom, step) + 1):
                if len(bands[number]) < _MOST_COVERS:
                    bands[number].append((node.index, bounds, content[node.index]))
    return hidden


def _band(y: int, step: int) -> int:
    return min(max(y // step, 0), _BANDS - 1)
