"""Whether the place where something was on an earlier read is in sight on a later one.

A list that was scrolled, by a finger or by the app itself, hides what it showed before. Where that
went is known by what both reads show: the rows next to it, where they are known to be the same, and
not stuck to an edge."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from ...model import Element, Node, Rect, Strings
from ...snapshots import Snapshot, is_pane
from ..stabilize.history import Direction, Swipe
from ..stabilize.observer import Observer
from ..stabilize.panes import Pane, panes_around

_ROUNDING = 3  # pixels, between two places that are the same
_LEAST_SWEPT = 0.5  # of the way that fingers went, a list goes with them
_MOSTLY = 0.75  # of the texts in sight: so many are the same where a page only lost one


def shows_place(element: Element, then: Snapshot, now: Snapshot, observer: Observer) -> bool:
    """Whether ``now`` shows the place where the element was ``then``, so that it would show the
    element itself. The nearest pane around it that is on both decides, unless nothing of it can be
    out of sight: then the next."""
    swipes = observer.history.swipes_between(then, now)
    node = _what_went(element, then, now)
    around, found = panes_around(then, node), False
    for pane in around:
        here = pane.on(now)
        if here is None:
            continue
        both = _Both(node, pane, here, swipes, observer.history.ends_of(now, here.node))
        shown = both.shows_place(app_turns=not found)
        if shown is not None:
            return shown
        found = True
    return bool(around) or _is_on_the_screen(node, then, now)


def _what_went(element: Element, then: Snapshot, now: Snapshot) -> Node:
    """The element, or the text in it that is not there any more while others are: a row goes by all
    its texts."""
    texts = [one for one in then.below(element.node) if one.words]
    wanted = {(one.text, one.description) for one in texts}
    shown = {
        sign
        for one in now.nodes
        if (sign := (one.text, one.description)) in wanted and _is_in_view(now, one)
    }
    missing = [one for one in texts if (one.text, one.description) not in shown]
    return missing[0] if 0 < len(missing) < len(texts) else element.node


def _is_in_view(snapshot: Snapshot, node: Node) -> bool:
    """Whether the middle of a node is in view in the pane around it: an iPhone lists what lies
    beyond as well."""
    return all(pane.area.contains(node.bounds.center) for pane in panes_around(snapshot, node)[:1])


def read_through(
    element: Element, then: Snapshot, later: Sequence[Snapshot], observer: Observer
) -> bool:
    """Whether the list around the element was read since, from its start to its end or back, each
    read with a part of the one before. ``later`` are all reads since, newest first."""
    around = panes_around(then, element.node)
    ends: set[Direction] = set()
    last: Pane | None = None
    for now in later if around else ():
        here = around[0].on(now)
        if here is None or (last is not None and not last.shares_texts(here)):
            ends = set()
        if here is not None:
            ends |= observer.history.ends_of(now, here.node)
            if {"up", "down"} <= ends or {"left", "right"} <= ends:
                return True
        last = here
    return False


class _Move(NamedTuple):
    """A text that both reads show, and how far it went."""

    then: Node
    now: Node
    across: int
    down: int

    @property
    def stays(self) -> bool:
        return abs(self.across) <= _ROUNDING and abs(self.down) <= _ROUNDING


@dataclass(frozen=True)
class _Both:
    """One pane on two reads. ``ends``: the ways in which it was seen to go no further on the later
    one."""

    element: Node
    then: Pane
    now: Pane
    swipes: Sequence[Swipe]
    ends: Collection[Direction]

    def shows_place(self, *, app_turns: bool) -> bool | None:
        """None if nothing of this pane can be out of sight. ``app_turns``: the app may have turned
        it to other content by itself."""
        if self.now.hides_nothing or (self.at_start and self.at_end):
            return None
        if not self.moves:
            refreshed = self._was_pulled() or not (app_turns or self._swiped)
            return None if refreshed or (not self._swiped and self._was_filtered()) else False
        if any(one.now.index > other.now.index for one, other in pairwise(self.moves)):
            return False  # sorted again
        ahead = self._steady(
            [one for one in reversed(self.moves) if one.then.index < self.element.index]
        )
        behind = self._steady([one for one in self.moves if one.then.index > self.element.index])
        if (ahead or self.at_start) and (behind or self.at_end):
            return True
        return any(
            self._would_show(near, before=near in ahead) for near in (*ahead[:1], *behind[:1])
        )

    @property
    def at_start(self) -> bool:
        return "up" in self.ends or "left" in self.ends

    @property
    def at_end(self) -> bool:
        return "down" in self.ends or "right" in self.ends

    @cached_property
    def sideways(self) -> bool | None:
        return self.then.sideways if self.then.sideways is not None else self.now.sideways

    # --- what both reads show ---------------------------------------------------------------------
    @cached_property
    def moves(self) -> list[_Move]:
        """The texts of both, in order. Those in the row of the element say little, as all rows may
        have them: they count if nothing else is in sight, most of it is the same, and no finger
        moved it."""
        was, now = self.then.named_once, self.now.named_once
        own = {self.element.index, *self.then.snapshot.inside(self.element)}
        found = [
            self._move(one, now[sign])
            for sign, one in was.items()
            if sign in now and one.index not in own
        ]
        row = self.then.item(self.element).index
        apart = [one for one in found if self.then.item(one.then).index != row]
        if self._swiped:  # two rows may have a text in common, such as the author of two books
            first, first_now = self.then.first_text, self.now.first_text
            one_row = (one for one in apart if first(one.then) == first_now(one.now))
            return list(filter(self._went_along, one_row))
        if apart:
            return apart
        return found if len(found) >= _MOSTLY * len(now) else []

    def _move(self, was: Node, now: Node) -> _Move:
        """By its far end where the near one is cut off."""
        one, other = was.bounds, now.bounds
        across, down = other.left - one.left, other.top - one.top
        if one.height != other.height and min(one.top, other.top) <= self.now.area.top:
            down = other.bottom - one.bottom
        if one.width != other.width and min(one.left, other.left) <= self.now.area.left:
            across = other.right - one.right
        if self.sideways:
            down = 0
        elif self.sideways is False:
            # Nothing lies side by side in it but the parts of one row.
            rows = pairwise(self.then.rows)
            if all(above.bottom <= below.top + _ROUNDING for above, below in rows):
                across = 0
        return _Move(was, now, across, down)

    def _went_along(self, move: _Move) -> bool:
        """Whether the text moved as the fingers did: it stayed, or went that way and about as far.
        At the end of a list it may go anywhere: a row that is removed draws the others along."""
        if move.stays or any(None in (way.across, way.down) for way in self._swiped):
            return True
        swept = sum(way.across if self.sideways else way.down for way in self._swiped)  # type: ignore[misc]  # each has both
        went = move.across if self.sideways else move.down
        stopped = self.at_end if swept < 0 else self.at_start
        return stopped or (swept * went >= 0 and abs(went) >= _LEAST_SWEPT * abs(swept))

    # --- where the place went ---------------------------------------------------------------------
    def _steady(self, moves: list[_Move]) -> list[_Move]:
        """The moves, nearest first, if the nearest says where the content went. One that stays may
        be stuck to an edge, as headings are: not where it is a row like that of the element, or two
        rows stay."""
        if not moves or not moves[0].stays:
            return moves
        row = self.then.item(self.element)
        still = [self.then.item(one.then) for one in moves if one.stays]
        alike = not self._swiped and any(_are_alike(one, row) for one in still)
        apart = not all(one.bounds.meets(still[0].bounds) for one in still)
        return moves if alike or apart else []

    def _would_show(self, near: _Move, *, before: bool) -> bool:
        """Whether the place is in sight if it went as far as this neighbour, or closed up: what
        came next now begins where it began; at the end of a list, what came before ends where it
        ended."""
        place = self.then.item(self.element).bounds
        if self.now.area.contains(self.element.bounds.shifted(near.across, near.down).center):
            return True
        if self._swiped_along(near):
            return False
        was = self.then.item(near.then).bounds
        gone_to = was.shifted(near.across, near.down)
        if before:
            closed = (
                abs(gone_to.bottom - place.bottom) <= _ROUNDING
                and abs(gone_to.right - place.right) <= _ROUNDING
            )
            return closed and self._are_next(was, place) and not self._goes_on_after(near)
        closed = (
            abs(gone_to.top - place.top) <= _ROUNDING
            and abs(gone_to.left - place.left) <= _ROUNDING
        )
        return closed and self._are_next(place, was)

    def _are_next(self, one: Rect, other: Rect) -> bool:
        """Whether nothing lies between two rows."""
        rows = self.then.rows
        if self.sideways:
            return not any(
                one.right <= row.left and row.right <= other.left and row.width > 0 for row in rows
            )
        return not any(
            one.bottom <= row.top and row.bottom <= other.top and row.height > 0 for row in rows
        )

    def _goes_on_after(self, near: _Move) -> bool:
        row = self.now.item(near.now, self.now.node).bounds
        later = [one.bounds for one in self.now.texts if one.index > near.now.index]
        if self.sideways:
            return any(one.left >= row.right for one in later)
        return any(one.top >= row.bottom for one in later)

    # --- what moved it ----------------------------------------------------------------------------
    @cached_property
    def _swiped(self) -> list[Swipe]:
        """The swipes that may have moved it."""
        return [
            way
            for way in self.swipes
            if way.across is None or self.sideways in (None, way.is_sideways)
        ]

    def _swiped_along(self, move: _Move) -> bool:
        """Whether a finger moved the way that the content went: the other way, as in a pull, it
        cannot have done that."""
        return any(
            way.across is None
            or way.down is None
            or way.across * move.across + way.down * move.down > 0
            for way in self._swiped
        )

    def _was_filtered(self) -> bool:
        """Whether a control outside of it was set to something else: the list holds what that asks
        for. A tab may only lead to another part of the same list, and is none of these."""
        then = self.then.snapshot
        inside = then.inside(self.then.node)
        now = {element.identity: element for element in self.now.snapshot.elements}
        for was in then.elements:
            one = now.get(was.identity)
            if one is None or was.index in inside:
                continue
            # Progress moves by itself.
            chosen = was.value != one.value and None not in (was.value, one.value)
            if chosen and was.semantic_role != "progress":
                return True
            if was.states.checked is not one.states.checked:
                return True
        return False

    def _was_pulled(self) -> bool:
        """Whether the list was at its start, and a finger pulled it down no farther than that the
        place were still in sight: it was filled again."""
        pulls = [way.down for way in self._swiped if way.down is not None and way.down > 0]
        if not pulls or len(pulls) < len(self._swiped) or self.sideways:
            return False
        far = self.element.bounds.shifted(0, sum(pulls)).center
        return self.now.area.contains(far) and self.then.start == self.now.start


def _are_alike(one: Node, other: Node) -> bool:
    looks = [(each.class_name, each.resource_id, each.bounds.width) for each in (one, other)]
    return looks[0] == looks[1] and abs(one.bounds.height - other.bounds.height) <= _ROUNDING


def _is_on_the_screen(element: Node, then: Snapshot, now: Snapshot) -> bool:
    """Whether the place of something in no pane is still on the screen: what comes above it may
    push it off, also behind what stays at the bottom, and a screen that is turned, or has a
    keyboard, holds less."""
    was, shown = _loose_texts(then, element), _loose_texts(now, element)
    moves = []
    for key, one in was.items():
        if other := shown.get(key):
            (left, top, *_), (left_now, top_now, *_) = one.bounds, other.bounds
            moves.append(_Move(one, other, left_now - left, top_now - top))
    ahead = [one for one in moves if one.then.index < element.index][-1:]
    behind = [one for one in moves if one.then.index > element.index][:1]
    for near in (*ahead, *behind)[:1]:
        place = element.bounds.shifted(near.across, near.down)
        if not ahead or not behind:
            return _room(now).contains(place.center)
        closed = abs(near.now.bounds.bottom - element.bounds.bottom) <= _ROUNDING
        over = place.center.y >= behind[0].now.bounds.top
        return near.stays or not behind[0].stays or closed or not over
    return True  # another screen altogether


def _loose_texts(snapshot: Snapshot, like: Node) -> dict[Strings, Node]:
    """The texts on the screen of the same app that are in no pane, and there once."""
    found: dict[Strings, list[Node]] = {}
    loose: list[bool] = []
    for node in snapshot.nodes:
        loose.append((node.parent < 0 or loose[node.parent]) and not is_pane(node))
        here = node.package == like.package and (
            snapshot.platform != "ios" or node.window == like.window
        )
        if loose[-1] and here and node.visible and not node.bounds.is_empty and node.words:
            key = (node.class_name, node.resource_id, node.text, node.description)
            found.setdefault(key, []).append(node)
    return {key: nodes[0] for key, nodes in found.items() if len(nodes) == 1}


def _room(snapshot: Snapshot) -> Rect:
    """The screen, down to a keyboard for which the app has made room: where it has not, what lies
    under the keyboard is reported."""
    width, height = snapshot.size
    keyboard = snapshot.keyboard
    if keyboard is None:
        return Rect(0, 0, width, height)
    below = any(
        node.visible
        and not node.children
        and node.bounds.bottom > keyboard.top
        and node.package == snapshot.app
        for node in snapshot.nodes
    )
    return Rect(0, 0, width, height if below or snapshot.platform == "ios" else keyboard.top)
