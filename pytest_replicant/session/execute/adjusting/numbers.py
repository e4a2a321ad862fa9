"""The number that a control shows, whether reported as its value or told in words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ....snapshots import number_in

if TYPE_CHECKING:
    from ....model import Element
    from ....snapshots import Snapshot

_NUMBER = r"[-+−]?\d+(?:[.,٫]\d+)?"
_NUMBERS = re.compile(rf"(?<![\w.,:]){_NUMBER}(?![\d:])(?![.,]\d)")
_PERCENTAGE = re.compile(rf"({_NUMBER})\s*(?:%|٪|percent\b)", re.IGNORECASE)
_OF_MOST = re.compile(rf"({_NUMBER})\s*(?:/|of\b|out of\b)\s*({_NUMBER})", re.IGNORECASE)
_LONGEST = 200  # characters; more is a paragraph
_ROUNDING = 1e-9  # of the value: what adding up fractions may leave


def number_of(element: Element) -> float | None:
    """What is reported, else the one number that its label or value tells: "Brightness, 40 percent" is 40. None
    where there is none, or two that could be meant."""
    if isinstance(element.value, (int, float)):
        return float(element.value)
    told = (element.value, element.text, element.description, element.label)
    return next((found for text in told if text and (found := parse_number(str(text))) is not None), None)


def raw_number(snapshot: Snapshot, element: Element) -> float | None:
    """The same, from the texts of the node and of the nodes in it alone, whatever they are taken for."""
    inside = [node for node in snapshot.nodes if is_inside(snapshot, node.index, element.node.index)]
    texts = [
        text for node in (element.node, *inside) for text in (node.value, node.text, node.description) if text
    ]
    numbers = {found for text in texts if (found := parse_number(text)) is not None}
    return numbers.pop() if len(numbers) == 1 else None


def parse_number(text: str) -> float | None:
    """The number in a text: all of it, a percentage, the first of "3 of 5", or the only one."""
    whole = number_in(text)
    if whole is not None:
        return whole[0]
    if len(text) > _LONGEST:
        return None
    for pattern in (_PERCENTAGE, _OF_MOST):
        found = pattern.findall(text)
        if len(found) == 1:
            first = found[0] if isinstance(found[0], str) else found[0][0]
            return _value(first)
    numbers = _NUMBERS.findall(text)
    return _value(numbers[0]) if len(numbers) == 1 else None


def is_near(value: float, to: float, tolerance: float) -> bool:
    """Within the tolerance, whose end counts; what fractions lose in a sum does not."""
    return abs(value - to) <= tolerance + _ROUNDING * max(1.0, abs(to))


def is_inside(snapshot: Snapshot, index: int, ancestor: int) -> bool:
    """Whether the node lies in the other one, at any depth."""
    while index > ancestor:
        index = snapshot.nodes[index].parent
        if index == ancestor:
            return True
    return False


def _value(number: str) -> float | None:
    found = number_in(number)
    return found[0] if found else None
