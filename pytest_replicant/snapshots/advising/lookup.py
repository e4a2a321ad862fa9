"""What a failed lookup says: what was found, what is near, and what to try next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...errors import TargetError
from ...model import quoted, shortened
from ..identity.resemblance import nearest
from .distinction import distinguish, listed
from .near_miss import NEAREST_LABEL, near_miss

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...model import Element, Selector
    from ..finding.place import Place

_MOST_CANDIDATES = 8
_LONGEST_WANTED = 300  # characters of a selector in a message


def unknown_ref(ref: str, elements: Sequence[Element], outline: str) -> TargetError:
    """ELEMENT_NOT_FOUND for a ref that the screen does not show."""
    advice = _look_further(elements)
    if elements:
        advice = f"a ref of the current outline, or {advice}"
    message = f"ELEMENT_NOT_FOUND  {ref}: none of the {len(elements)} elements has this ref\nNext: {advice}"
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


def _wanted(selector: Selector) -> str:
    return shortened(selector.describe() or "no keyword", _LONGEST_WANTED)


def _advice(near: Sequence[Element], elements: Sequence[Element]) -> str:
    if near and near[0].label:
        return f"text={quoted(near[0].label)} {NEAREST_LABEL}"
    return _look_further(elements)


def _look_further(elements: Sequence[Element]) -> str:
    if not elements:
        return "the screen has no elements at all: wait for it, or look at a screenshot."
    if any(element.states.scrollable for element in elements):
        return "scroll_to(...) if it is further down."
    return "go to the screen that has it, or give it more time: nothing here scrolls."
