"""A part of the screen to draw on, in the screen's own pixels, with smooth corners, shadows and
clipping."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Literal

from PIL import Image, ImageDraw, ImageFilter

from ....model import Rect
from . import typeface
from .icons import icon_mask
from .strokes import OVERSAMPLING
from .theme import BLACK, Colour

_FEW = 20  # lines; a text of more is spread over all of its height
_FULL = 0.85  # of it, where it is meant to be full


class Canvas:
    """``dp`` is pixels per density-independent pixel. What lies outside the image is cut off."""

    def __init__(self, image: Image.Image, dp: float, left: int = 0, top: int = 0) -> None:
        self.image = image
        self.dp = dp
        self.area = Rect(left, top, left + image.width, top + image.height)

    def px(self, length: float) -> int:
        """A length in dp as whole pixels, at least one."""
        return max(1, round(length * self.dp))

    @contextmanager
    def clipped(self, to: Rect) -> Iterator[Canvas | None]:
        """A canvas that ends at ``to``; None if nothing of it is on this one."""
        part = to.intersect(self.area)
        if part == self.area:
            yield self
            return
        if part.is_empty:
            yield None
            return
        inner = self._local(part)
        corners = (inner.left, inner.top, inner.right, inner.bottom)
        copy = self.image.crop(corners)
        yield Canvas(copy, self.dp, part.left, part.top)
        self.image.paste(copy, corners)

    def _local(self, rect: Rect) -> Rect:
        return rect.shifted(-self.area.left, -self.area.top)

    def _near(self, rect: Rect, margin: int) -> Rect:
        """The rectangle without what lies further outside than anything that is seen here could
        come from: a page may be a hundred screens long, and costs no more than what shows of it."""
        return rect.intersect(self.area.inset(-margin))

    def fill(self, rect: Rect, shade: Colour, radius: int = 0) -> None:
        if not rect.is_empty and not rect.intersect(self.area).is_empty:
            radius = min(radius, rect.width // 2, rect.height // 2)
            _fill(self.image, self._local(self._near(rect, 2 * radius + 1)), shade, radius)

    def outline(self, rect: Rect, shade: Colour, radius: int = 0, width: int = 2) -> None:
        """A frame just inside ``rect``; what it encloses stays as it is."""
        inner = rect.inset(width)
        if inner.is_empty or rect.intersect(self.area).is_empty:
            self.fill(rect, shade, radius)
            return
        if radius <= 0:
            local = self._local(self._near(rect, 2 * width))
            edges = (local.left, local.top, local.right - 1, local.bottom - 1)
            ImageDraw.Draw(self.image).rectangle(edges, outline=shade, width=width)
            return
        radius = min(radius, rect.width // 2, rect.height // 2)
        rect = self._near(rect, 2 * (radius + width))
        mask = _frame_mask(rect.width, rect.height, radius, width)
        local = self._local(rect)
        self.image.paste(shade, (local.left, local.top), mask)

    def shadow(self, rect: Rect, height: int, radius: int = 0) -> None:
        """What a surface that stands ``height`` pixels above the page throws onto it."""
        blur = max(2, min(height, 60))
        rect = self._near(rect, 4 * (max(radius, 2) + blur))
        if rect.is_empty:
            return
        mask = _shadow_mask(rect.width, rect.height, max(radius, 2), blur)
        local = self._local(rect)
        self.image.paste(BLACK, (local.left - 2 * blur, local.top - 2 * blur + blur // 3), mask)

    def icon(self, name: str, rect: Rect, shade: Colour, size: int) -> None:
        """In the middle of ``rect``."""
        middle = self._local(rect).center
        self.image.paste(shade, (middle.x - size // 2, middle.y - size // 2), icon_mask(name, size))

    def disc(self, x: int, y: int, radius: int, shade: Colour) -> None:
        self.fill(Rect(x - radius, y - radius, x + radius, y + radius), shade, radius)

    def picture(self, picture: Image.Image, x: int, y: int) -> None:
        self.image.paste(picture, (x - self.area.left, y - self.area.top))

    def text(
        self,
        text: str,
        rect: Rect,
        size: int,
        shade: Colour,
        align: Literal["left", "center", "right"] = "left",
        bold: bool = False,
    ) -> Rect:
        """One line in the vertical middle of ``rect``, cut to its width; returns what the line
        covers."""
        line = typeface.plain(text, typeface.room_for(size, rect.width)).replace("\n", " ")
        if typeface.width(line, size) > rect.width * typeface.SLACK:
            line = typeface.cut(line, size, rect.width)
        length = typeface.width(line, size)
        start = (
            rect.left
            + {"left": 0.0, "center": (rect.width - length) / 2, "right": rect.width - length}[
                align
            ]
        )
        baseline = (rect.top + rect.bottom) / 2 + size * 0.355
        self.write(line, start, baseline, size, shade, bold)
        return Rect(
            round(start),
            round(baseline - size),
            round(start + length),
            round(baseline + size * 0.3),
        )

    def write(
        self, line: str, x: float, baseline: float, size: int, shade: Colour, bold: bool = False
    ) -> None:
        """One line as it is, from ``x`` on."""
        at = (x - self.area.left, baseline - self.area.top)
        typeface.draw_line(self.image, line, at[0], at[1], size, shade, bold)

    def paragraph(
        self,
        text: str,
        rect: Rect,
        size: int,
        shade: Colour,
        align: Literal["left", "center", "right"] = "left",
        bold: bool = False,
    ) -> Rect:
        """Wrapped to the width of ``rect``; as many lines as its height holds, in the middle.
        Returns what the last line covers."""
        step, room = size * typeface.LINE_HEIGHT, max(rect.width, 1)
        most = max(1, int((rect.height + size * 0.35) / step))
        words = typeface.plain(text, typeface.room_for(size, room) * (most + 1))
        lines = typeface.wrap(
            words, size, room, most + 1
        )  # one more than fits, to see whether all do
        if len(lines) > most:
            lines = typeface.wrap(words, size, round(room * typeface.SLACK), most)
        if len(lines) > _FEW and step * len(lines) > rect.height * _FULL:
            step = rect.height / len(
                lines
            )  # else what layout reckoned too much would be blank screens in the end
        top = rect.top + (rect.height - step * len(lines)) / 2
        first = max(0, min(int((self.area.top - top) / step) - 1, len(lines)))
        covered = rect
        for index, line in enumerate(lines[first:], first):
            row = Rect(
                rect.left, round(top + index * step), rect.right, round(top + (index + 1) * step)
            )
            if row.top > self.area.bottom and index < len(lines) - 1:
                continue
            covered = self.text(line, row, size, shade, align, bold)
        return covered


def _fill(image: Image.Image, rect: Rect, ink: Colour | int, radius: int) -> None:
    radius = min(radius, rect.width // 2, rect.height // 2)
    pen = ImageDraw.Draw(image)
    if radius <= 0:
        pen.rectangle((rect.left, rect.top, rect.right - 1, rect.bottom - 1), fill=ink)
        return
    if rect.height > 2 * radius:
        pen.rectangle(
            (rect.left, rect.top + radius, rect.right - 1, rect.bottom - radius - 1), fill=ink
        )
    if rect.width > 2 * radius:
        pen.rectangle(
            (rect.left + radius, rect.top, rect.right - radius - 1, rect.bottom - 1), fill=ink
        )
    for index, corner in enumerate(_corners(radius)):
        x = rect.left if index % 2 == 0 else rect.right - radius
        y = rect.top if index < 2 else rect.bottom - radius
        image.paste(ink, (x, y), corner)


@lru_cache(maxsize=128)
def _corners(radius: int) -> tuple[Image.Image, Image.Image, Image.Image, Image.Image]:
    """Coverage of the four quarters of a disc: top left, top right, bottom left, bottom right."""
    edge = radius * 2 * OVERSAMPLING
    large = Image.new("L", (edge, edge), 0)
    ImageDraw.Draw(large).ellipse((0, 0, edge - 1, edge - 1), fill=255)
    disc = large.reduce(OVERSAMPLING)
    full = radius * 2
    return (
        disc.crop((0, 0, radius, radius)),
        disc.crop((radius, 0, full, radius)),
        disc.crop((0, radius, radius, full)),
        disc.crop((radius, radius, full, full)),
    )


@lru_cache(maxsize=32)
def _frame_mask(width: int, height: int, radius: int, line: int) -> Image.Image:
    mask = Image.new("L", (width, height), 0)
    whole = Rect(0, 0, width, height)
    _fill(mask, whole, 255, radius)
    _fill(mask, whole.inset(line), 0, max(1, radius - line))
    return mask


@lru_cache(maxsize=32)
def _shadow_mask(width: int, height: int, radius: int, blur: int) -> Image.Image:
    """Softened coverage, two blurs wider on every side; faint, as a shadow of paper on paper is."""
    edge = 2 * blur
    core = min(2 * (radius + edge) + 2, 4 * max(width, height))
    tile = Image.new("L", (core + 2 * edge, core + 2 * edge), 0)
    _fill(tile, Rect(edge, edge, edge + core, edge + core), 76, radius)
    tile = tile.filter(ImageFilter.GaussianBlur(blur * 0.6))
    return _stretched(tile, width + 2 * edge, height + 2 * edge)


def _stretched(tile: Image.Image, width: int, height: int) -> Image.Image:
    """The tile at another size: its corners as they are, only its middle row and column drawn
    out."""
    side = tile.width
    if width <= side or height <= side:
        return tile.resize((width, height))
    half = side // 2
    wide = Image.new("L", (width, side))
    wide.paste(tile.crop((half, 0, half + 1, side)).resize((width - 2 * half, side)), (half, 0))
    wide.paste(tile.crop((0, 0, half, side)), (0, 0))
    wide.paste(tile.crop((side - half, 0, side, side)), (width - half, 0))
    tall = Image.new("L", (width, height))
    tall.paste(wide.crop((0, half, width, half + 1)).resize((width, height - 2 * half)), (0, half))
    tall.paste(wide.crop((0, 0, width, half)), (0, 0))
    tall.paste(wide.crop((0, side - half, width, side)), (0, height - half))
    return tall
