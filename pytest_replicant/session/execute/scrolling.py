"""Swipes across something, to show what lies beyond its edge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...errors import DeviceTimeout, ProtocolError, SnapshotError
from ..stabilize.reads import settle, settled_now
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
    from ..step import ActionContext, Dispatch


def swipe_across(direction: Direction) -> Dispatch:
    """The finger moves that way, across the target or the whole screen."""

    def send(action: ActionContext) -> Mapping[str, Any]:
        area = action.target.element.bounds if action.resolved else screen_of(action)
        start, end = scroll_path(area, OPPOSITE[direction])
        swipe(action, start, end)
        return _told(start, end, direction)

    return send


def scroll(direction: Direction, *, timeout: float, sure: bool) -> Dispatch:
    """One swipe that shows what lies in that direction, in the target or the largest that scrolls. Where it has to
    be ``sure``, a swipe that moved nothing is followed by a second, shorter one, and says ``reached_end``."""

    def send(action: ActionContext) -> Mapping[str, Any]:
        snapshot, box = _box(action, direction, timeout)
        start, end = path_in(snapshot, box, direction, REACH)
        swipe(action, start, end)
        told = _told(start, end, direction)
        if not sure:
            return told
        if _moves_at_once(action, snapshot, box):
            return {**told, "reached_end": False}
        after = settle(action.context, snapshot).snapshot
        if has_moved(snapshot, after, box):
            return {**told, "reached_end": False}
        again = sweep_again(action, snapshot, after, box, direction, timeout=timeout)
        return {**told, "swipes": again.swipes, "reached_end": not again.moved}

    return send


def _box(action: ActionContext, direction: Direction, timeout: float) -> tuple[Snapshot, Element]:
    """What to scroll, awaited where none was named."""
    if action.resolved:
        return action.target.snapshot, scrolling_part(action.target.snapshot, action.target.element, direction)
    clock = action.context.clock
    deadline = clock.now() + timeout
    while True:
        snapshot = settled_now(action.context)
        try:
            return snapshot, scroller(action, snapshot, None, direction)
        except StageFailed:
            if clock.now() >= deadline:
                raise
        action.context.observer.invalidate()  # what stands still is looked at again, not remembered


def _moves_at_once(action: ActionContext, before: Snapshot, box: Element) -> bool:
    """Whether the very next read shows it elsewhere: that it moved is known then, and where to is read later."""
    try:
        return has_moved(before, action.context.observer.read().snapshot, box)
    except (SnapshotError, DeviceTimeout, ProtocolError):  # read again as it settles
        return False


def _told(start: Point, end: Point, direction: Direction) -> dict[str, Any]:
    return {"from": [start.x, start.y], "to": [end.x, end.y], "direction": direction}
