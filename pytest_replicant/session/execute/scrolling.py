"""Swipes across something, to show what lies beyond its edge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...errors import DeviceTimeout, ProtocolError, SnapshotError
from ..settling.stabilize import settle, settled_now
from ..step import StageFailed
from .sweeping import (
    OPPOSITE,
    REACH,
    Direction,
    has_moved,
    path_in,
    scroll_path,
    scroller,
    scrolling_part,
    sweep_again,
    swipe,
)
from .touch import screen_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...model import Element, Point
    from ...snapshots import Snapshot
    from ..step import Dispatch, Hands


def swipe_across(direction: Direction) -> Dispatch:
    """The finger moves that way, across the target or the whole screen."""

    def send(hands: Hands) -> Mapping[str, Any]:
        area = hands.aim.element.bounds if hands.aims else screen_of(hands)
        start, end = scroll_path(area, OPPOSITE[direction])
        swipe(hands, start, end)
        return _told(start, end, direction)

    return send


def scroll(direction: Direction, *, timeout: float, sure: bool) -> Dispatch:
    """One swipe that shows what lies in that direction, in the target or the largest that scrolls. Where it has to
    be ``sure``, a swipe that moved nothing is followed by a second, shorter one, and says ``reached_end``."""

    def send(hands: Hands) -> Mapping[str, Any]:
        snapshot, box = _box(hands, direction, timeout)
        start, end = path_in(snapshot, box, direction, REACH)
        swipe(hands, start, end)
        told = _told(start, end, direction)
        if not sure:
            return told
        if _moves_at_once(hands, snapshot, box):
            return {**told, "reached_end": False}
        after = settle(hands.parts, snapshot).snapshot
        if has_moved(snapshot, after, box):
            return {**told, "reached_end": False}
        again = sweep_again(hands, snapshot, after, box, direction, timeout=timeout)
        return {**told, "swipes": again.swipes, "reached_end": not again.moved}

    return send


def _box(hands: Hands, direction: Direction, timeout: float) -> tuple[Snapshot, Element]:
    """What to scroll, awaited where none was named."""
    if hands.aims:
        return hands.aim.snapshot, scrolling_part(hands.aim.snapshot, hands.aim.element, direction)
    clock = hands.parts.clock
    deadline = clock.now() + timeout
    while True:
        snapshot = settled_now(hands.parts)
        try:
            return snapshot, scroller(hands, snapshot, None, direction)
        except StageFailed:
            if clock.now() >= deadline:
                raise
        hands.parts.observer.note_gesture()  # what stands still is looked at again, not remembered


def _moves_at_once(hands: Hands, before: Snapshot, box: Element) -> bool:
    """Whether the very next read shows it elsewhere: that it moved is known then, and where to is read later."""
    try:
        return has_moved(before, hands.parts.observer.read().snapshot, box)
    except (SnapshotError, DeviceTimeout, ProtocolError):  # read again as it settles
        return False


def _told(start: Point, end: Point, direction: Direction) -> dict[str, Any]:
    return {"from": [start.x, start.y], "to": [end.x, end.y], "direction": direction}
