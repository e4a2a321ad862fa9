"""Which element of one snapshot is which of the next."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ..screen.scrolling import panes
from ..text.masking import mask_volatile

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from ...model import Element, Node

    Pair = tuple[Element, Element]


class Comparable(Protocol):
    """What a diff reads of a snapshot."""

    @property
    def screen(self) -> str: ...

    @property
    def dialog(self) -> str | None: ...

    @property
    def screen_key(self) -> str: ...

    @property
    def elements(self) -> tuple[Element, ...]: ...

    @property
    def nodes(self) -> tuple[Node, ...]: ...


@dataclass(frozen=True, slots=True)
class Pairing:
    """``pairs`` of one element then and now, in the order of now; what is only then or only now."""

    pairs: list[Pair]
    removed: list[Element]
    added: list[Element]


def pair(before: Comparable, after: Comparable) -> Pairing:
    """Identity pairs first. On the same screen what is left is paired by kind and name, clocks apart; then by
    its id in its row, and by its place, unless what it is in has scrolled."""
    partner: dict[int, Element] = {}
    by_identity = {element.identity: element for element in before.elements}
    for element in after.elements:
        if element.identity in by_identity:
            partner[element.identity] = by_identity.pop(element.identity)
    left = list(by_identity.values())
    fresh = [element for element in after.elements if element.identity not in partner]
    if left and fresh and before.screen_key == after.screen_key:
        _pair_rest(before, after, partner, left, fresh)
        taken = {old.identity for old in partner.values()}
        left = [element for element in left if element.identity not in taken]
    return Pairing(
        pairs=[(partner[e.identity], e) for e in after.elements if e.identity in partner],
        removed=left,
        added=[e for e in after.elements if e.identity not in partner],
    )


def _pair_rest(
    before: Comparable, after: Comparable, partner: dict[int, Element], left: list[Element], fresh: list[Element]
) -> None:
    then, now = panes(before.nodes), panes(after.nodes)
    pairs = [(partner[e.identity], e) for e in after.elements if e.identity in partner]
    moves = {move for old, new in pairs if now[new.node.index] >= 0 for move in _moves(old, new)}
    for old, new in _match(left, fresh, _by_kind):
        if _may_be_one(old, new) and (now[new.node.index] < 0 or _moves(old, new) & moves):
            partner[new.identity] = old
    keys: tuple[Callable[[Element], Hashable], ...] = (_by_id, _by_place)
    if moves != {(0, 0)}:  # it scrolled, or nothing of it is left
        left = [e for e in left if e.row_title or then[e.node.index] < 0]
        fresh = [e for e in fresh if e.row_title or now[e.node.index] < 0]
        keys = (_by_id, _by_place_in_row)
    for key in keys:
        taken = {old.identity for old in partner.values()}
        left = [element for element in left if element.identity not in taken]
        fresh = [element for element in fresh if element.identity not in partner]
        partner.update({new.identity: old for old, new in _match(left, fresh, key) if _may_be_one(old, new)})


def _may_be_one(old: Element, new: Element) -> bool:
    """Unless they stand behind different labels."""
    return not (old.section and new.section) or old.section == new.section


def _moves(old: Element, new: Element) -> set[tuple[int, int]]:
    """How far its upper left and its lower right corner moved: one of them, where an edge cuts it."""
    was, now = old.bounds, new.bounds
    return {(now.left - was.left, now.top - was.top), (now.right - was.right, now.bottom - was.bottom)}


def corner(element: Element) -> tuple[int, int]:
    """Its upper left corner."""
    return element.bounds.left, element.bounds.top


def _match(old: Sequence[Element], new: Sequence[Element], key: Callable[[Element], Hashable]) -> list[Pair]:
    """Pairs whose key is there once on either side."""
    then, now = [key(element) for element in old], [key(element) for element in new]
    times_then, times_now = Counter(then), Counter(now)
    known = dict(zip(then, old, strict=True))
    return [
        (known[value], element)
        for value, element in zip(now, new, strict=True)
        if value is not None and times_now[value] == times_then[value] == 1
    ]


def _by_kind(element: Element) -> Hashable:
    kind = (element.class_name, element.resource_id, mask_volatile(element.name), element.row_title)
    return kind if element.resource_id or element.label else None


def _by_id(element: Element) -> Hashable:
    return (element.resource_id, element.class_name, element.row_title) if element.resource_id else None


def _by_place(element: Element) -> Hashable:
    return element.class_name, element.resource_id, element.bounds


def _by_place_in_row(element: Element) -> Hashable:
    return element.class_name, element.resource_id, element.bounds, element.row_title
