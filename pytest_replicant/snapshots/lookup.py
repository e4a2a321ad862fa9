"""What a failed lookup says: what was found, what is near, and what to try next."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from ..errors import TargetError, is_told
from ..model.quoting import shortened
from .distinction import distinguish, listed
from .near_miss import NEAREST_LABEL, near_miss
from .words import quoted, short_id

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..model.element import Element
    from ..model.selector import Selector
    from .place import Place

__tracebackhide__ = is_told

_MOST_CANDIDATES = 8
_LONGEST_WANTED = 300  # characters of a selector in a message
_MOST_COMPARED = 2000  # elements that are compared letter by letter
_ALIKE = 0.6


def unknown_ref(ref: str, elements: Sequence[Element], outline: str) -> TargetError:
    """ELEMENT_NOT_FOUND for a ref that the screen does not show."""
    message = f"ELEMENT_NOT_FOUND  {ref}: no match among {len(elements)} elements\nNext: {_look_further(elements)}"
    return TargetError(message, code="ELEMENT_NOT_FOUND", outline=outline)


def not_found(place: Place, selector: Selector, outline: str) -> TargetError:
    """ELEMENT_NOT_FOUND with what almost fits and why it does not, else the nearest by label or id."""
    elements = place.elements
    lines = [f"ELEMENT_NOT_FOUND  {_wanted(selector)}: no match among {len(elements)} elements"]
    miss = near_miss(place, selector)
    if miss is not None:
        lines += [miss.told, f"Next: {miss.advice}"]
        return TargetError("\n".join(lines), code="ELEMENT_NOT_FOUND", candidates=miss.elements, outline=outline)
    near = nearest(selector, elements)
    if near:
        lines.append(f"Nearest: {listed(place, near, _MOST_CANDIDATES, named=True)}")
    lines.append("Next: " + _advice(near, elements))
    return TargetError("\n".join(lines), code="ELEMENT_NOT_FOUND", candidates=near, outline=outline)


def ambiguous(place: Place, selector: Selector, matches: Sequence[Element], outline: str) -> TargetError:
    """AMBIGUOUS_TARGET with the matches as they differ, and a keyword that was tried and leaves one of them."""
    extra = distinguish(place, selector, matches)
    if extra is not None:
        taken = any(getattr(selector, name) is not None for name, _ in extra.given())
        instead = " in place of the one given" if taken else ""
        advice = f"{extra.describe()}{instead}, or nth=0 if any will do."
    else:
        advice = f"no keyword tells them apart but their place: nth=0 to nth={len(matches) - 1}, in reading order."
    lines = [
        f"AMBIGUOUS_TARGET  {_wanted(selector)}: {len(matches)} matches",
        f"  {listed(place, matches, _MOST_CANDIDATES)}",
        f"Next: {advice}",
    ]
    return TargetError("\n".join(lines), code="AMBIGUOUS_TARGET", candidates=matches, outline=outline)


def nearest(selector: Selector, elements: Sequence[Element], count: int = 3) -> list[Element]:
    """Elements whose label or id resembles what was asked for, best first."""
    scored: list[tuple[float, int]] = []
    known: dict[tuple[str, str], float] = {}
    for number, element in enumerate(elements):
        best = 0.0
        for pair in _pairs(selector, element):
            if pair not in known:
                known[pair] = _likeness(*pair, closely=len(known) < _MOST_COMPARED)
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


def _likeness(wanted: str, name: str, *, closely: bool) -> float:
    wanted, name = wanted.casefold()[:200], name.casefold()[:200]
    if wanted in name or name in wanted:
        return 0.7 + 0.3 * min(len(wanted), len(name)) / max(len(wanted), len(name))
    if not closely:
        return 0.0
    matcher = difflib.SequenceMatcher(None, wanted, name, autojunk=False)
    promising = matcher.real_quick_ratio() >= _ALIKE and matcher.quick_ratio() >= _ALIKE
    return matcher.ratio() if promising else 0.0


def _wanted(selector: Selector) -> str:
    return shortened(selector.describe() or "no keyword", _LONGEST_WANTED)


def _advice(near: Sequence[Element], elements: Sequence[Element]) -> str:
    if near and near[0].label:
        return f"text={quoted(near[0].label)} {NEAREST_LABEL}"
    return _look_further(elements)


def _look_further(elements: Sequence[Element]) -> str:
    if not elements:
        return "the screen has no elements at all: wait for it, or look at a screenshot."
    return "scroll_to(...) if it is further down."
