"""``History``: the earlier reads of a test, and where a finger moved in between. Checks of absence
ask whether what one of them showed is gone, or was only scrolled out of view. ``Sightings``: what
belongs to one action."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from ...drivers import Platform
from ...errors import UndecidableText
from ...model import Node, Point, Selector, Strings, quoted
from ...snapshots import Snapshot, fits_text, is_pane
from .panes import Pane, share_a_pane

Direction = Literal["up", "down", "left", "right"]


class Swipe(NamedTuple):
    """Where a finger moved, ``across`` and ``down`` in pixels; None if that is not known."""

    across: int | None
    down: int | None

    @property
    def is_sideways(self) -> bool:
        return abs(self.across or 0) > abs(self.down or 0)


class History:
    """``most``: so many reads are kept of each kind."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._reads = 0
        self._latest: Snapshot | None = None
        self._read_at: dict[str, int] = {}  # the newest read that showed a screen, by its id
        self._swipes: deque[tuple[int, Swipe, Snapshot]] = deque(maxlen=most)
        self._parts: OrderedDict[int, Snapshot] = (
            OrderedDict()
        )  # older reads, one for each content of the panes
        self._ends: deque[tuple[Snapshot, Node, Direction]] = deque(maxlen=most)

    def note_read(self, snapshot: Snapshot) -> None:
        self._latest = snapshot
        self._reads += 1
        self._read_at[snapshot.id] = self._reads

    def keep(self, snapshot: Snapshot) -> None:
        """Keeps a read that is too old to be kept for itself, if no newer one shows the same part
        of each list: of a screen with a ticker there are many, and what was scrolled away is on the
        oldest."""
        shown = [
            sign
            for node in snapshot.nodes
            if is_pane(node)
            for _, sign in Pane(snapshot, node).content
        ]
        if shown:
            key = hash((snapshot.app, tuple(shown)))
            self._parts.pop(key, None)
            self._parts[key] = snapshot
            while len(self._parts) > self._most:
                self._parts.popitem(last=False)

    def note_swipe(self, start: Point | None = None, end: Point | None = None) -> None:
        """Remembers that a finger moved over the screen that was read last, with None some way:
        what scrolls may show another part by now."""
        way = Swipe(None, None)
        if start is not None and end is not None:
            way = Swipe(end.x - start.x, end.y - start.y)
        if self._latest:
            self._swipes.append((self._reads, way, self._latest))

    def swipes_between(self, then: Snapshot, now: Snapshot) -> list[Swipe]:
        """Where fingers moved between the last reads that showed these two."""
        first, last = self._read_at[then.id], self._read_at[now.id]
        return [way for reads, way, _ in self._swipes if first <= reads < last]

    def note_end(self, snapshot: Snapshot, pane: Node, direction: Direction) -> None:
        """Remembers that a pane was seen to go no further that way on this read."""
        self._ends.append((snapshot, pane, direction))

    def ends_of(self, snapshot: Snapshot, pane: Node) -> set[Direction]:
        """The ways in which a pane is known to go no further on this read."""
        return {
            way for one, node, way in self._ends if one is snapshot and node.bounds == pane.bounds
        }

    def earlier_on(self, snapshot: Snapshot, kept: Collection[Snapshot]) -> list[Snapshot]:
        """The other reads, with ``kept``, that are not known to be of another screen, newest first.
        Where the title or the open tab changes while a list is scrolled, two reads in a row share a
        part of it."""
        known = {
            one.id: one
            for one in (*self._parts.values(), *(each[2] for each in self._swipes), *kept)
        }
        newest = sorted(known.values(), key=lambda one: self._read_at[one.id], reverse=True)
        found: list[Snapshot] = []
        names, last, chained = [snapshot.traits], snapshot, True
        for one in newest:
            if one is snapshot:
                continue
            if all(one.traits.differ(name) for name in names):
                chained = chained and share_a_pane(last, one)
                if not chained:
                    continue
                names.append(one.traits)
            found.append(one)
            last = one
        return found


MOST_SEEN = 256  # different ones kept of one action; a video would fill memory otherwise


@dataclass(eq=False)
class Sightings:
    """The record of one action, from the moment when it was first sent to the next action.

    ``screens`` are the different screens that were read since it was sent last, oldest first.
    ``toasts`` are what the platform announced, each once. ``action_id`` is "" before the first
    action of a session, ``before`` the screen when it was sent, None if that was not read. ``gone``
    are the titles of dialogs on screens that are no longer kept.
    """

    action_id: str = ""
    before: Snapshot | None = None
    screens: list[Snapshot] = field(default_factory=list)
    toasts: list[str] = field(default_factory=list)
    was_read: bool = False
    was_polled: bool = False
    gone: Strings = ()

    def note(self, snapshot: Snapshot) -> None:
        """Adds a screen, unless it is the one that was added last."""
        self.was_read = True
        if (not self.screens or self.screens[-1] is not snapshot) and len(self.screens) < MOST_SEEN:
            self.screens.append(snapshot)

    def note_toast(self, toast: str | None) -> None:
        self.was_polled = True
        if toast and toast not in self.toasts:
            self.toasts.append(toast)

    def close(self) -> None:
        """Forgets the screens, and keeps the titles of the dialogs among them."""
        self.gone, self.screens, self.before = self.dialogs, [], None

    def begin(self, before: Snapshot | None) -> None:
        """Screens count from now on: those until now are of before the gesture."""
        self.screens, self.before, self.was_read = [], before, False

    def copy(self) -> Sightings:
        """The same record, which grows apart from this one."""
        return replace(self, screens=[*self.screens], toasts=[*self.toasts], was_polled=False)

    @property
    def dialogs(self) -> Strings:
        """Titles of the dialogs that came and went, in order, "" for one without a title. One that
        was there before the action did not come, and one that is still there did not go."""
        found = list(self.gone)
        top, came = self.before.dialog if self.before else None, False
        for screen in self.screens:
            now = screen.dialog
            if None not in (now, top) and not (now and top):  # one that is being drawn
                top = now or top
            elif now != top:
                found += [top] if came and top is not None else []
                top, came = now, True
        return tuple(found)

    def showed(
        self,
        wanted: Selector,
        platform: Platform,
        *also: Snapshot,
        poll: Callable[[], None] | None = None,
    ) -> str:
        """Where a selector matched, in words; "" for nowhere. ``also`` are further screens;
        ``poll`` asks for the last toast, where no screen has matched. Raises ``UndecidableText`` if
        that decides."""
        unknown: UndecidableText | None = None
        for screen in (*self.screens, *also):
            try:
                if screen.match_labels(wanted):
                    return f"seen on {screen.screen or screen.id}"
            except UndecidableText as error:  # of a screen that is gone by now
                unknown = error
        if poll is not None:
            poll()
        for toast in self.toasts:
            if fits_text(wanted, toast, platform):
                return f"toast {quoted(toast)}"
        if unknown is not None:
            raise unknown
        return ""
