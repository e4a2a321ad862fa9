"""The outline: the one text in which tests, agents, reports and errors see a screen."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...errors import UsageError
from ...model import bare, joined, shortened
from ..naming.labels import is_control
from ..text.words import clean, short_id
from .cutting import Line, close, cut, indented
from .lines import is_nameless, line, printed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...model import Element, Node
    from ..naming.labels import Labels
    from ..screen.layout import Layout

_MOST_NAMING = 4  # labels of what is inside, to name what is off the screen
_LONGEST_NAME = 160
_LINE_STARTS = ("", "[", "(", "-", '"')


@dataclass(slots=True)
class Entry:
    """One line of the outline and what is indented below it. ``element`` is None where there is no ref. An
    entry without text is a row that is no element itself: a dash marks its first line."""

    text: str
    element: Element | None
    index: int
    inside: list[Entry] = field(default_factory=list)


def entries(
    layout: Layout, labels: Labels, elements: Sequence[Element], *, bounds: bool, offscreen: bool
) -> list[Entry]:
    """The lines as a tree. Layout classes that are no element are transparent, rows of several elements
    apart."""
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
    return top


def off_the_screen(layout: Layout, labels: Labels) -> dict[int, str]:
    """By index, what would be listed if it were scrolled to: controls, with the labels inside them, and
    labels that stand alone."""
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
    """The entries for the nodes from ``start`` to before ``end``."""
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
    """Entries of what otherwise heads the outline."""
    return [Entry(line(e), e, e.node.index) for e in headings if start <= e.node.index < end]


def check_limit(name: str, limit: int | None) -> None:
    """Raises ``UsageError`` for what limits nothing."""
    if limit is None:
        return
    if not isinstance(limit, int) or isinstance(limit, bool) or limit < 1:
        raise UsageError(f"{name}={limit!r}: a limit is a whole number from 1; leave it out for none")


def flat(tree: Sequence[Entry]) -> list[Line]:
    """The lines in order; the first of a row that is no element carries its dash."""
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
    """What is said around the lines."""

    screen: str
    app: str
    dialog: str | None
    loading: bool
    keyboard: bool
    windows_below: int
    offscreen: int
    nodes: int


def compose(tree: Sequence[Entry], page: Page, *, depth: int | None, max_chars: int | None) -> str:
    """Header, lines, and a trailer of what is not listed. Header and trailer stay whatever ``max_chars`` is,
    as does one line that counts what is left out."""
    screen, app = _name(page.screen), _name(page.app)
    head = [" ".join(filter(None, (screen, f" ({app})" if app else ""))).strip()]
    if page.dialog is not None:
        head.append(f"Dialog {printed(page.dialog)}" if page.dialog else "Dialog")
    tail = [
        text
        for text, applies in (
            ("(loading)", page.loading),
            ("(keyboard open)", page.keyboard),
            (f"({_windows(page.windows_below)} below: {screen or app})", page.windows_below),
            (f"({page.offscreen} offscreen)", page.offscreen),
        )
        if applies
    ]
    around = [text for text in (*head, *tail) if text]
    room = None if max_chars is None else max_chars + 1 - sum(len(text) + 1 for text in around)
    lines = cut(flat(tree), depth, room) or [f"(no elements among {page.nodes} nodes)"]
    return "\n".join(filter(None, (*head, *lines, *tail)))


def _groups(labels: Labels, elements: Sequence[Element]) -> set[int]:
    """Rows that are no element themselves and hold at least two."""
    known = {element.node.index for element in elements}
    sizes = Counter(labels.row_of(element.node) for element in elements)
    return {row for row, size in sizes.items() if row >= 0 and size > 1 and row not in known}


def _unreachable(node: Node, parts: Sequence[str]) -> str:
    if parts:
        return f"{bare(node.class_name)} {printed(joined(parts))}"
    return bare(node.class_name) + (f" id={bare(short_id(node.resource_id))}" if node.resource_id else "")


def _name(text: str) -> str:
    """A name in one line of bearable length, without quotes where it cannot pass for a line of the outline:
    titles are written by the app."""
    text = clean(text)
    if text[:1] in _LINE_STARTS:
        return printed(text) if text else ""
    return shortened(text, _LONGEST_NAME)


def _windows(count: int) -> str:
    return "1 window" if count == 1 else f"{count} windows"
