"""Where abstaining is right: nothing in two hierarchies distinguishes an element from another on
the later screen.

Independent of how refs are made and resolved: it reads the raw trees, and knows the truth. It is
strict: an element is decidable as soon as one fact about it stayed that its rival does not share,
be it an attribute, the words or ids inside, the path of ids or of classes, a word in the part of
the screen that holds it and not the rival, or its place among look-alikes between two neighbours
that stayed, if there are as many as before. Pixels, sizes, states and the number of parts are no
such facts.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from .tree import class_of, words_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from .tree import Node, Tree

_FLEETING = frozenset(
    {
        "bounds",
        "x",
        "y",
        "width",
        "height",
        "index",
        "drawing-order",
        "checked",
        "selected",
        "focused",
        "enabled",
        "visible",
        "visible-to-user",
        "scrollable",
        "class",
        "type",
        "showing-hint",
    }
)


class _Facts(NamedTuple):
    """What is so of one node wherever it lies. The first three decide whether it plainly stayed."""

    own: frozenset[tuple[str, str]]  # attributes
    class_name: str
    words: frozenset[str]  # its own and those of what it holds
    ids: tuple[str, ...]  # from the root to it
    classes: tuple[str, ...]
    inside: frozenset[str]  # ids of what it holds

    @property
    def plain(self) -> tuple[object, ...]:
        return self[:3]


class _Read:
    """One tree by the keys of its nodes. ``elements`` are those of the nodes that refs are
    about."""

    def __init__(self, tree: Tree, elements: Collection[str]) -> None:
        self.nodes = dict(zip(tree.keys(), tree.nodes(), strict=True))
        self.keys = {node: key for key, node in self.nodes.items()}
        self.facts = _facts(self.nodes)
        self.elements = [key for key in self.nodes if key in elements]
        times = Counter(facts.plain for facts in self.facts.values())
        self.once = {plain for plain, count in times.items() if count == 1}

    def way_to(self, key: str) -> list[Node]:
        """From the root to a node."""
        node = self.nodes[key]
        return [*reversed([*node.iterancestors()]), node]


def _facts(nodes: dict[str, Node]) -> dict[str, _Facts]:
    ways: dict[Node, tuple[tuple[str, ...], tuple[str, ...]]] = {}
    inside: dict[Node, set[str]] = {node: set() for node in nodes.values()}
    words = {node: set(words_of(node).values()) for node in nodes.values()}
    for node in nodes.values():
        ids, classes = ways.get(node.getparent(), ((), ()))  # type: ignore[arg-type]  # None at the root
        ways[node] = (*ids, _id(node)), (*classes, class_of(node))
    for node in reversed(nodes.values()):
        above = node.getparent()
        if above in inside:
            inside[above] |= {_id(node), *inside[node]}
            words[above] |= words[node]
    return {
        key: _Facts(
            _own(node), class_of(node), frozenset(words[node]), *ways[node], frozenset(inside[node])
        )
        for key, node in nodes.items()
    }


def _own(node: Node) -> frozenset[tuple[str, str]]:
    attributes = {str(name): str(value) for name, value in node.attrib.items()}
    return frozenset(
        (name, value)
        for name, value in attributes.items()
        if value and name not in _FLEETING and not name.startswith("replicant")
    )


def _id(node: Node) -> str:
    return node.get("resource-id", "")


_read = lru_cache(maxsize=4)(_Read)  # many changes begin with the same screen


class Oracle:
    """Two screens of which the second is what the first has become, each with the keys of its
    elements."""

    def __init__(
        self, before: Tree, after: Tree, printed: frozenset[str], shown: frozenset[str]
    ) -> None:
        self._before, self._after = _read(before, printed), _read(after, shown)
        self._stayed = self._before.once & self._after.once
        self._places = self._places_on(self._before), self._places_on(self._after)

    def demands_abstention(self, key: str) -> bool:
        """Whether nothing distinguishes an element, which is on both screens, from another one on
        the second."""
        then, now = self._before.facts[key], self._after.facts[key]
        plainly = then.plain == now.plain and now.plain in self._stayed
        if plainly or self._places[0][key] == self._places[1][key]:
            return False
        facts = self._after.facts
        rivals = (
            other
            for other in self._after.elements
            if other != key
            and (facts[other].plain not in self._stayed or facts[other].plain == then.plain)
        )
        return not all(
            self._has_own(key, other) or self._lies_elsewhere(key, other) for other in rivals
        )

    def _has_own(self, key: str, other: str) -> bool:
        """Whether something that the element was and is, is not so of the other one."""
        then, now, its = self._before.facts[key], self._after.facts[key], self._after.facts[other]
        changed = {name for name, _ in then.own ^ now.own}
        return (
            any(name not in changed for name, _ in now.own ^ its.own)
            or any(
                was == still != one
                for was, still, one in zip(then[1:5], now[1:5], its[1:5], strict=True)
            )
            or bool((then.inside & now.inside) - its.inside)
        )

    def _lies_elsewhere(self, key: str, other: str) -> bool:
        """Whether the largest part of the screen that holds the element and not the other one says
        a word, as it did before, that the other one's part does not say."""
        mine, its = self._after.way_to(key), self._after.way_to(other)
        levels = enumerate(zip(mine, its, strict=False))
        apart = next((level for level, (one, two) in levels if one is not two), -1)
        part, other_part = (self._after.keys[way[apart]] for way in (mine, its))
        was = next(
            known
            for node in mine[apart:]
            if (known := self._after.keys[node]) in self._before.facts
        )
        kept = self._before.facts[was].words & self._after.facts[part].words
        return bool(kept - self._after.facts[other_part].words)

    def _places_on(self, read: _Read) -> dict[str, tuple[object, ...]]:
        """Of each element: the nearest nodes before and after it that stayed, and its number among
        those of its class and id in between, and how many they are."""
        anchors = [
            (number, facts.plain)
            for number, facts in enumerate(read.facts.values())
            if facts.words and facts.plain in self._stayed
        ]
        order = {key: number for number, key in enumerate(read.nodes)}
        at = [number for number, _ in anchors]
        between: dict[tuple[object, ...], list[str]] = {}
        for key in read.elements:
            first, last = bisect_left(at, order[key]), bisect_left(at, order[key] + 1)
            before = anchors[first - 1][1] if first else None
            after = anchors[last][1] if last < len(anchors) else None
            node = read.nodes[key]
            between.setdefault((before, after, class_of(node), _id(node)), []).append(key)
        return {
            key: (around, number, len(keys))
            for around, keys in between.items()
            for number, key in enumerate(keys)
        }
