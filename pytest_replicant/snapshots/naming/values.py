"""What a control holds, apart from what it is called: numbers with their range, choices, typed text."""

from __future__ import annotations

import re
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

from ...model import MASK, ValueRange
from ..parsers.roles import role_of
from ..text.words import clean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...model import Node
    from ..screen.layout import Layout

_NUMBER = re.compile(r"([-+−]?)(\d+)(?:([.,٫])(\d+)(E-?\d{1,2})?)?")
_PERCENT = "%٪﹪％"  # Latin, Arabic, small, wide
_LETTER_MARK = "\u061c"  # invisible, beside Arabic numbers
_LONGEST_NUMBER = 24
_MEASURING = frozenset({"slider", "stepper", "progress", "custom_adjustable"})
_TWO_STATES = frozenset({"switch", "checkbox", "radio"})
_FLAGS = ("0", "1", "false", "true")  # how iOS reports what is selected or switched on
_NEAR = 12  # nodes below a stepper among which its field is looked for
_PERCENTAGE = ValueRange(0.0, 100.0)


class Held(NamedTuple):
    """A value and the range it lies in, both in one unit."""

    value: str | float | None = None
    range: ValueRange | None = None


_NOTHING = Held()


def held_by(node: Node, layout: Layout, label: str, inner: Sequence[str], reports_hints: bool) -> Held:
    """What the control holds; None where it holds nothing or does not say. ``inner`` are the labels inside."""
    if node.states.editable:
        return Held(_typed(node, label, reports_hints))
    role = role_of(node.class_name)
    name = role.name if role else None
    if name in _MEASURING or (role is None and node.adjustable):
        return _measured(node, layout)
    if name == "dropdown":
        return Held(clean(node.text if node.value is None else node.value) or " ".join(inner) or None)
    if node.value is None or node.checkable or name in _TWO_STATES:
        return _NOTHING
    value = clean(node.value)
    return _NOTHING if value in ("", label, clean(node.text), *_FLAGS) else Held(value)


def name_of(node: Node) -> str:
    """What the node's texts call it. Old switches print ON and OFF as their text, sliders their number and
    drop-downs their choice, which are values and no names; but where the platform reports a value beside the
    text, the text is the name."""
    text, description = node.text, node.description
    if node.checkable:
        text = "" if text.upper() in ("ON", "OFF") else text
    elif node.value is None and (role := role_of(node.class_name)) is not None:
        if role.name == "dropdown" and node.clickable:
            text = ""
        elif role.name in _MEASURING:
            text = "" if number_in(text) else text
            description = "" if number_in(description) else description
    return clean(text or description or node.hint)


def number_in(text: str) -> tuple[float, bool] | None:
    """The number that is all of the text, and whether it is a percentage. None for words, units and what reads
    in two ways: 1,234 is more than a thousand here and little more than one there."""
    if not text or len(text) > _LONGEST_NUMBER:
        return None
    bare = clean(text.replace(_LETTER_MARK, ""))
    number = bare.strip(_PERCENT).strip()
    match = _NUMBER.fullmatch(number)
    if match is None or sum(sign in _PERCENT for sign in bare) > 1:
        return None
    sign, whole, point, rest, exponent = match.groups(default="")
    if point == "," and len(rest) == 3 and len(whole) <= 3 and int(whole):
        return None
    value = float(f"{'-' if sign in ('-', '−') else ''}{whole}.{rest or 0}{exponent}")
    return (value, number != bare) if isfinite(value) else None


def _measured(node: Node, layout: Layout) -> Held:
    """A percentage has a range; of any other number only the app knows how far it goes."""
    if node.class_name == "ActivityIndicator":  # its 1 and 0 say whether it turns
        return _NOTHING
    told = _told(node, layout)
    found = number_in(told)
    if found is None:
        return Held(clean(told) or None)
    value, percent = found
    return Held(value, _PERCENTAGE if percent and 0 <= value <= 100 else None)


def _told(node: Node, layout: Layout) -> str:
    """Where the number stands: reported as such, else in the node's texts, else in the field of a stepper, as
    number pickers have one."""
    if node.value is not None:
        return node.value
    for text in (node.text, node.description):
        if number_in(text) is not None:
            return text
    role = role_of(node.class_name)
    if role is None or role.name != "stepper":
        return ""
    near = layout.nodes[node.index + 1 : min(layout.ends[node.index], node.index + 1 + _NEAR)]
    return next((inside.text for inside in near if inside.states.editable), "")


def _typed(node: Node, label: str, reports_hints: bool) -> str | None:
    if not node.text or (node.text == node.hint):
        return ""
    if not reports_hints and clean(node.text) == label:
        return None if not node.hint else ""
    return MASK if node.states.password else node.text
