"""Which elements are nearly called what was asked for."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from ..text.words import short_id

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...model import Element, Selector

_MOST_COMPARED = 2000  # pairs of texts that are compared letter by letter
_ALIKE = 0.6


def nearest(selector: Selector, elements: Sequence[Element], count: int = 3) -> list[Element]:
    """Elements whose label or id resembles what was asked for, best first."""
    scored: list[tuple[float, int]] = []
    known: dict[tuple[str, str], float] = {}
    for number, element in enumerate(elements):
        best = 0.0
        for pair in _pairs(selector, element):
            if pair not in known:
                known[pair] = _resemblance(*pair, closely=len(known) < _MOST_COMPARED)
            best = max(best, known[pair])
        if best >= _ALIKE:
            scored.append((-best, number))
    return [elements[number] for _, number in sorted(scored)[:count]]


def _pairs(selector: Selector, element: Element) -> list[tuple[str, str]]:
    pattern = selector.text_matches if isinstance(selector.text_matches, str) else None
    texts = [text for text in (selector.text, selector.text_contains, pattern, selector.description) if text]
    names = [name for name in (element.label, element.description, *element.folded) if name]
    pairs = [(text, name) for text in texts for name in names]
    if selector.resource_id and element.resource_id:
        pairs.append((short_id(selector.resource_id), short_id(element.resource_id)))
    return pairs


def _resemblance(wanted: str, name: str, *, closely: bool) -> float:
    wanted, name = wanted.casefold()[:200], name.casefold()[:200]
    if wanted in name or name in wanted:
        return 0.7 + 0.3 * min(len(wanted), len(name)) / max(len(wanted), len(name))
    if not closely:
        return 0.0
    matcher = difflib.SequenceMatcher(None, wanted, name, autojunk=False)
    promising = matcher.real_quick_ratio() >= _ALIKE and matcher.quick_ratio() >= _ALIKE
    return matcher.ratio() if promising else 0.0
