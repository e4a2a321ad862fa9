"""How others name elements, implemented from descriptions of their formulas.

All are given the elements that our outline lists, in its order, so that only the ref differs. A peer names every
element of a screen; an old name is looked up among the names of the new screen, and abstains where nothing has it.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pytest_replicant.model import Element, Node
    from pytest_replicant.snapshots import Snapshot

_CELL = 10  # pixels
_SPACE = re.compile(r"[ \t\n\r\f\v]+")


@dataclass(frozen=True)
class Peer:
    """``names`` are what is printed. ``found`` is the element that an old name leads to, by name."""

    key: str
    says: str
    names: Callable[[Sequence[Element]], list[str]]
    found: Callable[[Sequence[Element]], dict[str, Element]]


def position(elements: Sequence[Element]) -> list[str]:
    """The place in the list."""
    return [str(number) for number in range(len(elements))]


def centre_hash(elements: Sequence[Element]) -> list[str]:
    """A letter and up to three digits from class, label and centre; equal ones get b, c, d in reading order."""
    seen: dict[str, int] = {}
    names = []
    for element in elements:
        base = centre_name(element.class_name, _rendered(element), *_centre(element))
        count = seen[base] = seen.get(base, 0) + 1
        names.append(base if count == 1 else base + chr(ord("a") + count - 1))
    return names


def centre_name(class_name: str, label: str, x: int, y: int) -> str:
    identity = f"{class_name}|{label}|{_cell(x)},{_cell(y)}"
    value = abs(java_hash(identity))
    return f"{chr(ord('a') + value % 26)}{value // 26 % 1000}"


def java_hash(text: str) -> int:
    """``String.hashCode``: 31-polynomial over UTF-16 units in 32 bits, signed."""
    data = text.encode("utf-16-be", "surrogatepass")
    value = 0
    for unit in range(0, len(data), 2):
        value = (value * 31 + (data[unit] << 8 | data[unit + 1])) & 0xFFFFFFFF
    return value - (1 << 32) if value & 0x80000000 else value


def content_hash(elements: Sequence[Element]) -> list[str]:
    """Four hexadecimal digits from text, id, class and upper left corner."""
    return [
        "e_" + sha256(_corner_identity(element).encode("utf-8", "surrogatepass")).hexdigest()[:4]
        for element in elements
    ]


def _corner_identity(element: Element) -> str:
    node = element.node
    return f"{node.text}|{node.resource_id}|{node.class_name}|{node.bounds.left},{node.bounds.top}"


def fingerprint(elements: Sequence[Element]) -> list[str]:
    """Everything that must be as it was: text, id, class and exact bounds."""
    return [
        "\0".join((node.text, node.resource_id, node.class_name, str(node.bounds)))
        for node in (element.node for element in elements)
    ]


_LISTS = ("RecyclerView", "ListView", "GridView", "ViewPager", "Table", "CollectionView")
_STATES = ("ON", "OFF")
_MOST_WORDS = 8  # of a row; what says more is a page


def tiered_hash(elements: Sequence[Element]) -> list[str]:
    """The first of its tiers in which an element is alone, the last one where it is in none."""
    tiers = _tiers(elements)
    times = Counter(key for keys in tiers for key in keys)
    return [next((key for key in keys if key and times[key] == 1), keys[-1]) for keys in tiers]


def _by_tiers(elements: Sequence[Element]) -> dict[str, Element]:
    """Every key of every tier that one element alone has: an old one is looked up in its own tier."""
    tiers = _tiers(elements)
    times = Counter(key for keys in tiers for key in keys)
    return {key: one for one, keys in zip(elements, tiers, strict=True) for key in keys if key and times[key] == 1}


def _tiers(elements: Sequence[Element]) -> list[list[str]]:
    """For each element id and class; class, id and words; those and the row's words; those, with its place among
    the elements of which all this is true, and their number. "" where it has nothing for a tier."""
    if not elements:
        return []
    nodes = cast("Snapshot", elements[0].family).nodes
    words = _Words(nodes)
    found: list[list[str]] = []
    for element in elements:
        kind, said = (element.class_name, element.resource_id), words.of(element)
        row = words.around(element.node, said)
        by_id = _key("id", *kind) if element.resource_id else ""
        by_words = _key("words", *kind, *said) if said else ""
        found.append([by_id, by_words, _key("row", *kind, *said, "in", *row) if row else ""])
    groups: dict[str, list[int]] = {}
    for number, (element, keys) in enumerate(zip(elements, found, strict=True)):
        alike = keys[2] or keys[1] or keys[0] or _key("class", element.class_name)
        groups.setdefault(alike, []).append(number)
    for alike, members in groups.items():
        for place, number in enumerate(members):
            found[number].append(_key("place", alike, str(place), str(len(members))))
    return found


def _key(*parts: str) -> str:
    return "\0".join(parts)


class _Words:
    """What the nodes of a screen say, in document order; what is typed, or is a state, is nothing they say."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self._nodes = nodes
        self._inside: list[tuple[str, ...]] = [()] * len(nodes)
        for node in reversed(nodes):
            own = () if node.states.editable or node.text in _STATES else (node.text, node.description)
            below = (word for child in node.children for word in self._inside[child])
            self._inside[node.index] = tuple(word for word in dict.fromkeys((*own, *below)) if word.strip())

    def of(self, element: Element) -> tuple[str, ...]:
        """What an element is called, else all that is said inside."""
        return (element.label,) if element.label else self._few(element.node)

    def around(self, node: Node, said: tuple[str, ...]) -> tuple[str, ...]:
        """All words of the nearest row around a node that says more than the node itself."""
        while node.parent >= 0:
            node = self._nodes[node.parent]
            if self._is_row(node) and self._few(node) not in ((), said):
                return self._few(node)
        return ()

    def _few(self, node: Node) -> tuple[str, ...]:
        """() for what holds a page."""
        inside = self._inside[node.index]
        return () if node.states.scrollable or len(inside) > _MOST_WORDS else inside

    def _is_row(self, node: Node) -> bool:
        """Whether it is a child of something that scrolls, or one of several siblings with parts of their own."""
        if node.parent < 0:
            return False
        above = self._nodes[node.parent]
        listed = bool(above.states.scrollable) or above.class_name.endswith(_LISTS)
        peers = (self._nodes[child] for child in above.children if self._nodes[child].children)
        return listed or sum(peer.class_name == node.class_name for peer in peers) > 1


def _first(names: Callable[[Sequence[Element]], list[str]]) -> Callable[[Sequence[Element]], dict[str, Element]]:
    """The first element with a name is what it leads to."""

    def found(elements: Sequence[Element]) -> dict[str, Element]:
        led: dict[str, Element] = {}
        for name, element in zip(names(elements), elements, strict=True):
            led.setdefault(name, element)
        return led

    return found


def _at_centre(elements: Sequence[Element]) -> dict[str, Element]:
    """Only the first element with a centre is looked at, and it must be as it was."""
    first: dict[tuple[int, int], Element] = {}
    for element in elements:
        first.setdefault((element.center.x, element.center.y), element)
    chosen = list(first.values())
    return dict(zip(fingerprint(chosen), chosen, strict=True))


PEERS = (
    Peer("position", "the number in the list", position, _first(position)),
    Peer(
        "centre hash", "class, label and centre in cells of 10 px (Trailblaze)", centre_hash, _first(centre_hash)
    ),
    Peer(
        "content hash",
        "text, id, class and corner (the proposal of replicant-mcp's audit)",
        content_hash,
        _first(content_hash),
    ),
    Peer(
        "fingerprint",
        "number with text, id, class and bounds, checked at the same centre (replicant-mcp 1.5)",
        fingerprint,
        _at_centre,
    ),
    Peer(
        "tiered hash",
        "id and class, else class, id and words, else those with the row's words, else with the place among "
        "look-alikes, whichever is unique",
        tiered_hash,
        _by_tiers,
    ),
)


def _rendered(element: Element) -> str:
    """A field is called by its hint and what is typed into it."""
    text = element.node.text
    label = (
        f"{element.label}: {text}" if element.states.editable and text and text != element.label else element.label
    )
    return _SPACE.sub(" ", label).strip()


def _centre(element: Element) -> tuple[int, int]:
    bounds = element.bounds
    return int((bounds.left + bounds.right) / 2), int((bounds.top + bounds.bottom) / 2)


def _cell(value: int) -> int:
    """Cut off toward zero, as integer division does there."""
    return int(value / _CELL) * _CELL
