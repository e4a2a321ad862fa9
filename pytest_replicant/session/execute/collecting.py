"""Collecting every matching element of a list, each once and in order, while scrolling to its end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...model import AnyDict, Element, FailureCode, Rect, Selector, Strings
from ...snapshots import Snapshot
from ..arguments import inside
from ..stabilize.panes import content_in
from ..step import ActionContext, Details, StageFailed
from .scrollers import Way, is_upright, located, scroller_around, viewport
from .scrolling import END_UNKNOWN, Swept, note_end, screen_now, shows_no_edge, span, sweep

SLACK = 2  # pixels that rounding may move things, or halves of a point where bounds are whole points
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
    """What one screen shows of the content, ``length`` pixels of it, rounded to within ``slack`` of them."""

    pieces: tuple[Piece, ...]
    length: int
    slack: int = SLACK

    def is_end(self, place: int) -> bool:
        """Whether something that ends there ends there: beyond the edges it is not cut, in sight neither."""
        return abs(place) > self.slack and abs(place - self.length) > self.slack


def shift(before: View, after: View, expected: int) -> int | None:
    """How far the content went, None where the two screens share nothing to compare."""
    fits = _fits(before, after)
    if not fits:
        return _shift_of_ends(before, after, expected)
    most = max(fit for fit, _ in fits.values())
    good = {distance: odd for distance, (fit, odd) in fits.items() if fit >= _FEW * most}
    least = min(good.values())
    return min((d for d, odd in good.items() if odd == least), key=lambda d: abs(d - expected))


def _shift_of_ends(before: View, after: View, expected: int) -> int | None:
    """The same if nothing is whole on both, as among things about as large as the screen: by the ends that are
    not cut, if they agree on one distance, and on one that way. An end at the very edge may be a cut."""
    found: set[int] = set()
    known = _by_sign(before.pieces)
    for piece in after.pieces:
        for earlier in known[piece.sign]:
            pairs = ((earlier.low, piece.low), (earlier.high, piece.high))
            found |= {then - now for then, now in pairs if before.is_end(then) and after.is_end(now)}
    onward = {each for each in found if each * expected > 0 and before.slack < abs(each) < before.length}
    agreed = max(onward, default=0) - min(onward, default=0) <= before.slack
    return min(onward, key=lambda each: abs(each - expected)) if onward and agreed else None


def period(view: View, low: int, high: int) -> int | None:
    """The shortest distance at which what lies whole between ``low`` and ``high`` looks like its neighbours;
    None if nothing repeats so, and what lies there pins down where the content is."""
    pinning = [piece for piece in view.pieces if piece.low >= low and piece.high <= high] or view.pieces
    known = _by_sign(view.pieces)
    distances = {abs(one.low - piece.low) for piece in pinning for one in known[piece.sign]}
    for distance in sorted(distances):
        if distance > view.slack and (
            _repeats(pinning, known, view, distance) or _repeats(pinning, known, view, -distance)
        ):
            return distance
    return None


def _repeats(pieces: Sequence[Piece], known: Mapping[Hashable, list[Piece]], view: View, distance: int) -> bool:
    fit, odd = 0, 0
    for piece in pieces:
        low, high = piece.low - distance, piece.high - distance
        if low > view.slack and high < view.length - view.slack:
            alike = any(abs(one.low - low) <= view.slack for one in known[piece.sign])
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
            if distance is not None and not any(abs(distance - known) <= after.slack for known in found):
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
            whole = piece.low > 0 and piece.high < there.length
            inside = whole and low > here.slack and high < here.length - here.slack
            if not inside:
                continue
            if any(abs(one.low - low) <= here.slack for one in known[piece.sign]):
                fit += 1
            elif not any(abs(one.low - piece.low) <= here.slack for one in known[piece.sign]):
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
_ENOUGH = 2  # swipes in a list that moved the page around it instead: it has no more to move
_MISSED = ", so that rows may have been missed"


@dataclass(frozen=True, eq=False)
class _Gathered:
    """An element, and where in the whole content it is; whether its beginning and its end were in sight."""

    element: Element
    low: int
    high: int
    across: int
    begins: bool
    ends: bool

    @property
    def cut(self) -> bool:
        return not (self.begins and self.ends)

    @property
    def length(self) -> int:
        return self.high - self.low

    def joined(self, other: _Gathered) -> _Gathered:
        """Both as the one thing that they are, in the words of what shows more of it."""
        better = other if self.cut and (not other.cut or other.length > self.length) else self
        low = self.low if self.begins else other.low if other.begins else min(self.low, other.low)
        high = self.high if self.ends else other.high if other.ends else max(self.high, other.high)
        if not better.cut:
            low, high = better.low, better.high
        begins, ends = self.begins or other.begins, self.ends or other.ends
        return _Gathered(better.element, low, high, better.across, begins, ends)


def _look(element: Element) -> Strings:
    return element.class_name, element.resource_id, element.label, element.row_title


class Collecting:
    """From where the list is to its end. ``found`` is what was gathered, ``stopped`` where it ended. ``only`` says
    of a screen what of it counts, ``ends`` whether nothing that counts follows."""

    def __init__(
        self,
        selector: Selector,
        way: Way,
        *,
        only: Callable[[Snapshot], Sequence[Element]] | None = None,
        ends: Callable[[Snapshot], bool] | None = None,
    ) -> None:
        self._only = only
        self._ends = ends
        self._selector = selector
        self._wanted = selector if way.container is None else inside(way.container, selector)
        self._way = way
        self._upright = is_upright(way.direction)
        self._sign = 1 if way.direction in ("down", "right") else -1
        self._gathered: list[_Gathered] = []
        self._shown: list[_Gathered] = []  # on the last screen
        self._slack = SLACK
        self._covered: dict[Strings, Element] = {}  # what was under something else, by its look
        self._anchored = False  # whether what the selector is measured by was ever in sight
        self.stopped = ""

    @property
    def found(self) -> list[Element]:
        """In the order of the content, rows from the top and from the left."""
        return [one.element for one in sorted(self._gathered, key=lambda one: (one.low, one.across))]

    def send(self, action: ActionContext) -> Details:
        self._gathered, offset, swipes, carried, known = [], 0, 0, 0, True
        snapshot = screen_now(action)
        box = self._way.box(action, snapshot)
        self._gather(action, snapshot, box, 0)
        if box is None:
            self.stopped = self._way.no_way
            return self._summary(action, snapshot, 0)
        while True:
            if self._ends is not None and self._ends(snapshot):
                self.stopped = "the end of its container"
                return self._summary(action, snapshot, swipes)
            if swipes >= self._way.max_swipes:
                why = f"max_swipes={self._way.max_swipes} did not reach the end of the list"
                why = why if known else f"{why}, or {END_UNKNOWN}"
                raise self._ended(action, snapshot, "TIMEOUT", why, may_retry=False)
            reach, expected = self._step(snapshot, box, LEAST_DP * (action.query.info.density or 1))
            swept = sweep(action, snapshot, box, self._way.direction, reach=reach, seconds=SLOWLY)
            swipes, known = swipes + swept.swipes, swept.known
            now = located(swept.snapshot, box)
            if now is None:
                why = "the list is not on the screen any more"
                raise self._ended(action, swept.snapshot, "UNKNOWN", f"{why}{_MISSED}")
            carried = carried + 1 if self._is_carried(snapshot, box, swept.snapshot, now) else 0
            if not swept.moved or carried == _ENOUGH:
                self.stopped = "the end of the list"
                note_end(action, swept, box, self._way.direction)
                if not swept.moved:
                    self._gather(action, swept.snapshot, now, offset)
                return self._summary(action, swept.snapshot, self._read_on(action, swept.snapshot, now, swipes))
            gone = self._gone(snapshot, box, swept, now, self._sign * expected)
            if gone is None:
                why = "it shares nothing with what was there before the swipe"
                raise self._ended(action, swept.snapshot, "UNKNOWN", f"{why}{_MISSED}")
            offset, snapshot, box = offset + gone, swept.snapshot, now
            self._gather(action, snapshot, box, offset)

    def _read_on(self, action: ActionContext, snapshot: Snapshot, inner: Element, swipes: int) -> int:
        """Through the page that a list lies in, where neither of the two was named, for matches further on;
        returns the swipes so far."""
        if self._way.container is not None or self._way.part is not None:
            return swipes
        box = scroller_around(snapshot, inner.node, self._way.direction)
        while box is not None:
            if swipes >= self._way.max_swipes:
                why = f"max_swipes={self._way.max_swipes} did not reach the end of the page around the list"
                raise self._ended(action, snapshot, "TIMEOUT", why, may_retry=False)
            swept = sweep(action, snapshot, box, self._way.direction)
            snapshot, swipes = swept.snapshot, swipes + swept.swipes
            here = located(snapshot, inner)
            within = snapshot.inside(here.node) if here is not None else range(0)
            for element in snapshot.every(self._selector):
                if element.index not in within:
                    raise self._outside(action, snapshot, inner, element)
            if not swept.moved:
                break
            box = located(snapshot, box)
        return swipes

    # --- one screen -------------------------------------------------------------------------------------------

    def _gather(self, action: ActionContext, snapshot: Snapshot, box: Element | None, offset: int) -> None:
        """Adds new elements; one that was cut by an edge before is replaced by its whole self. Raises
        ``StageFailed`` where the list goes deeper than the phone gives."""
        if not snapshot.shows_all(self._wanted if box is None else inside(box, self._selector)):
            raise self._ended(action, snapshot, "UNKNOWN", f"{snapshot.limit}{_MISSED}")
        self._slack = round(SLACK * snapshot.scale)
        area = viewport(snapshot, box) if box is not None else None
        within = snapshot.inside(box.node) if box is not None else None
        counts = {one.index for one in self._only(snapshot)} if self._only is not None else None
        self._note_covered(snapshot, within)
        seen = self._shown = []  # two of them are two things
        for element in snapshot.every(self._wanted if box is None else self._selector):
            if within is not None and element.index not in within:
                if self._way.container is None:
                    raise self._outside(action, snapshot, box, element)
                continue
            if counts is not None and element.index not in counts:
                continue
            low, high, across = self._span(element.bounds, area)
            begins, ends = area is None or low > 0, area is None or high < self._length(area)
            one = _Gathered(element, low + offset, high + offset, across, begins, ends)
            known = next((each for each in self._gathered if each not in seen and self._is_same(each, one)), None)
            seen.append(one if known is None else known.joined(one))
            if known is None:
                self._gathered.append(seen[-1])
            else:
                self._gathered[self._gathered.index(known)] = seen[-1]

    def _note_covered(self, snapshot: Snapshot, within: Collection[int] | None) -> None:
        self._anchored |= not snapshot.missing_anchors(self._selector)
        if snapshot.beneath is None or self._only is not None:
            return
        shown = {element.index for element in snapshot.elements}
        for one in snapshot.beneath.every(self._selector):
            inside_it = within is None or one.index in within
            if inside_it and one.index not in shown and not snapshot.beneath.reach(one)[0].is_empty:
                self._covered[_look(one)] = one

    def _keep(self, gone: int) -> None:
        """Takes along what begins or ends on the last screen, where the next one looks the same: it was not moved,
        or it sticks."""
        for one in self._shown:
            if one.begins or one.ends:
                self._gathered.remove(one)
                self._gathered.append(replace(one, low=one.low + gone, high=one.high + gone))

    def _is_same(self, known: _Gathered, one: _Gathered) -> bool:
        """The same place in the content, and nothing that says otherwise. Something taller than the screen goes on
        where it was cut before, however far that is from there."""
        alike = known.element.class_name == one.element.class_name
        alike = alike and known.element.resource_id == one.element.resource_id
        if not alike or abs(known.across - one.across) > self._slack:
            return False
        goes_on = not (known.ends or one.begins) if self._sign > 0 else not (known.begins or one.ends)
        shared = min(known.high, one.high) - max(known.low, one.low)
        return (goes_on and shared > 0) or overlap((known.low, known.high), (one.low, one.high))

    def _outside(
        self, action: ActionContext, snapshot: Snapshot, box: Element | None, element: Element
    ) -> StageFailed:
        """A match that is no part of the list that would be read, as none was named."""
        inside = box.describe() if box is not None else "the list"
        wrong = f"{element.describe()} lies outside of {inside}, which would be read."
        advice = ("name the list that is meant, by container=",)
        return StageFailed.on(snapshot, "AMBIGUOUS_TARGET", wrong, (element,), final=True, advice=advice)

    def _span(self, bounds: Rect, area: Rect | None) -> tuple[int, int, int]:
        """From where to where along the way, and where across it; from the viewport's own beginning."""
        here = bounds.shifted(-area.left, -area.top) if area is not None else bounds
        return (*span(here, self._upright), here.left if self._upright else here.top)

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

    def _gone(self, snapshot: Snapshot, box: Element, swept: Swept, now: Element, expected: int) -> int | None:
        """How far the content went; None where rows may have been missed. If nothing says how far, what follows
        comes after it all the same."""
        if swept.blind:
            self._keep(expected)
            return expected
        gone = shift(self._view(snapshot, box), self._view(swept.snapshot, now), expected)
        if gone is None and self._goes_on(snapshot, box, swept.snapshot, now):
            return expected
        return gone

    def _goes_on(self, snapshot: Snapshot, box: Element, after: Snapshot, now: Element) -> bool:
        """Whether one thing that fills the list on one of two screens is on both, so that nothing lies between."""
        direction = self._way.direction
        if not (shows_no_edge(snapshot, box, direction) or shows_no_edge(after, now, direction)):
            return False
        screens = ((snapshot, box), (after, now))
        signs = [{piece.sign for piece in self._view(*each).pieces} for each in screens]
        if signs[0] & signs[1]:
            return True
        # What holds other things is known by its name: once they have left the screen it is all that shows.
        shown = [list(content_in(screen, box.node)) for screen, box in screens]
        whole = [{sign for _, sign in each if any(sign[1:])} for each in shown]
        bare = [{sign for node, sign in each if not node.children} for each in shown]
        return bool(whole[0] & bare[1] or bare[0] & whole[1])

    def _is_carried(self, snapshot: Snapshot, box: Element, after: Snapshot, now: Element) -> bool:
        """Whether the page around a list moved, and the list with all that is in it: a page moves by what a list
        has no use for."""
        if scroller_around(after, now.node, self._way.direction) is None:
            return False
        area, before = viewport(after, now), list(content_in(snapshot, box.node))
        here = list(content_in(after, now.node))
        ends = zip(span(box.bounds, self._upright), span(now.bounds, self._upright), strict=True)
        for by in {new - old for old, new in ends if new != old}:
            moved = (0, by) if self._upright else (by, 0)
            there = [(sign, node.bounds.shifted(*moved).intersect(area)) for node, sign in before]
            if self._is_all_of(there, [(sign, node.bounds.intersect(area)) for node, sign in here]):
                return True
        return False

    def _is_all_of(self, there: Sequence[tuple[Hashable, Rect]], here: Sequence[tuple[Hashable, Rect]]) -> bool:
        """Whether each of them has its like in the other; slivers at an edge do not count."""
        sides = [[(sign, *span(each, self._upright)) for sign, each in side] for side in (there, here)]
        slack = self._slack

        def is_like(one: tuple[Hashable, int, int], other: tuple[Hashable, int, int]) -> bool:
            return one[0] == other[0] and abs(one[1] - other[1]) <= slack and abs(one[2] - other[2]) <= slack

        return bool(here) and all(
            any(is_like(one, other) for other in others)
            for some, others in (sides, sides[::-1])
            for one in some
            if one[2] - one[1] > 2 * slack
        )

    def _view(self, snapshot: Snapshot, box: Element) -> View:
        """A view of all visible pieces, wanted or not: each shows how far the list went."""
        area = viewport(snapshot, box)
        pieces = []
        for node, sign in content_in(snapshot, box.node):
            if node.words or not node.children:
                low, high, across = self._span(node.bounds, area)
                pieces.append(Piece((*sign, across), low, high))
        return View(tuple(pieces), self._length(area), round(SLACK * snapshot.scale))

    # --- how it ended -----------------------------------------------------------------------------------------

    def _summary(self, action: ActionContext, snapshot: Snapshot, swipes: int) -> AnyDict:
        """Raises ``StageFailed`` where something lay under something else each time, or if nothing was found
        inside of a container that was never there."""
        hidden = [
            one for sign, one in self._covered.items() if sign not in {_look(x.element) for x in self._gathered}
        ]
        if hidden:
            why = f"{hidden[0].describe()} was covered whenever it was in sight{_MISSED}"
            raise self._ended(action, snapshot, "UNKNOWN", why)
        if not self._gathered and not self._anchored:
            anchor = snapshot.missing_anchors(self._selector)
            why = f"{anchor[0].describe() if anchor else 'its container'} was not on any of these screens"
            raise self._ended(action, snapshot, "ELEMENT_NOT_FOUND", why)
        return {"swipes": swipes, "count": len(self._gathered), "stopped": self.stopped}

    def _ended(
        self, action: ActionContext, snapshot: Snapshot, code: FailureCode, why: str, **facts: Any
    ) -> StageFailed:
        """It ended before the list did, for that reason."""
        found = self.found
        so_far = f"{len(found)} so far" + (f", the last {found[-1].describe()}" if found else "")
        return StageFailed.on(snapshot, code, f"{why}; {so_far}.", **facts)
