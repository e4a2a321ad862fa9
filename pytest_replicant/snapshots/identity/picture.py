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
    grouped,
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
    plain = [one for one in elements if not (one.label or _has_a_state(one))]
    sized = [one for one in plain if min(one.bounds.width, one.bounds.height) >= _SMALLEST]
    groups = grouped(
        ((one.class_name, one.resource_id), one) for one in sized if one.bounds.area <= most
    )
    return [
        group for group in groups.values() if len(group) > 1 and any(one.twins for one in group)
    ]


def _has_a_state(element: Element) -> bool:
    stateful = element.node.checkable or element.value is not None or element.adjustable
    return bool(stateful or element.states.editable or element.states.password)


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
        shown = [
            one
            for one in group
            if screen.encloses(one.bounds) and not any(map(one.bounds.meets, hidden))
        ]
        among = tuple((_look(image, one.bounds), one.bounds) for one in shown)
        found.update(
            {one.index: Picture(*own, among, lit) for one, own in zip(shown, among, strict=True)}
        )
    return found


def _look(image: Image.Image, box: Rect) -> bytes:
    from PIL import Image

    crop = image.crop(box)
    left, top, right, bottom = content = _standing_out(crop)
    light, *tints = crop.crop(content).convert("YCbCr").split()
    fine = light.resize((_FINE, _FINE), Image.Resampling.BOX)
    coarse = [
        band.resize((_COARSE, _COARSE), Image.Resampling.BOX)
        for band in (crop.convert("L"), *tints)
    ]
    sizes = (right - left).to_bytes(2, "big") + (bottom - top).to_bytes(2, "big")
    return b"".join((*(band.tobytes() for band in (fine, *coarse)), sizes))


def _standing_out(crop: Image.Image) -> tuple[int, int, int, int]:
    """The area of a crop that differs from the ground, which is the colour of its corner; all of it
    if nothing does."""
    from PIL import Image, ImageChops

    ground = Image.new("RGB", crop.size, crop.getpixel((0, 0)))
    contrast = ImageChops.difference(crop, ground).convert("L")
    least = max(_FAINTEST, int(max(contrast.tobytes()) * _STANDS_OUT))
    return contrast.point([255 * (level > least) for level in range(256)]).getbbox() or (
        0,
        0,
        *crop.size,
    )


def by_picture(
    was: Element, candidates: Elements, pictures: Mapping[int, Picture], *, scrolls: bool
) -> Element | None:
    """Returns the candidate that ``was`` is by its picture; None if that proves nothing.
    ``pictures`` are those of the candidates by node; ``scrolls``: there may be more of them than
    the screen shows."""
    then, now = was.picture, [pictures.get(one.index) for one in candidates]
    if then is None or len(now) < 2 or any(one is None for one in now):
        return None
    if not all(_differ(then.look, look) for look, place in then.among if place != then.place):
        return None
    alike = [
        one
        for one in now
        if one is not None and _matches(then.look, then.place, one.look, one.place)
    ]
    if len(alike) != 1 or _is_relit(then.lit, alike[0].lit):
        return None
    found = alike[0]
    stayed = _those_around(then, found)
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
        if one is None or one is found:
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


def _those_around(then: Picture, now: Picture) -> list[tuple[Rect, Rect]]:
    """The places, then and now, of the other look-alikes that are alike to exactly one."""
    found = []
    for look, place in then.among:
        alike = [there for one, there in now.among if _matches(look, place, one, there)]
        if place != then.place and len(alike) == 1 and alike[0] != now.place:
            found.append((place, alike[0]))
    return found


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
    fine = one[: _FINE * _FINE], other[: _FINE * _FINE]
    return _furthest(*fine) >= _PLAIN and abs(_correlation(*fine)) < _SAME_SHAPE


def _is_relit(then: bytes, now: bytes) -> bool:
    """Whether most of the screen is much lighter or darker."""
    return 2 * sum(abs(a - b) >= _RELIT for a, b in zip(then, now, strict=True)) > len(then)


def _furthest(one: Sequence[int], other: Sequence[int]) -> int:
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


def _sizes(look: bytes) -> tuple[int, int]:
    return int.from_bytes(look[_SIZES : _SIZES + 2], "big"), int.from_bytes(
        look[_SIZES + 2 :], "big"
    )


def _by_size(one: bytes, other: bytes) -> int:
    return _furthest(_sizes(one), _sizes(other))


def _correlation(one: bytes, other: bytes) -> float:
    """From -1, inverted, to 1, the same but for contrast and light; 0 if one of them is even."""
    if len({*one}) == 1 or len({*other}) == 1:
        return 0.0
    return correlation(one, other)


def _before(one: Rect, other: Rect) -> bool:
    """Whether one comes before the other in reading order."""
    down = one.center.y - other.center.y
    return down < 0 if abs(down) > min(one.height, other.height) // 2 else one.left < other.left


def _as_far(one: tuple[Rect, Rect], other: tuple[Rect, Rect]) -> bool:
    """Whether both moved by the same way."""
    return all(
        abs((one[1][side] - one[0][side]) - (other[1][side] - other[0][side])) <= _ROUNDED
        for side in (0, 1)
    )
