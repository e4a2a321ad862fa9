"""Taps, presses and drags."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...errors import UsageError
from ...model import Rect
from ..aiming.reachable import gesture_point
from ..aiming.resolve import resolve
from ..stabilize.reads import read_now, settle

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...model import Point
    from ..step import ActionContext, Dispatch

DRAG_SECONDS = 0.8
PINCH_SECONDS = 0.5


def tap(action: ActionContext) -> Mapping[str, Any]:
    touch_at(action, action.target.point)
    return point_details(action.target.point)


def double_tap(action: ActionContext) -> Mapping[str, Any]:
    action.touched.append(action.target.point)
    action.driver.double_tap(action.target.point)
    return point_details(action.target.point)


def long_press(seconds: float) -> Dispatch:
    def send(action: ActionContext) -> Mapping[str, Any]:
        action.touched.append(action.target.point)
        action.driver.long_press(action.target.point, seconds)
        return {**point_details(action.target.point), "seconds": seconds}

    return send


def drag(action: ActionContext) -> Mapping[str, Any]:
    """While the goal was awaited the source may have moved: both points are of one screen that stands still."""
    source, goal = action.resolved
    start, end = source.point, goal.point
    if source.snapshot is not goal.snapshot:
        snapshot = settle(action.context, None).snapshot
        start, end = (
            gesture_point(snapshot, resolve(action.context.observer, snapshot, one.element))
            for one in action.resolved
        )
    action.touched += [start, end]
    action.driver.drag(start, end, DRAG_SECONDS)
    return {"from": [start.x, start.y], "to": [end.x, end.y]}


def tap_at(point: Point) -> Dispatch:
    """The point must be on the screen as it is now, which may be turned."""

    def send(action: ActionContext) -> Mapping[str, Any]:
        screen = screen_of(action)
        if not screen.contains(point):
            raise UsageError(
                f"tap_at({point.x}, {point.y}): the screen of {action.uri} has {screen.width} x "
                f"{screen.height} pixels. Nothing was touched."
            )
        touch_at(action, point)
        return {**point_details(point), "degraded": True}

    return send


def pinch(scale: float) -> Dispatch:
    def send(action: ActionContext) -> Mapping[str, Any]:
        area = action.target.element.bounds.intersect(screen_of(action))
        action.touched.append(area.center)
        action.driver.pinch(area, scale, PINCH_SECONDS)
        return {"area": list(area), "scale": scale, "degraded": True}

    return send


def screen_of(action: ActionContext) -> Rect:
    """The whole screen, the way it is up now; a dump may leave the edges out."""
    snapshot = action.target.snapshot if action.resolved else read_now(action.context).snapshot
    width, height = snapshot.size
    short, long = sorted((action.query.info.width, action.query.info.height))
    sides = (long, short) if width > height else (short, long)
    return Rect(0, 0, max(width, sides[0]), max(height, sides[1]))


def touch_at(action: ActionContext, point: Point) -> None:
    action.touched.append(point)
    action.driver.tap(point)


def point_details(point: Point) -> dict[str, Any]:
    return {"point": [point.x, point.y]}
