"""The two colours of a part of a picture, and how well one sees them apart."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from dataclasses import dataclass
from itertools import product
from typing import cast

from PIL import Image as pillow
from PIL import ImageChops
from PIL.Image import Image

from ..model import Rect
from .picture import strongest, whole

Colour = tuple[int, int, int]

_MOST_PIXELS = 120_000  # of a larger part every second or third pixel is looked at
_STEP = 8  # levels of a channel that count as one at first
_LEAST_BACKGROUND = 0.4  # of the pixels
_GRADIENT = (
    0.04  # of the pixels: a neighbouring colour that fills as much belongs to the background
)
_LEAST_DRAWN = 0.004
_STRONG = 0.2  # of the most frequent colour that is not the background
_OFF_LINE = 36.0  # levels from the line between the two colours, on which all that is smoothed lies
_LEAST_ON_LINE = 0.8  # of all that is drawn


@dataclass(frozen=True)
class Contrast:
    """The colours of a part as red, green and blue from 0 to 255, and their ratio from 1 to 21.
    ``height`` is that of the tallest line that is drawn in the foreground, in pixels, and ``lines``
    is how many there are. ``stroke`` is the median width of the strokes in them, in pixels."""

    foreground: Colour
    background: Colour
    ratio: float
    height: int
    lines: int
    stroke: float

    def __str__(self) -> str:
        return f"{self.ratio:.2f} to 1, {_hex(self.foreground)} on {_hex(self.background)}"


def _hex(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def ratio_of(one: Colour, other: Colour) -> float:
    """The contrast ratio of WCAG 2.2 ("contrast ratio", "relative luminance"), from 1 to 21."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: Colour) -> float:
    red, green, blue = (
        level / 255 / 12.92 if level <= 10 else ((level / 255 + 0.055) / 1.055) ** 2.4
        for level in colour
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast_in(picture: Image, box: Rect) -> Contrast | None:
    """The contrast in a box of a picture, as ``opened`` gives one; None if it has no two clear
    colours: a plain area, a photo, several colours. Edges that were smoothed and a slight gradient
    make no difference: the foreground is the colour of those that are drawn most that differs most
    from the background. The cost is linear in the box."""
    inside = box.intersect(whole(picture))
    if inside.width < 2 or inside.height < 2:
        return None
    part = picture.crop(inside)
    step = 1
    while (part.width // step) * (part.height // step) > _MOST_PIXELS:
        step += 1
    sample = part.resize((part.width // step, part.height // step), 0)  # 0: nearest
    total = sample.width * sample.height
    counts = cast("list[tuple[int, Colour]]", sample.getcolors(total))
    bins: defaultdict[Colour, list[tuple[int, Colour]]] = defaultdict(list)
    for count, colour in counts:
        bins[colour[0] // _STEP, colour[1] // _STEP, colour[2] // _STEP].append((count, colour))
    sizes = {key: sum(count for count, _ in inside) for key, inside in bins.items()}
    ground = _ground(sizes, total)
    if sum(sizes[key] for key in ground) < _LEAST_BACKGROUND * total:
        return None
    background = _colour([one for key in ground for one in bins[key]])
    drawn = {key: size for key, size in sizes.items() if key not in ground}
    if sum(drawn.values()) < _LEAST_DRAWN * total:
        return None
    strong = _STRONG * max(drawn.values())
    often = (_colour(bins[key]) for key, size in drawn.items() if size >= strong)
    foreground = max(often, key=lambda colour: ratio_of(colour, background))
    if not _on_line([one for key in drawn for one in bins[key]], foreground, background):
        return None
    ratio = ratio_of(foreground, background)
    return Contrast(foreground, background, ratio, *_letters(part, foreground, background))


def _ground(sizes: dict[Colour, int], total: int) -> set[Colour]:
    """The colours of the background: the most frequent one, and those next to it that fill a good
    part too."""
    first = max(sizes, key=lambda key: (sizes[key], key))
    found, left = {first}, [first]
    while left:
        one = left.pop()
        for step in product((-1, 0, 1), repeat=3):
            key = (one[0] + step[0], one[1] + step[1], one[2] + step[2])
            if key not in found and sizes.get(key, 0) >= _GRADIENT * total:
                found.add(key)
                left.append(key)
    return found


def _colour(counts: list[tuple[int, Colour]]) -> Colour:
    """The one colour of most of the pixels, else their mean."""
    total = sum(count for count, _ in counts)
    most, colour = max(counts)
    if most * 2 >= total:
        return colour
    red, green, blue = (
        round(sum(count * each[at] for count, each in counts) / total) for at in range(3)
    )
    return red, green, blue


def _on_line(counts: list[tuple[int, Colour]], foreground: Colour, background: Colour) -> bool:
    """Whether most of the drawing is a mixture of the two colours."""
    way = [one - other for one, other in zip(foreground, background, strict=True)]
    length = sum(each * each for each in way) or 1
    total = near = 0
    for count, colour in counts:
        off = [one - other for one, other in zip(colour, background, strict=True)]
        along = sum(one * other for one, other in zip(off, way, strict=True)) / length
        apart = math.dist(off, [along * each for each in way])
        total += count
        near += count * (-0.2 <= along <= 1.3 and apart <= _OFF_LINE)
    return near >= _LEAST_ON_LINE * total


def _letters(part: Image, foreground: Colour, background: Colour) -> tuple[int, int, float]:
    """The height of the tallest line that is drawn, how many are at least half as tall, and the
    median width of the strokes, of which a smoothed edge is a part."""
    away = ImageChops.difference(part, pillow.new("RGB", part.size, background))
    widest = max(abs(one - other) for one, other in zip(foreground, background, strict=True)) or 1
    drawn = strongest(away).point([min(level * 255 // widest, 255) for level in range(256)])
    _, rows = drawn.point([255 if level > 127 else 0 for level in range(256)]).getprojection()
    heights = [len(run) for run in bytes(map(bool, rows)).split(b"\0") if run] or [0]
    pixels, wide = drawn.tobytes(), part.width
    inked = (pixels[at : at + wide] for at in range(0, len(pixels), wide))
    widths = sorted(
        sum(stroke) for row in inked for stroke in re.findall(rb"[\x20-\xff]+", row)
    ) or [0]
    tallest = max(heights)
    return tallest, sum(height * 2 >= tallest for height in heights), widths[len(widths) // 2] / 255
