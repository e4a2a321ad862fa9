"""The outline: the one text in which tests, agents, reports and errors see a screen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import compress, groupby
from typing import Protocol

from ...errors import UsageError
from ...model import AnyDict, Element, Elements, Node, Nodes, bare, joined, quoted, shortened
from ..labels.labels import is_control, own_label
from ..labels.rows import Labels
from ..parsers.roles import GENERIC
from ..screen.layout import SCROLLERS, Layout, nearest_around
from ..text import DOUBTFUL, clean, is_icon, short_id

_MOST_NAMING = 4  # inner labels that name an offscreen control
_LONGEST_NAME = 160
_SHORTEST_NAME = 3  # characters: the numbers of a clock, the keys of a pad
_FEWEST_ALIKE = 6
_LINE_STARTS = ("[", "(", "-", '"')


@dataclass(slots=True)
class Entry:
    """One line of the outline with its nested entries. ``element`` is None if there is no ref. An
    entry without text is a row that is no element itself: a dash marks its first line. ``terse``:
    no name, or a sign or two."""

    text: str
    element: Element | None
    index: int
    terse: bool = False
    inside: list[Entry] = field(default_factory=list)


def entries(
    labels: Labels, elements: Elements, *, bounds: bool, hidden: dict[int, str]
) -> list[Entry]:
    """Builds the tree of lines. Layout classes that are no element are transparent, except rows of
    several elements. ``hidden`` are the lines, by index, of elements listed though they cannot be
    seen."""
    nodes, stack = labels.nodes, labels.layout.stack
    by_index = {element.index: element for element in elements}
    sizes = Counter(labels.row_of(element.node) for element in elements)
    top: list[Entry] = []
    nameless: list[tuple[Entry, Element]] = []
    holder = [top] * (len(nodes) + 1)  # of each node; the last one is that of the roots
    for index, node in enumerate(nodes):
        into = holder[index] = holder[node.parent]
        element = by_index.get(index)
        if element is not None:
            terse = len(element.label) <= _SHORTEST_NAME
            entry = Entry(line(element, bounds=bounds, alone=False), element, index, terse)
            if terse and not bounds and is_nameless(element):
                nameless.append((entry, element))
        elif sizes.get(index, 0) > 1:
            entry = Entry("", None, index)
        elif index in hidden:
            entry = Entry(hidden[index], None, index)
        else:
            continue
        into.append(entry)
        holder[index] = entry.inside
    for entry, element in nameless:
        if not entry.inside:
            entry.text = line(element)
    return sorted(top, key=lambda entry: stack.place(nodes[entry.index]))


CUT_HERE = "… cut here"
_PICTURE = "(the app reports nothing of what it draws; look at mobile.screenshot())"
MAY_BE_EMOJI = "(.. may be an emoji)"


def add_ends(tree: list[Entry], layout: Layout, ends: Collection[int], limit: str) -> None:
    """Adds a line where a cut screen ends: once in each list that has such a node in it or below
    it."""
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


OFFSCREEN, COVERED = "(offscreen)", "(covered)"


def hidden_lines(labels: Labels) -> dict[int, str]:
    """Returns the lines, by index, of elements that scrolling would show, and of those that others
    of their window cover: controls, with the labels inside them, and labels that stand alone."""
    layout = labels.layout
    away = _unlisted(layout, layout.offscreen, lambda node: labels.own[node.index], OFFSCREEN)
    return away | _unlisted(layout, layout.covered, lambda node: own_label(node, {}), COVERED)


def _unlisted(
    layout: Layout, those: Sequence[bool], label_of: Callable[[Node], str], state: str
) -> dict[int, str]:
    if True not in those:
        return {}
    names: dict[int, list[str]] = {}
    owner = [-1] * len(layout.nodes)
    for index, node in enumerate(layout.nodes):
        above = owner[index] = owner[node.parent] if node.parent >= 0 else -1
        if not those[index]:
            continue
        label = label_of(node)
        if is_control(node):
            names[index] = [label] if label else []
            owner[index] = -1 if node.states.scrollable else index
        elif label and above >= 0:
            if len(names[above]) < _MOST_NAMING:
                names[above].append(label)
        elif label:
            names[index] = [label]
    found: dict[int, str] = {}
    for index, parts in names.items():
        node = layout.nodes[index]
        kind = bare(node.class_name)
        if parts:
            kind += f" {printed(joined(parts))}"
        elif node.resource_id:
            kind += f" id={bare(short_id(node.resource_id))}"
        found[index] = f"{kind} {state}"
    return found


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


def listed(headings: Elements, start: int, end: int) -> list[Entry]:
    """Returns entries of the headings, which otherwise stand above the outline."""
    return [Entry(line(e), e, e.index) for e in headings if start <= e.index < end]


def check_limit(name: str, limit: int | None) -> None:
    """Raises ``UsageError`` for a limit that is no whole number from 1."""
    if limit is not None and (type(limit) is not int or limit < 1):
        raise UsageError(
            f"{name}={limit!r}: a limit is a whole number from 1; leave it out for none"
        )


def fold(tree: list[Entry], *, full: bool) -> Counter[str]:
    """Takes out of a tree, or puts into one line, what says nothing to a reader, and counts it:
    texts of an icon font, containers without content, and elements that only their places tell
    apart. The cells of a grid become siblings. With ``full`` nothing else is done."""
    counts: Counter[str] = Counter()
    pending = [tree]
    while pending:
        into = pending.pop()
        for at in range(len(into) - 1, -1, -1):
            if _is_grid_row(into[at]):
                into[at : at + 1] = into[at].inside
        if not full and any(entry.terse for entry in into):
            into[:] = _merged([entry for entry in into if not _is_mute(entry, counts)], counts)
        pending.extend(entry.inside for entry in into)
    return counts


def _is_grid_row(row: Entry) -> bool:
    """Whether a row is nothing but controls of one class, which say themselves what they are."""
    if row.text or len(row.inside) < 2:
        return False
    cells = [entry.element.node for entry in row.inside if entry.element is not None]
    kinds = {node.class_name for node in cells if is_control(node)}
    return len(kinds) == 1 and len(cells) == len(row.inside) and all(map(is_control, cells))


def _is_mute(entry: Entry, counts: Counter[str]) -> bool:
    """Whether it says nothing and nothing happens on a touch."""
    element = entry.element if entry.terse and not entry.inside else None
    if element is None or element.node.clickable or element.node.long_clickable:
        return False
    if element.label:
        icon = is_icon(element.label) and not is_control(element.node)
        counts["icons"] += icon
        return icon
    states = element.node.states
    empty = bool(states.scrollable) and not states.editable and is_nameless(element)
    counts["empty"] += empty
    return empty


def _merged(entries: list[Entry], counts: Counter[str]) -> list[Entry]:
    """Puts runs of look-alikes into one line: those without words are counted, ``View x48``, and
    those whose names are a sign or two keep them, ``Key x12: [a123] "1" [b234] "2"``."""
    found: list[Entry] = []
    for (kind, worded), run in groupby(entries, _kind):
        alike = list(run)
        if not kind or len(alike) < _FEWEST_ALIKE:
            found += alike
            continue
        text = f"{kind} x{len(alike)}"
        if worded:
            names = [one.text.replace(f" {kind}", "", 1) for one in alike]
            text += f": {' '.join(names)}"
        else:
            counts["alike"] += len(alike)
        found.append(Entry(text, None, alike[0].index))
    return found


def _kind(entry: Entry) -> tuple[str, bool]:
    """Returns what the line of an element says that its look-alikes say too, and whether it has a
    name besides; "" for all that stands for itself."""
    element = entry.element if entry.terse and not entry.inside else None
    if element is None or element.folded:
        return "", False
    words = _words(element)
    if len(words) > _SHORTEST_NAME or element.value not in (None, ""):
        return "", False
    if not words:
        return entry.text[len(element.ref) + 3 :].partition(" @")[0], False
    return "" if _is_plain(element.node) else bare(element.class_name), True


def flat(tree: Sequence[Entry]) -> list[Line]:
    """Returns the lines in order; the first line of a row that is no element carries its dash."""
    lines: list[Line] = []
    pending = [(entry, 0, 0, False) for entry in reversed(tree)]
    while pending:
        entry, indent, level, dash = pending.pop()
        inside = entry.inside
        if entry.text:
            lines.append(Line(indented(entry.text, indent, dash), level))
            level += 1
        elif len(inside) == 1:
            pending.append((inside[0], indent, level, dash))
            continue
        for child in reversed(inside):
            pending.append((child, indent + 1, level, not entry.text and child is inside[0]))
    return lines


class Shown(Protocol):
    """The part of a snapshot that an outline and a diff read."""

    dialog: str | None
    elements: tuple[Element, ...]
    nodes: tuple[Node, ...]
    cut: int

    @property
    def app(self) -> str: ...

    @property
    def screen(self) -> str: ...

    @property
    def screen_key(self) -> str: ...

    @property
    def loading(self) -> bool: ...

    @property
    def keyboard_visible(self) -> bool: ...


def compose(
    tree: list[Entry],
    shown: Shown,
    unlisted: Sequence[str],
    nodes: int,
    *,
    below: int,
    dotted: bool,
    surface: bool,
    full: bool,
    depth: int | None,
    max_chars: int | None,
) -> str:
    """Joins header, lines and trailer. The trailer counts hidden elements: the ``unlisted`` lines,
    and how many windows are ``below``. ``dotted``: an emoji is two dots in the dump. ``surface``:
    nothing is reported of what the app draws. Header and trailer stay with any ``max_chars``, as
    does one line that counts the omitted elements of so many ``nodes``."""
    screen, app = _name(shown.screen), _name(shown.app)
    head = [f"{screen}  ({app})".strip() if app else screen]
    if shown.dialog is not None:
        head.append(f"Dialog {printed(shown.dialog)}" if shown.dialog else "Dialog")
    windows = "window" if below == 1 else "windows"
    offscreen = sum(text.endswith(OFFSCREEN) for text in unlisted)
    covered = len(unlisted) - offscreen
    counts = fold(tree, full=full)
    folded = ", ".join(f"{number} {kind}" for kind, number in sorted(counts.items()) if number)
    lines = flat(tree)
    said: dict[str, object] = {
        "(loading)": shown.loading,
        "(keyboard open)": shown.keyboard_visible,
        f"({below} {windows} below: {screen or app})": below,
        f"({offscreen} offscreen)": offscreen,
        f"({covered} covered)": covered,
        f"(folded: {folded}; outline(full=True) lists them)": folded,
        f"(cut at {shown.cut} levels)": shown.cut,
        MAY_BE_EMOJI: dotted and any(DOUBTFUL.search(line.text) for line in lines),
        _PICTURE: surface and not shown.loading,
    }
    head, tail = list(filter(None, head)), list(filter(said.get, said))
    room = None
    if max_chars is not None:
        room = max_chars + 1 - sum(len(text) + 1 for text in (*head, *tail))
    inside = cut(lines, depth, room) or [f"(no elements among {nodes} nodes)"]
    return "\n".join((*head, *inside, *tail))


def _name(text: str) -> str:
    """Returns a name in one short line, without quotes where it cannot be mistaken for a line of
    the outline: titles are written by the app."""
    text = clean(text)
    if text.startswith(_LINE_STARTS):
        return printed(text)
    return shortened(text, _LONGEST_NAME)


def line(element: Element, *, bounds: bool = False, alone: bool = True) -> str:
    """Formats an element: ``[k427] EditText "Email" value="ada" [focused]``. A text that is no
    control shows no class. An element without label, id and value is identified by its centre,
    unless its nested lines do that (``alone`` is False)."""
    shown, value = called(element), element.value
    if value not in (None, "", element.label):
        shown += f" value={_value(value)}"
        if element.value_range is not None:
            shown += f" of {_number(element.value_range.min)}..{_number(element.value_range.max)}"
    shown += _states(element)
    extra = [part for part in element.folded if part != value and not _says(element.label, part)]
    if extra:
        shown = " ".join([shown, "·", *map(printed, extra)])
    if bounds:
        box = element.bounds
        return f"{shown} {{x:{box.left},y:{box.top},w:{box.width},h:{box.height}}}"
    if alone and is_nameless(element):
        return f"{shown} @{element.center.x},{element.center.y}"
    return shown


def called(element: Element) -> str:
    """Formats ref, class and name: ``[k427] Button "Add"``; the id if there is no name."""
    label, node = _words(element), element.node
    shown = f"[{element.ref}]"
    if not (label and _is_plain(node)):
        shown += f" {bare(node.class_name)}"
    if label:
        return f"{shown} {quoted(label)}"
    return f"{shown} id={bare(short_id(node.resource_id))}" if node.resource_id else shown


def is_nameless(element: Element) -> bool:
    """Whether only its class and states are known."""
    return not (_words(element) or element.resource_id or element.value not in (None, ""))


def _words(element: Element) -> str:
    """Returns the name in words: signs of an icon font are none."""
    label = element.label
    return label if label and not is_icon(label) else element.borrowed


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
        grows = (before.isalnum() and part[:1].isalnum()) or (
            after.isalnum() and part[-1:].isalnum()
        )
        if not grows:
            return True
        start = label.find(part, start + 1)
    return False


STATES = (
    "checked", "unchecked", "selected", "focused", "expanded", "collapsed", "disabled", "password",
    "scrollable"
)  # fmt: skip


def _states(element: Element) -> str:
    states = element.states
    holds = (
        states.checked, states.checked is False, states.selected, states.focused, states.expanded,
        states.expanded is False, states.enabled is False, states.password,
        states.scrollable and not element.class_name.endswith(SCROLLERS),
    )  # fmt: skip
    return "".join([f" [{word}]" for word in compress(STATES, holds)])


def _value(value: str | float | None) -> str:
    return _number(value) if isinstance(value, (int, float)) else printed(str(value))


def _number(value: float) -> str:
    return f"{value:.10g}"


FORMAT = 1
"""Raised when a field changes its meaning or goes; new fields may come at any time."""


def element_rows(found: Iterable[Element], nodes: Nodes, first: int, end: int) -> list[AnyDict]:
    """Returns the elements of one part of the screen as dicts; ``parent`` is the ref of the nearest
    element above."""
    by_index = {element.index: element for element in found}
    above = nearest_around(nodes, lambda node: node.index in by_index)
    inside = sorted(index for index in by_index if first <= index < end)
    return [_element(by_index[index], by_index.get(above[index])) for index in inside]


def _element(element: Element, parent: Element | None) -> AnyDict:
    known = element.value_range
    return {
        "ref": element.ref,
        "identity": f"{element.identity:016x}",
        **{name: getattr(element, name) for name in ("fragile", "class_name", "label", "borrowed")},
        "folded": list(element.folded),
        "resource_id": element.resource_id,
        "bounds": list(element.bounds),
        "states": {name: on for name, on in asdict(element.states).items() if on is not None},
        "value": element.value,
        "value_range": None if known is None else [known.min, known.max],
        "role": element.semantic_role,
        "actions": None if element.supported_actions is None else list(element.supported_actions),
        "row": element.row_title,
        "parent": parent.ref if parent else None,
    }


_DEEPEST = 60  # steps of indentation; a hostile screen may nest ten thousands of levels


@dataclass(slots=True, eq=False)
class Line:
    """A line; ``level`` counts the listed ancestors. Once it is ``nested`` it has its place ``at``
    which it stands, the lines one level below, and how many are below it at any depth: its
    ``size``."""

    text: str
    level: int
    at: int = -1
    inside: list[Line] = field(default_factory=list)
    size: int = 0

    @property
    def note(self) -> str:
        """What counts its nested lines if they are not shown."""
        return f"  (+{self.size} inside)" if self.size else ""

    @property
    def cost(self) -> int:
        """Characters of the lines one level below, with what counts theirs."""
        return sum(len(line.text + line.note) + 1 for line in self.inside)


def indented(text: str, indent: int, dash: bool = False) -> str:
    """Indents a line; a dash takes the last step of the indentation."""
    return "  " * (min(indent, _DEEPEST) - dash) + "- " * dash + text


def nested(lines: Sequence[Line]) -> Line:
    """Puts lines in document order into each other, and all into one without text, which it
    returns."""
    whole = Line("", -1)
    around, parents = [whole], []
    for at, line in enumerate(lines):
        line.at = at
        while around[-1].level >= line.level:
            around.pop()
        parents.append(around[-1])
        around[-1].inside.append(line)
        around.append(line)
    for line, parent in zip(reversed(lines), reversed(parents), strict=True):
        parent.size += 1 + line.size
    return whole


def cut(lines: Sequence[Line], depth: int | None, room: int | None) -> list[str]:
    """Returns the lines down to ``depth`` levels that fit into ``room`` characters, line ends
    included.

    Whole parts are omitted: a closed line counts its nested lines, ``(+12 inside)``, and ``(+12
    more)`` stands for the rest if only the first of several fit. Every level is shown as far as it
    fits before a deeper one, its smaller parts first."""
    whole = nested(lines)
    allowed = len(lines) + 1 if depth is None else depth
    opened = (line for line in (whole, *lines) if line.level + 1 < allowed)
    every = _shown(whole, {line: len(line.inside) for line in opened})
    if room is None or sum(len(text) + 1 for text in every) <= room:
        return every
    return _shown(whole, _opened(whole, allowed, room))


def _opened(whole: Line, allowed: int, room: int) -> dict[Line, int]:
    """Returns the lines whose nested lines are shown, and how many of these are."""
    opened: dict[Line, int] = {}
    level, left = [whole], room - len(whole.note)
    complete = True
    while level and complete and allowed > 0:
        deeper: list[Line] = []
        for line in sorted(level, key=lambda line: (line.cost, line.at)):
            budget = left + len(line.note)
            fitting = _fitting(line, budget)
            complete = complete and fitting == len(line.inside)
            if fitting or line is whole:
                opened[line] = fitting
                left = max(budget - line.cost, 0)  # what a cut leaves over is too little for a line
                deeper += [child for child in line.inside[:fitting] if child.inside]
        allowed -= 1
        level = deeper
    return opened


def _fitting(parent: Line, budget: int) -> int:
    """Returns how many of the lines below have room, with the note about the rest."""
    if parent.cost <= budget:
        return len(parent.inside)
    for number, line in enumerate(parent.inside):
        budget -= len(line.text + line.note) + 1
        rest = len(_more(parent, number + 1)) + 1 if line is not parent.inside[-1] else 0
        if budget < rest:
            return number
    return len(parent.inside)


def _shown(whole: Line, opened: Mapping[Line, int]) -> list[str]:
    shown: list[str] = []
    pending: list[Line | str] = [whole]
    while pending:
        line = pending.pop()
        if isinstance(line, str):
            shown.append(line)
        elif line not in opened:
            shown.append(line.text + line.note)
        else:
            shown.append(line.text)
            pending += [_more(line, opened[line])] if opened[line] < len(line.inside) else []
            pending += line.inside[: opened[line]][::-1]
    return shown[1:]


def _more(parent: Line, first: int) -> str:
    """Returns the note about the lines of ``parent`` from the ``first`` on, indented like them."""
    sibling = parent.inside[0].text
    left = parent.at + 1 + parent.size - parent.inside[first].at
    return " " * (len(sibling) - len(sibling.lstrip(" "))) + f"(+{left} more)"
