"""Points and rectangles in device pixels, origin at the top left."""

from __future__ import annotations

from typing import NamedTuple


class Point(NamedTuple):
    """A place on the screen, in device pixels."""

    x: int
    y: int


class Rect(NamedTuple):
    """A rectangle in device pixels; ``right`` and ``bottom`` are exclusive.

    Rectangles from the wild may be negative, inverted or empty: nothing is corrected on the way in.
    """

    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        return self.right - self.left

    @property
    def height(self) -> int:
        return self.bottom - self.top

    @property
    def area(self) -> int:
        return max(self.width, 0) * max(self.height, 0)

    @property
    def is_empty(self) -> bool:
        return self.width <= 0 or self.height <= 0

    @property
    def center(self) -> Point:
        return Point((self.left + self.right) // 2, (self.top + self.bottom) // 2)

    def contains(self, point: Point) -> bool:
        return self.left <= point.x < self.right and self.top <= point.y < self.bottom

    def encloses(self, other: Rect) -> bool:
        return (
            self.left <= other.left
            and self.top <= other.top
            and self.right >= other.right
            and self.bottom >= other.bottom
        )

    def intersect(self, other: Rect) -> Rect:
        """The shared part; empty (see ``is_empty``) where there is none."""
        return Rect(
            max(self.left, other.left),
            max(self.top, other.top),
            min(self.right, other.right),
            min(self.bottom, other.bottom),
        )

    def inset(self, by: int) -> Rect:
        return Rect(self.left + by, self.top + by, self.right - by, self.bottom - by)

    def shifted(self, dx: int, dy: int) -> Rect:
        return Rect(self.left + dx, self.top + dy, self.right + dx, self.bottom + dy)
