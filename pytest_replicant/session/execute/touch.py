"""Taps, presses and drags."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...errors import is_told

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...model.geometry import Point
    from ..step import Dispatch, Hands

__tracebackhide__ = is_told


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
    source, goal = hands.aims[0].point, hands.aims[1].point
    hands.touched += [source, goal]
    hands.driver.drag(source, goal, 0.8)
    return {"from": [source.x, source.y], "to": [goal.x, goal.y]}


def touch_at(hands: Hands, point: Point) -> None:
    hands.touched.append(point)
    hands.driver.tap(point)


def told_point(point: Point) -> dict[str, Any]:
    return {"point": [point.x, point.y]}
