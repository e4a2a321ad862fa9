"""``History``: the earlier reads of a test, and where a finger moved in between. Checks of absence ask whether
what one of them showed is gone, or was only scrolled out of view."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Collection
from typing import Literal, NamedTuple

from ...model import Node, Point
from ...snapshots import Snapshot, is_pane
from .panes import content_in, share_a_pane

Direction = Literal["up", "down", "left", "right"]


class Swipe(NamedTuple):
    """Where a finger moved, ``across`` and ``down`` in pixels; None where that is not known."""

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
        self._read_at: dict[str, int] = {}  # the newest read that showed a screen, by its id
        self._swipes: deque[tuple[int, Swipe, Snapshot]] = deque(maxlen=most)
        self._parts: OrderedDict[int, Snapshot] = OrderedDict()  # older reads, one for each content of the panes
        self._ends: deque[tuple[Snapshot, Node, Direction]] = deque(maxlen=most)

    def note_read(self, snapshot: Snapshot) -> None:
        self._reads += 1
        self._read_at[snapshot.id] = self._reads

    def keep(self, snapshot: Snapshot) -> None:
        """Keeps a read that is too old to be kept for itself, if no newer one shows the same part of each list: of
        a screen with a ticker there are many, and what was scrolled away is on the oldest."""
        shown = [sign for node in snapshot.nodes if is_pane(node) for _, sign in content_in(snapshot, node)]
        if shown:
            key = hash((snapshot.app, tuple(shown)))
            self._parts.pop(key, None)
            self._parts[key] = snapshot
            while len(self._parts) > self._most:
                self._parts.popitem(last=False)

    def note_swipe(self, snapshot: Snapshot, start: Point | None, end: Point | None) -> None:
        """Remembers that a finger moved over this screen, with None some way: what scrolls may show another part
        by now."""
        way = (
            Swipe(end.x - start.x, end.y - start.y) if start is not None and end is not None else Swipe(None, None)
        )
        self._swipes.append((self._reads, way, snapshot))

    def swipes_between(self, then: Snapshot, now: Snapshot) -> list[Swipe]:
        """Where fingers moved between the last reads that showed these two."""
        first, last = self._read_at[then.id], self._read_at[now.id]
        return [way for reads, way, _ in self._swipes if first <= reads < last]

    def note_end(self, snapshot: Snapshot, pane: Node, direction: Direction) -> None:
        """Remembers that a pane was seen to go no further that way on this read."""
        self._ends.append((snapshot, pane, direction))

    def ends_of(self, snapshot: Snapshot, pane: Node) -> set[Direction]:
        """The ways in which a pane is known to go no further on this read."""
        return {way for one, node, way in self._ends if one is snapshot and node.bounds == pane.bounds}

    def earlier_on(self, snapshot: Snapshot, kept: Collection[Snapshot]) -> list[Snapshot]:
        """The other reads, with ``kept``, that are not known to be of another screen, newest first. Where the
        title or the open tab changes while a list is scrolled, two reads in a row share a part of it."""
        known = {one.id: one for one in (*self._parts.values(), *(each[2] for each in self._swipes), *kept)}
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
