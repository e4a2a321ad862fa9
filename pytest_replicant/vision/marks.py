"""Marks on a picture of a screen: the refs of its elements, and a grid of numbered cells.

Each ref stands in a small chip that covers no label, no other chip and nothing else that the
picture shows. What has no room next to its element stands in a margin on the right, with a line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from PIL import Image as pillow
from PIL import ImageChops, ImageDraw, ImageFilter, ImageFont
from PIL.Image import Image

from ..errors import UsageError, did_you_mean
from ..model import Point, Rect
from .picture import strongest, whole

Colour = tuple[int, int, int]
INKS: tuple[tuple[Colour, Colour, Colour], ...] = (
    ((0, 52, 140), (255, 255, 255), (255, 255, 255)),
    ((255, 200, 0), (0, 0, 0), (0, 0, 0)),
)
"""Accent, letters and rim: dark blue for light places, yellow for dark ones. They differ in
lightness first: no colour needs to be seen."""

LETTERS = 0.016  # of the longest side, in height
SMALLEST = 16  # pixels: of smaller letters OCR misses some
TAIL = 3  # pixels that an l has at its head and foot, which tell it from I, 1, L and a bracket
PAD_X, PAD_Y = 5, 2  # pixels around the letters
AIR = 12  # pixels to a text on the same line, where there is room: OCR joins closer ones
PLAIN = 14  # of 255: neighbouring pixels that differ by less show nothing
STEP = 4  # pixels between places that are tried
DARK = 110  # of 255: a darker place takes the light accent
GUTTER = 28  # pixels in which lines slant to the chips in the margin
MARGINS: tuple[Colour, Colour] = ((236, 238, 242), (24, 25, 28))


class Mark(NamedTuple):
    """``chip`` is where the ref is drawn, ``box`` the part of its element within the picture, in
    its pixels."""

    ref: str
    chip: Rect
    box: Rect


class _Placed(NamedTuple):
    mark: Mark
    line: tuple[Point, ...] = ()  # from the element to its chip, where they do not touch


def marked(
    image: Image, boxes: Sequence[tuple[str, Rect]], labels: Sequence[Rect] = ()
) -> tuple[Image, tuple[Mark, ...]]:
    """A copy of the picture with a mark for each box that lies in it at least partly, in the order
    given.

    All places are pixels of ``image``; its upper left corner stays where it is, and the copy may be
    wider and higher. No chip lies over another chip, over a pixel that differs from its neighbours,
    or over one of ``labels``: the boxes of texts, of which the part counts that is drawn, and the
    whole if nothing is. A label around another one is a container: only what it shows is kept free.
    """
    picture = image.convert("RGB")
    size = max(SMALLEST, round(max(picture.size) * LETTERS))
    screen = whole(picture)
    shown = [(ref, box.intersect(screen)) for ref, box in boxes if box.meets(screen)]
    room = _Room(picture, [box for _, box in shown], labels)
    placed: dict[int, _Placed] = {}
    left: list[int] = []
    for at in sorted(range(len(shown)), key=lambda at: (shown[at][1].area, at)):
        ref, box = shown[at]
        found = room.place(ref, box, *chip_size(ref, size))
        if not found:
            left.append(at)
        else:
            placed[at] = found
    placed |= _margin(room, shown, left, size)
    every = [placed[at] for at in range(len(shown))]
    return _drawn(picture, every, size), tuple(each.mark for each in every)


def shows(image: Image) -> Image:
    """What of a picture is no plain area: an "L" picture, 255 if a pixel differs from one next to
    it."""
    spread = ImageChops.subtract(
        image.filter(ImageFilter.MaxFilter(3)), image.filter(ImageFilter.MinFilter(3))
    )
    return strongest(spread).point([0] * PLAIN + [255] * (256 - PLAIN))


class _Room:
    """The free places of a picture. ``taken`` is an "L" picture of the others."""

    def __init__(self, picture: Image, boxes: Sequence[Rect], labels: Sequence[Rect]) -> None:
        self.screen = whole(picture)
        self.boxes = boxes
        self.taken = shows(picture)
        distinct = {label for label in labels if not label.is_empty}
        drawn = [
            self._drawn_part(label)
            for label in distinct
            if not any(label.encloses(other) and other != label for other in distinct)
        ]
        self._draw = ImageDraw.Draw(self.taken)
        for label in drawn:
            self.take(label)

    def _drawn_part(self, label: Rect) -> Rect:
        """Where its text is, of the box of a label; all of it, if nothing is drawn."""
        inside = label.intersect(self.screen)
        # the edge of a neighbour shows up to two pixels within
        for part in (inside.inset(2), inside):
            found = None if part.is_empty else self.taken.crop(part).getbbox()
            if found:
                return Rect(*found).shifted(part.left, part.top)
        return inside

    def take(self, part: Rect) -> None:
        if not part.is_empty:
            self._draw.rectangle((*part[:2], part.right - 1, part.bottom - 1), fill=255)

    def is_free(self, part: Rect, air: int = 0) -> bool:
        """Whether a part lies in the picture and shows nothing, nor does the ``air`` at its sides;
        an upright line there is no text."""
        if not self.screen.encloses(part) or self.taken.crop(part).getbbox():
            return False
        for left in (part.left - air, part.right) if air else ():
            shown = self.taken.crop((left, part.top, left + air, part.bottom)).getbbox()
            if shown and shown[3] - shown[1] != part.height:
                return False
        return True

    def place(self, ref: str, box: Rect, wide: int, high: int) -> _Placed | None:
        """The best place for a chip in or near its box, which is taken by that; None if there is
        none."""
        others = [other for other in self.boxes if not other.encloses(box)]
        for air, apart, spots in _WAYS:
            for left, top in spots(box, wide, high):
                chip = Rect(left, top, left + wide, top + high)
                if self.is_free(chip, air) and not any(map(chip.inset(-apart).meets, others)):
                    self.take(chip)
                    return _Placed(Mark(ref, chip, box))
        return None


def _inside(box: Rect, wide: int, high: int) -> Iterator[tuple[int, int]]:
    """Upper left corners of a chip inside of a box: its corners, its edges, anywhere."""
    lefts = _from_end(box.left, box.right - wide)
    tops = _from_start(box.top, box.bottom - high)
    if not lefts or not tops:
        return
    edges = {*lefts[:2], *lefts[-2:]}, {*tops[:2], *tops[-2:]}  # or nearly, as an edge may be drawn
    spots = [(left, top) for top in tops for left in lefts]
    yield from sorted(spots, key=lambda spot: -((spot[0] in edges[0]) + (spot[1] in edges[1])))


def _from_start(low: int, high: int) -> list[int]:
    return [*range(low, high, STEP), high] if high >= low else []


def _from_end(low: int, high: int) -> list[int]:
    return _from_start(low, high)[::-1]


def _around(box: Rect, wide: int, high: int) -> Iterator[tuple[int, int]]:
    """Upper left corners of a chip outside of a box, at its edge: a drawn edge may be a pixel or
    two wide."""
    lefts = _from_end(box.left, max(box.right - wide, box.left))
    tops = _from_start(box.top, max(box.bottom - high, box.top))
    for gap in range(3):
        for top in (box.top - high - gap, box.bottom + gap):
            yield from ((left, top) for left in lefts)
        for left in (box.right + gap, box.left - wide - gap):
            yield from ((left, top) for top in tops)


_WAYS: tuple[tuple[int, int, Callable[[Rect, int, int], Iterable[tuple[int, int]]]], ...] = (
    (AIR, 0, _inside),
    (AIR, 2, _around),
    (0, 0, _inside),
    (0, 2, _around),
)
"""Where a chip may lie, the best first: the air at its sides, how far it keeps away from other
elements, and its upper left corners."""


def _margin(
    room: _Room, shown: Sequence[tuple[str, Rect]], homeless: Sequence[int], size: int
) -> dict[int, _Placed]:
    """Places in a margin on the right, in the order of their elements, so that no lines cross
    there."""
    if not homeless:
        return {}
    order = sorted(homeless, key=lambda at: (shown[at][1].center.y, at))
    sizes = [chip_size(shown[at][0], size) for at in order]
    wide, high = max(sizes)[0] + 6, sizes[0][1]
    columns = -(-len(order) * (high + 4) // room.screen.bottom)
    pitch = high + 4 * columns
    rows = -(-len(order) // columns)
    middles = [order[min(row * columns + columns // 2, len(order) - 1)] for row in range(rows)]
    tops = _apart([shown[at][1].center.y - high // 2 for at in middles], pitch, room.screen.bottom)
    placed: dict[int, _Placed] = {}
    first = room.screen.right + GUTTER
    for number, at in enumerate(order):
        row, column = divmod(number, columns)
        ref, box = shown[at]
        left, top = first + column * wide, tops[row] + 4 * column
        chip = Rect(left, top, left + sizes[number][0], top + high)
        enters = top + high // 2 if columns == 1 else chip.bottom - 2
        out = Point(box.right - 1, box.center.y), Point(room.screen.right - 1, box.center.y)
        line = (*out, Point(first - 3, enters), Point(left, enters))
        placed[at] = _Placed(Mark(ref, chip, box), line)
    return placed


def _apart(wanted: Sequence[int], pitch: int, end: int) -> list[int]:
    """Places in their order, at least ``pitch`` apart and all before ``end`` if they fit."""
    tops: list[int] = []
    for top in wanted:
        tops.append(max(top, tops[-1] + pitch if tops else 2))
    spare = end - pitch
    for row in range(len(tops) - 1, -1, -1):
        tops[row] = max(min(tops[row], spare), 2 + row * pitch)
        spare = tops[row] - pitch
    return tops


# --- drawing --------------------------------------------------------------------------------------


def chip_size(ref: str, size: int) -> tuple[int, int]:
    """Width and height of the chip of a ref, rim included, in letters of ``size`` pixels."""
    font = _font(size)
    letters = sum(_advance(font, letter) for letter in f"[{ref}]") + ref.count("l") * (TAIL - 1)
    return letters + 2 * PAD_X + 2, size + 2 * PAD_Y + 2


def _advance(font: ImageFont.FreeTypeFont | ImageFont.ImageFont, letter: str) -> int:
    """To the next letter, from where this one begins. With a pixel after it, an o is less often
    read as a 0."""
    return round(font.getlength(letter)) + {"l": TAIL, "o": 1}.get(letter, 0)


@lru_cache(maxsize=4)
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def _drawn(picture: Image, placed: Sequence[_Placed], size: int) -> Image:
    outside = [each.mark.chip for each in placed if each.line]
    wide = max([picture.width, *(chip.right + 4 for chip in outside)])
    high = max([picture.height, *(chip.bottom + 2 for chip in outside)])
    ground = _ink_for(picture, whole(picture))
    canvas = pillow.new("RGB", (wide, high), MARGINS[ground])
    canvas.paste(picture, (0, 0))
    draw = ImageDraw.Draw(canvas)
    inks = [INKS[ground if each.line else _ink_for(picture, each.mark.box)] for each in placed]
    for each, (accent, _, rim) in zip(placed, inks, strict=True):
        left, top, right, bottom = each.mark.box
        draw.rectangle((left - 1, top - 1, right, bottom), outline=rim)
        draw.rectangle((left, top, right - 1, bottom - 1), outline=accent)
    for each, (accent, _, _) in zip(placed, inks, strict=True):
        if each.line:
            draw.line(each.line, fill=accent, width=1)
            x, y = each.line[0]
            draw.rectangle((x - 1, y - 1, x + 1, y + 1), fill=accent)
    for each, ink in zip(placed, inks, strict=True):
        _draw_chip(draw, each.mark, ink, size)
    return canvas


def _ink_for(picture: Image, box: Rect) -> int:
    """0 if most of what lies along the edges of a box is light, 1 if it is dark. All of a picture
    counts."""
    screen = whole(picture)
    around, inside = box.inset(-4).intersect(screen), box.inset(4)
    shades = picture.crop(around).convert("L").histogram()
    light = sum(shades[DARK:]) - sum(shades[:DARK])
    if box != screen and not inside.is_empty:
        within = picture.crop(inside).convert("L").histogram()
        light -= sum(within[DARK:]) - sum(within[:DARK])
    return int(light < 0)


def _draw_chip(
    draw: ImageDraw.ImageDraw, mark: Mark, ink: tuple[Colour, Colour, Colour], size: int
) -> None:
    accent, letters, rim = ink
    left, top, right, bottom = mark.chip
    draw.rectangle((left, top, right - 1, bottom - 1), fill=accent, outline=rim)
    font = _font(size)
    x, baseline = left + 1 + PAD_X, top + 1 + PAD_Y + round(size * 0.8)
    for (
        letter
    ) in f"[{mark.ref}]":  # as outlines print it; OCR drops a narrow letter that begins a word
        x += TAIL - 1 if letter == "l" else 0
        draw.text((x, baseline), letter, fill=letters, font=font, anchor="ls")
        if letter == "l":
            _, high, wide, _ = (round(side) for side in font.getbbox(letter, anchor="ls"))
            stem = x + wide - 1
            draw.line((stem - TAIL, baseline + high, stem, baseline + high), fill=letters)
            draw.line((stem, baseline - 1, stem + TAIL, baseline - 1), fill=letters)
        x += _advance(font, letter)


# --- a grid of numbered cells: places that neither the hierarchy nor any text names ---------------

COLUMNS, ROWS = 6, 4  # of a portrait and of a landscape picture alike
CELLS = COLUMNS * ROWS
POSITIONS = {
    "top left": (0.25, 0.25),
    "top right": (0.75, 0.25),
    "center": (0.5, 0.5),
    "bottom left": (0.25, 0.75),
    "bottom right": (0.75, 0.75),
}
"""Name of a place in a cell to its share of the cell's width and height."""


def cell_point(cell: int, position: str, size: tuple[int, int]) -> Point:
    """The place in a picture of this size (width, height), in its pixels. Cells count from 1 to 24
    in reading order. Raises ``UsageError`` for a cell or position that the grid has not."""
    if isinstance(cell, bool) or not isinstance(cell, int) or not 1 <= cell <= CELLS:
        raise UsageError(
            f"cell {cell!r}: the grid has {CELLS} cells, {COLUMNS} in each of {ROWS} rows.\n"
            f"Next: give a number from 1 to {CELLS}"
        )
    name = str(position).replace("-", " ").replace("_", " ")
    if name not in POSITIONS:
        raise UsageError(
            f"position {position!r}: a cell has none of that name.{did_you_mean(name, POSITIONS)}\n"
            f"Next: one of {', '.join(POSITIONS)}"
        )
    row, column = divmod(cell - 1, COLUMNS)
    across, down = POSITIONS[name]
    width, height = size
    return Point(int((column + across) * width / COLUMNS), int((row + down) * height / ROWS))


def with_grid(picture: Image) -> Image:
    """The picture with the grid drawn over it, the number of each cell in its middle. Light lines
    lie next to dark ones, so that one of them is seen on any ground."""
    image = picture.convert("RGB")
    draw, (width, height) = ImageDraw.Draw(image), image.size
    font = ImageFont.load_default(max(min(width // (4 * COLUMNS), height // (4 * ROWS)), 8))
    for at in range(1, COLUMNS):
        x = round(at * width / COLUMNS)
        draw.line((x, 0, x, height), "black")
        draw.line((x + 1, 0, x + 1, height), "white")
    for at in range(1, ROWS):
        y = round(at * height / ROWS)
        draw.line((0, y, width, y), "black")
        draw.line((0, y + 1, width, y + 1), "white")
    for cell in range(1, CELLS + 1):
        middle = cell_point(cell, "center", image.size)
        draw.text(
            middle, str(cell), "black", font, anchor="mm", stroke_width=2, stroke_fill="white"
        )
    return image
