"""Rows, repeated labels and captions: which label belongs to which node."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, takewhile

from ...model import Node, Rect
from ..parsers.xcuitest import CHECKABLE, FIELDS
from ..screen.layout import Layout, is_list

MOST_LABELS = 12
"""In a row: a part of the screen with more is a pane."""


@dataclass(slots=True)
class Labels:
    """Labels, parallel to the layout's nodes. ``own`` is the node's own label; ``label`` adds those of its
    descendants or its caption. ``owner`` is the control that prints this node's label, itself for a control that
    folds labels, -1 where it stands alone. ``folded`` maps a control to the labels printed with it."""

    own: list[str]
    label: list[str]
    owner: list[int]
    folded: dict[int, list[str]]
    rows: list[int]
    controls: list[bool]

    def row_of(self, node: Node) -> int:
        """Returns the row around a node, the node itself not counted; -1 where there is none."""
        return self.rows[node.parent] if node.parent >= 0 else -1


def row_roots(
    layout: Layout, owner: Sequence[int], labelled: Sequence[bool], controls: Sequence[bool]
) -> list[int]:
    """Returns for each node the nearest row around it, itself included, -1 where there is none.

    A row is a child of a list; one of several siblings of one class that each hold a label and equally many
    controls; or a control that owns the labels inside it (``owner``)."""
    roots = [-1] * len(layout.nodes)
    rows = _repeated(layout, labelled, controls) | _listed(layout)
    for node in layout.nodes:
        index, above = node.index, node.parent
        if index in rows or (owner[index] == index and node.children):
            roots[index] = index
        elif above >= 0:
            roots[index] = roots[above]
    return roots


def _listed(layout: Layout) -> set[int]:
    """Returns cells and the children of lists, without dividers."""
    nodes = layout.nodes
    found: set[int] = set()
    for node in nodes:
        if not node.children:
            continue
        if node.class_name == "Cell":
            found.add(node.index)
        elif is_list(node):
            found.update(index for index in node.children if nodes[index].children)
    return found


def _repeated(layout: Layout, labelled: Sequence[bool], controls: Sequence[bool]) -> set[int]:
    """Returns siblings of one class and id that each hold a label and equally many controls, but no scroller:
    those are panes."""
    labels, touches, scrolls = list(map(int, labelled)), list(map(int, controls)), [False] * len(layout.nodes)
    for node in reversed(layout.nodes):
        index, above = node.index, node.parent
        if node.states.scrollable:
            scrolls[index] = True
        if above >= 0:
            labels[above] += labels[index]
            touches[above] += touches[index]
            scrolls[above] |= scrolls[index]
    found: set[int] = set()
    for parent in layout.nodes:
        if len(parent.children) < 2:
            continue
        alike: dict[tuple[str, str, int], list[int]] = {}
        for index in parent.children:
            child = layout.nodes[index]
            if child.children and touches[index] and not scrolls[index] and 0 < labels[index] <= MOST_LABELS:
                alike.setdefault((child.class_name, child.resource_id, touches[index]), []).append(index)
        found.update(index for kind in alike.values() if len(kind) > 1 for index in kind)
    return found


_VIEWS = frozenset({"Other", "Group", "Any"})
_ROWS = frozenset({"Cell", "Button", "Link", "TextView"})
_MUCH_LARGER = 4
_LONGEST = 2000  # characters of a label put together from others


def drop_joined(layout: Layout, own: list[str]) -> None:
    """Removes the label of each view that repeats the labels inside it, joined, or the one label somewhere in it:
    the middle of a much larger view is not where that label is."""
    inside: dict[int, list[tuple[str, int]]] = {}  # by node: the labels in it and their areas, last first
    for node in reversed(layout.nodes):
        index = node.index
        parts = inside.pop(index, [])
        joined = " ".join([label for label, _ in reversed(parts)])
        largest = max((area for _, area in parts), default=0)
        repeats = bool(own[index]) and own[index] == joined and node.class_name in _VIEWS and largest > 0
        if repeats and (len(parts) > 1 or node.bounds.area > largest * _MUCH_LARGER):
            own[index] = ""
        said = own[index] or joined
        if said and node.parent >= 0 and len(said) <= _LONGEST:
            area = largest if not own[index] else node.bounds.area if layout.shown[index] else 0
            inside.setdefault(node.parent, []).append((said, area))


def find_wrappers(layout: Layout, labels: Labels) -> dict[int, int]:
    """Maps a node to the control inside it that it merely wraps: a control of the same name, or the only one,
    where that has no name of its own. Tapping the middle of a row does not flip the switch in it."""
    found: dict[int, int] = {}
    counts = _counts(labels.controls)
    above = _labelled_above(layout, labels)
    for node in layout.nodes:
        index = node.index
        if not labels.controls[index] or node.states.enabled is False or node.states.scrollable:
            continue
        outer, name, others = above[index], labels.label[index], 0
        while outer >= 0 and outer not in found and _may_wrap(layout.nodes[outer], node):
            only = counts[layout.ends[outer]] - counts[outer + 1] - others == 1
            if not _is_wrapper(labels, layout.nodes[outer], node, name, only):
                break
            found[outer] = index
            name = name or labels.own[outer]
            others += labels.controls[outer]
            outer = above[outer]
    for outer in sorted(found, reverse=True):  # of wrappers of wrappers, the innermost control
        found[outer] = found.get(found[outer], found[outer])
    return found


def claim(layout: Layout, labels: Labels, wrappers: dict[int, int]) -> None:
    """Gives repeated labels to the element that shows them, and the labels of a row to the only control in it."""
    counts = _counts(labels.controls)
    inside = [-1] * len(layout.nodes)
    said = [-1] * len(layout.nodes)
    for node in layout.nodes:
        index, parent = node.index, node.parent
        inside[index] = index if index in wrappers else inside[parent] if parent >= 0 else -1
        above = said[index] = said[parent] if parent >= 0 else -1
        label = labels.own[index]
        if not label or not layout.shown[index]:
            continue
        wrapper = inside[index]
        said[index] = index
        if index in wrappers:
            labels.owner[index] = wrappers[index]
            labels.label[wrappers[index]] = labels.label[wrappers[index]] or label
        elif labels.controls[index] or labels.owner[index] >= 0:
            continue
        elif wrapper >= 0 and (
            counts[layout.ends[wrapper]] - counts[wrapper + 1] == 1 or label == labels.label[wrappers[wrapper]]
        ):
            labels.owner[index] = wrappers[wrapper]
            labels.folded.setdefault(wrappers[wrapper], []).append(label)
        elif above >= 0 and labels.own[above] == label:
            labels.owner[index] = labels.owner[above] if labels.owner[above] >= 0 else above
            said[index] = above


def claim_echoes(layout: Layout, labels: Labels) -> None:
    """Gives a view's one label to the view itself, where both have the same name and nothing else is inside. A
    view that holds more is a pane: its middle is not where that label is."""
    touched = _counts(labels.controls)
    labelled = _counts([bool(label) for label in labels.own])
    above = _labelled_above(layout, labels)
    for node in layout.nodes:
        index, outer = node.index, above[node.index]
        label, owned = labels.own[index], labels.owner[index] >= 0
        if not label or owned or outer < 0 or labels.own[outer] != label:
            continue
        start, end = outer, layout.ends[outer]
        if touched[end] == touched[start] and labelled[end] - labelled[start] == 2 and layout.shown[outer]:
            labels.owner[index] = outer


def _may_wrap(outer: Node, inner: Node) -> bool:
    if outer.class_name in _VIEWS or outer.class_name in _ROWS:
        return True
    return outer.class_name in CHECKABLE and outer.class_name == inner.class_name


def _is_wrapper(labels: Labels, outer: Node, inner: Node, name: str, only: bool) -> bool:
    label, parts = labels.label[outer.index], labels.folded.get(outer.index)
    if label and name:
        first = parts[0] if parts and only and not labels.own[outer.index] else label
        return name in (label, first)
    if label:
        return only and _takes_a_name(inner)
    if outer.class_name != "Cell" or not labels.controls[outer.index]:
        return False
    return only and (_takes_a_name(inner) or inner.bounds.area * 2 >= outer.bounds.area)


def _takes_a_name(node: Node) -> bool:
    """Whether the control takes its name from the label next to it."""
    return node.class_name in FIELDS or node.class_name in CHECKABLE or node.class_name == "Slider"


def _counts(controls: Sequence[bool]) -> list[int]:
    """Counts the controls before each node."""
    return list(accumulate(controls, initial=0))


def _labelled_above(layout: Layout, labels: Labels) -> list[int]:
    """Returns for each node the nearest ancestor that is a control or has a label; -1 where there is none."""
    above: list[int] = []
    for node in layout.nodes:
        parent = node.parent
        if parent < 0:
            above.append(-1)
        else:
            above.append(parent if labels.controls[parent] or labels.own[parent] else above[parent])
    return above


_LEVELS = 5  # how far up a caption is looked for
_MOST_NODES = 40  # beyond that an ancestor is a screen, not a field with its caption
_LONGEST_CAPTION = 60  # characters; more is a paragraph


def caption_of(
    control: Node, layout: Layout, own: Sequence[str], owner: Sequence[int], controls: Sequence[bool]
) -> int:
    """Returns the index of the nearest free label to the left of or above ``control``, of a check box also to its
    right; -1 where there is none. A label behind another control belongs to that control."""
    ancestor = control
    for _ in range(_LEVELS):
        if ancestor.parent < 0:
            return -1
        ancestor = layout.nodes[ancestor.parent]
        if layout.platform == "android" and layout.ends[ancestor.index] - ancestor.index > _MOST_NODES:
            return -1  # a form on iOS lies flat in what scrolls
        ranked = [
            (rank, node.index)
            for node in _around(control, ancestor, layout, controls)
            if own[node.index] and owner[node.index] < 0 and len(own[node.index]) <= _LONGEST_CAPTION
            and layout.shown[node.index] and not controls[node.index]
            and (rank := _rank(node.bounds, control)) is not None
        ]  # fmt: skip
        if ranked:
            return min(ranked)[1]
    return -1


def _around(control: Node, ancestor: Node, layout: Layout, controls: Sequence[bool]) -> list[Node]:
    """Yields the nodes up to the next control on either side, ancestors left out."""
    first = max(ancestor.index + 1, control.index - _MOST_NODES)
    before: Iterable[Node] = reversed(layout.nodes[first : control.index])
    found = list(
        takewhile(lambda node: not controls[node.index] or layout.ends[node.index] > control.index, before)
    )
    end = layout.ends[control.index]
    after = layout.nodes[end : min(layout.ends[ancestor.index], end + _MOST_NODES)]
    return found + list(takewhile(lambda node: not controls[node.index], after))


def _rank(caption: Rect, control: Node) -> tuple[int, int, int] | None:
    """Ranks a caption: on the same line before above, near before far, left before right; None elsewhere."""
    bounds = control.bounds
    if min(caption.bottom, bounds.bottom) > max(caption.top, bounds.top):
        if caption.left > bounds.left and not control.checkable:
            return None
        gap = max(bounds.left - caption.right, caption.left - bounds.right, 0)
        return (0, gap, caption.left)
    gap = bounds.top - caption.bottom
    over = min(caption.right, bounds.right) - max(caption.left, bounds.left)
    return (1, gap, caption.left) if over > 0 and 0 <= gap <= bounds.height * 2 else None
