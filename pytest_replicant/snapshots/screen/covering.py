"""What lies under something else of the same window."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...model import Node, Rect

_VIEW = "Other"  # of iOS: frameworks label each by all that is in it, so that its label covers nothing
_MOST_COVERS = 200  # of one height in one place; no screen needs more, and a hostile one must not cost hours
_Cover = tuple[int, int, int, int, int, bool]  # index, left, top, right, bottom, whether it has content


def covered(
    nodes: Sequence[Node], ends: Sequence[int], shown: Sequence[bool], seen: Sequence[Rect] | None = None
) -> list[bool]:
    """For each node, whether something later outside its subtree lies over all of it and takes its touches.

    That is a clickable node, or a part of the screen with a label of its own. A clickable node with nothing
    in it, as cards lay over their texts, hides what can be touched but not what can be read. ``seen`` is what is
    to be seen of each, where their bounds go beyond it: a row that is half scrolled away covers nothing there."""
    covers = _Covers()
    hidden = [False] * len(nodes)
    content = [False] * len(nodes)
    for node in reversed(nodes):
        index, above, bounds = node.index, node.parent, node.bounds
        labelled = bool(node.text or node.description)
        content[index] = content[index] or labelled
        if content[index] and above >= 0:
            content[above] = True
        if not shown[index] or bounds.left >= bounds.right or bounds.top >= bounds.bottom:
            continue
        touched = node.clickable or bool(node.states.scrollable)
        if ends[index] <= covers.last and covers.hide(bounds, ends[index], touched):
            hidden[index] = True
        elif node.clickable or (labelled and node.children and node.class_name != _VIEW):
            part = seen[index] if seen is not None else bounds
            if not part.is_empty:
                covers.add(part, index, content[index])
    return hidden


class _Covers:
    """By height and by place from the top, so that only the few that can lie over a node are looked at.

    A cover of up to ``2 ** level`` pixels lies in one or two stripes of that height."""

    def __init__(self) -> None:
        self.last = -1  # index of the last one, which is the first to be added
        self._levels: dict[int, dict[int, list[_Cover]]] = {}

    def add(self, bounds: Rect, index: int, content: bool) -> None:
        self.last = max(self.last, index)
        left, top, right, bottom = bounds
        level = (bottom - top - 1).bit_length()
        stripes = self._levels.setdefault(level, {})
        for stripe in {top >> level, (bottom - 1) >> level}:
            inside = stripes.setdefault(stripe, [])
            if len(inside) < _MOST_COVERS:
                inside.append((index, left, top, right, bottom, content))

    def hide(self, bounds: Rect, end: int, touched: bool) -> bool:
        """Whether one that comes at ``end`` or later lies over ``bounds``."""
        left, top, right, bottom = bounds
        level = (bottom - top - 1).bit_length()
        for height, stripes in self._levels.items():
            if height < level:
                continue
            for cover in stripes.get(top >> height, ()):
                if (
                    cover[1] <= left and cover[2] <= top and cover[3] >= right and cover[4] >= bottom
                    and cover[0] >= end and (touched or cover[5])
                ):  # fmt: skip
                    return True
        return False
