"""The visual witness: small signatures of elements without words, as evidence where the hierarchy
abstains.

A picture is evidence, never a verdict of its own: it names an element only if that was unlike every
other look-alike when it was printed, is alike to exactly one now, and those around it are there
too. So a screen whose colours changed, or that shows another page of a list, says nothing.

A ``look`` is 196 bytes: 12 by 12 luminances of what stands out from the ground, wherever in the
crop it lies; 4 by 4 of the whole crop; 4 by 4 blue and as many red differences, width and height,
in pixels, of what stands out.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from statistics import correlation
from typing import TYPE_CHECKING

from ...model import (
    Element,
    Elements,
    Picture,
    Rect,
)

if TYPE_CHECKING:
    from PIL import Image

_FINE, _COARSE = 12, 4
_TINT = _FINE * _FINE + _COARSE * _COARSE  # where the colour differences begin
_SIZES = _TINT + 2 * _COARSE * _COARSE
_ROUNDED = 4  # pixels; a hierarchy may count in whole points
_SMALLEST = 8  # pixels; less has no shape
_LARGEST = 0.25  # of the screen; more is no icon, and changes with its content
_STANDS_OUT = 0.4  # of the strongest contrast in a crop
_FAINTEST = 24  # levels of 255; less is noise
_NOISE = 12  # levels that another encoding makes out of one picture
_PLAIN = 40  # levels by which a part of another picture differs at least
_COLOURED = 24  # levels of a colour difference
_SAME_SHAPE = (
    0.95  # correlation of luminances; only the light differs then, or all of it is inverted
)
_FEWEST = 2  # others that are still there; one may have changed its state
_RELIT = 48  # levels by which most of a screen changes when its theme does


def wordless(elements: Iterable[Element], size: tuple[int, int]) -> list[list[Element]]:
    """Groups the elements that have neither words nor a state to tell them apart, by class and id;
    only groups in which some have nothing but their order."""
    most = size[0] * size[1] * _LARGEST
    groups: dict[tuple[str, str], list[Element]] = {}
    for one in elements:
        stateful = one.node.checkable or one.value is not None or one.adjustable
        if one.label or stateful or one.states.editable or one.states.password:
            continue
        box = one.bounds
        if min(box.width, box.height) >= _SMALLEST and box.area <= most:
            groups.setdefault((one.class_name, one.resource_id), []).append(one)
    return [each for each in groups.values() if len(each) > 1 and any(one.twins for one in each)]


def pictures_of(
    screenshot: bytes, size: tuple[int, int], groups: Iterable[Elements], hidden: Sequence[Rect]
) -> dict[int, Picture]:
    """Returns the pictures of elements by their nodes. ``size`` is the screen's, in pixels;
    ``hidden`` are areas that never enter. Empty if the screenshot has another size. Raises
    ``OSError``, ``SyntaxError`` or ``ValueError`` for bytes that are no picture."""
    from PIL import Image  # a run that never sees look-alikes needs no Pillow

    with Image.open(io.BytesIO(screenshot)) as opened:
        if opened.size != size:
            return {}
        image = opened.convert("RGB")
    for area in hidden:
        image.paste((48, 48, 48), area)
    lit = image.convert("L").resize((_COARSE, _COARSE), Image.Resampling.BOX).tobytes()
    screen, found = Rect(0, 0, *size), {}
    for group in groups:
        inside = [one for one in group if screen.encloses(one.bounds)]
        shown = [one for one in inside if not any(map(one.bounds.meets, hidden))]
        among = tuple((_look(image, one.bounds), one.bounds) for one in shown)
        for one, own in zip(shown, among, strict=True):
            found[one.index] = Picture(*own, among, lit)
    return found


def _look(image: Image.Image, box: Rect) -> bytes:
    from PIL import Image

    crop = image.crop(box)
    left, top, right, bottom = content = _standing_out(crop)
    light, *tints = crop.crop(content).convert("YCbCr").split()
    found = light.resize((_FINE, _FINE), Image.Resampling.BOX).tobytes()
    for band in (crop.convert("L"), *tints):
        found += band.resize((_COARSE, _COARSE), Image.Resampling.BOX).tobytes()
    return found + (right - left).to_bytes(2, "big") + (bottom - top).to_bytes(2, "big")


def _standing_out(crop: Image.Image) -> tuple[int, int, int, int]:
    """The area of a crop that differs from the ground, which is the colour of its corner; all of it
    if nothing does."""
    from PIL import Image, ImageChops

    ground = Image.new("RGB", crop.size, crop.getpixel((0, 0)))
    contrast = ImageChops.difference(crop, ground).convert("L")
    least = max(_FAINTEST, int(max(contrast.tobytes()) * _STANDS_OUT))
    box = contrast.point([255 * (level > least) for level in range(256)]).getbbox()
    return box or (0, 0, *crop.size)


def by_picture(
    was: Element, candidates: Elements, pictures: Mapping[int, Picture], *, scrolls: bool
) -> Element | None:
    """Returns the candidate that ``was`` is by its picture; None if that proves nothing.
    ``pictures`` are those of the candidates by node; ``scrolls``: there may be more of them than
    the screen shows."""
    then, now = was.picture, [pictures[one.index] for one in candidates if one.index in pictures]
    if then is None or not 2 <= len(now) == len(candidates):
        return None
    if not all(_differ(then.look, look) for look, place in then.among if place != then.place):
        return None
    alike = [one for one in now if _matches(then.look, then.place, one.look, one.place)]
    if len(alike) != 1 or _is_relit(then.lit, alike[0].lit):
        return None
    found = alike[0]
    stayed: list[tuple[Rect, Rect]] = []  # of others, where they were and are
    for look, place in then.among:
        like = [there for one, there in found.among if _matches(look, place, one, there)]
        if place != then.place and len(like) == 1 and like[0] != found.place:
            stayed.append((place, like[0]))
    fewer = min(
        sum(_sized_alike(then.place, place) for _, place in each.among) for each in (then, found)
    )
    if len(stayed) < _FEWEST or 3 * len(stayed) < fewer - 1:
        return None
    in_order = sum(_before(a, then.place) == _before(b, found.place) for a, b in stayed)
    if scrolls and 2 * in_order <= len(stayed):
        return None  # it may be the like of one that is out of sight
    along = sum(_as_far((a, b), (then.place, found.place)) for a, b in stayed)
    for one in now:
        if one is found:
            continue
        whole = _sized_alike(then.place, one.place)
        if (whole and not _differ(then.look, one.look)) or (not whole and 2 * along <= len(stayed)):
            return None  # it may be this one, which is lighter now, or cut off
    return candidates[now.index(found)]


def have_moved(then: Picture, now: Picture) -> bool:
    """Whether most of the look-alikes have another shape in the places where they were: the list
    has scrolled, or shows another page. Another theme says nothing."""
    reshaped = []
    for look, place in then.among:
        there = next((each for each in now.among if each[1].contains(place.center)), None)
        if there is not None and _sized_alike(place, there[1]):
            reshaped.append(_reshaped(look, there[0]))
    return 2 * sum(reshaped) > len(reshaped) and not _is_relit(then.lit, now.lit)


def became_another(then: Picture, now: Picture) -> bool:
    """Whether what bears the same ref now is known to be another: they have moved, or it has
    changed places."""
    there = any(_matches(then.look, then.place, *each) for each in now.among)
    return (there and _differ(then.look, now.look)) or have_moved(then, now)


def _matches(one: bytes, place: Rect, other: bytes, there: Rect) -> bool:
    if not _sized_alike(place, there) or _by_size(one, other) > 2:
        return False
    return _furthest(one[:_SIZES], other[:_SIZES]) <= _NOISE


def _sized_alike(one: Rect, other: Rect) -> bool:
    """Whether both are whole, as far as their sizes say: one that is cut off has another shape."""
    return abs(one.width - other.width) <= _ROUNDED and abs(one.height - other.height) <= _ROUNDED


def _differ(one: bytes, other: bytes) -> bool:
    """Whether both show plainly different things, which how light they are does not make them."""
    return _furthest(one[_TINT:_SIZES], other[_TINT:_SIZES]) >= _COLOURED or _reshaped(one, other)


def _reshaped(one: bytes, other: bytes) -> bool:
    """Whether both have other outlines or shapes, apart from their colours."""
    if _by_size(one, other) > max(4, *(side * 0.15 for side in (*_sizes(one), *_sizes(other)))):
        return True
    fine, others = one[: _FINE * _FINE], other[: _FINE * _FINE]
    if _furthest(fine, others) < _PLAIN:
        return False
    # From -1, inverted, to 1, the same but for contrast and light; not defined if one is even.
    even = min(len({*fine}), len({*others})) == 1
    return even or abs(correlation(fine, others)) < _SAME_SHAPE


def _is_relit(then: bytes, now: bytes) -> bool:
    """Whether most of the screen is much lighter or darker."""
    return 2 * sum(abs(a - b) >= _RELIT for a, b in zip(then, now, strict=True)) > len(then)


def _furthest(one: Sequence[int], other: Sequence[int]) -> int:
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


def _sizes(look: bytes) -> tuple[int, int]:
    wide, high = look[_SIZES : _SIZES + 2], look[_SIZES + 2 :]
    return int.from_bytes(wide, "big"), int.from_bytes(high, "big")


def _by_size(one: bytes, other: bytes) -> int:
    return _furthest(_sizes(one), _sizes(other))


def _before(one: Rect, other: Rect) -> bool:
    """Whether one comes before the other in reading order."""
    down = one.center.y - other.center.y
    return down < 0 if abs(down) > min(one.height, other.height) // 2 else one.left < other.left


def _as_far(one: tuple[Rect, Rect], other: tuple[Rect, Rect]) -> bool:
    """Whether both moved by the same way."""
    (was, now), (then, there) = one, other
    across = (now.left - was.left) - (there.left - then.left)
    down = (now.top - was.top) - (there.top - then.top)
    return max(abs(across), abs(down)) <= _ROUNDED
