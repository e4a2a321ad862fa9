"""The text beside a field that names it, where it does not name itself."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ...model import Node, Rect
    from ..screen.layout import Layout

_LEVELS = 5  # how far up a caption is looked for
_MOST_NODES = 40  # beyond that an ancestor is a screen, not a field with its caption
_LONGEST = 60  # characters; more is a paragraph


def caption_of(
    control: Node, layout: Layout, own: Sequence[str], owner: Sequence[int], controls: Sequence[bool]
) -> int:
    """Index of the nearest free label to the left of or above ``control``, of a check box also to its right;
    -1 where there is none. A label with another control between it and this one is that control's."""
    ancestor = control
    for _ in range(_LEVELS):
        if ancestor.parent < 0:
            return -1
        ancestor = layout.nodes[ancestor.parent]
        if layout.platform == "android" and layout.ends[ancestor.index] - ancestor.index > _MOST_NODES:
            return -1  # a form on iOS lies flat in what scrolls
        ranked = [
            (rank, node.index)
            for node in _around(control, ancestor, layout, controls)
            if own[node.index] and owner[node.index] < 0 and len(own[node.index]) <= _LONGEST
            and layout.shown[node.index] and not controls[node.index]
            and (rank := _rank(node.bounds, control)) is not None
        ]  # fmt: skip
        if ranked:
            return min(ranked)[1]
    return -1


def _around(control: Node, ancestor: Node, layout: Layout, controls: Sequence[bool]) -> list[Node]:
    """Nodes up to the next control on either side; what the control lies in is not between."""
    first = max(ancestor.index + 1, control.index - _MOST_NODES)
    before: Iterable[Node] = reversed(layout.nodes[first : control.index])
    found = list(
        takewhile(lambda node: not controls[node.index] or layout.ends[node.index] > control.index, before)
    )
    end = layout.ends[control.index]
    after = layout.nodes[end : min(layout.ends[ancestor.index], end + _MOST_NODES)]
    return found + list(takewhile(lambda node: not controls[node.index], after))


def _rank(caption: Rect, control: Node) -> tuple[int, int, int] | None:
    """Beside goes before above, near before far, left before right; None for what is neither."""
    bounds = control.bounds
    if min(caption.bottom, bounds.bottom) > max(caption.top, bounds.top):
        if caption.left > bounds.left and not control.checkable:
            return None
        gap = max(bounds.left - caption.right, caption.left - bounds.right, 0)
        return (0, gap, caption.left)
    gap = bounds.top - caption.bottom
    over = min(caption.right, bounds.right) - max(caption.left, bounds.left)
    return (1, gap, caption.left) if over > 0 and 0 <= gap <= bounds.height * 2 else None
