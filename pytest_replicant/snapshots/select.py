"""Matching a selector against a screen. Nothing here picks a winner: every match is returned."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..model.element import Element
from ..model.selector import Selector
from .refs import is_ref
from .roles import meaning_of
from .words import clean, short_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ..model.element import Node
    from .labels import Labels
    from .layout import Layout
    from .reading import Platform

_OWN = ("text", "text_contains", "text_matches", "resource_id", "description", "class_name", "role")
_STATES = ("enabled", "checked", "selected", "focused")


@dataclass(frozen=True, slots=True)
class Place:
    """The screen that is searched. ``printed`` finds an element by its ref."""

    platform: Platform
    layout: Layout
    labels: Labels
    elements: tuple[Element, ...]
    headings: tuple[Element, ...]
    by_ref: Mapping[str, Element]

    @property
    def shown(self) -> list[int]:
        return [index for index, here in enumerate(self.layout.shown) if here]


def match(place: Place, selector: Selector, *, folded: bool = False) -> list[Element]:
    """Every element that fits, in reading order, ``nth`` applied. With ``folded``, a label printed with a
    row or a control stands for that element too."""
    wanted = for_platform(selector, place.platform)
    if wanted is None:
        return []
    among = (*place.elements, *place.headings) if folded else place.elements
    candidates = [element for element in among if _fits(place, element.node, wanted)]
    if folded:
        candidates = _with_owners(place, wanted, candidates)
    candidates = _related(place, wanted, candidates)
    candidates = list(dict.fromkeys(candidates))
    candidates.sort(key=lambda element: (element.bounds.top, element.bounds.left))
    if wanted.nth is None:
        return candidates
    if wanted.nth < 0:
        raise UsageError(f"nth={wanted.nth}: nth counts from 0 in reading order")
    return candidates[wanted.nth : wanted.nth + 1]


def for_platform(selector: Selector, platform: Platform) -> Selector | None:
    """The selector with the platform's branch laid over it; None where nothing is left to match."""
    branch: Selector | None = getattr(selector, platform)
    merged = replace(selector, android=None, ios=None)
    if branch is not None:
        merged = replace(merged, **dict(branch.given()))  # type: ignore[arg-type]  # the same keywords
        merged = for_platform(merged, platform) or merged
    if isinstance(merged.text_matches, str):
        try:
            re.compile(merged.text_matches)
        except re.error as error:
            raise UsageError(f"text_matches={merged.text_matches!r} is no regular expression: {error}") from None
    return merged if any(True for _ in merged.given()) else None


def _fits(place: Place, node: Node, wanted: Selector) -> bool:
    """Whether the keywords about the node itself hold."""
    label = place.labels.label[node.index]
    if wanted.text is not None and clean(wanted.text) != label:
        return False
    if wanted.text_contains is not None and clean(wanted.text_contains) not in label:
        return False
    if wanted.text_matches is not None and not (label and re.search(wanted.text_matches, label)):
        return False
    if wanted.resource_id is not None and wanted.resource_id not in (
        node.resource_id,
        short_id(node.resource_id),
    ):
        return False
    if wanted.description is not None and clean(wanted.description) != clean(node.description):
        return False
    if wanted.class_name is not None and wanted.class_name.rpartition(".")[2] != node.class_name:
        return False
    if wanted.role is not None and meaning_of(node).name != wanted.role:
        return False
    states = node.states
    return all(getattr(wanted, name) is None or getattr(wanted, name) == getattr(states, name) for name in _STATES)


def _with_owners(place: Place, wanted: Selector, found: list[Element]) -> list[Element]:
    """Adds the elements that print a fitting label of a passive descendant or caption."""
    if wanted.text is None and wanted.text_contains is None and wanted.text_matches is None:
        return found
    by_index = {element.node.index: element for element in place.elements}
    for index in place.shown:
        owner = place.labels.owner[index]
        if owner not in (-1, index) and owner in by_index and _fits(place, place.layout.nodes[index], wanted):
            found.append(by_index[owner])
    return found


def _related(place: Place, wanted: Selector, found: list[Element]) -> list[Element]:
    if wanted.within is not None:
        ends = place.layout.ends
        spans = [(index, ends[index]) for index in anchors(place, wanted.within)]
        found = [e for e in found if any(start < e.node.index < end for start, end in spans)]
    if wanted.has is not None:
        inner = _nodes(place, wanted.has)
        found = [e for e in found if _holds(place, e.node.index, inner)]
    if wanted.row_with is not None:
        inner = _nodes(place, wanted.row_with)
        found = [e for e in found if _holds(place, _row(place, e, found), inner, itself=True)]
    if wanted.near is not None:
        found = _nearest(place, found, anchors(place, wanted.near))
    return found


def anchors(place: Place, target: str | Element | Selector) -> list[int]:
    """Indexes of what ``within`` and ``near`` name: elements first, else plain nodes."""
    if isinstance(target, Selector):
        found = [element.node.index for element in match(place, target)]
        return found or _nodes(place, target)
    ref = target.ref if isinstance(target, Element) else target
    if not isinstance(ref, str) or not is_ref(ref):
        raise UsageError(f'{ref!r} is no ref such as "k427". Did you mean by(text={ref!r})?')
    if isinstance(target, Element):
        return [e.node.index for e in place.elements if e.identity == target.identity]
    return [place.by_ref[ref].node.index] if ref in place.by_ref else []


def _nodes(place: Place, selector: Selector) -> list[int]:
    """Any shown node that fits, passive ones included."""
    wanted = for_platform(selector, place.platform)
    if wanted is None:
        return []
    relational = any(getattr(wanted, name) is not None for name in ("within", "has", "row_with", "near", "nth"))
    if relational:
        return [element.node.index for element in match(place, selector)]
    nodes = place.layout.nodes
    return [index for index in place.shown if _fits(place, nodes[index], wanted)]


def _holds(place: Place, index: int, inner: Iterable[int], *, itself: bool = False) -> bool:
    end = place.layout.ends[index]
    return any(index < other < end or (itself and other == index) for other in inner)


def _row(place: Place, element: Element, rivals: Sequence[Element]) -> int:
    """The row an element sits in: the one that was recognised, else the largest part of the screen that holds
    no rival."""
    row = place.labels.rows[element.node.index]
    if row >= 0:
        return row
    others = [rival.node.index for rival in rivals if rival is not element]
    index = element.node.index
    while place.layout.nodes[index].parent >= 0:
        above = place.layout.nodes[index].parent
        if any(above <= other < place.layout.ends[above] for other in others):
            break
        index = above
    return index


def _nearest(place: Place, found: list[Element], anchored: Sequence[int]) -> list[Element]:
    """Those that share the smallest container with an anchor, then those at the smallest distance."""
    best: list[Element] = []
    best_rank: tuple[int, float] | None = None
    for anchor in anchored:
        for element in found:
            if element.node.index == anchor:
                continue
            rank = (_shared_size(place, anchor, element.node.index), _distance(place, anchor, element))
            if best_rank is None or rank < best_rank:
                best, best_rank = [element], rank
            elif rank == best_rank:
                best.append(element)
    return best


def _shared_size(place: Place, anchor: int, other: int) -> int:
    """How many nodes the smallest container of both has."""
    index = anchor
    while not index <= other < place.layout.ends[index]:
        index = place.layout.nodes[index].parent
        if index < 0:
            return len(place.layout.nodes) + 1
    return place.layout.ends[index] - index


def _distance(place: Place, anchor: int, element: Element) -> float:
    """Pixels between the two rectangles, 0 where they touch."""
    one, other = place.layout.nodes[anchor].bounds, element.bounds
    across = max(one.left - other.right, other.left - one.right, 0)
    down = max(one.top - other.bottom, other.top - one.bottom, 0)
    return float(across * across + down * down)
