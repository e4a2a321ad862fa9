"""The outline: the one text in which tests, agents, reports and errors see a screen."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .labels import is_control
from .words import clean, quoted, short_id

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..model.element import Element, Node
    from .labels import Labels
    from .layout import Layout

_GENERIC = frozenset(
    {"View", "ViewGroup", "FrameLayout", "LinearLayout", "RelativeLayout", "ConstraintLayout", "CardView",
     "MaterialCardView", "CoordinatorLayout", "LinearLayoutCompat", "TableRow", "TableLayout"}
)  # fmt: skip
_SCROLLERS = ("ScrollView", "RecyclerView", "ListView", "GridView", "ViewPager", "ViewPager2", "WebView")


@dataclass(slots=True)
class Entry:
    """One line of the outline and what is indented below it. ``element`` is None where there is no ref. An
    entry without text is a row that is no element itself: a dash marks its first line."""

    text: str
    element: Element | None
    inside: list[Entry] = field(default_factory=list)

    def count(self) -> int:
        return bool(self.text) + sum(entry.count() for entry in self.inside)


def entries(
    layout: Layout, labels: Labels, elements: Sequence[Element], *, bounds: bool, offscreen: bool
) -> list[Entry]:
    """The lines as a tree. Layout classes that are no element are transparent, rows of several elements
    apart."""
    by_index = {element.node.index: element for element in elements}
    rows = _groups(labels, elements)
    top: list[Entry] = []
    holder: list[list[Entry]] = [top] * len(layout.nodes)
    for node in layout.nodes:
        into = holder[node.index] = holder[node.parent] if node.parent >= 0 else top
        element = by_index.get(node.index)
        if element is not None:
            entry = Entry(line(element, bounds=bounds), element)
        elif node.index in rows:
            entry = Entry("", None)
        elif offscreen and layout.offscreen[node.index] and worth_telling(node):
            entry = Entry(_offscreen_line(node), None)
        else:
            continue
        into.append(entry)
        holder[node.index] = entry.inside
    return top


def worth_telling(node: Node) -> bool:
    """Whether something off the screen is counted: what would be an element if it were scrolled to."""
    return is_control(node) or bool(node.text or node.description)


def line(element: Element, *, bounds: bool = False) -> str:
    """``[k427] EditText "Email" value="ada" [focused]``. Text that can only be read shows no class."""
    node = element.node
    plain = node.class_name == "TextView" or node.class_name in _GENERIC
    words = [f"[{element.ref}]"]
    if not (plain and element.label and not _is_active(element)):
        words.append(node.class_name)
    if element.label:
        words.append(quoted(element.label))
    elif node.resource_id:
        words.append(f"id={short_id(node.resource_id)}")
    if element.value not in (None, "") and element.value != element.label:
        words.append(f"value={_value(element.value)}")
    words += [f"[{state}]" for state in _states(element)]
    extra = [part for part in element.folded if part not in element.label and part != element.value]
    words += ["·", *map(quoted, extra)] if extra else []
    if bounds:
        words.append(_place(element))
    return " ".join(words)


def render(tree: Sequence[Entry], depth: int | None) -> list[str]:
    """Indented lines; below ``depth`` levels only a count remains."""
    lines: list[str] = []
    pending = [(entry, 0, "") for entry in reversed(tree)]
    while pending:
        entry, level, dash = pending.pop()
        if not entry.text and len(entry.inside) == 1:
            pending.append((entry.inside[0], level, dash))
            continue
        if not entry.text:
            first, *rest = entry.inside
            pending.extend((child, level + 1, "") for child in reversed(rest))
            pending.append((first, level + 1, "- "))
            continue
        cut = depth is not None and level + 1 >= depth and entry.inside
        more = f"  (+{entry.count() - 1} inside)" if cut else ""
        lines.append("  " * (level - bool(dash)) + dash + entry.text + more)
        if not cut:
            pending.extend((child, level + 1, "") for child in reversed(entry.inside))
    return lines


def _groups(labels: Labels, elements: Sequence[Element]) -> set[int]:
    """Rows that are no element themselves and hold at least two."""
    known = {element.node.index for element in elements}
    sizes = Counter(labels.row_of(element.node) for element in elements)
    return {row for row, size in sizes.items() if row >= 0 and size > 1 and row not in known}


def _offscreen_line(node: Node) -> str:
    label = clean(node.hint if node.states.editable else node.text or node.description)
    return " ".join(filter(None, (node.class_name, quoted(label) if label else "", "(offscreen)")))


def _is_active(element: Element) -> bool:
    node = element.node
    return node.clickable or node.long_clickable or node.checkable or bool(node.states.scrollable)


def _states(element: Element) -> list[str]:
    states = element.states
    words = [] if states.checked is None else ["checked" if states.checked else "unchecked"]
    words += [name for name in ("selected", "focused") if getattr(states, name)]
    if states.enabled is False:
        words.append("disabled")
    if states.password:
        words.append("password")
    if states.scrollable and not element.class_name.endswith(_SCROLLERS):
        words.append("scrollable")
    return words


def _value(value: str | float | None) -> str:
    return f"{value:g}" if isinstance(value, float) else quoted(" ".join(str(value).split()))


def _place(element: Element) -> str:
    bounds = element.bounds
    return f"{{x:{bounds.left},y:{bounds.top},w:{bounds.width},h:{bounds.height}}}"


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
    """Header, lines, and a trailer of what is not listed."""
    head = [" ".join(filter(None, (page.screen, f" ({page.app})" if page.app else ""))).strip()]
    if page.dialog is not None:
        head.append(f"Dialog {quoted(page.dialog)}" if page.dialog else "Dialog")
    lines = render(tree, depth) or [f"(no elements among {page.nodes} nodes)"]
    tail = [
        text
        for text, applies in (
            ("(loading)", page.loading),
            ("(keyboard open)", page.keyboard),
            (f"({_windows(page.windows_below)} below: {page.screen or page.app})", page.windows_below),
            (f"({page.offscreen} offscreen)", page.offscreen),
        )
        if applies
    ]
    if max_chars is not None:
        room = max_chars - sum(len(text) + 1 for text in (*head, *tail)) - len("(9999 lines more)")
        lines = _fitting(lines, room)
    return "\n".join(filter(None, (*head, *lines, *tail)))


def part(tree: Sequence[Entry], anchors: frozenset[int], ends: Sequence[int]) -> list[Entry]:
    """The entries at or below the nodes ``anchors``."""
    spans = [(index, ends[index]) for index in anchors]
    found: list[Entry] = []
    pending = list(reversed(tree))
    while pending:
        entry = pending.pop()
        element = entry.element
        if element is not None and any(start <= element.node.index < end for start, end in spans):
            found.append(entry)
        else:
            pending.extend(reversed(entry.inside))
    return found


def count_offscreen(layout: Layout) -> int:
    """How many would be listed if they were scrolled to."""
    return sum(1 for node in layout.nodes if layout.offscreen[node.index] and worth_telling(node))


def _fitting(lines: list[str], room: int) -> list[str]:
    for number, text in enumerate(lines):
        room -= len(text) + 1
        if room < 0:
            return [*lines[:number], f"({len(lines) - number} lines more)"]
    return lines


def _windows(count: int) -> str:
    return "1 window" if count == 1 else f"{count} windows"
