"""What a failed lookup says: what was found, what is near, and what to try next."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from ..errors import TargetError, is_told
from ..model.selector import Selector
from .words import quoted, short_id

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..model.element import Element

__tracebackhide__ = is_told

_MOST_CANDIDATES = 8


def not_found(wanted: str, elements: Sequence[Element], selector: Selector | None, outline: str) -> TargetError:
    """ELEMENT_NOT_FOUND with the nearest elements by label or id."""
    near = nearest(selector, elements) if selector else []
    lines = [f"ELEMENT_NOT_FOUND  {wanted}: no match among {len(elements)} elements"]
    if near:
        lines.append("Nearest: " + ", ".join(element.describe() for element in near))
    lines.append("Next: " + _advice(near, selector, elements))
    return TargetError("\n".join(lines), code="ELEMENT_NOT_FOUND", candidates=near, outline=outline)


def ambiguous(wanted: str, matches: Sequence[Element], outline: str) -> TargetError:
    """AMBIGUOUS_TARGET with every match, and a selector that would tell them apart."""
    shown = [_told_apart(element, matches) for element in matches[:_MOST_CANDIDATES]]
    more = f"   … and {len(matches) - _MOST_CANDIDATES} more" if len(matches) > _MOST_CANDIDATES else ""
    lines = [
        f"AMBIGUOUS_TARGET  {wanted}: {len(matches)} matches",
        "  " + "   ".join(shown) + more,
        f"Next: {_distinction(matches)}, or nth=0 if any will do.",
    ]
    return TargetError("\n".join(lines), code="AMBIGUOUS_TARGET", candidates=matches, outline=outline)


def nearest(selector: Selector, elements: Sequence[Element], count: int = 3) -> list[Element]:
    """Elements whose label or id resembles what was asked for, best first."""
    scored: list[tuple[float, int]] = []
    for number, element in enumerate(elements):
        score = max((_likeness(text, name) for text, name in _pairs(selector, element)), default=0.0)
        if score >= 0.6:
            scored.append((-score, number))
    return [elements[number] for _, number in sorted(scored)[:count]]


def _pairs(selector: Selector, element: Element) -> list[tuple[str, str]]:
    pattern = selector.text_matches if isinstance(selector.text_matches, str) else None
    texts = [text for text in (selector.text, selector.text_contains, pattern, selector.description) if text]
    names = [name for name in (element.label, element.description, *element.folded) if name]
    pairs = [(text, name) for text in texts for name in names]
    if selector.resource_id and element.resource_id:
        pairs.append((short_id(selector.resource_id), short_id(element.resource_id)))
    return pairs


def _likeness(wanted: str, name: str) -> float:
    wanted, name = wanted.casefold()[:200], name.casefold()[:200]
    if wanted in name or name in wanted:
        return 0.7 + 0.3 * min(len(wanted), len(name)) / max(len(wanted), len(name))
    matcher = difflib.SequenceMatcher(None, wanted, name, autojunk=False)
    return matcher.ratio() if matcher.real_quick_ratio() >= 0.6 and matcher.quick_ratio() >= 0.6 else 0.0


def _advice(near: Sequence[Element], selector: Selector | None, elements: Sequence[Element]) -> str:
    if near and near[0].label:
        return f"text={quoted(near[0].label)} is the nearest label; labels are compared whole, case included."
    if not elements:
        return "the screen has no elements at all: wait for it, or look at a screenshot."
    if selector is not None and selector.nth is not None:
        return "fewer elements match than nth asks for."
    return "scroll_to(...) if it is further down."


def _told_apart(element: Element, matches: Sequence[Element]) -> str:
    same_label = all(other.label == element.label for other in matches)
    if same_label and element.context and element.context != element.label:
        return f"[{element.ref}] in row {quoted(element.context)}"
    return element.describe()


def _distinction(matches: Sequence[Element]) -> str:
    """The keyword that tells the matches apart."""
    labels = {element.label for element in matches}
    if len(labels) == len(matches):
        return f"text={quoted(matches[0].label)}"
    ids = {element.resource_id for element in matches if element.resource_id}
    if len(ids) == len(matches):
        return f'resource_id="{short_id(matches[0].resource_id)}"'
    rows = {element.row_title for element in matches if element.row_title}
    if len(rows) == len(matches):
        return f"row_with=by(text={quoted(matches[0].row_title)})"
    classes = {element.class_name for element in matches}
    if len(classes) == len(matches):
        return f'class_name="{matches[0].class_name}"'
    return "narrow it with within=, near= or row_with="
