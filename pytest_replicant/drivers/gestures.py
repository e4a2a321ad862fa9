"""What every driver checks of a gesture before it is sent. Pure."""

from __future__ import annotations

from ..errors import UsageError
from ..model import Point, Rect

LONGEST_GESTURE = 60.0
CLOSEST = 48  # pixels between two fingers; nearer, the screen takes them for one


def checked_length(seconds: float) -> float:
    """Raises ``UsageError`` for a length that no gesture has."""
    if not 0 <= seconds <= LONGEST_GESTURE:
        raise UsageError(f"a gesture of {seconds} s; give 0 to {LONGEST_GESTURE:g} seconds. Nothing was touched.")
    return seconds


def fingers(area: Rect, scale: float) -> tuple[tuple[Point, Point], tuple[Point, Point]]:
    """Where two fingers begin, and where they end: along the longer side of ``area``, a tenth of it away from the
    edges. Raises ``UsageError`` where they would come too near."""
    if not 0 < scale < float("inf") or scale == 1:
        raise UsageError(f"a pinch of scale {scale}; above 1 zooms in, between 0 and 1 out. Nothing was touched.")
    longest = max(area.width, area.height) * 4 // 5
    shortest = round(longest / max(scale, 1 / scale))
    if shortest < CLOSEST:
        raise UsageError(
            f"a pinch of scale {scale:g} in {area}: the fingers would be {shortest} pixels apart, and {CLOSEST} "
            "is the least. Give a larger area, or pinch several times. Nothing was touched."
        )
    wide, narrow = _pair(area, longest), _pair(area, shortest)
    return (narrow, wide) if scale > 1 else (wide, narrow)


def _pair(area: Rect, apart: int) -> tuple[Point, Point]:
    middle, half = area.center, apart // 2
    if area.width >= area.height:
        return Point(middle.x - half, middle.y), Point(middle.x + half, middle.y)
    return Point(middle.x, middle.y - half), Point(middle.x, middle.y + half)
