"""W3C actions: from what each pointer does, tick by tick, to the strokes of fingers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .agent import Agent
from .failures import WdaError, invalid_argument
from .touch import SLOP_POINTS, Place, move_now, press_now, two_fingers_now

ELEMENT_KEYS = ("element-6066-11e4-a52e-4f735466cecf", "ELEMENT")
LONGEST_MS = 60_000
MOST_ACTIONS = 1000

Middle = Callable[[str], Place]
"""Where the middle of an element is, by its id. Raises ``WdaError`` for one that is gone."""


@dataclass(frozen=True)
class Stroke:
    """One finger from going down to coming up, in points and milliseconds; ``held_ms`` before it
    first moves."""

    start: Place
    end: Place
    began_ms: int
    ended_ms: int
    held_ms: int

    @property
    def length_ms(self) -> int:
        return self.ended_ms - self.began_ms


def strokes(given: object, middle: Middle) -> list[list[Stroke]]:
    """By finger. Raises ``WdaError`` for what are no actions of touch."""
    if not isinstance(given, list) or not given:
        raise invalid_argument("'actions' has to be a list of sources of input")
    fingers: list[list[Stroke]] = []
    for source in given:
        if not isinstance(source, dict) or source.get("type") not in ("pointer", "none", "key"):
            raise invalid_argument(f"no source of input: {source!r:.200}")
        if source["type"] == "key":
            raise WdaError(
                "unsupported operation", "keys are typed by POST /wda/keys, not by actions"
            )
        if source["type"] == "pointer":
            fingers.append(_finger(source, middle))
    return fingers


def seconds_of(fingers: Sequence[Sequence[Stroke]]) -> float:
    return max((finger[-1].ended_ms for finger in fingers if finger), default=0) / 1000


def perform_now(agent: Agent, fingers: Sequence[Sequence[Stroke]]) -> None:
    """Strokes in the order of their beginning; two of different fingers that overlap are one
    gesture."""
    if len(fingers) > 2:
        raise WdaError("unsupported operation", "more than two fingers are not taken")
    if len(fingers) == 2 and len(fingers[0]) == len(fingers[1]) == 1:
        one, other = fingers[0][0], fingers[1][0]
        if one.began_ms <= other.ended_ms and other.began_ms <= one.ended_ms:
            two_fingers_now(agent, (one.start, other.start), (one.end, other.end))
            return
    for stroke in sorted(
        (each for finger in fingers for each in finger), key=lambda each: each.began_ms
    ):
        if math.dist(stroke.start, stroke.end) <= SLOP_POINTS:
            press_now(agent, stroke.start, stroke.length_ms)
        else:
            move_now(
                agent, stroke.start, stroke.end, stroke.held_ms, stroke.length_ms - stroke.held_ms
            )


def _finger(source: Mapping[str, Any], middle: Middle) -> list[Stroke]:
    """Follows one pointer through its actions."""
    parameters = source.get("parameters") or {}
    kind = parameters.get("pointerType", "touch") if isinstance(parameters, dict) else None
    if kind != "touch":
        raise invalid_argument(f"only pointers of the type 'touch' are taken, not {kind!r}")
    actions = source.get("actions")
    if not isinstance(actions, list) or len(actions) > MOST_ACTIONS:
        raise invalid_argument("a source of input has a list of actions")
    at: Place = (0.0, 0.0)
    now = 0
    down: tuple[Place, int, int | None] | None = None  # where, when, and when it left that place
    done: list[Stroke] = []
    for action in actions:
        name = action.get("type") if isinstance(action, dict) else None
        if name not in ("pointerMove", "pointerDown", "pointerUp", "pause"):
            raise invalid_argument(f"no action of a pointer: {action!r:.200}")
        if name == "pointerMove":
            at, before = _target(action, at, middle), at
            if down is not None and down[2] is None and math.dist(before, at) > SLOP_POINTS:
                down = (down[0], down[1], now)
        elif name == "pointerDown":
            down = (at, now, None)
        elif name == "pointerUp" and down is not None:
            start, began, left = down
            done.append(Stroke(start, at, began, now, (now if left is None else left) - began))
            down = None
        now += _length(action)
    return done


def _target(action: Mapping[str, Any], at: Place, middle: Middle) -> Place:
    """Where a move leads to: from the screen's corner, from where the finger is, or from an
    element's middle."""
    x, y, origin = action.get("x", 0), action.get("y", 0), action.get("origin", "viewport")
    for number in (x, y):
        if isinstance(number, bool) or not isinstance(number, int | float) or not abs(number) < 1e6:
            raise invalid_argument(f"a move needs numbers for x and y, not {x!r}, {y!r}")
    if origin == "viewport":
        return float(x), float(y)
    if origin == "pointer":
        return at[0] + x, at[1] + y
    identity = origin if isinstance(origin, str) else _element_id(origin)
    centre = middle(identity)
    return centre[0] + x, centre[1] + y


def _element_id(origin: object) -> str:
    if isinstance(origin, dict):
        for key in ELEMENT_KEYS:
            if isinstance(origin.get(key), str):
                return str(origin[key])
    raise invalid_argument(f"no origin: {origin!r:.200}")


def _length(action: Mapping[str, Any]) -> int:
    length = action.get("duration", 0)
    if (
        isinstance(length, bool)
        or not isinstance(length, int | float)
        or not 0 <= length <= LONGEST_MS
    ):
        raise invalid_argument(f"'duration' is from 0 to {LONGEST_MS} milliseconds, not {length!r}")
    return int(length)
