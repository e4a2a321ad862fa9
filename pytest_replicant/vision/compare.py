"""Two pictures of one screen, compared pixel by pixel.

A pixel differs if red, green and blue are more than ``LEVELS`` apart in sum, unless an edge moved
there by no more than a pixel. Each picture's colour then lies within those that the other has up to
one pixel away. Anti-aliasing, text between pixels and round corners come to that. A shift by two
pixels, a missing icon or a changed digit do not. If a pixel has gone from one side of its edge to
the other, all around it must have moved alike: small digits differ in no more than that. The
pictures are gone through in strips, and only what differs is looked at closely: equal ones cost
little more than one subtraction. If much differs for certain, the rest is counted by colour alone.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import pairwise

from PIL import Image as pillow
from PIL import ImageChops, ImageFilter
from PIL.Image import Image
from PIL.PngImagePlugin import PngInfo

from ..model import MaskRecord, Rect
from .picture import opened, whole

LEVELS = 10
"""Of 255: the sum over red, green and blue by which equal colours may differ. Dithering makes
less."""
_MANY = 3  # of so many pixels one is left: more than edges that moved leave
_SLACK = 0.25  # of the contrast around
_STRIP = 32  # rows that are looked at together: they fit into a processor's cache
_CELL = 16  # pixels: differences that lie closer are one
_MOST_CELLS = 400
_MOST_BOXES = 20
NEAR = 4
"""Pixels: boxes that are no further apart touch."""
FILLED = 0.9
"""Of a box: so much of one colour fills it."""
KEY = "replicant-looks"
"""Under which a kept picture has its masks, in a text of the PNG."""
_MOST_MASKS = 500
_RESTLESS = 1.0  # seconds for which an area changes again and again; what fades in is done by then
_OFTEN = 3  # changes that an area needs for that
_RESTED = 4  # comparisons in a row without a change: it rests, unless
_RESTED_FOR = 1.5  # times the longest pause between two changes is not over yet
_CLOSELY = 200  # the part of a picture that is looked at closely once it differs for certain
_ABOVE = [0] * (LEVELS + 1) + [255] * (255 - LEVELS)
_ANY = [0] + [255] * 255
_FADED = [255 - (255 - level) // 4 for level in range(256)]
_MEAN = (1 / 3, 1 / 3, 1 / 3, 0)
_HALVED = [level // 2 for level in range(256)]
_FEW = [0] * 3 + [255] * 253
_NEARLY = 10
_MARGIN = 3  # pixels around that have to have moved alike
_MOVES = [(x, y) for x in (0, 1, -1) for y in (0, 1, -1) if x or y]
_RED = (214, 0, 60)


@dataclass(frozen=True)
class Comparison:
    """How two pictures differ. ``differing`` are pixels, ``share`` is their part of the
    ``compared`` ones, from 0 to 1; ``boxes`` are the areas they lie in, the largest first, at most
    20. ``same`` is whether the share is within the tolerance that was asked for. ``sizes`` are
    those of both pictures if they are not the same."""

    same: bool
    differing: int = 0
    compared: int = 0
    boxes: tuple[Rect, ...] = ()
    sizes: tuple[tuple[int, int], tuple[int, int]] | None = None
    where: Image | None = field(default=None, compare=False, repr=False)

    @property
    def share(self) -> float:
        return self.differing / self.compared if self.compared else 0.0

    def drawn(self, actual: Image) -> Image:
        """The actual picture, faded, with all that differs in red."""
        picture = actual.convert("L").point(_FADED).convert("RGB")
        if self.where:
            larger = self.where.filter(ImageFilter.MaxFilter(3))  # one pixel is hard to see
            picture.paste(_RED, (0, 0), larger.crop((0, 0, *picture.size)))
        return picture


def compare_pictures(
    expected: Image, actual: Image, *, masks: Iterable[Rect] = (), tolerance: float = 0.0
) -> Comparison:
    """Compares two RGB pictures, apart from ``masks``, in pixels of the picture. ``tolerance`` is
    the share of the compared pixels that may differ, from 0 to 1. If one picture is larger, all
    that the other lacks differs."""
    one, other = whole(expected), whole(actual)
    area, larger = one.intersect(other), one.union(other)
    sizes = None
    if one != other:
        sizes = (expected.size, actual.size)
        expected, actual = expected.crop(area), actual.crop(area)
    hidden = [each.intersect(area) for each in masks if each.meets(area)]
    outside = larger.area - area.area
    compared = larger.area - area_of(hidden)
    difference = ImageChops.difference(expected, actual)
    if outside == 0 and difference.getbbox() is None:
        return Comparison(True, 0, compared)
    for mask in hidden:
        difference.paste(0, mask)
    both = expected, actual
    where, differing, looked_at = pillow.new("L", expected.size), outside, 0
    forgiven, certain = where.copy(), False
    for box in _differing_strips(difference):
        found = _further(difference.crop(box))
        certain = differing > tolerance * compared and looked_at * _CLOSELY > area.area
        if not certain and (inner := found.getbbox()):
            part = Rect(*inner).shifted(box.left, box.top)
            looked_at += part.area
            far = found.crop(inner)
            found.paste(_unlike(both, part, far), inner)
            forgiven.paste(ImageChops.subtract(far, found.crop(inner)), part)
        where.paste(found, box)
        differing += found.histogram()[255]
    for box in _boxes(forgiven) if not certain else ():
        turned = _turned(expected.crop(box), actual.crop(box), _half_contrast(both, box))
        turned = ImageChops.darker(turned, forgiven.crop(box))
        for part in _boxes(turned):
            place = part.shifted(box.left, box.top)
            around = place.inset(-_MARGIN).intersect(area)
            if where.crop(around).getbbox() is None and not _has_moved(both, around, hidden):
                found = turned.crop(part)
                where.paste(255, place, found)
                differing += found.histogram()[255]
    boxes = _boxes(where) if differing > outside else []
    right = Rect(area.right, 0, larger.right, area.bottom)
    below = Rect(0, area.bottom, *larger[2:])
    boxes += [part for part in (right, below) if not part.is_empty]
    return Comparison(
        differing <= tolerance * compared,
        differing,
        compared,
        tuple(boxes[:_MOST_BOXES]),
        sizes,
        where,
    )


def area_of(boxes: Sequence[Rect]) -> int:
    """Pixels that lie in any of them."""
    boxes = [box for box in boxes if not box.is_empty]
    if not boxes:
        return 0
    around = reduce(Rect.union, boxes)
    drawn = pillow.new("L", (around.width, around.height))
    for box in boxes:
        drawn.paste(1, box.shifted(-around.left, -around.top))
    return drawn.histogram()[1]


def _differing_strips(difference: Image) -> Iterable[Rect]:
    """The parts of a difference in which anything is, in strips."""
    left, first, right, last = difference.getbbox() or (0, 0, 0, 0)
    for top in range(first, last, _STRIP):
        if box := difference.crop((left, top, right, min(top + _STRIP, last))).getbbox():
            yield Rect(*box).shifted(left, top)


_Both = tuple[Image, Image]


def _unlike(both: _Both, box: Rect, far: Image) -> Image:
    """A mask of the pixels in a box whose colour the other picture does not have nearby: 255 if so,
    else 0, of those that are ``far`` from it in their place. The slack costs more, and is needed if
    few are left."""
    found = ImageChops.darker(_unlike_by(both, box, 0.0), far)
    inner = found.getbbox()
    if inner and found.histogram()[255] * _MANY < far.histogram()[255]:
        part = Rect(*inner).shifted(box.left, box.top)
        found.paste(ImageChops.darker(_unlike_by(both, part, _SLACK), found.crop(inner)), inner)
    return found


def _unlike_by(both: _Both, box: Rect, slack: float) -> Image:
    one, other = _outside(*both, box, slack), _outside(*both[::-1], box, slack)
    return _further(ImageChops.lighter(one, other))


def _turned(one: Image, other: Image, limit: Image) -> Image:
    """A mask of the pixels that differ by more than half of the contrast around them: 255 if so."""
    difference = ImageChops.difference(one, other).convert("L", _MEAN)
    return ImageChops.subtract(difference, limit).point(_FEW)


def _half_contrast(both: _Both, box: Rect) -> Image:
    highest = ImageChops.lighter(*(_around(one, box, ImageChops.lighter) for one in both))
    lowest = ImageChops.darker(*(_around(one, box, ImageChops.darker) for one in both))
    return ImageChops.difference(highest, lowest).convert("L", _MEAN).point(_HALVED)


def _has_moved(both: _Both, box: Rect, hidden: Sequence[Rect]) -> bool:
    """Whether one move by a pixel, or by half of one, is nearly all that has happened in a box."""
    limit, (still, now) = _half_contrast(both, box), (one.crop(box) for one in both)

    def left_of(part: Image) -> int:
        left = _turned(part, now, limit)
        for mask in hidden:
            left.paste(0, mask.shifted(-box.left, -box.top))
        return left.histogram()[255]

    most = left_of(still) // _NEARLY
    moved = [_padded(both[0], box.shifted(-x, -y)) for x, y in _MOVES]
    return any(left_of(part) <= most for part in moved) or any(
        left_of(pillow.blend(still, part, 0.5)) <= most for part in moved
    )


def _further(difference: Image) -> Image:
    """A mask of the pixels of a difference that are more than ``LEVELS``."""
    return difference.convert("L", (1, 1, 1, 0)).point(_ABOVE)


def _outside(one: Image, other: Image, box: Rect, slack: float) -> Image:
    """How far the colours of ``one`` lie outside of those that ``other`` has within one pixel
    around, and this share more if these are far apart: a thin stroke between two pixels is fainter
    than one on a pixel."""
    lowest = _around(other, box, ImageChops.darker)
    highest = _around(other, box, ImageChops.lighter)
    if slack:
        lowest, highest = (
            pillow.blend(*both, 1 + slack) for both in ((highest, lowest), (lowest, highest))
        )
    own = one.crop(box)
    return ImageChops.difference(own, ImageChops.lighter(ImageChops.darker(own, highest), lowest))


def _around(picture: Image, box: Rect, choose: Callable[[Image, Image], Image]) -> Image:
    """The least, or the greatest, colour within one pixel around each pixel of a box."""
    w, h = box.width, box.height
    wide = _padded(picture, box.inset(-1))
    rows = [wide.crop((x, 0, x + w, h + 2)) for x in range(3)]
    across = reduce(choose, rows)
    return reduce(choose, (across.crop((0, y, w, y + h)) for y in range(3)))


def _padded(picture: Image, box: Rect) -> Image:
    """A part of a picture whose edge pixels go on beyond its edge."""
    inside = box.intersect(whole(picture))
    part = picture.crop(inside)
    if inside == box:
        return part
    # its edges are near enough, and the middle is right
    padded = part.resize((box.width, box.height), 0)
    padded.paste(part, (inside.left - box.left, inside.top - box.top))
    return padded


def _boxes(where: Image) -> list[Rect]:
    """The areas of a mask, as tight as they are, the largest first: what lies close together is
    one."""
    used = Rect(*(where.getbbox() or (0, 0, 1, 1)))
    # a mean that is rounded: one pixel of a cell is enough
    size, cells = _CELL, where.crop(used).reduce(_CELL)
    if cells.histogram()[0] < cells.width * cells.height - _MOST_CELLS:
        size, cells = _CELL * 4, cells.point(_ANY).reduce(4)
    places = (divmod(place, cells.width) for place, level in enumerate(cells.tobytes()) if level)
    parts = [Rect(x * size, y * size, (x + 1) * size, (y + 1) * size) for y, x in places]
    found = []
    for part in merged(parts):
        around = part.shifted(used.left, used.top).intersect(used)
        if tight := where.crop(around).getbbox():
            found.append(Rect(*tight).shifted(around.left, around.top))
    return sorted(found, key=lambda box: (-box.area, box))


# --- boxes, and what fills them -------------------------------------------------------------------


def is_plain(crop: Image) -> bool:
    """Whether nearly all of it has one colour."""
    colours = crop.getcolors(crop.width * crop.height) or ()
    return max((count for count, _ in colours), default=0) >= FILLED * crop.width * crop.height


def touch(one: Rect, other: Rect) -> bool:
    return one.inset(-NEAR).meets(other)


def merged(boxes: Sequence[Rect]) -> list[Rect]:
    """One box for all that touch."""
    found: list[Rect] = []
    for box in boxes:
        while near := [one for one in found if touch(one, box)]:
            found = [one for one in found if one not in near]
            box = reduce(Rect.union, near, box)
        found.append(box)
    return found


def lies_in(box: Rect, others: Sequence[Rect]) -> bool:
    """Whether at least half of it lies in the others."""
    return 2 * area_of([box.intersect(one) for one in others if touch(box, one)]) >= box.area


def restless(changes: Sequence[tuple[float, tuple[Rect, ...]]]) -> list[Rect]:
    """The areas that changed again and again for a second, and have not come to rest, of what
    differed from one picture to the next, each with its time in seconds. What changed and stays as
    it is now is no such area."""
    found: list[Rect] = []
    for box in dict.fromkeys(box for _, boxes in changes for box in boxes):
        near = [
            at for at, (_, others) in enumerate(changes) if any(touch(box, each) for each in others)
        ]
        times = [changes[at][0] for at in near]
        longest = max((later - one for one, later in pairwise(times)), default=0.0)
        waits = changes[-1][0] - times[-1] <= longest * _RESTED_FOR
        rests = len(changes) - near[-1] > _RESTED and not waits
        if len(near) >= _OFTEN and times[-1] - times[0] >= _RESTLESS and not rests:
            found.append(box.inset(-NEAR))
    return merged(found)


# --- pictures that are kept -----------------------------------------------------------------------


@dataclass(frozen=True)
class Kept:
    """A kept picture, and the areas of it that are not compared. ``masked`` is whether the file
    says which: what makes files smaller may have removed that."""

    image: Image
    masks: tuple[MaskRecord, ...]
    masked: bool = True


def read_kept(png: bytes) -> Kept:
    """Raises ``SnapshotError`` for bytes that are no picture. Masks that are no such list count for
    nothing."""
    image = opened(png)
    try:
        given = json.loads(image.info.get(KEY, "[]"))
        if not isinstance(given, list):
            raise TypeError
        masks = tuple(
            MaskRecord(Rect(*map(int, box)), str(why)[:80])
            for *box, why in given[:_MOST_MASKS]
            if len(box) == 4
        )
    except (ValueError, TypeError, OverflowError):
        masks = ()
    return Kept(image, masks, KEY in image.info)


def kept_png(image: Image, masks: Iterable[MaskRecord]) -> bytes:
    """The picture with its masks, as a file."""
    facts, out = PngInfo(), io.BytesIO()
    facts.add_text(KEY, json.dumps([[*mask.box, mask.why] for mask in masks][:_MOST_MASKS]))
    image.save(out, "PNG", pnginfo=facts)
    return out.getvalue()
