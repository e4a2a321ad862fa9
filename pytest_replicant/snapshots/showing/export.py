"""A snapshot as plain values, for JSON."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ...model import Element, Node, Rect, States

FORMAT = 1
"""Raised when a field changes its meaning or goes; new fields may come at any time."""


def elements(found: Iterable[Element], nodes: Sequence[Node], first: int, end: int) -> list[dict[str, Any]]:
    """The elements of one part of the screen; ``parent`` is the ref of the nearest element above."""
    by_index = {element.node.index: element for element in found}
    above: list[Element | None] = [None] * len(nodes)
    told = []
    for node in nodes[:end]:
        if node.parent >= 0:
            above[node.index] = by_index.get(node.parent) or above[node.parent]
        element = by_index.get(node.index)
        if element is not None and node.index >= first:
            told.append(_element(element, above[node.index]))
    return told


def rect(bounds: Rect) -> list[int]:
    """Left, top, right, bottom."""
    return [bounds.left, bounds.top, bounds.right, bounds.bottom]


def _element(element: Element, parent: Element | None) -> dict[str, Any]:
    known = element.value_range
    return {
        "ref": element.ref,
        "identity": f"{element.identity:016x}",
        "fragile": element.fragile,
        "class_name": element.class_name,
        "label": element.label,
        "folded": list(element.folded),
        "resource_id": element.resource_id,
        "bounds": rect(element.bounds),
        "states": _states(element.states),
        "value": element.value,
        "value_range": None if known is None else [known.min, known.max],
        "role": element.semantic_role,
        "actions": None if element.supported_actions is None else list(element.supported_actions),
        "row": element.row_title,
        "parent": parent.ref if parent else None,
    }


def _states(states: States) -> dict[str, bool]:
    """What was not reported is not there."""
    reported = {item.name: getattr(states, item.name) for item in fields(states)}
    return {name: value for name, value in reported.items() if value is not None}
