"""Elements: rectangles in device pixels, the raw ``Node`` and the addressable ``Element`` of a
snapshot."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, make_dataclass, replace
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, TypeVar

from .aliases import Strings
from .quoting import bare, quoted

Key = TypeVar("Key")
Of = TypeVar("Of")


class Point(NamedTuple):
    """A place on the screen, in device pixels."""

    x: int
    y: int


class Rect(NamedTuple):
    """A rectangle in device pixels; ``right`` and ``bottom`` are exclusive.

    Rectangles from the wild may be negative, inverted or empty: nothing is corrected on the way in.
    """

    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        return self.right - self.left

    @property
    def height(self) -> int:
        return self.bottom - self.top

    @property
    def area(self) -> int:
        return max(self.width, 0) * max(self.height, 0)

    @property
    def is_empty(self) -> bool:
        return self.width <= 0 or self.height <= 0

    @property
    def center(self) -> Point:
        return Point((self.left + self.right) // 2, (self.top + self.bottom) // 2)

    def contains(self, point: Point) -> bool:
        return self.left <= point.x < self.right and self.top <= point.y < self.bottom

    def encloses(self, other: Rect) -> bool:
        return (
            self.left <= other.left
            and self.top <= other.top
            and self.right >= other.right
            and self.bottom >= other.bottom
        )

    def intersect(self, other: Rect) -> Rect:
        """The shared part; empty (see ``is_empty``) if there is none."""
        return Rect(
            max(self.left, other.left),
            max(self.top, other.top),
            min(self.right, other.right),
            min(self.bottom, other.bottom),
        )

    def meets(self, other: Rect) -> bool:
        """Whether they share a part."""
        return not self.intersect(other).is_empty

    def union(self, other: Rect) -> Rect:
        """The smallest one around both."""
        return Rect(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )

    def inset(self, by: int) -> Rect:
        return Rect(self.left + by, self.top + by, self.right - by, self.bottom - by)

    def scaled(self, by: float) -> Rect:
        return Rect(*(round(side * by) for side in self))

    def shifted(self, dx: int, dy: int) -> Rect:
        return Rect(self.left + dx, self.top + dy, self.right + dx, self.bottom + dy)


@dataclass(frozen=True, slots=True)
class States:
    """Observable states. ``None`` means that the platform did not report it, which is never
    False."""

    checked: bool | None = None
    selected: bool | None = None
    focused: bool | None = None
    enabled: bool | None = None
    expanded: bool | None = None
    password: bool | None = None
    scrollable: bool | None = None
    editable: bool | None = None


@dataclass(frozen=True, slots=True)
class Node:
    """One node of a captured hierarchy, as reported. ``index`` counts in document order.

    No tuple: reading an attribute of one takes seven times as long, and a screen has thousands."""

    index: int
    parent: int  # index of the parent, -1 at a root
    children: tuple[int, ...]
    class_name: str  # native, short: "Button"
    package: str
    resource_id: str
    text: str
    description: str
    hint: str
    bounds: Rect
    states: States
    clickable: bool
    long_clickable: bool
    checkable: bool
    visible: bool
    window: int  # which top-level window, 0-based in document order
    pane_title: str = ""  # what a screen reader announces when this part appears
    value: str | None = None  # reported in addition to the label, as iOS does; None where it is not
    adjustable: bool | None = None  # what iOS's traits say; None where they are not reported

    @property
    def words(self) -> str:
        """Its text, else its description."""
        return self.text or self.description


if TYPE_CHECKING:
    new_node = Node
else:
    # Makes a Node in a fifth of the time, as nothing is frozen before all is set.
    new_node = make_dataclass(
        "new_node",
        [(each.name, each.type, each) for each in fields(Node)],
        slots=True,
        namespace={"__post_init__": lambda self: setattr(self, "__class__", Node)},
    )


class NodeText(NamedTuple):
    """What a phone answers about one node: its true texts, and its visible bounds."""

    text: str
    description: str
    bounds: Rect


@dataclass(frozen=True)
class AuditIssue:
    """What a platform's own accessibility audit says of one element.

    ``kind`` is the platform's name of what was looked at, such as "HitRegion"; ``summary`` and
    ``detail`` are its words. ``label``, ``class_name`` and ``bounds``, in device pixels, say which
    element is meant: "" and None if the platform names none.
    """

    kind: str
    summary: str
    detail: str = ""
    label: str = ""
    class_name: str = ""
    bounds: Rect | None = None


RoleName = Literal[
    "button", "cell", "checkbox", "composite_control", "container", "custom_adjustable", "dropdown",
    "image", "link", "list", "progress", "radio", "segmented_control", "slider", "stepper",
    "switch", "tab", "text", "text_field",
]  # fmt: skip
"""Every name that ``role=`` takes, and that ``Element.semantic_role`` can have."""

_REF = re.compile("[a-z][0-9]{3,15}")


def is_ref(text: str) -> bool:
    """Whether a string has the form of a ref, such as ``k427``: a letter and 3 to 15 digits."""
    return _REF.fullmatch(text) is not None


def ancestors(nodes: Sequence[Node], node: Node) -> Iterator[Node]:
    """The nodes around it, from its parent to the root."""
    while node.parent >= 0:
        node = nodes[node.parent]
        yield node


@dataclass(frozen=True, slots=True)
class ValueRange:
    """Lowest and highest value of a control, in the unit of ``Element.value``."""

    min: float
    max: float


class Anchor(NamedTuple):
    """A reference for an element's position: a label that scrolls along with it, or, if ``label``
    is "", the pane around it."""

    label: str
    bounds: Rect


class Twins(NamedTuple):
    """Look-alikes that only their order distinguishes: a digest of their common traits, and their
    number."""

    group: int
    size: int


class Neighbour(NamedTuple):
    """The digest of a plainly identified element next to one in its pane, 0 for none, and how many
    others lie between."""

    identity: int = 0
    gap: int = 0


class Neighbours(NamedTuple):
    """Those next to an element, in the order of the document."""

    before: Neighbour = Neighbour()
    after: Neighbour = Neighbour()


class Card(NamedTuple):
    """The part of the screen around a control that tells whose it is, by what it says in document
    order. A ``page`` is most of the screen; ``controls`` says nothing but what its other controls
    are called and hold. ``further`` is what stands around it in the largest part that is not the
    screen."""

    kind: Literal["card", "page", "controls"]
    texts: Strings
    further: Strings = ()


class Picture(NamedTuple):
    """What an element without words looked like when it was printed: ``look`` is its signature (see
    ``picture`` in the snapshots' identity), ``place`` its bounds, ``among`` both of every
    look-alike on that screenshot, this one too, and ``lit`` how light each part of that was. Those
    of one screenshot share the last two."""

    look: bytes
    place: Rect
    among: tuple[tuple[bytes, Rect], ...]
    lit: bytes


@dataclass(frozen=True, slots=True)
class ScreenTraits:
    """The traits that identify a screen: the app; the title and the dialog's title, "" if unknown;
    its message ``says``, or its first texts; whether a window covers the app's; the open tab. A
    screen without a title also has the ids and labels outside its scrollers (``parts``) and the
    classes around these (``ways``). ``closed``: a dialog that a later read did not show;
    ``unseen``: as one of another app was on top then, so that it may be there still."""

    app: str
    title: str
    dialog: str
    says: Strings
    covered: bool
    tab: str
    parts: frozenset[str]
    ways: frozenset[str]
    texts: frozenset[str] = frozenset()  # every label on it
    closed: bool = False
    unseen: bool = False

    def differ(self, other: ScreenTraits) -> bool:
        """Whether the two screens are known to differ. A part that appears or goes proves
        nothing."""
        if self.app != other.app or self.differ_on_top(other):
            return True
        if _contradict(self.title, other.title) or _contradict(self.tab, other.tab):
            return True
        fewer = min(len(self.parts), len(other.parts))
        return fewer > 1 and 2 * len(self.parts & other.parts) < fewer

    def differ_by_title_alone(self, other: ScreenTraits) -> bool:
        """Whether two screens that differ do so by nothing but the title: nearly all that was on
        one is on the other."""
        if replace(self, title=other.title).differ(other):
            return False
        both, fewer = len(self.texts & other.texts), min(len(self.texts), len(other.texts))
        return both >= _MANY and both >= _NEARLY_ALL * fewer

    def differ_on_top(self, other: ScreenTraits) -> bool:
        """Whether a dialog is known to have opened or closed, or to be another one."""
        another = _contradict(self.dialog, other.dialog) or _says_else(self.says, other.says)
        return another or self.covered != other.covered or self.closed or other.closed


_MANY = 4  # labels that a screen keeps
_NEARLY_ALL = 0.8
_OPENING = 2  # texts that a dialog without a message is known by


def _says_else(one: Strings, other: Strings) -> bool:
    """Whether two dialogs open with other texts; a banner that came in above them is none of their
    own."""
    if not (one and other):
        return False
    first, second = one[:_OPENING], other[:_OPENING]
    return first != second and first != other[1 : 1 + _OPENING] and second != one[1 : 1 + _OPENING]


def _contradict(one: str, other: str) -> bool:
    return one != other and bool(one and other)


def leading(label: str, parts: Sequence[str]) -> str:
    """Returns the first of ``parts`` if the label was joined from them, else the label itself."""
    return parts[0] if parts and label == joined(parts) else label


def grouped(pairs: Iterable[tuple[Key, Of]]) -> dict[Key, list[Of]]:
    """Returns what has the same key in one list each; keys and lists are in the order of the
    pairs."""
    found: dict[Key, list[Of]] = {}
    for key, one in pairs:
        found.setdefault(key, []).append(one)
    return found


def joined(parts: Iterable[str]) -> str:
    """Joins the labels inside an element into its name."""
    return " ".join(dict.fromkeys(parts))


class Family(Protocol):
    """The part of a snapshot that an element needs: its relatives, and the screen's traits."""

    @property
    def traits(self) -> ScreenTraits: ...

    def anchors_of(self, element: Element) -> tuple[Anchor, ...]: ...

    def neighbours_of(self, element: Element) -> Neighbours: ...

    def card_of(self, element: Element) -> Card | None: ...

    def parent_of(self, element: Element) -> Element | None: ...

    def children_of(self, element: Element) -> tuple[Element, ...]: ...


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Element:
    """An addressable element of one snapshot.

    ``ref`` is the outline's name for it, ``identity`` the 64-bit digest behind that; ``fragile``
    marks look-alikes that only their order distinguishes. ``label`` is the name as printed. Lengths
    are device pixels. Two elements are equal when snapshot id and identity are."""

    ref: str
    identity: int
    fragile: bool
    label: str
    node: Node
    snapshot_id: str
    context: str = ""  # the labelled row or container it sits in
    named: str = ""  # of a label joined from several: the one that names it
    row: Strings = ()  # the labels of that row; the first names it
    apart: Strings = ()  # those that no other row has, with those of its controls
    value: str | float | None = None
    value_range: ValueRange | None = None
    semantic_role: RoleName | None = None
    supported_actions: Strings | None = None
    adjustable: bool | None = None
    state_shape: str | None = None
    folded: Strings = ()  # labels of passive descendants printed with this element
    printed: str | None = (
        None  # its label as printed, if a pattern found it by another that is printed with it
    )
    borrowed: str = (
        ""  # without a label: the words of its row, or next to it, that are printed as its name
    )
    section: str | None = (
        None  # the label before it, "" for none, where it had a part in telling this apart
    )
    ids: str | None = None  # the same of the ids of what it lies in
    order: tuple[int, int] | None = (
        None  # then also: its place among those of its class and name, and their number
    )
    kept_card: Card | None = None  # likewise
    kept_anchors: tuple[Anchor, ...] | None = (
        None  # where a session remembers it without its screen
    )
    kept_neighbours: Neighbours | None = None
    twins: Twins | None = None  # of a fragile element: the group it is one of
    picture: Picture | None = None  # where a session took one
    screen: ScreenTraits | None = (
        None  # that it was printed on, where a session remembers it without its family
    )
    family: Family | None = field(default=None, repr=False)

    if not TYPE_CHECKING:

        def __init__(self, **fields: object) -> None:
            """A screen has hundreds, and the generated one of a frozen dataclass makes a call for
            every field. A default that is not given is found on the class."""
            object.__setattr__(self, "__dict__", fields)

    @property
    def as_printed(self) -> Element:
        """The element under its own label."""
        return self if self.printed is None else replace(self, label=self.printed, printed=None)

    @property
    def printed_on(self) -> ScreenTraits | None:
        """The screen that showed it; None if that is not known any more."""
        return self.screen or (self.family.traits if self.family is not None else None)

    @property
    def row_title(self) -> str:
        """The first label of the row it sits in, "" outside of rows."""
        return self.row[0] if self.row else ""

    @property
    def name(self) -> str:
        """The label, or the part of a joined one that a changed price or rank leaves as it is. A
        choice is no name."""
        return "" if self.named_by_choice else self.named or self.label

    @property
    def named_by_choice(self) -> bool:
        """Whether a drop-down has no name but its current choice."""
        return self.semantic_role == "dropdown" and self.label != "" and self.label == self.value

    @property
    def index(self) -> int:
        """Of its node, in document order."""
        return self.node.index

    @property
    def package(self) -> str:
        return self.node.package

    @property
    def class_name(self) -> str:
        return self.node.class_name

    @property
    def resource_id(self) -> str:
        return self.node.resource_id

    @property
    def text(self) -> str:
        return self.node.text

    @property
    def description(self) -> str:
        return self.node.description

    @property
    def hint(self) -> str:
        return self.node.hint

    @property
    def bounds(self) -> Rect:
        return self.node.bounds

    @property
    def center(self) -> Point:
        return self.node.bounds.center

    @property
    def states(self) -> States:
        return self.node.states

    @property
    def window(self) -> int:
        return self.node.window

    @property
    def anchors(self) -> tuple[Anchor, ...]:
        """The anchors of its position, for an element that only its surroundings identify."""
        if self.kept_anchors is not None:
            return self.kept_anchors
        return self.family.anchors_of(self) if self.family and self.section is not None else ()

    @property
    def neighbours(self) -> Neighbours:
        """The plainly identified elements next to it."""
        if self.kept_neighbours is not None:
            return self.kept_neighbours
        return self.family.neighbours_of(self) if self.family else Neighbours()

    @property
    def card(self) -> Card | None:
        """The part of the screen around it, outside of rows, if something says whose it is."""
        return self.family.card_of(self) if self.family else self.kept_card

    @property
    def parent(self) -> Element | None:
        """The nearest addressable ancestor."""
        return self.family.parent_of(self) if self.family else None

    @property
    def children(self) -> tuple[Element, ...]:
        """Addressable descendants with no addressable element in between."""
        return self.family.children_of(self) if self.family else ()

    def remembered(self, screen: ScreenTraits | None = None) -> Element:
        """Returns a copy without the rest of its screen, but with the screen's traits, as a session
        keeps it."""
        return replace(
            self,
            family=None,
            screen=screen,
            kept_anchors=self.anchors,
            kept_card=self.card,
            kept_neighbours=self.neighbours,
        )

    def describe(self) -> str:
        """``[k427] Button "Add" in row "Blue mug"``, as messages print it."""
        name = f" {quoted(self.label)}" if self.label else ""
        where = (
            f" in row {quoted(self.context)}" if self.context and self.context != self.label else ""
        )
        return f"[{self.ref}] {bare(self.class_name)}{name}{where}"

    def __repr__(self) -> str:
        return f"<Element {self.describe()}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Element):
            return NotImplemented
        return (self.snapshot_id, self.identity) == (other.snapshot_id, other.identity)

    def __hash__(self) -> int:
        return hash((self.snapshot_id, self.identity))


Nodes = Sequence[Node]
Elements = Sequence[Element]
