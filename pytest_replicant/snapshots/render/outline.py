"""The outline: the one text in which tests, agents, reports and errors see a screen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from ...errors import UsageError
from ...model import Element, Node, bare, joined, quoted, shortened
from ..labels.labels import is_control
from ..labels.rows import Labels
from ..parsers.roles import GENERIC
from ..screen.layout import SCROLLERS, Layout
from ..text import DOUBTFUL, clean, short_id

_MOST_NAMING = 4  # inner labels that name an offscreen control
_LONGEST_NAME = 160
_LINE_STARTS = ("", "[", "(", "-", '"')


@dataclass(slots=True)
class Entry:
    """One line of the outline with its nested entries. ``element`` is None where there is no ref. An entry without
    text is a row that is no element itself: a dash marks its first line."""

    text: str
    element: Element | None
    index: int
    inside: list[Entry] = field(default_factory=list)


def entries(
    layout: Layout, labels: Labels, elements: Sequence[Element], *, bounds: bool, offscreen: bool
) -> list[Entry]:
    """Builds the tree of lines. Layout classes that are no element are transparent, except rows of several
    elements."""
    by_index = {element.node.index: element for element in elements}
    rows = _groups(labels, elements)
    hidden = off_the_screen(layout, labels) if offscreen else {}
    top: list[Entry] = []
    nameless: list[tuple[Entry, Element]] = []
    holder: list[list[Entry]] = [top] * len(layout.nodes)
    for node in layout.nodes:
        index = node.index
        into = holder[index] = holder[node.parent] if node.parent >= 0 else top
        element = by_index.get(index)
        if element is not None:
            entry = Entry(line(element, bounds=bounds, alone=False), element, index)
            if not bounds and is_nameless(element):
                nameless.append((entry, element))
        elif index in rows:
            entry = Entry("", None, index)
        elif index in hidden:
            entry = Entry(f"{hidden[index]} (offscreen)", None, index)
        else:
            continue
        into.append(entry)
        holder[index] = entry.inside
    for entry, element in nameless:
        if not entry.inside:
            entry.text = line(element)
    return sorted(top, key=lambda entry: layout.stack.place(layout.nodes[entry.index]))


CUT_HERE = "… cut here"


def add_ends(tree: list[Entry], layout: Layout, ends: Collection[int], limit: str) -> None:
    """Adds a line where a cut screen ends: once in each list that has such a node in it or below it."""
    if not ends:
        return
    lists = {-1: tree}
    pending = list(tree)
    while pending:
        entry = pending.pop()
        lists[entry.index] = entry.inside
        pending.extend(entry.inside)
    last: dict[int, int] = {}  # by the list's own node
    for end in sorted(ends):
        above = layout.nodes[end].parent
        while above not in lists:
            above = layout.nodes[above].parent
        last[above] = end
    for above, end in last.items():
        lists[above].append(Entry(f"{CUT_HERE}: {limit}", None, end))


def off_the_screen(layout: Layout, labels: Labels) -> dict[int, str]:
    """Returns the lines of elements that scrolling would show, by index: controls, with the labels inside them,
    and labels that stand alone."""
    if True not in layout.offscreen:
        return {}
    names: dict[int, list[str]] = {}
    owner = [-1] * len(layout.nodes)
    for node in layout.nodes:
        index = node.index
        above = owner[index] = owner[node.parent] if node.parent >= 0 else -1
        if not layout.offscreen[index]:
            continue
        label = labels.own[index]
        if is_control(node):
            names[index] = [label] if label else []
            owner[index] = -1 if node.states.scrollable else index
        elif label and above >= 0:
            if len(names[above]) < _MOST_NAMING:
                names[above].append(label)
        elif label:
            names[index] = [label]
    return {index: _unreachable(layout.nodes[index], parts) for index, parts in names.items()}


def part(tree: Sequence[Entry], start: int, end: int) -> list[Entry]:
    """Returns the entries of the nodes from ``start`` to before ``end``."""
    found: list[Entry] = []
    pending = list(reversed(tree))
    while pending:
        entry = pending.pop()
        if start <= entry.index < end:
            found.append(entry)
        elif entry.index < end:
            pending.extend(reversed(entry.inside))
    return found


def listed(headings: Sequence[Element], start: int, end: int) -> list[Entry]:
    """Returns entries of the headings, which otherwise stand above the outline."""
    return [Entry(line(e), e, e.node.index) for e in headings if start <= e.node.index < end]


def check_limit(name: str, limit: int | None) -> None:
    """Raises ``UsageError`` for a limit that is no whole number from 1."""
    if limit is None:
        return
    if not isinstance(limit, int) or isinstance(limit, bool) or limit < 1:
        raise UsageError(f"{name}={limit!r}: a limit is a whole number from 1; leave it out for none")


def flat(tree: Sequence[Entry]) -> list[Line]:
    """Returns the lines in order; the first line of a row that is no element carries its dash."""
    lines: list[Line] = []
    pending = [(entry, 0, 0, False) for entry in reversed(tree)]
    while pending:
        entry, indent, level, dash = pending.pop()
        inside = entry.inside
        if entry.text:
            lines.append(Line(indented(entry.text, indent, dash), level))
            pending.extend((child, indent + 1, level + 1, False) for child in reversed(inside))
        elif len(inside) == 1:
            pending.append((inside[0], indent, level, dash))
        else:
            pending.extend((child, indent + 1, level, child is inside[0]) for child in reversed(inside))
    close(lines)
    return lines


@dataclass(frozen=True, slots=True)
class Page:
    """The facts around the lines: header and trailer."""

    screen: str
    app: str
    dialog: str | None
    loading: bool
    keyboard: bool
    windows_below: int
    offscreen: int
    nodes: int
    cut: int = 0
    dotted: bool = False  # an emoji is two dots in the dump


def compose(tree: Sequence[Entry], page: Page, *, depth: int | None, max_chars: int | None) -> str:
    """Joins header, lines and trailer; the trailer counts the hidden parts. Header and trailer stay whatever
    ``max_chars`` is, as does one line that counts the omitted elements."""
    screen, app = _name(page.screen), _name(page.app)
    head = [" ".join(filter(None, (screen, f" ({app})" if app else ""))).strip()]
    if page.dialog is not None:
        head.append(f"Dialog {printed(page.dialog)}" if page.dialog else "Dialog")
    windows = "window" if page.windows_below == 1 else "windows"
    tail = [
        text
        for text, applies in (
            ("(loading)", page.loading),
            ("(keyboard open)", page.keyboard),
            (f"({page.windows_below} {windows} below: {screen or app})", page.windows_below),
            (f"({page.offscreen} offscreen)", page.offscreen),
            (f"(cut at {page.cut} levels)", page.cut),
            (MAY_BE_EMOJI, page.dotted and any(DOUBTFUL.search(line.text) for line in flat(tree))),
        )
        if applies
    ]
    around = [text for text in (*head, *tail) if text]
    room = None if max_chars is None else max_chars + 1 - sum(len(text) + 1 for text in around)
    lines = cut(flat(tree), depth, room) or [f"(no elements among {page.nodes} nodes)"]
    return "\n".join(filter(None, (*head, *lines, *tail)))


def _groups(labels: Labels, elements: Sequence[Element]) -> set[int]:
    """Returns rows that are no element themselves and hold at least two."""
    known = {element.node.index for element in elements}
    sizes = Counter(labels.row_of(element.node) for element in elements)
    return {row for row, size in sizes.items() if row >= 0 and size > 1 and row not in known}


def _unreachable(node: Node, parts: Sequence[str]) -> str:
    if parts:
        return f"{bare(node.class_name)} {printed(joined(parts))}"
    return bare(node.class_name) + (f" id={bare(short_id(node.resource_id))}" if node.resource_id else "")


def _name(text: str) -> str:
    """Returns a name in one short line, without quotes where it cannot be mistaken for a line of the outline:
    titles are written by the app."""
    text = clean(text)
    if text[:1] in _LINE_STARTS:
        return printed(text) if text else ""
    return shortened(text, _LONGEST_NAME)


_ROOT = -1
_DEEPEST = 60  # steps of indentation; a hostile screen may nest ten thousands of levels


MAY_BE_EMOJI = "(.. may be an emoji)"


@dataclass(slots=True)
class Line:
    """A line; ``level`` counts the listed ancestors, ``end`` is the index after its last nested line."""

    text: str
    level: int
    end: int = 0


def indented(text: str, indent: int, dash: bool = False) -> str:
    """Indents a line; a dash takes the last step of the indentation."""
    return "  " * (min(indent, _DEEPEST) - dash) + "- " * dash + text


def close(lines: Sequence[Line]) -> None:
    """Sets the ends of lines in document order."""
    open_lines: list[Line] = []
    for index, line in enumerate(lines):
        while open_lines and open_lines[-1].level >= line.level:
            open_lines.pop().end = index
        open_lines.append(line)
    for line in open_lines:
        line.end = len(lines)


def cut(lines: Sequence[Line], depth: int | None, room: int | None) -> list[str]:
    """Returns the lines down to ``depth`` levels that fit into ``room`` characters, line ends included.

    Whole parts are omitted: a closed line counts its nested lines, ``(+12 inside)``, and ``(+12 more)`` stands for
    the rest where only the first of several fit. Every level is shown as far as it fits before a deeper one, its
    smaller parts first."""
    allowed = len(lines) + 1 if depth is None else depth
    every = _shown_lines(lines, {index for index, line in enumerate(lines) if line.level + 1 < allowed}, {})
    if room is None or sum(len(text) + 1 for text in every) <= room:
        return every
    return _shown_lines(lines, *_opened(lines, allowed, room))


def _opened(lines: Sequence[Line], allowed: int, room: int) -> tuple[set[int], dict[int, int]]:
    """Returns the lines whose nested lines are shown; and for each partly shown line, keyed by its first omitted
    line."""
    opened: set[int] = set()
    cuts: dict[int, int] = {}
    level, left = [_ROOT], room
    while level and not cuts and allowed > 0:
        costs = [(sum(_cost(lines, child) for child in _inside(lines, line)), line) for line in level]
        deeper: list[int] = []
        complete = True
        for cost, parent in sorted(costs):
            budget = left + len(_more_inside(lines, parent))
            stop = len(lines) if cost <= budget else _first_left_out(lines, parent, budget)
            if stop == parent + 1 and parent != _ROOT:
                complete = False
                continue
            opened.add(parent)
            if cost > budget:
                cuts[stop] = parent
                cost = budget  # what a cut leaves over is too little for a line
            left = budget - cost
            deeper += [child for child in _inside(lines, parent) if child < stop and _size(lines, child)]
        allowed -= 1
        level = deeper if complete else []
    return opened, cuts


def _first_left_out(lines: Sequence[Line], parent: int, budget: int) -> int:
    """Returns the first line in ``parent`` without room for itself and the note about the rest."""
    end = _end(lines, parent)
    for child in _inside(lines, parent):
        after = lines[child].end
        rest = len(_more(lines, parent, after)) + 1 if after < end else 0
        if budget < _cost(lines, child) + rest:
            return child
        budget -= _cost(lines, child)
    return end


def _shown_lines(lines: Sequence[Line], opened: set[int], cuts: dict[int, int]) -> list[str]:
    shown: list[str] = []
    index = 0
    while index < len(lines):
        if index in cuts:
            shown.append(_more(lines, cuts[index], index))
            index = _end(lines, cuts[index])
        elif index in opened:
            shown.append(lines[index].text)
            index += 1
        else:
            shown.append(lines[index].text + _more_inside(lines, index))
            index = lines[index].end
    return shown


def _inside(lines: Sequence[Line], parent: int) -> Iterator[int]:
    """The lines one level below."""
    index, end = parent + 1, _end(lines, parent)
    while index < end:
        yield index
        index = lines[index].end


def _end(lines: Sequence[Line], index: int) -> int:
    return len(lines) if index == _ROOT else lines[index].end


def _size(lines: Sequence[Line], index: int) -> int:
    return 0 if index == _ROOT else lines[index].end - index - 1


def _cost(lines: Sequence[Line], index: int) -> int:
    return len(lines[index].text) + len(_more_inside(lines, index)) + 1


def _more_inside(lines: Sequence[Line], index: int) -> str:
    size = _size(lines, index)
    return f"  (+{size} inside)" if size else ""


def _more(lines: Sequence[Line], parent: int, first: int) -> str:
    """Returns the note about the lines of ``parent`` from ``first`` on, indented like them."""
    sibling = lines[parent + 1].text
    return " " * (len(sibling) - len(sibling.lstrip(" "))) + f"(+{_end(lines, parent) - first} more)"


def line(element: Element, *, bounds: bool = False, alone: bool = True) -> str:
    """Formats an element: ``[k427] EditText "Email" value="ada" [focused]``. A text that is no control shows no
    class. An element without label, id and value is identified by its centre, unless its nested lines do that
    (``alone`` is False)."""
    shown, value = called(element), element.value
    if value not in (None, "") and value != element.label:
        shown += f" value={_value(value)}"
        if element.value_range is not None:
            shown += f" of {_number(element.value_range.min)}..{_number(element.value_range.max)}"
    shown += _states(element)
    if element.folded:
        extra = [part for part in element.folded if part != value and not _says(element.label, part)]
        shown = " ".join([shown, "·", *map(printed, extra)]) if extra else shown
    if bounds:
        box = element.bounds
        return f"{shown} {{x:{box.left},y:{box.top},w:{box.width},h:{box.height}}}"
    if alone and is_nameless(element):
        return f"{shown} @{element.center.x},{element.center.y}"
    return shown


def called(element: Element) -> str:
    """Formats ref, class and name: ``[k427] Button "Add"``; the id where there is no name."""
    label, node = element.label, element.node
    shown = f"[{element.ref}]"
    if not (label and _is_plain(node)):
        shown += f" {bare(node.class_name)}"
    if label:
        return f"{shown} {quoted(label)}"
    return f"{shown} id={bare(short_id(node.resource_id))}" if node.resource_id else shown


def is_nameless(element: Element) -> bool:
    """Whether only its class and states are known."""
    return not (element.label or element.resource_id or element.value not in (None, ""))


def printed(text: str) -> str:
    """Quotes a text, normalised as labels are compared."""
    return quoted(clean(text))


def _is_plain(node: Node) -> bool:
    if node.clickable or node.long_clickable or node.checkable or node.states.scrollable:
        return False
    return node.class_name in GENERIC or node.class_name.endswith("TextView")


def _says(label: str, part: str) -> bool:
    """Whether the label contains ``part`` as whole words; "Item 10" does not contain "1"."""
    start = label.find(part)
    while start >= 0:
        before, after = label[start - 1 : start], label[start + len(part) :][:1]
        if not (before.isalnum() and part[:1].isalnum()) and not (after.isalnum() and part[-1:].isalnum()):
            return True
        start = label.find(part, start + 1)
    return False


def _states(element: Element) -> str:
    states = element.states
    words = [] if states.checked is None else ["checked" if states.checked else "unchecked"]
    if states.selected:
        words.append("selected")
    if states.focused:
        words.append("focused")
    if states.expanded is not None:
        words.append("expanded" if states.expanded else "collapsed")
    if states.enabled is False:
        words.append("disabled")
    if states.password:
        words.append("password")
    if states.scrollable and not element.class_name.endswith(SCROLLERS):
        words.append("scrollable")
    return "".join([f" [{word}]" for word in words])


def _value(value: str | float | None) -> str:
    return _number(value) if isinstance(value, (int, float)) else printed(str(value))


def _number(value: float) -> str:
    return f"{value:.10g}"


FORMAT = 1
"""Raised when a field changes its meaning or goes; new fields may come at any time."""


def element_rows(found: Iterable[Element], nodes: Sequence[Node], first: int, end: int) -> list[dict[str, Any]]:
    """Returns the elements of one part of the screen as dicts; ``parent`` is the ref of the nearest element
    above."""
    by_index = {element.node.index: element for element in found}
    above: list[Element | None] = [None] * len(nodes)
    shown = []
    for node in nodes[:end]:
        if node.parent >= 0:
            above[node.index] = by_index.get(node.parent) or above[node.parent]
        element = by_index.get(node.index)
        if element is not None and node.index >= first:
            shown.append(_element(element, above[node.index]))
    return shown


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
        "bounds": list(element.bounds),
        "states": {name: value for name, value in asdict(element.states).items() if value is not None},
        "value": element.value,
        "value_range": None if known is None else [known.min, known.max],
        "role": element.semantic_role,
        "actions": None if element.supported_actions is None else list(element.supported_actions),
        "row": element.row_title,
        "parent": parent.ref if parent else None,
    }
