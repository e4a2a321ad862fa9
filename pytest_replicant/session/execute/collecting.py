"""Collecting every matching element of a list, each once and in order, while scrolling to its end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...model import Element, FailureCode, Rect, Selector, descendants
from ...snapshots import Snapshot
from ..arguments import inside
from ..stabilize.reads import settled_now
from ..step import ActionContext, StageFailed
from .scrolling import Way, content_of, located, shows_no_edge, sweep, viewport

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
    """How far the content went, None where the two screens share nothing to compare."""
    fits = _fits(before, after)
    if not fits:
        return None
    most = max(fit for fit, _ in fits.values())
    good = {distance: odd for distance, (fit, odd) in fits.items() if fit >= _FEW * most}
    least = min(good.values())
    return min((d for d, odd in good.items() if odd == least), key=lambda d: abs(d - expected))


def period(view: View, low: int, high: int) -> int | None:
    """The shortest distance at which what lies whole between ``low`` and ``high`` looks like its neighbours;
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
    """The distances at which both screens agree, with the numbers of pieces that do and do not."""
    judged = {distance: _fit(before, after, distance) for distance in _possible(before, after)}
    return {distance: (fit, odd) for distance, (fit, odd) in judged.items() if fit and odd <= _ODD * (fit + odd)}


def _possible(before: View, after: View) -> set[int]:
    """Every distance that would bring some piece to where its like is."""
    places = _by_sign(before.pieces)
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


STEP = 0.5  # of the list a swipe: elements on both screens show how far it went
SHORT = 0.6  # of what repeats: a list that runs on a little still goes less far than that
LEAST_DP = 24  # a finger that goes less far is taken for one that stays where it is
SLOWLY = 0.8  # seconds, so that the list does not run on by itself
_MISSED = ", so that rows may have been missed"


@dataclass
class _Gathered:
    """An element, and where in the whole content it is."""

    element: Element
    low: int
    high: int
    across: int
    cut: bool


class Collecting:
    """From where the list is to its end. ``found`` is what was gathered, ``stopped`` where it ended."""

    def __init__(self, selector: Selector, way: Way) -> None:
        self._selector = selector
        self._wanted = selector if way.container is None else inside(way.container, selector)
        self._way = way
        self._upright = way.direction in ("up", "down")
        self._sign = 1 if way.direction in ("down", "right") else -1
        self._gathered: list[_Gathered] = []
        self.stopped = ""

    @property
    def found(self) -> list[Element]:
        """In the order of the content, rows from the top and from the left."""
        return [one.element for one in sorted(self._gathered, key=lambda one: (one.low, one.across))]

    def send(self, action: ActionContext) -> Mapping[str, Any]:
        self._gathered, offset, swipes = [], 0, 0
        snapshot = settled_now(action.context)
        box = self._way.box(action, snapshot)
        self._gather(action, snapshot, box, 0)
        if box is None:
            self.stopped = self._way.no_way
            return self._summary(0)
        while True:
            if swipes >= self._way.max_swipes:
                why = f"max_swipes={self._way.max_swipes} did not reach the end of the list"
                raise self._ended(action, snapshot, "TIMEOUT", why, may_retry=False)
            reach, expected = self._step(snapshot, box, LEAST_DP * (action.query.info.density or 1))
            swept = sweep(action, snapshot, box, self._way.direction, reach=reach, seconds=SLOWLY)
            swipes += swept.swipes
            now = located(swept.snapshot, box)
            if now is None:
                why = "the list is not on the screen any more"
                raise self._ended(action, swept.snapshot, "UNKNOWN", f"{why}{_MISSED}")
            if not swept.moved:
                self.stopped = "the end of the list"
                self._gather(action, swept.snapshot, now, offset)
                return self._summary(swipes)
            gone = shift(self._view(snapshot, box), self._view(swept.snapshot, now), self._sign * expected)
            if swept.blind or (gone is None and self._goes_on(snapshot, box, swept.snapshot, now)):
                gone = self._sign * expected  # nothing says how far, but what follows comes after it
            if gone is None:
                why = "it shares nothing with what was there before the swipe"
                raise self._ended(action, swept.snapshot, "UNKNOWN", f"{why}{_MISSED}")
            offset, snapshot, box = offset + gone, swept.snapshot, now
            self._gather(action, snapshot, box, offset)

    # --- one screen -------------------------------------------------------------------------------------------

    def _gather(self, action: ActionContext, snapshot: Snapshot, box: Element | None, offset: int) -> None:
        """Adds new elements; one that was cut by an edge before is replaced by its whole self. Raises
        ``StageFailed`` where the list goes deeper than the phone gives."""
        if not snapshot.shows_all(self._wanted if box is None else inside(box, self._selector)):
            raise self._ended(action, snapshot, "UNKNOWN", f"{snapshot.limit}{_MISSED}")
        area = viewport(snapshot, box) if box is not None else None
        within = {node.index for node in descendants(snapshot.nodes, box.node)} if box is not None else None
        for element in snapshot.every(self._wanted if box is None else self._selector):
            if within is not None and element.node.index not in within:
                continue
            low, high, across = self._span(element.bounds, area)
            cut = area is not None and (low <= 0 or high >= self._length(area))
            one = _Gathered(element, low + offset, high + offset, across, cut)
            known = next((other for other in self._gathered if _is_same(one, other)), None)
            if known is None:
                self._gathered.append(one)
            elif known.cut and (not cut or high - low > known.high - known.low):
                self._gathered[self._gathered.index(known)] = one

    def _span(self, bounds: Rect, area: Rect | None) -> tuple[int, int, int]:
        """From where to where along the way, and where across it; from the viewport's own beginning."""
        left, top = (area.left, area.top) if area is not None else (0, 0)
        if self._upright:
            return bounds.top - top, bounds.bottom - top, bounds.left - left
        return bounds.left - left, bounds.right - left, bounds.top - top

    def _length(self, area: Rect) -> int:
        return area.height if self._upright else area.width

    # --- from one screen to the next --------------------------------------------------------------------------

    def _step(self, snapshot: Snapshot, box: Element, least: float) -> tuple[float, int]:
        """How much of the list to swipe, and how far it is expected to go. Where what stays in view looks like
        itself again a row further on, each swipe is shorter than a row: the list may stop anywhere on the way, and
        where it did could not be known otherwise."""
        view = self._view(snapshot, box)
        length, half = view.length, round(view.length * STEP)
        repeats = period(view, half, length) if self._sign > 0 else period(view, 0, length - half)
        if repeats is None or repeats * SHORT > length * STEP:
            return STEP, half
        return max(repeats * SHORT, least) / length, repeats // 2

    def _goes_on(self, snapshot: Snapshot, box: Element, after: Snapshot, now: Element) -> bool:
        """Whether one thing that fills the list on one of two screens is on both, so that nothing lies between."""
        direction = self._way.direction
        if not (shows_no_edge(snapshot, box, direction) or shows_no_edge(after, now, direction)):
            return False
        signs = [{piece.sign for piece in self._view(*each).pieces} for each in ((snapshot, box), (after, now))]
        return bool(signs[0] & signs[1])

    def _view(self, snapshot: Snapshot, box: Element) -> View:
        """A view of all visible pieces, wanted or not: each shows how far the list went."""
        area = viewport(snapshot, box)
        pieces = []
        for node, sign in content_of(snapshot, box):
            if node.text or node.description or not node.children:
                low, high, across = self._span(node.bounds, area)
                pieces.append(Piece((*sign, across), low, high))
        return View(tuple(pieces), self._length(area))

    # --- how it ended -----------------------------------------------------------------------------------------

    def _summary(self, swipes: int) -> dict[str, Any]:
        return {"swipes": swipes, "count": len(self._gathered), "stopped": self.stopped}

    def _ended(
        self, action: ActionContext, snapshot: Snapshot, code: FailureCode, why: str, **facts: Any
    ) -> StageFailed:
        """It ended before the list did, for that reason."""
        found = self.found
        so_far = f"{len(found)} so far" + (f", the last {found[-1].describe()}" if found else "")
        return StageFailed.on(snapshot, code, f"{action.step.title} on {action.uri}: {why}; {so_far}.", **facts)


def _is_same(one: _Gathered, other: _Gathered) -> bool:
    """The same place in the content, and nothing that says otherwise."""
    alike = one.element.class_name == other.element.class_name
    alike = alike and one.element.resource_id == other.element.resource_id
    near = abs(one.across - other.across) <= SLACK
    return alike and near and overlap((one.low, one.high), (other.low, other.high))
