"""Whether two reads agree; and what on a screen never rests, so that waiting for it would be waiting for ever.

What is found here is left out of account for settling alone: checks see all of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from ...model import Rect, bare, quoted
from ...snapshots import content

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...model import Element
    from ...snapshots import Snapshot

_ROW = 3  # so many changes in a row tell what never rests from what is about to
_SHARE = 0.4  # of the screen, and half of what is on it, at most: beyond that it is the screen that changes
_MOST_NAMES = 5
_MOST_REGIONS = 20
_SPINNERS = ("ProgressBar", "ActivityIndicator")


def agree(one: Snapshot, other: Snapshot) -> bool:
    """The same content in the same places; ticking clocks apart, which the fingerprint masks."""
    if one is other:
        return True
    return one.fingerprint == other.fingerprint and _places(one) == _places(other)


def _places(snapshot: Snapshot) -> list[object]:
    return [(element.identity, element.bounds) for element in snapshot.elements]


@dataclass(frozen=True)
class Region:
    """Where a screen is never the same twice: by place, and by the elements that were there."""

    box: Rect
    identities: frozenset[int]
    names: tuple[str, ...]

    def holds(self, element: Element) -> bool:
        return element.identity in self.identities or self.box.encloses(element.bounds)


class Restless:
    """What a session found out about its screens, by ``screen_key``."""

    def __init__(self) -> None:
        self._regions: dict[str, tuple[Region, ...]] = {}
        self._loading: set[str] = set()

    def alike(self, one: Snapshot, other: Snapshot) -> bool:
        """Whether two reads agree, but for what is known never to rest on this screen."""
        if agree(one, other):
            return True
        regions = self._regions.get(other.screen_key)
        if regions is None or not _of_one_screen(one, other):
            return False
        return all(any(region.holds(item) for region in regions) for item in _differing(one, other))

    def loads(self, snapshot: Snapshot) -> bool:
        """Whether it says that it is loading, and that is not known to stay so."""
        return snapshot.loading and snapshot.screen_key not in self._loading

    def masked(self, one: Snapshot | None, snapshot: Snapshot) -> tuple[str, ...]:
        """The names of what was left out of account for two reads to be alike."""
        names: list[str] = []
        if one is not None and not agree(one, snapshot):
            names += [name for region in self._regions.get(snapshot.screen_key, ()) for name in region.names]
        if snapshot.loading and snapshot.screen_key in self._loading:
            names += _spinners(snapshot)
        return tuple(dict.fromkeys(names))[:_MOST_NAMES]

    def learn_loading(self, snapshot: Snapshot) -> None:
        """It was waited for, and went on: from now on this screen is not expected to finish."""
        self._loading.add(snapshot.screen_key)

    def learn(self, reads: Sequence[Snapshot]) -> None:
        """Takes in what differed on each of the last reads while all else agreed, if that is what happened."""
        last = reads[-_ROW - 1 :]
        pairs = list(pairwise(last))
        if len(pairs) < _ROW or not all(_of_one_screen(one, other) for one, other in pairs):
            return
        rows = [_differing(one, other) for one, other in pairs]
        regions = _clusters([item for row in rows for item in row])
        key, now = last[-1].screen_key, last[-1]
        width, height = now.size
        small = sum(region.box.area for region in regions) <= width * height * _SHARE
        often = all(sum(any(map(region.holds, row)) for row in rows) >= _ROW - 1 for region in regions)
        moving = sum(any(region.holds(item) for region in regions) for item in now.elements)
        if all(rows) and often and small and moving * 2 <= len(now.elements):
            self._regions[key] = (*self._regions.get(key, ())[-_MOST_REGIONS:], *regions)


def _of_one_screen(one: Snapshot, other: Snapshot) -> bool:
    return one.screen_key == other.screen_key and one.dialog == other.dialog


def _differing(one: Snapshot, other: Snapshot) -> list[Element]:
    """The elements that are not the same on both, as they are on each."""
    then = {element.identity: element for element in one.elements}
    now = {element.identity: element for element in other.elements}
    found = [element for identity, element in then.items() if identity not in now]
    for identity, element in now.items():
        old = then.get(identity)
        if old is None:
            found.append(element)
        elif old.bounds != element.bounds or content(old) != content(element):
            found += [old, element]
    return found


def _clusters(elements: Sequence[Element]) -> list[Region]:
    """What overlaps is one region."""
    groups: list[tuple[Rect, list[Element]]] = []
    for element in elements:
        box, members = element.bounds, [element]
        apart = []
        for other, inside in groups:
            if box.intersect(other).is_empty:
                apart.append((other, inside))
            else:
                box, members = _union(box, other), [*inside, *members]
        groups = [*apart, (box, members)]
    return [Region(box, frozenset(e.identity for e in members), _names(members)) for box, members in groups]


def _names(members: Sequence[Element]) -> tuple[str, ...]:
    """The last of each place, since that is what the screen shows."""
    latest = {element.bounds: element for element in members}
    return tuple(map(_name, list(latest.values())[-2:]))


def _name(element: Element) -> str:
    return f"{bare(element.class_name)} {quoted(element.label) if element.label else f'[{element.ref}]'}"


def _spinners(snapshot: Snapshot) -> list[str]:
    shown = {element.node.index: element for element in snapshot.elements}
    found = [node for node in snapshot.nodes if node.class_name.endswith(_SPINNERS) and node.visible]
    return [_name(shown[node.index]) if node.index in shown else bare(node.class_name) for node in found] or [
        "loading"
    ]


def _union(one: Rect, other: Rect) -> Rect:
    return Rect(
        min(one.left, other.left),
        min(one.top, other.top),
        max(one.right, other.right),
        max(one.bottom, other.bottom),
    )
