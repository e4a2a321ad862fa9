"""Gestures in the words of W3C WebDriver's actions. Pure; lengths in seconds, places in points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Place = Mapping[str, float]


def stroke(
    start: Place, end: Place, seconds: float, *, hold: float = 0.0, rest: float = 0.0
) -> list[dict[str, Any]]:
    """Down at ``start``, still for ``hold``, to ``end`` within ``seconds``, still for ``rest``, up."""
    steps: list[dict[str, Any]] = [
        {"type": "pointerMove", "duration": 0, **start},
        {"type": "pointerDown", "button": 0},
    ]
    if hold:
        steps.append(_pause(hold))
    steps.append({"type": "pointerMove", "duration": _milliseconds(seconds), **end})
    if rest:
        steps.append(_pause(rest))
    return [*steps, {"type": "pointerUp", "button": 0}]


def fingers_doing(*strokes: list[dict[str, Any]]) -> dict[str, Any]:
    """What is sent: a finger for each stroke, all at once."""
    return {
        "actions": [
            {
                "type": "pointer",
                "id": f"finger{number}",
                "parameters": {"pointerType": "touch"},
                "actions": steps,
            }
            for number, steps in enumerate(strokes, 1)
        ]
    }


def _pause(seconds: float) -> dict[str, Any]:
    return {"type": "pause", "duration": _milliseconds(seconds)}


def _milliseconds(seconds: float) -> int:
    return max(round(seconds * 1000), 1)
