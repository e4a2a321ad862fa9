"""Labels and values of nodes: the name and the content of each control."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import compress
from math import isfinite
from typing import NamedTuple

from ...model import MASK, Node, ValueRange
from ..parsers.roles import role_of
from ..screen.layout import Layout
from ..text import clean
from .rows import Labels, drop_joined

_MOST_AROUND = 40  # ancestors of a part of a control


def name_all(layout: Layout, reports_hints: bool, hints: Mapping[str, str]) -> Labels:
    """Labels all nodes. ``hints`` are the labels of fields by ``hint_key``, as seen while the
    fields were empty; iOS reports them of filled fields too."""
    hints = {} if layout.platform == "ios" else _without_shared(hints, layout)
    controls = [
        shown and is_control(node) for node, shown in zip(layout.nodes, layout.shown, strict=True)
    ]
    # What hangs over the edge of the screen, or lies half under a bar, keeps the name that all its
    # parts give it.
    own = [
        own_label(node, hints) if shown or beyond else ""
        for node, shown, beyond in zip(layout.nodes, layout.shown, layout.offscreen, strict=True)
    ]
    for node in compress(layout.nodes, layout.covered):
        near = layout.around(node, _MOST_AROUND)
        around = next((one for one in near if controls[one.index]), None)
        if around is not None and not around.states.scrollable:
            own[node.index] = own_label(node, hints)
    if layout.platform == "ios":
        return _name_ios(layout, own, controls)
    labels = Labels(layout, own, controls)
    _caption(labels, reports_hints)
    labels.claim_echoes()
    return labels


def _name_ios(layout: Layout, own: list[str], controls: list[bool]) -> Labels:
    """Labels iOS nodes: a mere wrapper of a control is no control itself, and a repeated label is
    listed once."""
    drop_joined(layout, own)
    labels = Labels(layout, own, controls)
    wrappers = labels.wrappers()
    if any(controls[outer] for outer in wrappers):
        controls = [is_one and i not in wrappers for i, is_one in enumerate(controls)]
        labels = Labels(layout, own, controls)
    _caption(labels, reports_hints=True)
    labels.claim(wrappers)
    return labels


def _without_shared(hints: Mapping[str, str], layout: Layout) -> Mapping[str, str]:
    """Drops ids that several fields share: they do not identify the field whose hint was seen."""
    if not hints:
        return hints
    times = Counter(node.resource_id for node in layout.nodes if node.states.editable)
    return {key: hint for key, hint in hints.items() if times[key] < 2}


def is_control(node: Node) -> bool:
    """Whether the node can be acted on; progress bars cannot."""
    states = node.states
    if node.clickable or node.long_clickable or node.checkable:
        return True
    if states.editable or states.scrollable or node.adjustable:
        return True
    return bool(role_of(node.class_name).adjustable)


def hint_key(node: Node) -> str:
    """Returns the key under which a field's hint is remembered: its id, else its class and
    position."""
    return node.resource_id or f"{node.class_name}@{node.bounds.left},{node.bounds.top}"


def own_label(node: Node, hints: Mapping[str, str]) -> str:
    """Returns the node's own label; of a field its hint, else its description, never the typed
    text."""
    if node.states.editable:
        return clean(node.hint or hints.get(hint_key(node), "") or node.description)
    if not (node.words or node.hint):
        return ""
    return name_of(node)


def _caption(labels: Labels, reports_hints: bool) -> None:
    """Labels controls without a name of their own, such as fields, switches, sliders and
    drop-downs, with the caption next to them, which is then printed with the control. Where the
    platform shows hints as text and nothing better is known, a field's text counts as its hint, but
    for an address. Last, words that another control prints are borrowed."""
    wordless: dict[int, list[Node]] = {}
    for index, is_one in enumerate(labels.controls):
        if not is_one or labels.own[index]:
            continue
        node = labels.nodes[index]
        role = role_of(node.class_name)
        dropdown = role.name == "dropdown"
        if labels.label[index] and not dropdown:
            continue
        row = labels.owner[node.parent] if node.parent >= 0 else -1
        if dropdown or node.checkable or node.states.editable or role.adjustable:
            caption = labels.caption_of(node) if row < 0 else -1
            if caption >= 0:
                labels.label[index] = labels.own[caption]
                labels.owner[caption] = index
            elif node.states.editable and not (
                reports_hints or node.states.password or "://" in node.text
            ):
                labels.label[index] = clean(node.text)
            elif dropdown and not labels.label[index]:
                labels.label[index] = clean(
                    node.text
                )  # without a caption it is called by its choice
        if not labels.label[index] and (node.checkable or (row >= 0 and not node.states.editable)):
            wordless.setdefault(row, []).append(node)
    _borrow(labels, wordless)


def _borrow(labels: Labels, wordless: dict[int, list[Node]]) -> None:
    """Names what still has no words, by the row around it or what stands next to it."""
    for row, inside in wordless.items():
        if row < 0:
            for node in inside:
                if words := labels.words_next_to(node):
                    labels.borrowed[node.index] = words
            continue
        switch = next((node for node in inside if node.checkable), None)
        if switch is not None and labels.own[row]:
            labels.own[row] = labels.label[row] = without_state(
                labels.own[row], switch.states.checked
            )
        labels.borrowed.update(labels.words_around(row, inside))


_STATE = re.compile(
    r",\s*(?:(?P<off>(?:(?:not |un)(?:checked|selected|ticked)|off))|(?:check|select|tick)ed|on)",
    re.I,
)


def without_state(name: str, checked: bool | None) -> str:
    """Returns a name without the state at its end, ``Local, checked``, where the control reports
    that state."""
    at = name.rfind(",")
    found = _STATE.fullmatch(name, at) if at > 0 and checked is not None else None
    return name[:at] if found is not None and (found["off"] is None) == checked else name


_NUMBER = re.compile(r"([-+−]?)(\d+)(?:([.,٫])(\d+)(E-?\d{1,2})?)?")
_PERCENT = "%٪﹪％"  # Latin, Arabic, small, wide
_LETTER_MARK = "\u061c"  # invisible, next to Arabic numbers
_LONGEST_NUMBER = 24
_MEASURING = frozenset({"slider", "stepper", "progress", "custom_adjustable"})
_TWO_STATES = frozenset({"switch", "checkbox", "radio"})
_FLAGS = ("0", "1", "false", "true")  # how iOS reports a selected or switched-on control
_NEAR = 12  # nodes below a stepper among which its field is looked for
_PERCENTAGE = ValueRange(0.0, 100.0)


class Held(NamedTuple):
    """A value and the range it lies in, both in one unit."""

    value: str | float | None = None
    range: ValueRange | None = None


_NOTHING = Held()


def held_by(node: Node, labels: Labels, reports_hints: bool) -> Held:
    """Returns the control's value; empty if it has none or does not report it."""
    label = labels.label[node.index]
    if node.states.editable:
        if not node.text or node.text == node.hint:
            return Held("")
        if not reports_hints and clean(node.text) == label:
            return Held("" if node.hint else None)
        return Held(MASK if node.states.password else node.text)
    name = role_of(node.class_name).name
    if name in _MEASURING or (name is None and node.adjustable):
        return _measured(node, labels.layout)
    if name == "dropdown":
        chosen = clean(node.text if node.value is None else node.value)
        return Held(chosen or " ".join(labels.folded.get(node.index, ())) or None)
    if node.value is None or node.checkable or name in _TWO_STATES:
        return _NOTHING
    value = clean(node.value)
    return _NOTHING if value in ("", label, clean(node.text), *_FLAGS) else Held(value)


def name_of(node: Node) -> str:
    """Returns the name in the node's texts. Old switches print ON and OFF as their text, sliders
    their number and drop-downs their choice: those are values. Where the platform reports a value
    separately, the text is the name."""
    text, description = node.text, node.description
    if node.checkable:
        if text.upper() in ("ON", "OFF"):
            text = ""
        description = without_state(description, node.states.checked)
    elif node.value is None:
        role = role_of(node.class_name).name
        if role == "dropdown" and node.clickable:
            text = ""
        elif role in _MEASURING:
            text, description = _unless_number(text), _unless_number(description)
    return clean(text or description or node.hint)


def _unless_number(text: str) -> str:
    return "" if number_in(text) else text


def number_in(text: str) -> tuple[float, bool] | None:
    """Returns the number that is the whole text, and whether it is a percentage. None for words,
    units and ambiguous numbers: 1,234 is more than a thousand here and little more than one
    there."""
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
    """Returns the number that a control shows. A percentage has a range; the range of any other
    number only the app knows."""
    if node.class_name == "ActivityIndicator":  # its 1 and 0 say whether it turns
        return _NOTHING
    text = next(_measures(node, layout), "")
    found = number_in(text)
    if found is None:
        return Held(clean(text) or None)
    value, percent = found
    return Held(value, _PERCENTAGE if percent and 0 <= value <= 100 else None)


def _measures(node: Node, layout: Layout) -> Iterator[str]:
    """Yields what may say the number of a control, the best first: its reported value, else a text
    of its own, else the field inside a stepper."""
    if node.value is not None:
        yield node.value
        return
    yield from filter(number_in, (node.text, node.description))
    if role_of(node.class_name).name == "stepper":
        near = layout.below(node.index, _NEAR)
        yield from (inside.text for inside in near if inside.states.editable)
