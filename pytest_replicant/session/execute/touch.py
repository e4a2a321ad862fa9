"""Taps, presses and drags."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...errors import UsageError
from ...model import Rect
from ..aiming.reachable import gesture_point
from ..aiming.resolve import resolve
from ..settling.stabilize import read_now, settle

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...model import Point
    from ..step import Dispatch, Hands

DRAG_SECONDS = 0.8
PINCH_SECONDS = 0.5


def tap(hands: Hands) -> Mapping[str, Any]:
    touch_at(hands, hands.aim.point)
    return told_point(hands.aim.point)


def double_tap(hands: Hands) -> Mapping[str, Any]:
    hands.touched.append(hands.aim.point)
    hands.driver.double_tap(hands.aim.point)
    return told_point(hands.aim.point)


def long_press(seconds: float) -> Dispatch:
    def send(hands: Hands) -> Mapping[str, Any]:
        hands.touched.append(hands.aim.point)
        hands.driver.long_press(hands.aim.point, seconds)
        return {**told_point(hands.aim.point), "seconds": seconds}

    return send


def drag(hands: Hands) -> Mapping[str, Any]:
    """While the goal was awaited the source may have moved: both points are of one screen that stands still."""
    source, goal = hands.aims
    start, end = source.point, goal.point
    if source.snapshot is not goal.snapshot:
        snapshot = settle(hands.parts, None).snapshot
        start, end = (
            gesture_point(snapshot, resolve(hands.parts.observer, snapshot, aim.element)) for aim in hands.aims
        )
    hands.touched += [start, end]
    hands.driver.drag(start, end, DRAG_SECONDS)
    return {"from": [start.x, start.y], "to": [end.x, end.y]}


def tap_at(point: Point) -> Dispatch:
    """The point must be on the screen as it is now, which may be turned."""

    def send(hands: Hands) -> Mapping[str, Any]:
        screen = screen_of(hands)
        if not screen.contains(point):
            raise UsageError(
                f"tap_at({point.x}, {point.y}): the screen of {hands.look.uri} has {screen.width} x "
                f"{screen.height} pixels. Nothing was touched."
            )
        touch_at(hands, point)
        return {**told_point(point), "degraded": True}

    return send


def pinch(scale: float) -> Dispatch:
    def send(hands: Hands) -> Mapping[str, Any]:
        area = hands.aim.element.bounds.intersect(screen_of(hands))
        hands.touched.append(area.center)
        hands.driver.pinch(area, scale, PINCH_SECONDS)
        return {"area": list(area), "scale": scale, "degraded": True}

    return send


def screen_of(hands: Hands) -> Rect:
    """The whole screen, the way it is up now; a dump may leave the edges out."""
    snapshot = hands.aim.snapshot if hands.aims else read_now(hands.parts).snapshot
    width, height = snapshot.size
    short, long = sorted((hands.look.info.width, hands.look.info.height))
    sides = (long, short) if width > height else (short, long)
    return Rect(0, 0, max(width, sides[0]), max(height, sides[1]))


def touch_at(hands: Hands, point: Point) -> None:
    hands.touched.append(point)
    hands.driver.tap(point)


def told_point(point: Point) -> dict[str, Any]:
    return {"point": [point.x, point.y]}
