"""Going through a list: to its end, collecting every matching element once and in order, or until
one shows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from typing import Any, TypeAlias

from ...model import AnyDict, Element, FailureCode, Rect, Selector, Strings
from ...snapshots import Snapshot
from ..actionability import resolve
from ..advice import advised
from ..arguments import Target, describe, inside
from ..stabilize.reads import settle
from ..step import ActionContext, Details, StageFailed, failure_on
from .scrolling import (
    END_UNKNOWN,
    NUDGE,
    OPPOSITE,
    REACH,
    SLOWLY,
    Direction,
    Scroller,
    Swept,
    Way,
    is_upright,
    screen_now,
    scroller_around,
    span,
    views_of,
)

# pixels that rounding may move things, or halves of a point where bounds are whole points
SLACK = 2
_FEW = 0.25  # of the best: a distance at which less fits has hardly any overlap to speak of
_ODD = 0.1  # of what should fit may not: a row that changed meanwhile
_ONE_END = 4  # where one thing ends and the next one begins, on both screens


@dataclass(frozen=True)
class Piece:
    """Something on one screen: what it is (``sign``), and where it begins and ends. What reaches an
    edge may be cut there."""

    sign: Hashable
    low: int
    high: int


End: TypeAlias = tuple[Hashable, str]
"""The beginning ("low") or the end ("high") of what has that sign."""


@dataclass(frozen=True)
class View:
    """What one screen shows of the content, ``length`` pixels of it, rounded to within ``slack`` of
    them."""

    pieces: tuple[Piece, ...]
    length: int
    slack: int = SLACK

    @cached_property
    def ends(self) -> dict[End, list[int]]:
        """The places of all ends that are not cut."""
        found: defaultdict[End, list[int]] = defaultdict(list)
        for piece in self.pieces:
            for end, place in self.ends_of(piece):
                found[end].append(place)
        return found

    def ends_of(self, piece: Piece) -> list[tuple[End, int]]:
        """Where it begins and ends. At an edge of the screen it may be cut; beyond the edges it is
        not, in sight neither."""
        both = (((piece.sign, "low"), piece.low), ((piece.sign, "high"), piece.high))
        return [one for one in both if min(abs(one[1]), abs(one[1] - self.length)) > self.slack]

    def has(self, end: End, place: int) -> bool:
        """Whether such an end is at that place."""
        return any(abs(one - place) <= self.slack for one in self.ends.get(end, ()))

    def shows(self, low: int, high: int) -> bool:
        """Whether all from one place to another is in sight."""
        return low > self.slack and high < self.length - self.slack


def shift(before: View, after: View, expected: int) -> int | None:
    """How far the content went, None if the two screens share nothing to compare. Of things about
    as large as the screen only one end may show on both. What grows moves that as well: all such
    are to agree, and to go the expected way."""
    judged: dict[int, tuple[int, int]] = {}
    for end, places in after.ends.items():
        for distance in (then - now for now in places for then in before.ends.get(end, ())):
            if not any(abs(distance - known) <= after.slack for known in judged):
                judged[distance] = _fit(before, after, distance)
    fits = {
        distance: (fit, odd)
        for distance, (fit, odd) in judged.items()
        if fit > _ONE_END and odd <= _ODD * (fit + odd)
    }
    if not fits:
        onward = [
            distance
            for distance in judged
            if distance * expected > 0 and abs(distance) < before.length
        ]
        return onward[0] if len(onward) == 1 else None
    most, _ = max(fits.values())
    good = {distance: odd for distance, (fit, odd) in fits.items() if fit >= _FEW * most}
    return min(good, key=lambda d: (good[d], abs(d - expected)))


def _fit(before: View, after: View, distance: int) -> tuple[int, int]:
    """How many ends are where they should be at that distance, and how many of what shows whole are
    not. What stayed in its place, such as a heading that sticks, counts for nothing."""
    fit, odd = 0, 0
    for there, here, by in ((before, after, -distance), (after, before, distance)):
        for piece in there.pieces:
            ends = there.ends_of(piece)
            is_due = len(ends) == 2 and here.shows(piece.low + by, piece.high + by)
            for end, place in ends:
                if here.has(end, place + by):
                    fit += 1
                elif is_due and not here.has(end, place):
                    odd += 1
    return fit, odd


def period(view: View, low: int, high: int) -> int | None:
    """The shortest distance at which what lies whole between ``low`` and ``high`` looks like its
    neighbours; None if nothing repeats so, and what lies there pins down where the content is."""
    pinning = [
        piece for piece in view.pieces if low <= piece.low <= piece.high <= high
    ] or view.pieces
    distances = {
        abs(one - piece.low) for piece in pinning for one in view.ends.get((piece.sign, "low"), ())
    }
    for distance in sorted(distances):
        if distance > view.slack and any(
            _repeats(pinning, view, by) for by in (distance, -distance)
        ):
            return distance
    return None


def _repeats(pieces: Sequence[Piece], view: View, by: int) -> bool:
    inside = [piece for piece in pieces if view.shows(piece.low + by, piece.high + by)]
    fit = sum(view.has((piece.sign, "low"), piece.low + by) for piece in inside)
    return fit > 0 and len(inside) - fit <= _ODD * len(inside)


STEP = 0.5  # of the list a swipe: elements on both screens show how far it went
SHORT = 0.6  # of what repeats: a list that runs on a little still goes less far than that
LEAST_DP = 24  # a finger that goes less far is taken for one that stays where it is


def _pixels(action: ActionContext, dp: int) -> float:
    """So many dp of the phone; a pixel each where it does not say."""
    return dp * (action.query.info.density or 1)


_ENOUGH = 2  # swipes in a list that moved the page around it instead: it has no more to move
_MISSED = ", so that rows may have been missed"


@dataclass(frozen=True, eq=False)
class _Gathered:
    """An element, and where in the whole content it is; whether its beginning and its end were in
    sight."""

    element: Element
    low: int
    high: int
    across: int
    begins: bool
    ends: bool

    @property
    def length(self) -> int:
        return self.high - self.low

    def joined(self, other: _Gathered) -> _Gathered:
        """Both as the one thing that they are, in the words of what shows more of it."""
        for one in (self, other):
            if one.begins and one.ends:
                return one
        better = other if other.length > self.length else self
        low, high = min(self.low, other.low), max(self.high, other.high)
        for one in (other, self):
            if one.begins:
                low = one.low
            if one.ends:
                high = one.high
        begins, ends = self.begins or other.begins, self.ends or other.ends
        return _Gathered(better.element, low, high, better.across, begins, ends)


def _look(element: Element) -> Strings:
    return element.class_name, element.resource_id, element.label, element.row_title


@dataclass
class Collecting:
    """From where the list is to its end. ``found`` is what was gathered, ``stopped`` if it ended.
    ``only`` says of a screen what of it counts, ``ends`` whether nothing that counts follows."""

    selector: Selector
    way: Way
    only: Callable[[Snapshot], Sequence[Element]] | None = None
    ends: Callable[[Snapshot], bool] | None = None
    stopped: str = ""
    _swipes: int = 0
    _gathered: list[_Gathered] = field(default_factory=list)
    _shown: list[_Gathered] = field(default_factory=list)  # on the last screen
    _slack: int = SLACK
    _covered: dict[Strings, Element] = field(
        default_factory=dict
    )  # what was under something else, by its look
    _anchored: bool = False  # whether what the selector is measured by was ever in sight

    @property
    def _sign(self) -> int:
        return 1 if self.way.direction in ("down", "right") else -1

    @property
    def found(self) -> list[Element]:
        """In the order of the content, rows from the top and from the left."""
        return [
            one.element for one in sorted(self._gathered, key=lambda one: (one.low, one.across))
        ]

    def send(self, action: ActionContext) -> Details:
        self._gathered, self._swipes, offset, carried, known = [], 0, 0, 0, True
        snapshot = screen_now(action)
        here = self.way.on(action, snapshot)
        self._gather(snapshot, here, 0)
        if here is None:
            self.stopped = self.way.no_way
            return self._summary(snapshot)
        while True:
            if self.ends is not None and self.ends(here.snapshot):
                self.stopped = "the end of its container"
                return self._summary(here.snapshot)
            if self._swipes >= self.way.max_swipes:
                why = f"max_swipes={self.way.max_swipes} did not reach the end of the list"
                why = why if known else f"{why}, or {END_UNKNOWN}"
                raise self._ended(here.snapshot, "TIMEOUT", why, may_retry=False)
            reach, expected = self._step(here, _pixels(action, LEAST_DP))
            swept = here.sweep(reach=reach, seconds=SLOWLY)
            self._swipes, known = self._swipes + swept.swipes, swept.known
            now = here.on(swept.snapshot)
            if now is None:
                why = "the list is not on the screen any more"
                raise self._ended(swept.snapshot, "UNKNOWN", f"{why}{_MISSED}")
            carried = carried + 1 if self._is_carried(here, now) else 0
            if not swept.moved or carried == _ENOUGH:
                self.stopped = "the end of the list"
                here.note_end(swept)
                if not swept.moved:
                    self._gather(now.snapshot, now, offset)
                return self._summary(self._read_on(now))
            gone = self._gone(here, now, swept, self._sign * expected)
            if gone is None:
                why = "it shares nothing with what was there before the swipe"
                raise self._ended(now.snapshot, "UNKNOWN", f"{why}{_MISSED}")
            offset, here = offset + gone, now
            self._gather(here.snapshot, here, offset)

    def _read_on(self, inner: Scroller) -> Snapshot:
        """Through the page that a list lies in, if neither of the two was named, for matches
        further on; returns the last screen."""
        snapshot, way = inner.snapshot, self.way
        if way.container is not None or way.part is not None:
            return snapshot
        box = scroller_around(snapshot, inner.box.node, way.direction)
        page = replace(inner, box=box) if box is not None else None
        while page is not None:
            if self._swipes >= way.max_swipes:
                raise self._ended(
                    snapshot,
                    "TIMEOUT",
                    f"max_swipes={way.max_swipes} did not reach the end of the page around the "
                    "list",
                    may_retry=False,
                )
            swept = page.sweep()
            snapshot = swept.snapshot
            self._swipes += swept.swipes
            here = inner.on(snapshot)
            within = snapshot.inside(here.box.node) if here is not None else range(0)
            for element in snapshot.every(self.selector):
                if element.index not in within:
                    raise self._outside(snapshot, inner, element)
            page = page.on(snapshot) if swept.moved else None
        return snapshot

    # --- one screen -------------------------------------------------------------------------------

    def _gather(self, snapshot: Snapshot, here: Scroller | None, offset: int) -> None:
        """Adds new elements; one that was cut by an edge before is replaced by its whole self.
        Raises ``StageFailed`` if the list goes deeper than the phone gives."""
        box = here.box if here is not None else self.way.container
        part = inside(box, self.selector) if box is not None else self.selector
        if not snapshot.shows_all(part):
            raise self._ended(snapshot, "UNKNOWN", f"{snapshot.limit}{_MISSED}")
        self._slack = round(SLACK * snapshot.scale)
        within = range(len(snapshot.nodes)) if here is None else snapshot.inside(here.box.node)
        counts = {one.index for one in self.only(snapshot)} if self.only is not None else None
        self._note_covered(snapshot, within)
        seen = self._shown = []  # two of them are two things
        for element in snapshot.every(part if here is None else self.selector):
            if here is not None and element.index not in within:
                if self.way.container is None:
                    raise self._outside(snapshot, here, element)
                continue
            if counts is not None and element.index not in counts:
                continue
            if here is None:  # on a screen that does not scroll, all of it is in sight
                place = _span(element.bounds, is_upright(self.way.direction))
                one = _Gathered(element, *place, True, True)
            else:
                low, high, across = _span_in(here, element.bounds)
                begins, ends = low > 0, high < here.length
                one = _Gathered(element, low + offset, high + offset, across, begins, ends)
            for known in self._gathered:
                if known not in seen and self._is_same(known, one):
                    self._gathered.remove(known)
                    one = known.joined(one)
                    break
            seen.append(one)
            self._gathered.append(one)

    def _note_covered(self, snapshot: Snapshot, within: range) -> None:
        self._anchored |= not snapshot.missing_anchors(self.selector)
        if snapshot.beneath is None or self.only is not None:
            return
        unlisted = {*within} - {element.index for element in snapshot.elements}
        for one in snapshot.beneath.every(self.selector):
            if one.index in unlisted and not snapshot.beneath.reach(one)[0].is_empty:
                self._covered[_look(one)] = one

    def _keep(self, gone: int) -> None:
        """Takes along what begins or ends on the last screen, where the next one looks the same: it
        was not moved, or it sticks."""
        for one in self._shown:
            if one.begins or one.ends:
                self._gathered.remove(one)
                self._gathered.append(replace(one, low=one.low + gone, high=one.high + gone))

    def _is_same(self, known: _Gathered, one: _Gathered) -> bool:
        """The same place in the content, and nothing that says otherwise. Something taller than the
        screen goes on where it was cut before, however far that is from there."""
        was, now = known.element, one.element
        alike = (was.class_name, was.resource_id) == (now.class_name, now.resource_id)
        if not alike or abs(known.across - one.across) > self._slack:
            return False
        goes_on = (
            not (known.ends or one.begins) if self._sign > 0 else not (known.begins or one.ends)
        )
        shared = min(known.high, one.high) - max(known.low, one.low)
        # Cut differently, the same thing shares most of the shorter stretch.
        return (goes_on and shared > 0) or shared * 2 > min(known.length, one.length)

    def _outside(self, snapshot: Snapshot, here: Scroller, element: Element) -> StageFailed:
        """A match that is no part of the list that would be read, as none was named."""
        return StageFailed.on(
            snapshot,
            "AMBIGUOUS_TARGET",
            f"{element.describe()} lies outside of {here.box.describe()}, which would be read.",
            (element,),
            final=True,
            advice=("name the list that is meant, by container=",),
        )

    # --- from one screen to the next --------------------------------------------------------------

    def _step(self, here: Scroller, least: float) -> tuple[float, int]:
        """How much of the list to swipe, and how far it is expected to go. If what stays in view
        looks like itself again a row further on, each swipe is shorter than a row: the list may
        stop anywhere on the way, and where it did could not be known otherwise."""
        view = _view(here)
        length, half = view.length, round(view.length * STEP)
        repeats = period(view, half, length) if self._sign > 0 else period(view, 0, length - half)
        if repeats is None or repeats * SHORT > length * STEP:
            return STEP, half
        return max(repeats * SHORT, least) / length, repeats // 2

    def _gone(self, here: Scroller, now: Scroller, swept: Swept, expected: int) -> int | None:
        """How far the content went; None if rows may have been missed. If nothing says how far,
        what follows comes after it all the same."""
        if swept.blind:
            self._keep(expected)
            return expected
        gone = shift(_view(here), _view(now), expected)
        if gone is None and self._goes_on(here, now):
            return expected
        return gone

    def _goes_on(self, here: Scroller, now: Scroller) -> bool:
        """Whether one thing that fills the list on one of two screens is on both, so that nothing
        lies between."""
        if not (here.shows_no_edge or now.shows_no_edge):
            return False
        signs = [{piece.sign for piece in _view(each).pieces} for each in (here, now)]
        if signs[0] & signs[1]:
            return True
        # What holds other things is known by its name: once they have left the screen it is all
        # that shows.
        whole = [{sign for _, sign in each.content if any(sign[1:])} for each in (here, now)]
        bare = [{sign for node, sign in each.content if not node.children} for each in (here, now)]
        return bool(whole[0] & bare[1] or bare[0] & whole[1])

    def _is_carried(self, here: Scroller, now: Scroller) -> bool:
        """Whether the page around a list moved, and the list with all that is in it: a page moves
        by what a list has no use for."""
        if scroller_around(now.snapshot, now.box.node, now.direction) is None:
            return False
        (first, last), (first_now, last_now) = (
            span(each.box.bounds, here.upright) for each in (here, now)
        )
        edge = span(now.area, here.upright)[0] - span(here.area, here.upright)[0]
        carried = {first_now - first, last_now - last} - {0}
        fits = [_fit(_view(here), _view(now), edge - by) for by in carried]
        return any(fit and not odd for fit, odd in fits)

    # --- how it ended -----------------------------------------------------------------------------

    def _summary(self, snapshot: Snapshot) -> AnyDict:
        """Raises ``StageFailed`` if something lay under something else each time, or if nothing was
        found inside of a container that was never there."""
        gathered = {_look(one.element) for one in self._gathered}
        for sign, one in self._covered.items():
            if sign not in gathered:
                why = f"{one.describe()} was covered whenever it was in sight{_MISSED}"
                raise self._ended(snapshot, "UNKNOWN", why)
        if not self._gathered and not self._anchored:
            anchor = snapshot.missing_anchors(self.selector)
            name = anchor[0].describe() if anchor else "its container"
            why = f"{name} was not on any of these screens"
            raise self._ended(snapshot, "ELEMENT_NOT_FOUND", why)
        return {"swipes": self._swipes, "count": len(self._gathered), "stopped": self.stopped}

    def _ended(self, snapshot: Snapshot, code: FailureCode, why: str, **facts: Any) -> StageFailed:
        """It ended before the list did, for that reason."""
        found = self.found
        so_far = f"{len(found)} so far" + (f", the last {found[-1].describe()}" if found else "")
        return StageFailed.on(snapshot, code, f"{why}; {so_far}.", **facts)


def _view(here: Scroller) -> View:
    """A view of all visible pieces, wanted or not: each shows how far the list went."""
    pieces = []
    for node, sign in here.content:
        if node.words or not node.children:
            low, high, across = _span_in(here, node.bounds)
            pieces.append(Piece((*sign, across), low, high))
    return View(tuple(pieces), here.length, round(SLACK * here.snapshot.scale))


def _span_in(here: Scroller, bounds: Rect) -> tuple[int, int, int]:
    """From where to where along the way, and where across it; from the viewport's own beginning."""
    return _span(bounds.shifted(-here.area.left, -here.area.top), here.upright)


def _span(bounds: Rect, upright: bool) -> tuple[int, int, int]:
    return (*span(bounds, upright), bounds.left if upright else bounds.top)


# of an element at the edge of a list: half of what a finger needs, and all of a line of text
_ENOUGH_DP = 48
_LEAST_PX = 4  # less than this at the end of a list is nothing that any finger could see


@dataclass
class Seek:
    """Swipes until the target shows. That it is disabled or covered is for the next action to say.
    Every swipe is followed by a settled read; two that move nothing end the list."""

    target: Target
    way: Way
    # Why it was not fit for a gesture when it was found last, None if it was. "off screen": though
    # the platform lists it, as iOS lists all of a page.
    _unfit: str | None = None

    def send(self, action: ActionContext) -> Details:
        snapshot, here = screen_now(action), None
        expired = action.timer()
        most, swipes, known = self.way.max_swipes, 0, True
        while True:
            element = self._found(action, snapshot)
            onward = self._still_to_go(action, snapshot, element)
            if element is not None and onward is None:
                return {"swipes": swipes, "found": element.describe()}
            if swipes >= most:
                still = ", and it still moved" if known else f"; {END_UNKNOWN}"
                raise self._missing(
                    action,
                    snapshot,
                    element,
                    f"max_swipes={most}{still if swipes else ''}",
                    "a larger max_swipes goes on, and ",
                )
            box, direction = None, self.way.direction
            if element is not None and self.way.container is None:  # it is listed already
                box = scroller_around(snapshot, element.node, direction)
            if box is not None:
                here = Scroller(action, snapshot, box, direction)
            else:
                here = self.way.on(action, snapshot, here)
            if here is None:
                if expired():
                    raise self._missing(
                        action,
                        snapshot,
                        element,
                        self.way.no_way,
                        "go to the screen that has it, or: ",
                    )
                snapshot = settle(action.context, None).snapshot
                continue
            here = replace(here, direction=onward or direction)
            swept = here.sweep(reach=REACH if element is None else NUDGE)
            swipes, known = swipes + swept.swipes, swept.known
            snapshot = swept.snapshot
            if swept.moved:
                continue
            # The list goes no further: what shows of the target now is all that will.
            here.note_end(swept)
            element = self._found(action, snapshot)
            if element is not None:
                seen = reduce(Rect.intersect, views_of(snapshot, element), element.bounds)
                if min(seen.width, seen.height) >= _LEAST_PX:
                    return {"swipes": swipes, "found": element.describe()}
            raise self._missing(
                action, snapshot, element, f"the end of the list, after {swipes} swipes"
            )

    def _found(self, action: ActionContext, snapshot: Snapshot) -> Element | None:
        """The target if it is listed at all. Raises ``StageFailed`` if scrolling does not help: for
        several matches, and for a ref that was never printed."""
        self._unfit = None
        try:
            return resolve(action.observer, snapshot, self.target)
        except StageFailed as failed:
            if failed.final:
                raise
            if failed.failure.code != "ELEMENT_NOT_INTERACTABLE":
                return None
            self._unfit = failed.failure.unfit
            return failed.failure.element

    def _still_to_go(
        self, action: ActionContext, snapshot: Snapshot, element: Element | None
    ) -> Direction | None:
        """Which way to scroll on: None if the target shows well enough. A line of pixels at the
        edge is not."""
        if element is None:
            return self.way.direction
        if self._unfit not in (None, "off screen"):
            return None
        upright = is_upright(self.way.direction)
        onward: Direction = "down" if upright else "right"
        low, high = span(element.bounds, upright)
        for view in views_of(snapshot, element):
            first, last = span(view, upright)
            shown = min(high, last) - max(low, first)
            enough = min(_pixels(action, _ENOUGH_DP), (last - first) / 2)
            if shown < enough and (low <= first or high >= last):
                return onward if high >= last else OPPOSITE[onward]
        return self.way.direction if self._unfit else None

    def _missing(
        self,
        action: ActionContext,
        snapshot: Snapshot,
        element: Element | None,
        where: str,
        first: str = "",
    ) -> StageFailed:
        """``first`` is advice that comes before that of looking the other way."""
        way = self.way
        inside = f" in {describe(way.container)}" if way.container is not None else ""
        beyond = f"; {snapshot.limit}, and it may lie deeper" if snapshot.cut else ""
        what = f"not there{beyond}"
        if element is not None:
            what = f"no more than an edge of {element.describe()} shows"
        advice = f'{first}direction="{OPPOSITE[way.direction]}" looks the other way'
        wrong = f"{what}, {way.direction}{inside} up to {where}."
        failure = failure_on(snapshot, "ELEMENT_NOT_FOUND", wrong, advice=(advice,))
        if element is None:
            failure = advised(action.observer, snapshot, self.target, failure)
        return StageFailed(failure)
