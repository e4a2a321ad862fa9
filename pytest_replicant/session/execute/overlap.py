"""How far the content of a scroller went from one screen to the next, told by what is on both. Pure.

Rows may look alike, so that several distances fit: then the one nearest to what is expected is meant. That is sure
where the finger goes less far than rows repeat (``period``). Lengths are pixels along the way that it scrolls,
from the scroller's own beginning.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

SLACK = 2  # pixels that rounding may move things
_FEW = 0.25  # of the best: a distance at which less fits has hardly any overlap to speak of
_ODD = 0.1  # of what should fit may not: a row that changed meanwhile


@dataclass(frozen=True)
class Piece:
    """Something on one screen: what it is (``sign``), and where it begins and ends. What reaches an edge may be
    cut there."""

    sign: Hashable
    low: int
    high: int


@dataclass(frozen=True)
class View:
    """What one screen shows of the content, ``length`` pixels of it."""

    pieces: tuple[Piece, ...]
    length: int


def shift(before: View, after: View, expected: int) -> int | None:
    """How far the content went, None where the two screens have nothing in common that would tell."""
    fits = _fits(before, after)
    if not fits:
        return None
    most = max(fit for fit, _ in fits.values())
    good = {distance: odd for distance, (fit, odd) in fits.items() if fit >= _FEW * most}
    least = min(good.values())
    return min((d for d, odd in good.items() if odd == least), key=lambda d: abs(d - expected))


def period(view: View, low: int, high: int) -> int | None:
    """The shortest distance at which what lies whole between ``low`` and ``high`` looks like what is beside it;
    None where nothing repeats so, and what lies there pins down where the content is."""
    pinning = [piece for piece in view.pieces if piece.low >= low and piece.high <= high] or view.pieces
    known = _by_sign(view.pieces)
    distances = {abs(one.low - piece.low) for piece in pinning for one in known[piece.sign]}
    for distance in sorted(distances):
        if distance > SLACK and (
            _repeats(pinning, known, view, distance) or _repeats(pinning, known, view, -distance)
        ):
            return distance
    return None


def _repeats(pieces: Sequence[Piece], known: Mapping[Hashable, list[Piece]], view: View, distance: int) -> bool:
    fit, odd = 0, 0
    for piece in pieces:
        low, high = piece.low - distance, piece.high - distance
        if low > SLACK and high < view.length - SLACK:
            alike = any(abs(one.low - low) <= SLACK for one in known[piece.sign])
            fit, odd = fit + alike, odd + (not alike)
    return fit > 0 and odd <= _ODD * (fit + odd)


def _fits(before: View, after: View) -> dict[int, tuple[int, int]]:
    """Every distance at which what is on both screens agrees: how many pieces do, and how many do not."""
    judged = {distance: _fit(before, after, distance) for distance in _possible(before, after)}
    return {distance: (fit, odd) for distance, (fit, odd) in judged.items() if fit and odd <= _ODD * (fit + odd)}


def _possible(before: View, after: View) -> set[int]:
    """Every distance that would bring some piece to where its like is."""
    places = defaultdict(list)
    for piece in before.pieces:
        places[piece.sign].append(piece)
    found: set[int] = set()
    for piece in after.pieces:
        for earlier in places[piece.sign]:
            distance = _between(earlier, piece, before.length, after.length)
            if distance is not None and not any(abs(distance - known) <= SLACK for known in found):
                found.add(distance)
    return found


def _between(one: Piece, other: Piece, one_length: int, other_length: int) -> int | None:
    """By the ends that are not cut."""
    if one.low > 0 and other.low > 0:
        return one.low - other.low
    if one.high < one_length and other.high < other_length:
        return one.high - other.high
    if one.high - one.low == other.high - other.low:
        return one.low - other.low  # at both edges, and as long as before: not cut
    return None


def _fit(before: View, after: View, distance: int) -> tuple[int, int]:
    """How many pieces are where they should be at that distance, and how many are not. What stayed in its place,
    such as a heading that sticks, counts for nothing."""
    fit, odd = 0, 0
    for there, here, by in ((before, after, -distance), (after, before, distance)):
        known = _by_sign(here.pieces)
        for piece in there.pieces:
            low, high = piece.low + by, piece.high + by
            inside = low > SLACK and high < here.length - SLACK and piece.low > 0 and piece.high < there.length
            if not inside:
                continue
            if any(abs(one.low - low) <= SLACK for one in known[piece.sign]):
                fit += 1
            elif not any(abs(one.low - piece.low) <= SLACK for one in known[piece.sign]):
                odd += 1
    return fit, odd


def _by_sign(pieces: Iterable[Piece]) -> defaultdict[Hashable, list[Piece]]:
    found: defaultdict[Hashable, list[Piece]] = defaultdict(list)
    for piece in pieces:
        found[piece.sign].append(piece)
    return found


def overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two stretches of the content are the same thing, cut differently: they share most of the shorter."""
    shared = min(one[1], other[1]) - max(one[0], other[0])
    shorter: Sequence[int] = sorted((one[1] - one[0], other[1] - other[0]))
    return shared * 2 > shorter[0]
