"""Swipes across something, to show what lies beyond its edge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from ...errors import is_told
from ...model.failure import Failure
from ...model.geometry import Point, Rect
from ..reachable import gesture_point, not_interactable
from ..resolve import container_of, resolve
from ..restless import agree
from ..stabilize import settle
from ..step import StageFailed
from ..targets import describe

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...snapshots.snapshot import Snapshot
    from ..step import Dispatch, Hands, Target

__tracebackhide__ = is_told

Direction = Literal["up", "down", "left", "right"]

SWIPE_SECONDS = 0.3
_REACH = 0.7  # how much of a container one scroll moves; the rest keeps a landmark in view


def swipe(direction: Direction) -> Dispatch:
    """The finger moves that way."""
    opposite: dict[Direction, Direction] = {"up": "down", "down": "up", "left": "right", "right": "left"}
    return scroll(opposite[direction], scrolls=False)


def scroll(direction: Direction, *, scrolls: bool = True) -> Dispatch:
    """One swipe inside the target, or the screen, that shows what lies in that direction; ``scrolls`` says that
    the target must be one that scrolls."""

    def send(hands: Hands) -> Mapping[str, Any]:
        if scrolls and hands.aims and hands.aim.element.states.scrollable is False:
            why = "it does not scroll; name a list, or none for the largest"
            raise not_interactable(hands.aim.snapshot, hands.aim.element, why)
        start, end = _sweep(hands, _area(hands), direction)
        return {"from": [start.x, start.y], "to": [end.x, end.y], "direction": direction}

    return send


def scroll_to(target: Target, container: Target | None, direction: Direction, max_swipes: int) -> Dispatch:
    """Swipes until the target is on the screen. Every swipe is followed by a settled read; one that moved
    nothing ends the list."""

    def send(hands: Hands) -> Mapping[str, Any]:
        observer = hands.parts.observer
        snapshot = observer.fresh().snapshot
        for swipes in range(max_swipes + 1):
            try:
                element = resolve(observer, snapshot, target)
                gesture_point(snapshot, element)
                return {"swipes": swipes, "found": element.describe()}
            except StageFailed as failed:
                if failed.failure.code == "AMBIGUOUS_TARGET":
                    raise
            if swipes == max_swipes:
                break
            box = resolve(observer, snapshot, container) if container is not None else None
            _sweep(hands, container_of(snapshot, box).bounds, direction)
            observer.note_gesture()
            before, snapshot = snapshot, settle(hands.parts, snapshot).snapshot
            if agree(before, snapshot):
                raise _not_there(hands, snapshot, target, f"the end of the list, after {swipes} swipes")
        raise _not_there(hands, snapshot, target, f"max_swipes={max_swipes}")

    return send


def _not_there(hands: Hands, snapshot: Snapshot, target: Target, where: str) -> StageFailed:
    message = (
        f"ELEMENT_NOT_FOUND  scroll_to {describe(target)} on {hands.look.uri}: not there up to {where}.\n"
        f"{snapshot.outline()}"
    )
    return StageFailed(Failure("ELEMENT_NOT_FOUND", message), snapshot)


def _area(hands: Hands) -> Rect:
    if hands.aims:
        return hands.aim.element.bounds
    return Rect(0, 0, hands.look.info.width, hands.driver.info.height)


def _sweep(hands: Hands, area: Rect, direction: Direction) -> tuple[Point, Point]:
    start, end = scroll_path(area, direction)
    hands.touched += [start, end]
    hands.driver.swipe(start, end, SWIPE_SECONDS)
    return start, end


def scroll_path(area: Rect, direction: Direction, reach: float = _REACH) -> tuple[Point, Point]:
    """Start and end of the finger; centred, inside the area."""
    center = area.center
    dx, dy = int(area.width * reach / 2), int(area.height * reach / 2)
    ends = {
        "down": (Point(center.x, center.y + dy), Point(center.x, center.y - dy)),
        "up": (Point(center.x, center.y - dy), Point(center.x, center.y + dy)),
        "right": (Point(center.x + dx, center.y), Point(center.x - dx, center.y)),
        "left": (Point(center.x - dx, center.y), Point(center.x + dx, center.y)),
    }
    return ends[direction]
