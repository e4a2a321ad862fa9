"""``Shot``: a picture of the screen that a test looks at and acts on, bound to the screen that it shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ... import vision  # whose modules wait until a picture is looked at
from ...drivers import Orientation
from ...errors import UsageError
from ...model import Element, Point, Rect, public_methods
from ...snapshots import Snapshot
from ..arguments import is_number
from ..drawn import DrawnElement, drawn_element
from ..expectation import Expectation
from ..photos import MAX_SIDE, Photo, acts, element_at, packed, photograph
from ..step import SessionContext

if TYPE_CHECKING:
    from os import PathLike

_LEAST_SIDE = 64

Tap = Callable[[str, DrawnElement, "float | None", bool], Expectation]
"""Title, target, time-out, silent to what comes of the tap."""


@public_methods
@dataclass(frozen=True, eq=False)
class Shot(Photo):
    """A picture of the screen, and all that binds it: made by ``mobile.shot()``.

    ``png`` is the picture as it is to be looked at: scaled down, and with marks where they were asked for.
    ``size`` is its width and height in pixels, ``scale`` the picture's pixels for one of the screen, from 0 to 1.
    ``orientation`` is how the phone was held, ``display`` which of its displays it shows: always "main".
    ``screen`` is the name of the screen, ``snapshot`` its hierarchy, read in the same moment. ``marks`` are the
    marks, each with its ref. Coordinates that it is given are pixels of this picture, from its top left corner.
    """

    png: bytes = field(repr=False)
    size: tuple[int, int]
    scale: float
    orientation: Orientation
    marks: tuple[vision.Mark, ...] = field(repr=False)
    _tap: Tap = field(repr=False)
    display: str = "main"

    @property
    def screen(self) -> str:
        return self.snapshot.screen

    @property
    def picture_size(self) -> tuple[int, int]:
        """Width and height of the part that shows the screen; margins with marks lie right of it, or below."""
        return vision.scaled_to(self.full_size, self.scale)

    def tap(self, x: float, y: float, *, timeout: float | None = None, silent: bool = False) -> Expectation:
        """Touches that point of the picture, where a read of the last 150 ms shows the same there. Marked degraded
        in the trace, since a point has no name. Raises ``ActionFailed`` with STALE_REFERENCE where
        it shows something else, and says what that is; ``UsageError`` for a point outside."""
        width, height = self.picture_size
        for name, value, most in (("x", x, width), ("y", y, height)):
            if not is_number(value) or not 0 <= value < most:
                raise UsageError(
                    f"shot.tap({name}={value!r}): a number of pixels of this picture, from 0 and below {most}: it "
                    f"has {width} x {height}"
                )
        return self._touch(f"{x:g}, {y:g} of a shot of {self.snapshot.id}", x, y, timeout, silent)

    def tap_cell(
        self, cell: int, position: str = "center", *, timeout: float | None = None, silent: bool = False
    ) -> Expectation:
        """Touches a cell of the grid over the picture: 24 in 6 columns and 4 rows, numbered in reading order from
        1. ``position`` is where in it: "center", "top left", "top right", "bottom left" or "bottom right". As
        for ``tap`` otherwise. For exploring: a test that stands names what it means."""
        point = vision.cell_point(cell, position, self.picture_size)
        title = f"cell {cell} {position} of a shot of {self.snapshot.id}"
        return self._touch(title, point.x, point.y, timeout, silent)

    def element_at(self, x: float, y: float) -> Element | None:
        """The element of the hierarchy at that point of the picture; None if there is none."""
        return element_at(self.snapshot, self.to_screen(x, y))

    def to_screen(self, x: float, y: float) -> Point:
        """The pixel of the screen that a point of the picture shows."""
        width, height = self.full_size
        return Point(min(int((x + 0.5) / self.scale), width - 1), min(int((y + 0.5) / self.scale), height - 1))

    def to_picture(self, area: Rect) -> Rect:
        """An area of the screen in pixels of the picture."""
        return area.scaled(self.scale)

    def save(self, path: str | PathLike[str]) -> Path:
        """Writes the picture, a PNG. Raises ``UsageError`` where it cannot be written."""
        try:
            Path(path).write_bytes(self.png)
        except (OSError, TypeError, ValueError) as error:
            raise UsageError(f"shot.save({path!r}): {getattr(error, 'strerror', None) or error}") from None
        return Path(path)

    def _touch(self, title: str, x: float, y: float, timeout: float | None, silent: bool) -> Expectation:
        return self._tap(title, self._pointed(x, y), timeout, silent)

    def _pointed(self, x: float, y: float) -> DrawnElement:
        """The target that a point of the picture is."""
        point = self.to_screen(x, y)
        there, pixel = element_at(self.snapshot, point), Rect(*point, point.x + 1, point.y + 1)
        return drawn_element(0, f"{point.x}, {point.y}", pixel, "point", self, 1.0, there)


def take_shot(context: SessionContext, tap: Tap, *, marks: bool = False, max_side: int | None = MAX_SIDE) -> Shot:
    """For the test, which may use the refs of its screen. Raises ``DeviceError``."""
    if max_side is not None and (
        isinstance(max_side, bool) or not isinstance(max_side, int) or max_side < _LEAST_SIDE
    ):
        raise UsageError(
            f"shot(max_side={max_side!r}): a whole number of pixels from {_LEAST_SIDE}, or None for all"
        )
    photo = photograph(context, printed=True)
    image = vision.opened(photo.full)
    small, scale = vision.fitted(image, max_side)
    drawn: tuple[vision.Mark, ...] = ()
    if marks:
        small, drawn = vision.marked(small, *boxes_to_mark(photo.snapshot, scale))
    png = photo.full if small is image else packed(small)
    orientation = context.driver.orientation()
    return Shot(photo.full, photo.snapshot, context, photo.finger, png, small.size, scale, orientation, drawn, tap)


def boxes_to_mark(snapshot: Snapshot, scale: float) -> tuple[list[tuple[str, Rect]], list[Rect]]:
    """All that is marked, and all labels, in pixels of the picture. What can be acted on is marked."""

    def at(area: Rect) -> Rect:
        return area.intersect(Rect(0, 0, *snapshot.size)).scaled(scale)

    acting = [(one.ref, at(one.bounds)) for one in snapshot.elements if acts(one)]
    labels = [at(node.bounds) for node in snapshot.nodes if node.visible and node.words]
    return acting, [one for one in labels if not one.is_empty]
