"""Rows, repeated labels and captions: which label belongs to which node."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain, compress
from unicodedata import bidirectional

from ...model import Node, Nodes, Rect, Strings, grouped, joined, leading
from ..parsers.roles import role_of
from ..parsers.xcuitest import CHECKABLE, FIELDS
from ..screen.layout import Layout, is_list, nearest_around, scrolls
from ..text import is_icon

MOST_LABELS = 12
"""In a row: a part of the screen with more is a pane."""
_MOST_IN_TITLE = 8  # labels of a row with a title
_MOST_FOLDED = 8  # a control with more labels inside is a panel, not a row
_MOST_NODES_IN_ROW = 400  # rows lie within rows, as deep as a hostile app likes
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
_SIDES = frozenset({"on", "off"})  # of a switch, next to it
_VIEWS = frozenset({"Other", "Group", "Any"})
_WRAPPING = _VIEWS | {"Cell", "Button", "Link", "TextView"}
_NAMED_BY_NEXT = FIELDS | CHECKABLE | {"Slider"}  # to the label there
_MUCH_LARGER = 4
_LONGEST = 2000  # characters of a label put together from others
_LONGEST_START = 40  # characters before the first letter


class Labels:
    """Labels, parallel to the layout's nodes. ``own`` is the node's own label; ``label`` adds those
    of its descendants or its caption. ``owner`` is the control that prints this node's label,
    itself for a control that folds labels, -1 if it stands alone. ``folded`` maps a control to the
    labels printed with it, ``borrowed`` a control without a label to words that another one prints.
    ``rows`` holds the nearest row around each node, itself included, -1 if there is none."""

    def __init__(self, layout: Layout, own: list[str], controls: list[bool]) -> None:
        self.layout, self.nodes, self.ends = layout, layout.nodes, layout.ends
        self.own, self.controls, self.label = own, controls, list(own)
        self.folded: dict[int, list[str]] = {}
        self.borrowed: dict[int, str] = {}
        made_of = controls, [bool(label) for label in own]
        owner = layout.once("owners", made_of, lambda: _owners(layout, *made_of))
        self.rows = layout.once("rows", made_of, lambda: _row_roots(layout, owner, *made_of))
        self.owner = list(owner)
        self._fold()

    def _fold(self) -> None:
        owned = zip(self.nodes, self.own, self.owner, strict=True)
        inside = grouped(
            (owner, node) for node, label, owner in owned if label and owner not in (-1, node.index)
        )
        for index, inner in inside.items():
            parts = [self.own[one.index] for one in in_reading_order(inner)]
            parts = self.folded[index] = [part for part in parts if not is_icon(part)] or parts
            if not self.own[index]:
                self.label[index] = joined(parts)

    def row_of(self, node: Node) -> int:
        """Returns the row around a node, the node itself not counted; -1 if there is none."""
        return self.rows[node.parent] if node.parent >= 0 else -1

    def of_row(self, row: int) -> Strings:
        """Returns the labels of a row, its title first. A row with many labels is a panel without a
        title: its first label depends on the scroll position."""
        if self.own[row]:
            return (self.own[row],)
        parts = self._in_row(row, touched=False)
        if len(parts) > _MOST_IN_TITLE:
            return ()
        return parts or tuple(filter(None, [self.label[row]]))

    def touched_in(self, row: int) -> Strings:
        """Returns the labels of the controls in a row, () for a panel with many."""
        parts = self._in_row(row, touched=True)
        return parts if len(parts) <= _MOST_IN_TITLE else ()

    def _in_row(self, row: int, *, touched: bool) -> Strings:
        """Returns the labels in a row that no control prints, or those of the controls in it that
        are called by their own words, and not by typed or chosen ones."""
        said = self.label if touched else self.own
        found: list[Node] = []
        for node in self.layout.below(row, _MOST_NODES_IN_ROW):
            index = node.index
            if touched:
                counts = not (node.states.editable or role_of(node.class_name).name == "dropdown")
            else:
                counts = self.owner[index] in (-1, row)
            if counts and said[index] and self.controls[index] == touched:
                found.append(node)
        return tuple(dict.fromkeys(said[node.index] for node in in_reading_order(found)))

    def stands_alone(self, node: Node) -> bool:
        """Whether it has a label that no control has or prints."""
        index = node.index
        return self.own[index] != "" and self.owner[index] < 0 and not self.controls[index]

    # --- of iOS -----------------------------------------------------------------------------------
    def wrappers(self) -> dict[int, int]:
        """Maps a node to the control inside it that it merely wraps: a control of the same name, or
        the only one, where that has no name of its own. Tapping the middle of a row does not flip
        the switch in it."""
        found: dict[int, int] = {}
        counts = _counts(self.controls)
        above = nearest_around(
            self.nodes, lambda node: self.controls[node.index] or self.own[node.index] != ""
        )
        for node in compress(self.nodes, self.controls):
            index = node.index
            outer, name, others = above[index], self.label[index], 0
            while outer >= 0 and outer not in found and _may_wrap(self.nodes[outer], node):
                only = counts[self.ends[outer]] - counts[outer + 1] - others == 1
                if not self._is_wrapper(self.nodes[outer], node, name, only):
                    break
                found[outer] = index
                name = name or self.own[outer]
                others += self.controls[outer]
                outer = above[outer]
        for outer in sorted(found, reverse=True):  # of wrappers of wrappers, the innermost control
            found[outer] = found.get(found[outer], found[outer])
        return found

    def _is_wrapper(self, outer: Node, inner: Node, name: str, only: bool) -> bool:
        label = self.label[outer.index]
        if label and name:
            names = [label]
            if only and not self.own[outer.index]:
                names += self.folded.get(outer.index, ())[:1]
            return name in names
        if not only:
            return False
        takes = inner.class_name in _NAMED_BY_NEXT
        if label:
            return takes
        if outer.class_name != "Cell" or not self.controls[outer.index]:
            return False
        return takes or inner.bounds.area * 2 >= outer.bounds.area

    def claim(self, wrappers: dict[int, int]) -> None:
        """Gives repeated labels to the element that shows them, and the labels of a row to the only
        control in it."""
        counts = _counts(self.controls)
        inside = [-1] * len(self.nodes)
        said = [-1] * len(self.nodes)
        for node in self.nodes:
            index, parent = node.index, node.parent
            if parent >= 0:
                inside[index], said[index] = inside[parent], said[parent]
            if index in wrappers:
                inside[index] = index
            above, wrapper = said[index], inside[index]
            label = self.own[index]
            if not label or not self.layout.shown[index]:
                continue
            said[index] = index
            if index in wrappers:
                inner = self.owner[index] = wrappers[index]
                self.label[inner] = self.label[inner] or label
            elif self.controls[index] or self.owner[index] >= 0:
                continue
            elif wrapper >= 0 and (
                counts[self.ends[wrapper]] - counts[wrapper + 1] == 1
                or label == self.label[wrappers[wrapper]]
            ):
                inner = self.owner[index] = wrappers[wrapper]
                self.folded.setdefault(inner, []).append(label)
            elif above >= 0 and self.own[above] == label:
                self.owner[index] = self.owner[above] if self.owner[above] >= 0 else above
                said[index] = above

    # --- of Android -------------------------------------------------------------------------------
    def claim_echoes(self) -> None:
        """Gives a view's one label to the view itself, where both have the same name and nothing
        else is inside. A view that holds more is a pane: its middle is not where that label is."""
        own, owner = self.own, self.owner
        said = Counter(own)
        touched, labelled = _counts(self.controls), _counts([bool(one) for one in own])
        for index, label in enumerate(own):
            if not label or owner[index] >= 0 or said[label] < 2:
                continue
            near = self.layout.around(self.nodes[index], _MOST_NODES)
            outer = next(
                (node.index for node in near if self.controls[node.index] or own[node.index]), -1
            )
            if outer < 0 or own[outer] != label or not self.layout.shown[outer]:
                continue
            end = self.ends[outer]
            if touched[end] == touched[outer] and labelled[end] - labelled[outer] == 2:
                owner[index] = outer

    # --- captions ---------------------------------------------------------------------------------
    def caption_of(self, control: Node) -> int:
        """Returns the index of the nearest free label to the left of or above ``control``, of a
        check box also to its right; -1 if there is none. A label behind another control belongs to
        that control, and one in another pane or in a bar to that."""
        below, levels = control, 0
        for ancestor in self.layout.around(control, _LEVELS * 3):
            if levels == _LEVELS or scrolls(below) or below.resource_id == _CONTENT:
                return -1
            below = ancestor
            levels += ancestor.bounds != control.bounds
            ranked: list[tuple[tuple[int, int, int], int]] = []
            for node, level in self._near(control, ancestor):
                rank = _rank(node.bounds, control)
                if rank and (rank[0] == 0 or not level) and self._is_free(node, ancestor):
                    ranked.append((rank, node.index))
            for rank, index in sorted(ranked):
                if rank[0] == 0 or not self._heads_more(self.nodes[index], control, ancestor):
                    return index
        return -1

    def _near(self, control: Node, ancestor: Node) -> Iterator[tuple[Node, bool]]:
        """Yields the labelled nodes up to the next control on either side, and behind a control
        with a name of its own those, marked, that can only be meant for a control level with
        them."""
        nodes, ends, controls, own = self.nodes, self.ends, self.controls, self.own
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

    def _is_free(self, node: Node, ancestor: Node) -> bool:
        """Whether a label is no control's yet and stands in the control's own pane."""
        index, label = node.index, self.own[node.index]
        if self.owner[index] >= 0 or not self.layout.shown[index] or not _may_caption(node, label):
            return False
        for around in chain((node,), self.layout.around(node, _MOST_NODES)):
            if around is ancestor:
                return True
            if scrolls(around) or _BAR.search(around.class_name) or _BAR.search(around.resource_id):
                return False
        return False

    def _heads_more(self, caption: Node, control: Node, ancestor: Node) -> bool:
        """Whether a label above a control is no caption of it: the screen's title, the heading over
        several fields, or a note that belongs to the field above."""
        bounds, at = caption.bounds, control.bounds
        width, height = self.layout.size
        high = bounds.top * _AT_THE_TOP <= height and bounds.width * 10 > width * 9
        if high and self.layout.platform == "android":
            return True
        first = max(ancestor.index, control.index - _MOST_NODES)
        for node in self.nodes[first : control.index + _MOST_NODES]:
            if node is control or not self.controls[node.index]:
                continue
            if not (node.checkable or node.states.editable):
                continue
            other = node.bounds
            across = min(other.right, bounds.right) > max(other.left, bounds.left)
            level = min(other.bottom, at.bottom) > max(other.top, at.top) and not at.encloses(other)
            if across and (level or 0 <= bounds.top - other.bottom < at.top - bounds.bottom):
                return not other.encloses(at)
        return False

    def words_around(self, row: int, wordless: Nodes) -> dict[int, str]:
        """Returns names for controls without words, by the words of the row that holds them: the
        row's title for its one switch, check box or radio button; else for each of several alike
        the text to its right."""
        switches = [node for node in wordless if node.checkable]
        if len(switches) == 1:
            parts = self.folded.get(row) or [self.label[row]]
            title = self.own[row] or parts[0]
            return {} if is_icon(title) else {switches[0].index: title}
        near = self.layout.below(row, _MOST_IN_ROW)
        texts = [node for node in near if self.own[node.index] and self.owner[node.index] == row]
        if not len(texts) == len(wordless) > 1 or len({node.class_name for node in wordless}) > 1:
            return {}
        found: dict[int, str] = {}
        for one, text in zip(wordless, texts, strict=True):
            if not _stands_next_to(one, text) or one.bounds.right > text.bounds.left:
                return {}
            found[one.index] = self.own[text.index]
        return found

    def words_next_to(self, control: Node) -> str:
        """Returns the name of the one control that stands directly before or after a switch, check
        box or radio button on its line; "" if that holds one itself, and for two."""
        siblings = self.nodes[control.parent].children if control.parent >= 0 else ()
        place = bisect_left(siblings, control.index)
        around = (*siblings[max(place - 1, 0) : place], *siblings[place + 1 : place + 2])
        found = [
            index
            for index in around
            if self.label[index] and _stands_next_to(control, self.nodes[index])
        ]
        if len(found) != 1 or not self.controls[found[0]]:
            return ""
        index = found[0]
        inside = (self.nodes[index], *self.layout.below(index, _MOST_IN_ROW))
        if any(node.checkable or node.states.editable for node in inside):
            return ""
        return leading(self.label[index], self.folded.get(index, ()))


def _owners(layout: Layout, controls: Sequence[bool], labelled: Sequence[bool]) -> list[int]:
    """Returns the control that prints each node's label: the nearest ancestor that is no panel."""
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
            holds_rows = node.states.scrollable or is_list(
                node
            )  # also while all of them are in sight
            if not (panel[index] or holds_rows or counts[index] > _MOST_FOLDED):
                owner[index] = index
        elif above >= 0:
            owner[index] = owner[above]
    return owner


def _row_roots(
    layout: Layout, owner: Sequence[int], controls: Sequence[bool], labelled: Sequence[bool]
) -> list[int]:
    """Returns for each node the nearest row around it, itself included, -1 if there is none.

    A row is a cell; a child of a list, dividers apart; one of several siblings of one class and id
    that each hold a label and equally many controls; or a control that owns the labels inside it
    (``owner``)."""
    nodes = layout.nodes
    roots = [-1] * len(nodes)
    rows = _repeated(nodes, controls, labelled)
    listed: set[int] = set()
    for node in nodes:
        index, above = node.index, node.parent
        if node.children and is_list(node):
            listed.update(node.children)
        owns = index in listed or owner[index] == index or node.class_name == "Cell"
        if index in rows or (owns and node.children):
            roots[index] = index
        elif above >= 0:
            roots[index] = roots[above]
    return roots


def _repeated(nodes: Nodes, controls: Sequence[bool], labelled: Sequence[bool]) -> set[int]:
    """Returns siblings of one class and id that each hold a label and equally many controls, but no
    scroller: those are panes."""
    labels, touches = list(map(int, labelled)), list(map(int, controls))
    moves = [bool(node.states.scrollable) for node in nodes]
    found: set[int] = set()
    for node in reversed(nodes):
        index, above = node.index, node.parent
        if labels[index] > 1 < touches[index] and len(node.children) > 1:
            found.update(_alike(nodes, node, labels, touches, moves))
        if above >= 0:
            labels[above] += labels[index]
            touches[above] += touches[index]
            moves[above] |= moves[index]
    return found


def _alike(
    nodes: Nodes, parent: Node, labels: list[int], touches: list[int], moves: list[bool]
) -> Iterator[int]:
    rows = [nodes[at] for at in parent.children if touches[at] and not moves[at]]
    kinds = grouped(
        ((row.class_name, row.resource_id, touches[row.index]), row.index)
        for row in rows
        if row.children and 0 < labels[row.index] <= MOST_LABELS
    )
    return chain.from_iterable(kind for kind in kinds.values() if len(kind) > 1)


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


def _may_caption(node: Node, label: str) -> bool:
    """Whether it is short words, no side of a switch and no picture's."""
    if is_icon(label) or len(label) > _LONGEST_CAPTION:
        return False
    return label.casefold() not in _SIDES and node.class_name not in _PICTURES


def _may_wrap(outer: Node, inner: Node) -> bool:
    """Whether their classes and the states of the inner one allow it."""
    if inner.states.enabled is False or inner.states.scrollable:
        return False
    kind = outer.class_name
    return kind in _WRAPPING or (kind in CHECKABLE and kind == inner.class_name)


def _counts(controls: Sequence[bool]) -> list[int]:
    """Counts the controls before each node."""
    return list(accumulate(controls, initial=0))


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


def in_reading_order(nodes: Nodes) -> list[Node]:
    """Orders labels line by line, each from the side where its script begins: iOS lists the number
    at the end of a row before the row's title."""
    if len(nodes) < 2:
        return list(nodes)
    ordered: list[Node] = []
    line: list[Node] = []
    for node in sorted(
        nodes, key=lambda node: (node.bounds.top + node.bounds.bottom, node.bounds.left)
    ):
        if line and not _share_line(node, line[0]):
            ordered += _along(line)
            line = []
        line.append(node)
    return ordered + _along(line)


def _along(line: list[Node]) -> list[Node]:
    if len(line) < 2:
        return line
    from_the_right = sum(_direction(node.words) for node in line) < 0
    return sorted(line, key=lambda node: -node.bounds.right if from_the_right else node.bounds.left)


def _direction(text: str) -> int:
    """Returns 1 where the first letter runs to the right, -1 to the left, 0 without a letter."""
    for sign in text[:_LONGEST_START]:
        kind = bidirectional(sign)
        if kind in ("L", "R", "AL"):
            return 1 if kind == "L" else -1
    return 0


def _share_line(one: Node, other: Node) -> bool:
    """Whether most of the shorter of the two lies level with the taller one."""
    _, top, _, bottom = one.bounds
    _, first, _, last = other.bounds
    return (min(bottom, last) - max(top, first)) * 2 > min(bottom - top, last - first)
