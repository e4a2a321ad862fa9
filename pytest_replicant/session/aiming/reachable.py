"""Whether an element can be touched as the screen stands, and where in it: or what is in the way."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from ...model import Failure, Point, Rect
from ..screen_text import format_screen
from ..step import StageFailed
from .in_the_way import blocker_of, pressable, told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...model import Element
    from ...snapshots import Cover, Snapshot

OFF_SCREEN = "off screen"
"""Why an element does not fit, where all of it lies out of sight."""

_ROOMY = 48  # pixels; a free strip as wide as that is as good as a wider one
_NARROWEST = 60  # a strip of less than that part of the screen is the edge of what lies over it, or a slip away
_MOST_CUTS = 40  # covers whose edges are looked at: a hostile screen must not cost minutes


class Unfit(StageFailed):
    """It is there, but not fit for the gesture now; ``why`` says so in few words, for the trace."""

    def __init__(self, failure: Failure, snapshot: Snapshot, why: str) -> None:
        super().__init__(failure, snapshot)
        self.why = why


def gesture_point(
    snapshot: Snapshot, element: Element, *, sweeps: bool = False, under_keyboard: bool = True
) -> Point:
    """A point in the visible part of the element that nothing else would catch; the centre where that is free.

    With ``under_keyboard`` a point that only the keyboard lies over will do, since that can be hidden. Raises
    ``StageFailed`` with the reason where the element is disabled, off screen or covered.
    """
    if element.states.enabled is False:
        raise not_interactable(snapshot, element, "it is disabled", short="disabled")
    seen, covers = snapshot.reach(element)
    if seen.is_empty:
        where = _where(element.bounds, snapshot)
        raise not_interactable(
            snapshot, element, f"it is off screen{where}; scroll_to() brings it into view", short=OFF_SCREEN
        )
    modal = any(one.kind == "window" and one.bounds.encloses(seen) for one in covers)
    if sweeps and not modal:
        return seen.center
    apart = [one for one in covers if one.kind != "keyboard"]
    least = min(snapshot.size) // _NARROWEST
    point = free_point(seen, [one.bounds for one in covers], least)
    if point is None and len(apart) < len(covers):
        point = free_point(seen, [one.bounds for one in apart], least)
        if point is not None and not under_keyboard:
            raise not_interactable(snapshot, element, "the keyboard lies over it", short="under the keyboard")
    if point is None:
        raise _covered(snapshot, element, max(apart, key=lambda one: (one.bounds.intersect(seen).area, one.index)))
    return point


def _covered(snapshot: Snapshot, element: Element, cover: Cover) -> StageFailed:
    blocker = blocker_of(snapshot, element, cover)
    name = told(snapshot, cover, blocker)
    if cover.kind == "inside":
        short = f"{name} in it takes every touch"
        return not_interactable(snapshot, element, f"{short}; name that instead", blocker, short=short)
    more = pressable(snapshot) if cover.kind == "window" else ""
    return not_interactable(
        snapshot, element, f"covered by {name}", blocker, short=f"covered by {name}", more=more
    )


def is_under_keyboard(snapshot: Snapshot, element: Element) -> bool:
    """Whether it is only the keyboard, which can be hidden, that keeps an element of ``snapshot.beneath`` from
    being listed."""
    keyboard = snapshot.keyboard
    return keyboard is not None and not element.node.visible and keyboard.contains(element.center)


def cannot_be_seen(snapshot: Snapshot, element: Element) -> StageFailed:
    """Why an element of ``snapshot.beneath`` is not listed."""
    try:
        gesture_point(snapshot, element)
    except StageFailed as failed:
        return failed
    return not_interactable(snapshot, element, "it lies under something else", short="covered")


def not_interactable(
    snapshot: Snapshot,
    element: Element,
    why: str,
    blocker: Element | None = None,
    *,
    short: str = "",
    more: str = "",
) -> StageFailed:
    """What a stage raises for an element that is there but not fit for the gesture; ``why`` is a clause, and
    ``more`` are lines that follow it."""
    told = f"{element.describe()}: {why}. Nothing was touched.{more}"
    message = f"ELEMENT_NOT_INTERACTABLE  {told}\n{format_screen(snapshot)}"
    failure = Failure("ELEMENT_NOT_INTERACTABLE", message, (element,), blocker=blocker, element=element)
    return Unfit(failure, snapshot, short or why)


def free_point(seen: Rect, taken: Sequence[Rect], least: int = 1) -> Point | None:
    """The centre of ``seen`` where nothing of ``taken`` lies over it, else the centre of the free part of it that
    is roomy and nearest to that; None where none is ``least`` pixels wide and high."""
    middle = seen.center
    least = min(least, seen.width, seen.height)
    if not any(rect.contains(middle) for rect in taken):
        return middle
    across = _cuts(
        seen.left, seen.right, [edge for rect in taken[:_MOST_CUTS] for edge in (rect.left, rect.right)]
    )
    down = _cuts(seen.top, seen.bottom, [edge for rect in taken[:_MOST_CUTS] for edge in (rect.top, rect.bottom)])
    best: tuple[int, int, Point] | None = None
    for left, right in across:
        for top, bottom in down:
            point = Point((left + right) // 2, (top + bottom) // 2)
            if any(rect.contains(point) for rect in taken):
                continue
            room = min(right - left, bottom - top, _ROOMY)
            far = abs(point.x - middle.x) + abs(point.y - middle.y)
            if room >= least and (best is None or (-room, far) < best[:2]):
                best = (-room, far, point)
    return best[2] if best is not None else None


def _cuts(low: int, high: int, edges: Sequence[int]) -> list[tuple[int, int]]:
    marks = sorted({low, high, *(edge for edge in edges if low < edge < high)})
    return list(pairwise(marks))


def _where(bounds: Rect, snapshot: Snapshot) -> str:
    """On which side of the screen it lies: `` below``."""
    width, height = snapshot.size
    if bounds.is_empty:
        return ""
    sides = (
        (bounds.top >= height, " below"),
        (bounds.bottom <= 0, " above"),
        (bounds.left >= width, " to the right"),
        (bounds.right <= 0, " to the left"),
    )
    return next((side for off, side in sides if off), "")
