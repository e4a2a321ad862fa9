"""Matching a selector against a screen. Nothing here picks a winner: every match is returned."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from ...model import Element, Selector, combined
from ..parsers.roles import meaning_of
from ..parsers.xcui_tree import PREFIX
from ..text.words import clean, short_id
from . import relations
from .grammar import STATES, check

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from ...model import Node
    from ..parsers.reading import Platform
    from .place import Place


def match(place: Place, selector: Selector, *, folded: bool = False, slack: int = 0) -> list[Element]:
    """Every element that fits, in reading order, ``nth`` applied. With ``folded``, a label printed with a
    row or a control stands for that element too, and headings count. What is ``near`` may be ``slack`` pixels
    farther than the nearest. Raises ``UsageError`` for a selector that says nothing sensible."""
    check(selector)
    wanted = for_platform(selector, place.platform)
    if wanted is None:
        return []
    traits = _traits(place, wanted)
    found = _fitting(place, wanted, traits, place.element_at)
    if folded:
        headings, owners = _fitting(place, wanted, traits, place.heading_at), _owners(place, wanted, traits)
        found = sorted({*found, *headings, *owners})
    kept = _ordered(place, wanted, _related(place, wanted, found, slack))
    return [place.element_at.get(index) or place.heading_at[index] for index in kept]


def meant(place: Place, selector: Selector) -> list[Element]:
    """What a target stands for: the elements that fit themselves, else those that print a fitting label. An
    ``nth`` beyond the first kind is not counted among the second."""
    found = match(place, selector)
    wanted = for_platform(selector, place.platform)
    if found or wanted is None or (wanted.nth is not None and match(place, replace(wanted, nth=None))):
        return found
    return match(place, selector, folded=True)


def anchors(place: Place, target: str | Element | Selector) -> list[int]:
    """Indexes of what is named as a part of the screen: elements first, else plain nodes."""
    if isinstance(target, Selector):
        return [element.node.index for element in match(place, target)] or _nodes(place, target)
    check(Selector(within=target))
    if isinstance(target, Element):
        everything = (*place.elements, *place.headings)
        return [e.node.index for e in everything if e.identity == target.identity]
    return [place.by_ref[target].node.index] if target in place.by_ref else []


def for_platform(selector: Selector, platform: Platform) -> Selector | None:
    """The selector with the platform's branch laid over it; None where nothing is left to match."""
    merged = selector
    while merged.android is not None or merged.ios is not None:
        branch: Selector | None = getattr(merged, platform)
        merged = replace(merged, android=None, ios=None)
        if branch is not None:
            merged = combined(merged, branch)
    return merged if any(True for _ in merged.given()) else None


@dataclass(frozen=True, slots=True)
class _Traits:
    """The keywords about a node itself, ready to be asked of many: those about its label, and the others."""

    label: Sequence[Callable[[str], bool]]
    other: Sequence[Callable[[Node], bool]]

    def fit_label(self, label: str) -> bool:
        for test in self.label:  # noqa: SIM110  # asked of every node, and all() takes twice as long
            if not test(label):
                return False
        return True

    def fit_rest(self, node: Node) -> bool:
        for test in self.other:  # noqa: SIM110  # as above
            if not test(node):
                return False
        return True


def _traits(place: Place, wanted: Selector) -> _Traits:
    label: list[Callable[[str], bool]] = []
    if wanted.text is not None:
        text = clean(wanted.text)
        label.append(lambda name: name == text)
    if wanted.text_contains is not None:
        part = clean(wanted.text_contains)
        label.append(lambda name: part in name)
    if wanted.text_matches is not None:
        search = re.compile(wanted.text_matches).search
        label.append(lambda name: name != "" and search(name) is not None)
    other: list[Callable[[Node], bool]] = []
    if wanted.resource_id is not None:
        name = wanted.resource_id
        other.append(lambda node: name in (node.resource_id, short_id(node.resource_id)))
    if wanted.class_name is not None:
        short = _short_class(wanted.class_name, place.platform)
        other.append(lambda node: node.class_name == short)
    if wanted.role is not None:
        other.append(lambda node: meaning_of(node).name == wanted.role)
    if wanted.description is not None:
        described = clean(wanted.description)
        ios = place.platform == "ios"
        other.append(lambda node: described in (clean(node.description), _ios_label(node) if ios else None))
    states = [(state, getattr(wanted, state)) for state in STATES if getattr(wanted, state) is not None]
    if states:
        other.append(lambda node: all(getattr(node.states, state) is value for state, value in states))
    return _Traits(label, other)


def _ios_label(node: Node) -> str | None:
    """What iOS describes a node with and what it shows is one label; a field's own text is none."""
    return None if node.states.editable else clean(node.text)


@lru_cache(maxsize=512)
def _short_class(class_name: str, platform: Platform) -> str:
    """As nodes carry it: without the package on Android, without the prefix on iOS."""
    return class_name.removeprefix(PREFIX) if platform == "ios" else class_name.rpartition(".")[2]


def _fitting(place: Place, wanted: Selector, traits: _Traits, among: Collection[int]) -> list[int]:
    """Indexes out of ``among`` that fit themselves, in document order. The rarest keyword leads."""
    label, nodes = place.labels.label, place.layout.nodes
    leads: Collection[int] | None = None
    if wanted.text is not None:
        leads = place.named.get(clean(wanted.text), ())
    elif wanted.resource_id is not None:
        leads = place.identified.get(wanted.resource_id, ())
    elif wanted.class_name is not None:
        leads = place.of_class.get(_short_class(wanted.class_name, place.platform), ())
    if leads is not None:
        among = [index for index in leads if index in among]
    return [index for index in among if traits.fit_label(label[index]) and traits.fit_rest(nodes[index])]


def _owners(place: Place, wanted: Selector, traits: _Traits) -> list[int]:
    """The elements that print a fitting label of a passive descendant or caption. What is not about the label
    may be true of either."""
    if not traits.label:
        return []
    nodes, owner, label = place.layout.nodes, place.labels.owner, place.labels.label
    among: Collection[int] = place.shown
    if wanted.text is not None:
        among = place.named.get(clean(wanted.text), ())
    return [
        owner[index]
        for index in among
        if owner[index] not in (-1, index)
        and owner[index] in place.element_at
        and traits.fit_label(label[index])
        and (traits.fit_rest(nodes[index]) or traits.fit_rest(nodes[owner[index]]))
    ]


def _related(place: Place, wanted: Selector, found: list[int], slack: int = 0) -> list[int]:
    if found and wanted.within is not None:
        found = relations.inside(place, found, _around(place, wanted.within))
    if found and wanted.has is not None:
        found = relations.holding(place, found, _nodes(place, wanted.has))
    if found and wanted.row_with is not None:
        found = relations.beside(place, found, _nodes(place, wanted.row_with))
    if found and wanted.near is not None:
        found = relations.nearest(place, found, sorted(anchors(place, wanted.near)), slack)
    return found


def _ordered(place: Place, wanted: Selector, found: list[int]) -> list[int]:
    """In reading order, the ``nth`` only where one is asked for."""
    nodes = place.layout.nodes
    found = sorted(found, key=lambda index: (nodes[index].bounds.top, nodes[index].bounds.left, index))
    return found if wanted.nth is None else found[wanted.nth : wanted.nth + 1]


def _nodes(place: Place, selector: Selector, among: Collection[int] | None = None) -> list[int]:
    """Shown nodes that fit, passive ones included; of a place in the order, elements before those."""
    wanted = for_platform(selector, place.platform)
    if wanted is None:
        return []
    traits = _traits(place, wanted)
    pools: list[Collection[int]] = [place.shown if among is None else among]
    if wanted.nth is not None:
        pools.insert(0, place.element_at)
    for pool in pools:
        found = _related(place, wanted, _fitting(place, wanted, traits, pool))
        if found:
            return sorted(_ordered(place, wanted, found))
    return []


def _around(place: Place, target: str | Element | Selector) -> list[int]:
    """What can be meant by ``within``: anything, as a container may be of no size itself."""
    if isinstance(target, Selector):
        return _nodes(place, target, range(len(place.layout.nodes)))
    return sorted(anchors(place, target))
