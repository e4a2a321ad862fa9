"""Rows, repeated labels and captions: which label belongs to which node."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, chain, islice

from ...model import Node, Rect, ancestors, grouped, leading
from ..parsers.xcuitest import CHECKABLE, FIELDS
from ..screen.layout import Layout, is_list, nearest_around, scrolls
from ..text import is_icon

MOST_LABELS = 12
"""In a row: a part of the screen with more is a pane."""


@dataclass(slots=True)
class Labels:
    """Labels, parallel to the layout's nodes. ``own`` is the node's own label; ``label`` adds those
    of its descendants or its caption. ``owner`` is the control that prints this node's label,
    itself for a control that folds labels, -1 if it stands alone. ``folded`` maps a control to the
    labels printed with it, ``borrowed`` a control without a label to words that another one
    prints."""

    own: list[str]
    label: list[str]
    owner: list[int]
    folded: dict[int, list[str]]
    rows: list[int]
    controls: list[bool]
    borrowed: dict[int, str] = field(default_factory=dict)

    def row_of(self, node: Node) -> int:
        """Returns the row around a node, the node itself not counted; -1 if there is none."""
        return self.rows[node.parent] if node.parent >= 0 else -1


def row_roots(
    layout: Layout, owner: Sequence[int], labelled: Sequence[bool], controls: Sequence[bool]
) -> list[int]:
    """Returns for each node the nearest row around it, itself included, -1 if there is none.

    A row is a child of a list; one of several siblings of one class that each hold a label and
    equally many controls; or a control that owns the labels inside it (``owner``)."""
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
    """Returns siblings of one class and id that each hold a label and equally many controls, but no
    scroller: those are panes."""
    nodes = layout.nodes
    labels, touches, scrolls = (
        list(map(int, labelled)),
        list(map(int, controls)),
        [False] * len(nodes),
    )
    parents: list[Node] = []  # with labels and controls in more than one child
    for node in reversed(nodes):
        index, above = node.index, node.parent
        if node.states.scrollable:
            scrolls[index] = True
        if labels[index] > 1 < touches[index] and len(node.children) > 1:
            parents.append(node)
        if above >= 0:
            labels[above] += labels[index]
            touches[above] += touches[index]
            if scrolls[index]:
                scrolls[above] = True
    found: set[int] = set()
    for parent in parents:
        children = (
            nodes[index] for index in parent.children if touches[index] and not scrolls[index]
        )
        rows = (
            child for child in children if child.children and 0 < labels[child.index] <= MOST_LABELS
        )
        alike = grouped(
            ((row.class_name, row.resource_id, touches[row.index]), row.index) for row in rows
        )
        found.update(index for kind in alike.values() if len(kind) > 1 for index in kind)
    return found


_VIEWS = frozenset({"Other", "Group", "Any"})
_ROWS = frozenset({"Cell", "Button", "Link", "TextView"})
_MUCH_LARGER = 4
_LONGEST = 2000  # characters of a label put together from others


def drop_joined(layout: Layout, own: list[str]) -> None:
    """Removes the label of each view that repeats the labels inside it, joined, or the one label
    somewhere in it: the middle of a much larger view is not where that label is."""
    inside: dict[
        int, list[tuple[str, int]]
    ] = {}  # by node: the labels in it and their areas, last first
    for node in reversed(layout.nodes):
        index = node.index
        parts = inside.pop(index, [])
        joined = " ".join([label for label, _ in reversed(parts)])
        largest = max((area for _, area in parts), default=0)
        repeats = (
            bool(own[index]) and own[index] == joined and node.class_name in _VIEWS and largest > 0
        )
        if repeats and (len(parts) > 1 or node.bounds.area > largest * _MUCH_LARGER):
            own[index] = ""
        said = own[index] or joined
        if said and node.parent >= 0 and len(said) <= _LONGEST:
            area = largest if not own[index] else node.bounds.area if layout.shown[index] else 0
            inside.setdefault(node.parent, []).append((said, area))


def find_wrappers(layout: Layout, labels: Labels) -> dict[int, int]:
    """Maps a node to the control inside it that it merely wraps: a control of the same name, or the
    only one, where that has no name of its own. Tapping the middle of a row does not flip the
    switch in it."""
    found: dict[int, int] = {}
    counts = _counts(labels.controls)
    above = nearest_around(
        layout.nodes, lambda node: labels.controls[node.index] or labels.own[node.index] != ""
    )
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
    """Gives repeated labels to the element that shows them, and the labels of a row to the only
    control in it."""
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
            counts[layout.ends[wrapper]] - counts[wrapper + 1] == 1
            or label == labels.label[wrappers[wrapper]]
        ):
            labels.owner[index] = wrappers[wrapper]
            labels.folded.setdefault(wrappers[wrapper], []).append(label)
        elif above >= 0 and labels.own[above] == label:
            labels.owner[index] = labels.owner[above] if labels.owner[above] >= 0 else above
            said[index] = above


def claim_echoes(layout: Layout, labels: Labels) -> None:
    """Gives a view's one label to the view itself, where both have the same name and nothing else
    is inside. A view that holds more is a pane: its middle is not where that label is."""
    own, owner = labels.own, labels.owner
    said = Counter(own)
    touched, labelled = _counts(labels.controls), _counts([bool(one) for one in own])
    for index, label in enumerate(own):
        if not label or owner[index] >= 0 or said[label] < 2:
            continue
        near = islice(ancestors(layout.nodes, layout.nodes[index]), _MOST_NODES)
        outer = next(
            (node.index for node in near if labels.controls[node.index] or own[node.index]), -1
        )
        if outer < 0 or own[outer] != label or not layout.shown[outer]:
            continue
        end = layout.ends[outer]
        if touched[end] == touched[outer] and labelled[end] - labelled[outer] == 2:
            owner[index] = outer


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


_LEVELS = 5  # how far up a caption is looked for, mere wrappers of the control not counted
_MOST_NODES = 40  # before, after or above a control
_MOST_IN_ROW = 200  # nodes
_LONGEST_CAPTION = 60  # characters; more is a paragraph
_AT_THE_TOP = (
    16  # of the screen's height, one part: a text there, as wide as the screen, is its title
)
_CONTENT = (
    "android:id/content"  # what lies outside of it is the window's: its title, its action bar
)
_BAR = re.compile("toolbar|action_?bar|app_?bar", re.IGNORECASE)
_PICTURES = ("ImageView", "ImageButton", "Image")  # their descriptions are their own names


def caption_of(control: Node, layout: Layout, labels: Labels) -> int:
    """Returns the index of the nearest free label to the left of or above ``control``, of a check
    box also to its right; -1 if there is none. A label behind another control belongs to that
    control, and one in another pane or in a bar to that."""
    below, levels = control, 0
    for ancestor in islice(ancestors(layout.nodes, control), _LEVELS * 3):
        if levels == _LEVELS or scrolls(below) or below.resource_id == _CONTENT:
            return -1
        below = ancestor
        levels += ancestor.bounds != control.bounds
        ranked = [
            (rank, node.index)
            for node, level in _around(control, ancestor, layout, labels)
            if (rank := _rank(node.bounds, control)) is not None
            and (rank[0] == 0 or not level)
            and _is_free(node, ancestor, layout, labels)
        ]
        for rank, index in sorted(ranked):
            if rank[0] == 0 or not _heads_more(
                layout.nodes[index], control, ancestor, layout, labels
            ):
                return index
    return -1


def _around(
    control: Node, ancestor: Node, layout: Layout, labels: Labels
) -> Iterator[tuple[Node, bool]]:
    """Yields the labelled nodes up to the next control on either side, and behind a control with a
    name of its own those, marked, that can only be meant for a control level with them."""
    nodes, ends, controls, own = layout.nodes, layout.ends, labels.controls, labels.own
    first = max(ancestor.index + 1, control.index - _MOST_NODES)
    level = False
    for node in reversed(nodes[first : control.index]):
        index = node.index
        if not controls[index]:
            if own[index]:
                yield node, level
        elif ends[index] <= control.index:  # else the control lies in it
            if not own[index]:
                break
            level = True
    end = ends[control.index]
    for node in nodes[end : min(ends[ancestor.index], end + _MOST_NODES)]:
        if controls[node.index]:
            return
        if own[node.index]:
            yield node, False


_SIDES = frozenset({"on", "off"})  # of a switch, next to it


def _is_free(node: Node, ancestor: Node, layout: Layout, labels: Labels) -> bool:
    """Whether a label is no control's yet and stands in the control's own pane."""
    index, label = node.index, labels.own[node.index]
    if (
        labels.owner[index] >= 0
        or not layout.shown[index]
        or len(label) > _LONGEST_CAPTION
        or is_icon(label)
    ):
        return False
    if node.class_name in _PICTURES or label.casefold() in _SIDES:
        return False
    for around in islice(chain((node,), ancestors(layout.nodes, node)), _MOST_NODES):
        if around.index == ancestor.index:
            return True
        if scrolls(around) or _BAR.search(around.class_name) or _BAR.search(around.resource_id):
            return False
    return False


def _heads_more(
    caption: Node, control: Node, ancestor: Node, layout: Layout, labels: Labels
) -> bool:
    """Whether a label above a control is no caption of it: the screen's title, the heading over
    several fields, or a note that belongs to the field above."""
    bounds, at = caption.bounds, control.bounds
    width, height = layout.size
    if (
        layout.platform == "android"
        and bounds.top * _AT_THE_TOP <= height
        and bounds.width * 10 > width * 9
    ):
        return True
    first = max(ancestor.index, control.index - _MOST_NODES)
    for node in layout.nodes[first : control.index + _MOST_NODES]:
        if (
            node is control
            or not labels.controls[node.index]
            or not (node.checkable or node.states.editable)
        ):
            continue
        other = node.bounds
        across = min(other.right, bounds.right) > max(other.left, bounds.left)
        level = min(other.bottom, at.bottom) > max(other.top, at.top) and not at.encloses(other)
        if across and (level or 0 <= bounds.top - other.bottom < at.top - bounds.bottom):
            return not other.encloses(at)
    return False


def words_around(
    row: int, wordless: Sequence[Node], layout: Layout, labels: Labels
) -> dict[int, str]:
    """Returns names for controls without words, by the words of the row that holds them: the row's
    title for its one switch, check box or radio button; else for each of several alike the text to
    its right."""
    switches = [node for node in wordless if node.checkable]
    if len(wordless) < 2 and not switches:
        return {}
    parts = labels.folded.get(row, [])
    if len(switches) == 1:
        title = labels.own[row] or (parts[0] if parts else labels.label[row])
        return {} if is_icon(title) else {switches[0].index: title}
    near = layout.below(row)[:_MOST_IN_ROW]
    texts = [node for node in near if labels.own[node.index] and labels.owner[node.index] == row]
    if not len(texts) == len(wordless) > 1 or len({node.class_name for node in wordless}) > 1:
        return {}
    pairs = list(zip(wordless, texts, strict=True))
    if not all(
        _stands_next_to(one, text) and one.bounds.right <= text.bounds.left for one, text in pairs
    ):
        return {}
    return {node.index: labels.own[text.index] for node, text in pairs}


def words_next_to(control: Node, layout: Layout, labels: Labels) -> str:
    """Returns the name of the one control that stands directly before or after a switch, check box
    or radio button on its line; "" if that holds one itself, and for two."""
    nodes, ends = layout.nodes, layout.ends
    siblings = nodes[control.parent].children if control.parent >= 0 else ()
    place = bisect_left(siblings, control.index)
    around = [
        nodes[index]
        for index in (*siblings[max(place - 1, 0) : place], *siblings[place + 1 : place + 2])
    ]
    found = [node for node in around if labels.label[node.index] and _stands_next_to(control, node)]
    if len(found) != 1 or not labels.controls[found[0].index]:
        return ""
    index = found[0].index
    inside = nodes[index : min(ends[index], index + _MOST_IN_ROW)]
    if any(node.checkable or node.states.editable for node in inside):
        return ""
    return leading(labels.label[index], labels.folded.get(index, ()))


def _stands_next_to(control: Node, other: Node) -> bool:
    """Whether most of the control's height is level with the other, no farther away than two of its
    widths."""
    one, at = control.bounds, other.bounds
    level = (min(one.bottom, at.bottom) - max(one.top, at.top)) * 2 > min(one.height, at.height)
    return level and 0 <= max(at.left - one.right, one.left - at.right) <= one.width * 2


def _rank(caption: Rect, control: Node) -> tuple[int, int, int] | None:
    """Ranks a caption: on the same line before above, near before far, left before right; None
    elsewhere. What stands above a check box is the heading of several."""
    bounds = control.bounds
    if min(caption.bottom, bounds.bottom) > max(caption.top, bounds.top):
        if caption.left > bounds.left and not control.checkable:
            return None
        gap = max(bounds.left - caption.right, caption.left - bounds.right, 0)
        return (0, gap, caption.left)
    if control.checkable:
        return None
    gap = bounds.top - caption.bottom
    over = min(caption.right, bounds.right) - max(caption.left, bounds.left)
    return (1, gap, caption.left) if over > 0 and 0 <= gap <= bounds.height * 2 else None
