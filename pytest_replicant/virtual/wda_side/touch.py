"""What fingers do on the glass, in points. All of it acts on the phone, and belongs inside
``on_phone``."""

from __future__ import annotations

import math

from ...model import Point
from .agent import Agent
from .failures import WdaError

LONG_PRESS_MS = 500  # from here on the phone takes a touch for a long one
SWIPE_MS = 300  # how long a finger takes from one point to another by default
SLOP_POINTS = 8  # a finger that stays within this distance has not moved

Place = tuple[float, float]


def press_now(agent: Agent, place: Place, length_ms: int = 0) -> None:
    """A finger that goes down and comes up; outside the screen there is nothing to touch."""
    point = agent.point(*place)
    width, height = agent.phone.size
    if not (0 <= point.x < width and 0 <= point.y < height):
        return
    if length_ms >= LONG_PRESS_MS:
        agent.phone.long_press(point.x, point.y, length_ms)
    else:
        agent.phone.tap(point.x, point.y)


def move_now(
    agent: Agent, start: Place, end: Place, held_ms: int = 0, length_ms: int = SWIPE_MS
) -> None:
    """A finger that holds, then moves; one that hardly moves has pressed."""
    if math.dist(start, end) <= SLOP_POINTS:
        press_now(agent, start, held_ms + length_ms if held_ms else length_ms)
        return
    first, last = agent.point(*start), agent.point(*end)
    if held_ms >= LONG_PRESS_MS:
        agent.phone.drag(first.x, first.y, last.x, last.y, held_ms + length_ms)
    else:
        agent.phone.swipe(first.x, first.y, last.x, last.y, max(held_ms + length_ms, 1))


def two_fingers_now(agent: Agent, starts: tuple[Place, Place], ends: tuple[Place, Place]) -> None:
    def pixels(places: tuple[Place, Place]) -> tuple[Point, Point]:
        return agent.point(*places[0]), agent.point(*places[1])

    agent.phone.pinch(pixels(starts), pixels(ends))


def pinch_now(agent: Agent, x: float, y: float, width: float, height: float, scale: float) -> None:
    """Two fingers within a rectangle, ``scale`` times as far apart in the end; raises ``WdaError``
    for none."""
    if scale <= 0:
        raise WdaError("invalid argument", f"'scale' has to be above 0, not {scale}")
    middle, longest = (x + width / 2, y + height / 2), max(width / 2 - 1, 1)
    far = min(longest, 100.0)
    near = far / max(scale, 1 / scale)
    first, last = (near, far) if scale >= 1 else (far, near)

    def apart(distance: float) -> tuple[Place, Place]:
        return (middle[0] - distance, middle[1]), (middle[0] + distance, middle[1])

    two_fingers_now(agent, apart(first), apart(last))
