"""An icon on a screen, found by a picture of it: template matching over scales, with the icon's own
colours."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from PIL.Image import Image

from ..errors import SnapshotError, UsageError
from ..model import Rect
from .picture import opened
from .text import Found, need_ocr

SCALES = tuple(round(1.06**step, 4) for step in range(-15, 13))
"""0.42 to 2.01 in steps of 6 %: an icon of another density, and no other size of a crop from this
phone."""
LEAST = 0.96
"""The confidence that counts as found. On the virtual phones an icon that is there has 0.97 at
least, and another one 0.95 at most, a fan taken for a heart."""

_SMALLEST = 8  # pixels of a side: less has no shape
_SEARCHED = 24  # pixels that the icon's shorter side has in the coarse search
_LONGEST = 1200  # pixels of the screen there, unless the icon is small
_COARSE = 0.25  # by which the coarse search may be less sure
_MOST = 40  # candidates of one scale
_SIZES = 3  # that are tried at one place
_PLAIN = 3.0  # levels of 255 by which a picture without structure varies
_FAINT = 0.2  # of the icon's contrast: less is not this icon, but noise
_TINGE = 0.05  # of a colour difference that another resolution makes


@dataclass(frozen=True)
class _Template:
    """The icon as floats: RGB or, of a silhouette, its coverage alone; which of its pixels count;
    and the shares of red, green and blue in the shade by which both pictures are compared."""

    pixels: Any
    weight: Any
    axis: Any
    silhouette: bool

    def shade(self, pixels: Any) -> Any:
        return pixels @ self.axis if pixels.ndim == 3 else pixels


def find_icon(png: bytes, icon: bytes) -> list[Found]:
    """The places of an icon in a picture of a screen, from top to bottom, with boxes in pixels of
    that picture.

    Transparent pixels are not compared. An icon of one colour with transparent ones is a
    silhouette, found in any colour, darker or lighter than its ground; every other one is found in
    its own colours, paler ones included. Confidence is the correlation of the shades, 0 to 1, less
    what its colours differ; from ``LEAST`` on it is a find. More than one is ambiguous, which is
    for the caller to say.

    Raises ``UsageError`` without the extra ``[ocr]``, and for an icon that cannot be searched for:
    no picture, one colour, fewer than 8 pixels wide or high, or larger than the screen;
    ``SnapshotError`` for a screen that is no picture."""
    need_ocr("finding an icon in a picture")
    screen, image = opened(png), _icon(icon)
    if image.width * SCALES[0] > screen.width or image.height * SCALES[0] > screen.height:
        raise UsageError(
            f"the icon is larger than the screen: {_size(image)} in {_size(screen)}. Next: crop "
            "the icon from a screenshot of this phone"
        )
    import numpy

    template = _template(image)
    colours = numpy.asarray(screen).astype(numpy.float32)
    found: list[tuple[float, Rect]] = []
    for scale, place in _candidates(colours, template):
        found.append(max(_refined(colours, template, scale, place), default=(0.0, place)))
    kept: list[Found] = []
    for confidence, box in sorted(found, reverse=True):
        if confidence >= LEAST and not any(_overlap(box, other.box) for other in kept):
            kept.append(Found("", box, confidence))
    return sorted(kept, key=lambda each: (each.box.top, each.box.left))


def _icon(icon: bytes) -> Image:
    """With its transparency, without a transparent border."""
    try:
        image = opened(icon, "RGBA", "the icon")
    except SnapshotError as error:
        raise UsageError(f"{error}. Next: give a PNG") from error
    image = image.crop(
        image.getchannel("A").point(lambda level: 255 * (level > 16)).getbbox() or (0, 0, 0, 0)
    )
    if min(image.size) < _SMALLEST:
        raise UsageError(
            f"an icon of {_size(image)} has no shape. Next: give one of at least 8 x 8 that is seen"
        )
    return image


def _template(image: Image) -> _Template:
    import numpy

    array = numpy.asarray(image).astype(numpy.float32)
    colours, alpha = array[:, :, :3], array[:, :, 3]
    seen = alpha > 128
    if seen.sum() > 1 and colours[seen].std(axis=0).max() >= _PLAIN:
        _, axes = numpy.linalg.eigh(numpy.cov(colours[seen].T))
        axis = axes[:, -1].astype(numpy.float32)  # along which the icon's colours differ most
        return _Template(
            colours,
            seen.astype(numpy.float32),
            axis * (-1 if axis.sum() < 0 else 1),
            silhouette=False,
        )
    if alpha.std() < 8 * _PLAIN:
        raise UsageError(
            "the icon is all of one colour, which is everywhere. Next: give one with its outline"
        )
    margin = max(2, min(alpha.shape) // 12)  # of the ground, which makes the outline
    alpha, luminance = numpy.pad(alpha, margin), numpy.array([0.299, 0.587, 0.114], numpy.float32)
    return _Template(alpha, numpy.ones_like(alpha), luminance, silhouette=True)


def _size(image: Image) -> str:
    return f"{image.width} x {image.height} pixels"


# --- searching ------------------------------------------------------------------------------------


def _candidates(colours: Any, template: _Template) -> Iterator[tuple[float, Rect]]:
    """Yields the likeliest places with the sizes that fit best there, found on a smaller screen in
    grey."""
    import numpy

    height, width = template.weight.shape
    grounds: dict[float, Any] = {}
    found: list[tuple[float, float, Rect]] = []
    for scale in SCALES:
        small = min(
            1.0, max(_SEARCHED / (min(width, height) * scale), _LONGEST / max(colours.shape[:2]))
        )
        if small not in grounds:
            wide, high = (round(side * small) for side in (colours.shape[1], colours.shape[0]))
            grounds[small] = template.shade(_resized(colours, wide, high))
        scores = _scores(grounds[small], template, scale * small)
        rows, columns = numpy.nonzero(scores)
        for each in numpy.argsort(-scores[rows, columns])[:_MOST].tolist():
            left, top = round(columns[each] / small), round(rows[each] / small)
            size = Rect(0, 0, round(width * scale), round(height * scale))
            box = size.shifted(left, top)
            found.append((float(scores[rows[each], columns[each]]), scale, box))
    kept: list[Rect] = []
    for _, scale, box in sorted(found, reverse=True):
        if len(kept) < 2 * _MOST and sum(_overlap(box, other) for other in kept) < _SIZES:
            kept.append(box)
            yield scale, box


def _scores(ground: Any, template: _Template, scale: float) -> Any:
    """The correlation where it is at its highest around, elsewhere 0."""
    import cv2
    import numpy

    height, width = template.weight.shape
    wide, high = round(width * scale), round(height * scale)
    if min(wide, high) < _SMALLEST // 2 or wide > ground.shape[1] or high > ground.shape[0]:
        return numpy.zeros((1, 1))
    scores, _, _ = _correlated(ground, template, wide, high)
    scores = numpy.abs(scores) if template.silhouette else scores
    rows, columns = scores.shape
    mean, square = (
        average(ground, cv2.CV_64F, (wide, high), anchor=(0, 0))[:rows, :columns]
        for average in (cv2.boxFilter, cv2.sqrBoxFilter)
    )
    # of a plain ground, nothing is divided by nothing
    scores[numpy.sqrt(numpy.maximum(square - mean * mean, 0)) < _PLAIN] = 0
    around = cv2.dilate(scores, numpy.ones((max(3, high // 2), max(3, wide // 2))))
    return numpy.where((scores >= LEAST - _COARSE) & (scores >= around), scores, 0)


def _correlated(ground: Any, template: _Template, width: int, height: int) -> tuple[Any, Any, Any]:
    """The correlation of a shaded ground with the template of a size, its pixels, and their
    weight."""
    import cv2
    import numpy

    wanted, weight = (_resized(each, width, height) for each in (template.pixels, template.weight))
    mask = None if weight.min() > 0.5 else (weight > 0.5).astype(numpy.float32)
    scores = cv2.matchTemplate(ground, template.shade(wanted), cv2.TM_CCOEFF_NORMED, mask=mask)
    return numpy.nan_to_num(scores, posinf=0, neginf=0), wanted, weight


def _refined(
    colours: Any, template: _Template, scale: float, near: Rect
) -> Iterator[tuple[float, Rect]]:
    """Yields the confidence at full size, for sizes and places close to a candidate."""
    import cv2

    height, width = template.weight.shape
    around = max(3, round(min(near.width, near.height) * 0.12))
    room = near.inset(-around).intersect(Rect(0, 0, colours.shape[1], colours.shape[0]))
    ground = colours[room.top : room.bottom, room.left : room.right]
    for factor in (0.97, 0.985, 1.0, 1.015, 1.03):
        wide, high = round(width * scale * factor), round(height * scale * factor)
        if min(wide, high) < _SMALLEST // 2 or wide > room.width or high > room.height:
            continue
        scores, wanted, weight = _correlated(template.shade(ground), template, wide, high)
        _, _, (dark, above), (left, top) = cv2.minMaxLoc(scores)
        places = [(left, top), (dark, above)] if template.silhouette else [(left, top)]
        for x, y in places:
            patch = ground[y : y + high, x : x + wide]
            box = Rect(0, 0, wide, high).shifted(room.left + x, room.top + y)
            yield _confidence(template, patch, wanted, weight), box


def _confidence(template: _Template, patch: Any, wanted: Any, weight: Any) -> float:
    import numpy

    share = weight / weight.sum()
    shades = [template.shade(each) for each in (patch, wanted)]
    one, other = (each - (each * share).sum() for each in shades)
    spread, wanted_spread = (math.sqrt(float((each * each * share).sum())) for each in (one, other))
    if spread < _PLAIN or spread < wanted_spread * _FAINT * (0.5 if template.silhouette else 1):
        return 0.0
    alike = float((one * other * share).sum()) / (spread * wanted_spread)
    if template.silhouette:
        return min(1.0, abs(alike))
    drawn = numpy.abs(other) * share  # what stands out from the icon's ground counts
    tinge = numpy.abs(numpy.diff(patch - wanted, axis=2)).max(axis=2)
    differs = float((tinge * drawn).sum() / drawn.sum()) / 255
    return max(0.0, min(1.0, alike - max(0.0, differs - _TINGE)))


def _resized(pixels: Any, width: int, height: int) -> Any:
    import cv2

    size = (max(1, width), max(1, height))
    if size == (pixels.shape[1], pixels.shape[0]):
        return pixels
    way = cv2.INTER_AREA if size[0] < pixels.shape[1] else cv2.INTER_CUBIC
    return cv2.resize(pixels, size, interpolation=way)


def _overlap(one: Rect, other: Rect) -> bool:
    return one.intersect(other).area * 3 > min(one.area, other.area)
