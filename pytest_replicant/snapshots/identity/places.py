"""Whether an element is still in its place: on the screen, or among what scrolls along with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...model import Element
    from .surroundings import Surroundings

SHIFTED = 0.5
"""Of its size: as far as an element moves that is still where it was."""
SCROLLED = 0.125
"""Further than that, a list of look-alikes may have scrolled by any number of rows."""
_LARGER = 2.5  # times: more than any density or clipping between two looks at one element


def sized_alike(was: Element, now: Element) -> bool:
    """Clipped or drawn larger, but not of another build."""
    return all(1 / _LARGER <= ratio <= _LARGER for ratio in _scale(was, now))


def _scale(was: Element, now: Element) -> tuple[float, float]:
    before, after = was.bounds, now.bounds
    return max(after.width, 1) / max(before.width, 1), max(after.height, 1) / max(before.height, 1)


def among_the_same(was: Element, now: Element, around: Surroundings) -> bool:
    """Whether something that it is measured from has moved along with it, and none of it has vanished in sight."""
    wide, high = _scale(was, now)
    labels, pane = around.labels(now.node.index), around.pane(now.node.index)
    moved_along = False
    for anchor in was.anchors:
        left = now.bounds.left + (anchor.bounds.left - was.bounds.left) * wide
        top = now.bounds.top + (anchor.bounds.top - was.bounds.top) * high
        there = labels.get(anchor.label) if anchor.label else pane
        if there is not None:
            part = SHIFTED if anchor.label else SCROLLED
            across, down = abs(there.left - left), abs(there.top - top)
            moved_along |= across <= now.bounds.width * part and down <= now.bounds.height * part
        elif pane.top <= top < pane.bottom and pane.left <= left < pane.right:
            return False
    return moved_along


def hardly_moved(was: Element, now: Element, part: float) -> bool:
    """By less than ``part`` of itself."""
    before, after = was.center, now.center
    near_x = abs(before.x - after.x) < max(was.bounds.width * part, 1)
    near_y = abs(before.y - after.y) < max(was.bounds.height * part, 1)
    return near_x and near_y
