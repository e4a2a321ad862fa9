"""The bytes of a picture, opened."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterable

from PIL import Image as pillow
from PIL import ImageChops
from PIL.Image import Image

from ..errors import SnapshotError
from ..model import Rect


def opened(png: bytes, mode: str = "RGB", what: str = "the screenshot") -> Image:
    """The picture as RGB. Raises ``SnapshotError`` for bytes that are no picture: a failed read
    proves nothing."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore"
            )  # Pillow warns of sizes that no phone has, and refuses beyond
            with pillow.open(io.BytesIO(png)) as found:
                picture: Image = found.convert(mode)
    except (OSError, ValueError, SyntaxError, pillow.DecompressionBombError) as error:
        why = str(error).partition(" <_io.")[
            0
        ]  # without the address of an object, another one in each run
        raise SnapshotError(f"{what} is no picture ({len(png)} bytes): {why}") from error
    return picture


def whole(image: Image) -> Rect:
    """All of a picture, in its pixels."""
    return Rect(0, 0, *image.size)


def packed(image: Image, level: int = 1) -> bytes:
    """The picture as a PNG; ``level`` from 0 to 9 is how much time is spent on making it small."""
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=level)
    return out.getvalue()


def scaled_to(size: tuple[int, int], scale: float) -> tuple[int, int]:
    """Width and height of a picture that is made smaller by that factor; never less than a
    pixel."""
    return max(round(size[0] * scale), 1), max(round(size[1] * scale), 1)


def fitted(image: Image, max_side: int | None) -> tuple[Image, float]:
    """The picture with at most so many pixels a side, None: as it is; and how many of them are one
    of before."""
    scale = 1.0 if max_side is None else min(1.0, max_side / max(image.size))
    if scale < 1:
        image = image.resize(scaled_to(image.size, scale), reducing_gap=2.0)
    return image, scale


def strongest(colours: Image) -> Image:
    """An "L" picture of the greatest of red, green and blue, of a difference of two pictures for
    instance."""
    red, green, blue = colours.split()
    return ImageChops.lighter(ImageChops.lighter(red, green), blue)


_NOISE = (
    24  # levels of 255 by which a channel of a pixel may differ: another encoding makes as much
)
_FAINT = (
    8  # levels: where most of a region differs by these, it has another ground, as under a keyboard
)
_PLANE = 0.5  # of a region


def changed_share(before: bytes, after: bytes, region: Rect) -> float:
    """The share of the pixels of a region that differ between two pictures of one size, from 0 to
    1. Raises ``SnapshotError`` for bytes that are no picture."""
    if before == after or region.is_empty:
        return 0.0
    crops = [opened(png).crop(region) for png in (before, after)]
    levels = strongest(ImageChops.difference(*crops)).histogram()
    clear, faint = (sum(levels[least:]) / region.area for least in (_NOISE, _FAINT))
    return faint if faint > _PLANE else clear


# levels of 255 between two pixels next to each other: of a letter, not of a hairline or a shade
_EDGE = 48
_INK = 2e-4  # of an area: the edges of a short word on an empty screen are twice as many


def is_drawn_on(png: bytes, area: Rect, apart: Iterable[Rect], width: int) -> bool:
    """Whether a picture shows more than a ground in an area, outside of the rectangles ``apart``.
    Both are in pixels of a screen of this ``width``. Raises ``SnapshotError`` for bytes that are no
    picture."""
    picture = opened(png)
    scale = picture.width / width
    box = area.scaled(scale)
    crop = picture.crop(box)
    edges = strongest(ImageChops.difference(crop, ImageChops.offset(crop, 1, 0)))
    for one in apart:
        edges.paste(0, one.scaled(scale).shifted(-box.left, -box.top).inset(-2))
    edges.paste(0, (0, 0, 1, crop.height))  # where the offset begins again
    return sum(edges.histogram()[_EDGE:]) > _INK * crop.width * crop.height
