"""Pixels and points. Everything outside this room is device pixels, everything that is sent is points."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ...model import Point, Rect

_ATTRIBUTES = rb"""(?:[^>"]|"[^"]*")*?"""
_SIZE = re.compile(
    rb"<XCUIElementTypeApplication" + _ATTRIBUTES + rb'\swidth="(\d+)"' + _ATTRIBUTES + rb'\sheight="(\d+)"'
)


class Screen:
    """The phone's screen, the way it is up as far as is known: whoever reads its size tells it."""

    def __init__(self, scale: float, width: float, height: float) -> None:
        """``width`` and ``height`` in points; ``scale`` is pixels to a point."""
        self.scale = scale
        self._now = (width, height)

    @property
    def portrait(self) -> tuple[int, int]:
        """Width and height in pixels of the screen held upright."""
        short, long = sorted(self._now)
        return round(short * self.scale), round(long * self.scale)

    def learn(self, width: float, height: float) -> None:
        """Of the screen as it is now. Ignores what is none: WebDriverAgent may say 0 while an alert is up."""
        if {round(width), round(height)} == {round(side) for side in self._now}:
            self._now = (width, height)

    def learn_from(self, source: bytes) -> None:
        """From a hierarchy, whose application is as large as the screen."""
        found = _SIZE.search(source[:4000])
        if found:
            self.learn(float(found[1]), float(found[2]))

    def shows(self, point: Point) -> bool:
        return Rect(0, 0, *self._pixels).contains(point)

    @property
    def told(self) -> str:
        """For messages."""
        return "{} x {}".format(*self._pixels)

    @property
    def _pixels(self) -> tuple[int, int]:
        width, height = self._now
        return round(width * self.scale), round(height * self.scale)

    def in_points(self, point: Point) -> dict[str, float]:
        return {"x": self.points(point.x), "y": self.points(point.y)}

    def points(self, pixels: float) -> float:
        return round(pixels / self.scale, 3)

    def in_pixels(self, rect: Mapping[str, Any]) -> Rect:
        """A rectangle as WebDriverAgent gives it. Raises ``ValueError`` or ``TypeError`` for what is none."""
        x, y, width, height = (float(rect.get(side) or 0) for side in ("x", "y", "width", "height"))
        edges = (x, y, x + width, y + height)
        return Rect(*(round(edge * self.scale) for edge in edges))
