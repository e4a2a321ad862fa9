"""What everything on the screen is called, and which labels belong to which control."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...model import joined
from ..parsers.roles import role_of
from ..screen.scrolling import is_list
from ..text.words import clean
from .captions import caption_of
from .reading_order import in_reading_order
from .repeats import claim, claim_echoes, drop_joined, find_wrappers
from .rows import row_roots
from .values import name_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ...model import Node
    from ..screen.layout import Layout

_MOST_FOLDED = 8  # a control with more labels inside is a panel, not a row
_MOST_IN_ROW = 8
_MOST_NODES_IN_ROW = 400  # rows lie within rows, as deep as a hostile app likes


@dataclass(slots=True)
class Labels:
    """Parallel to the layout's nodes. ``own``: the node's own label. ``label``: with what it takes from its
    descendants or its caption. ``owner``: the control that prints this node's label, itself for a control
    that folds, -1 where it stands alone. ``folded``: by control, the labels printed with it."""

    own: list[str]
    label: list[str]
    owner: list[int]
    folded: dict[int, list[str]]
    rows: list[int]
    controls: list[bool]

    def row_of(self, node: Node) -> int:
        """The row around a node, itself not counted; -1 where there is none."""
        return self.rows[node.parent] if node.parent >= 0 else -1


def name_all(layout: Layout, reports_hints: bool, hints: Mapping[str, str]) -> Labels:
    """``hints`` are the labels of fields, by ``hint_key``, as they were seen while empty; iOS reports them of
    full ones too."""
    hints = {} if layout.platform == "ios" else _without_shared(hints, layout)
    controls = [shown and is_control(node) for node, shown in zip(layout.nodes, layout.shown, strict=True)]
    # What hangs over the edge of the screen keeps the name that its parts beyond the edge give it.
    own = [
        own_label(node, hints) if shown or beyond else ""
        for node, shown, beyond in zip(layout.nodes, layout.shown, layout.offscreen, strict=True)
    ]
    if layout.platform == "ios":
        return _name_ios(layout, own, controls)
    labels = _folded(layout, own, controls)
    _caption(layout, labels, reports_hints)
    claim_echoes(layout, labels)
    return labels


def _folded(layout: Layout, own: list[str], controls: list[bool]) -> Labels:
    labelled = [bool(label) for label in own]
    owner = _owners(layout, controls, labelled)
    labels = Labels(own, list(own), owner, {}, row_roots(layout, owner, labelled, controls), controls)
    _fold(layout, labels)
    return labels


def _name_ios(layout: Layout, own: list[str], controls: list[bool]) -> Labels:
    """What merely wraps a control is no control itself, and what is said twice is listed once."""
    drop_joined(layout, own)
    labels = _folded(layout, own, controls)
    wrappers = find_wrappers(layout, labels)
    if any(controls[outer] for outer in wrappers):
        labels = _folded(layout, own, [is_one and i not in wrappers for i, is_one in enumerate(controls)])
    _caption(layout, labels, reports_hints=True)
    claim(layout, labels, wrappers)
    return labels


def _without_shared(hints: Mapping[str, str], layout: Layout) -> Mapping[str, str]:
    """An id that several fields share does not tell whose hint was seen under it."""
    if not hints:
        return hints
    times = Counter(node.resource_id for node in layout.nodes if node.states.editable)
    return {key: hint for key, hint in hints.items() if times[key] < 2}


def is_control(node: Node) -> bool:
    """Whether it can be acted on; progress bars cannot."""
    states = node.states
    if node.clickable or node.long_clickable or node.checkable or states.editable or states.scrollable:
        return True
    role = role_of(node.class_name)
    return bool(node.adjustable or (role and role.adjustable))


def hint_key(node: Node) -> str:
    """Under which a field's hint is remembered: its id, else its class and place."""
    return node.resource_id or f"{node.class_name}@{node.bounds.left},{node.bounds.top}"


def own_label(node: Node, hints: Mapping[str, str]) -> str:
    """A field's label is its hint, else its description, never what was typed."""
    if node.states.editable:
        return clean(node.hint or hints.get(hint_key(node), "") or node.description)
    if not (node.text or node.description or node.hint):
        return ""
    return name_of(node)


def _owners(layout: Layout, controls: Sequence[bool], labelled: Sequence[bool]) -> list[int]:
    """Which control prints each node's label: the nearest one above that is no panel."""
    nodes = layout.nodes
    counts, panel = [0] * len(nodes), [False] * len(nodes)
    for node in reversed(nodes):
        index, above, states = node.index, node.parent, node.states
        if above < 0:
            continue
        if not controls[index]:
            counts[above] += counts[index] + labelled[index]
        if panel[index] or ((states.editable or states.scrollable) and layout.shown[index]):
            panel[above] = True
    owner = [-1] * len(nodes)
    for node in nodes:
        index, above = node.index, node.parent
        if controls[index]:
            holds_rows = node.states.scrollable or is_list(node)  # also while all of them are in sight
            folds = not (panel[index] or holds_rows or counts[index] > _MOST_FOLDED)
            owner[index] = index if folds else -1
        elif above >= 0:
            owner[index] = owner[above]
    return owner


def _fold(layout: Layout, labels: Labels) -> None:
    inside: dict[int, list[int]] = {}
    for index, (label, owner) in enumerate(zip(labels.own, labels.owner, strict=True)):
        if label and owner >= 0 and owner != index:
            inside.setdefault(owner, []).append(index)
    for index, indexes in inside.items():
        if len(indexes) > 1:
            indexes = [node.index for node in in_reading_order([layout.nodes[one] for one in indexes])]
        parts = labels.folded[index] = [labels.own[one] for one in indexes]
        if not labels.own[index]:
            labels.label[index] = joined(parts)


def _caption(layout: Layout, labels: Labels, reports_hints: bool) -> None:
    """Names what has no name of its own: fields, switches, sliders and drop-downs by the caption beside
    them, which is then printed with the control. Where the platform shows hints as text and nothing better is
    known, a field's text is taken for its hint."""
    for node in layout.nodes:
        index = node.index
        if labels.own[index] or not labels.controls[index]:
            continue
        role = role_of(node.class_name)
        takes = node.checkable or node.states.editable or (role and (role.adjustable or role.name == "dropdown"))
        dropdown = role and role.name == "dropdown"
        if not takes or (labels.label[index] and not dropdown):
            continue
        free = labels.owner[node.parent] < 0 if node.parent >= 0 else True
        caption = caption_of(node, layout, labels.own, labels.owner, labels.controls) if free else -1
        if caption >= 0:
            labels.label[index] = labels.own[caption]
            labels.owner[caption] = index
        elif node.states.editable and not reports_hints and not node.states.password:
            labels.label[index] = clean(node.text)
        elif role and role.name == "dropdown" and not labels.label[index]:
            labels.label[index] = clean(node.text)  # without a caption it is called by its choice


def labels_of_row(row: int, layout: Layout, labels: Labels) -> tuple[str, ...]:
    """The labels of a row, its title first. What holds many is a panel and none is its title: which comes first
    depends on how far it was scrolled."""
    if row < 0:
        return ()
    if labels.own[row]:
        return (labels.own[row],)
    found = [
        node
        for node in layout.nodes[row + 1 : min(layout.ends[row], row + _MOST_NODES_IN_ROW)]
        if labels.own[node.index] and not labels.controls[node.index] and labels.owner[node.index] in (-1, row)
    ]
    parts = list(dict.fromkeys(labels.own[node.index] for node in in_reading_order(found)))
    if len(parts) > _MOST_IN_ROW:
        return ()
    return tuple(parts) or tuple(filter(None, (labels.label[row],)))
