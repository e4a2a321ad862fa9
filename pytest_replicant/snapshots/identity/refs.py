"""Refs: the digest of an element's lasting traits, and its printed form."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import NamedTuple, TypeVar

from ...model import Anchor, Node, Rect, Twins, grouped
from ..labels.rows import Labels
from ..screen.layout import inherited, is_collection, nearest_around, scrolls
from ..text import is_framework, mask_numbers, short_id

_DIGITS = 15
_FEWEST = 3
Key = tuple[str, ...]
Some = TypeVar("Some", bound=Hashable)


class Likeness(NamedTuple):
    """The lasting traits of an element. ``name`` is its label, or the first part of a joined label;
    ``title`` and ``context`` are the same of its row. ``index`` is the node's; ``bounds`` only
    orders look-alikes."""

    class_name: str
    resource_id: str
    name: str
    label: str
    title: str
    context: str
    bounds: Rect
    index: int = 0  # type: ignore[assignment]  # hides an unneeded method of tuples


class Identity(NamedTuple):
    """A digest and its basis. ``section`` and ``ids`` are set where they were part of it, and with
    them ``order``: the position among the elements of its class and name, and their number.
    ``twins`` is set for look-alikes that only order distinguishes."""

    digest: int
    section: str | None = None
    ids: str | None = None
    order: tuple[int, int] | None = None
    twins: Twins | None = None


_UNKNOWN = Identity(0)


def identify(elements: Sequence[Likeness], around: Surroundings) -> list[Identity]:
    """Returns one identity each, from the first of these traits that no other element of the screen
    shares: id and class, class and name, the same with the row, with the label before it, with the
    ids around it. The rest are look-alikes, identified by their order."""
    keys = _by_id(elements)
    headings: dict[int, str] = {}
    orders: dict[int, tuple[int, int]] = {}
    groups: dict[Key, list[int]] = {}
    # Only among those of one class and name can keys be equal.
    alike = grouped(((one.class_name, one.name), number) for number, one in enumerate(elements))
    for (class_name, name), members in alike.items():
        if len(members) == 1 and name:
            keys[members[0]] = keys[members[0]] or ("name", class_name, name)
        elif not all(keys[number] for number in members):
            tiers = _tiers([elements[number] for number in members], members, around, headings)
            _assign_keys(members, tiers, keys)
            if not any(
                not keys[number] or keys[number][0] in ("section", "ids") for number in members
            ):
                continue  # element and row alone identify each
            ordered = in_reading_order([elements[number].bounds for number in members])
            for place, number in enumerate(members[at] for at in ordered):
                orders[number] = (place, len(members))
                if keys[number]:
                    continue
                one, above = elements[number], ("", "")
                if number in headings:
                    above = headings[number], around.ids(one.index)
                shared: Key = (
                    "alike", one.class_name, one.resource_id, one.label, one.context, *above
                )  # fmt: skip
                groups.setdefault(shared, []).append(number)
    identities = [
        _identity(digest(key), key, orders.get(n)) if key else _UNKNOWN
        for n, key in enumerate(keys)
    ]
    for key, members in groups.items():
        twins = Twins(digest(key), len(members))
        for place, number in enumerate(members):
            own = digest((*key, str(place), str(len(members))))
            identities[number] = Identity(own, key[-2], key[-1], orders[number], twins)
    return identities


def _identity(own: int, key: Key, order: tuple[int, int] | None) -> Identity:
    if key[0] == "ids":
        return Identity(own, key[-2], key[-1], order)
    return Identity(own, key[-1], None, order) if key[0] == "section" else Identity(own)


def _by_id(elements: Sequence[Likeness]) -> list[Key]:
    """Returns the key of elements with a unique id and class, () for the others."""
    keys: list[Key] = [("id", one.resource_id, one.class_name) for one in elements]
    counts = tally(keys)
    return [key if key[1] and counts[key] == 1 else () for key in keys]


def tally(keys: Iterable[Some]) -> dict[Some, int]:
    """Counts each key. There are many short lists, for which a Counter takes longer to make."""
    counts: dict[Some, int] = {}
    for key in keys:
        counts[key] = counts.get(key, 0) + 1
    return counts


def _assign_keys(members: Sequence[int], tiers: Iterator[list[Key]], keys: list[Key]) -> None:
    """Fills in the keys, each from the first tier in which it is unique. Members that have a key
    already count as rivals."""
    for tier in tiers:
        counts = tally(tier)
        for number, key in zip(members, tier, strict=True):
            if key and not keys[number] and counts[key] == 1:
                keys[number] = key
        if all(keys[number] for number in members):
            return


def _tiers(
    alike: Sequence[Likeness],
    numbers: Sequence[int],
    around: Surroundings,
    headings: dict[int, str],
) -> Iterator[list[Key]]:
    """Yields possible differences between elements of one class and name, the most lasting first;
    () where one has none."""
    yield [("label", e.class_name, e.label) if e.label != e.name else () for e in alike]
    yield [
        ("both", e.class_name, e.resource_id, e.name) if e.resource_id and e.name else ()
        for e in alike
    ]
    yield [
        ("title", e.class_name, e.resource_id, e.name, e.title) if e.title else () for e in alike
    ]
    yield [
        ("context", e.class_name, e.resource_id, e.label, e.context) if e.context else ()
        for e in alike
    ]
    if len(alike) > 1:
        above = [around.section(e.index) for e in alike]
        headings.update(zip(numbers, above, strict=True))
        yield [
            ("section", e.class_name, e.resource_id, e.name, e.title, at) if at else ()
            for e, at in zip(alike, above, strict=True)
        ]
        paths = [around.ids(e.index) for e in alike]
        times = tally(paths)
        # to have no heading where others have one says nothing: theirs may be out of sight next
        yield [
            ("ids", e.class_name, e.resource_id, e.name, e.title, at, path)
            if at or times[path] == 1
            else ()
            for e, at, path in zip(alike, above, paths, strict=True)
        ]


def in_reading_order(boxes: Sequence[Rect]) -> list[int]:
    """Returns the numbers of the boxes line by line, each line from the left. Two boxes share a
    line where the middle of one lies within the other, so that a shift by a few pixels does not
    change the order."""
    middles = [(box.top + box.bottom) // 2 for box in boxes]
    lines: list[list[int]] = []
    for number in sorted(range(len(boxes)), key=lambda one: (middles[one], boxes[one].left)):
        if lines and middles[number] < boxes[lines[-1][0]].bottom:
            lines[-1].append(number)
        else:
            lines.append([number])
    found: list[int] = []
    for line in lines:
        found += sorted(line, key=lambda one: boxes[one][:2])
    return found


def print_refs(
    digests: Sequence[int], printed: Mapping[str, int], strings: Mapping[int, str]
) -> list[str]:
    """Returns the shortest refs that are distinct here. Printed refs stay: ``printed`` maps each
    string to its digest, ``strings`` each digest to its string."""
    full = [
        f"{chr(ord('a') + digest % 26)}{digest // 26 % 10**_DIGITS:0{_DIGITS}d}"
        for digest in digests
    ]
    shortest = 1 + _FEWEST
    rivals = grouped((name[:shortest], name) for name in full)
    refs: list[str] = []
    for digest, name in zip(digests, full, strict=True):
        length, near = shortest, rivals[name[:shortest]]
        while length <= _DIGITS and (
            printed.get(name[:length], digest) != digest
            or sum(one.startswith(name[:length]) for one in near) > 1
        ):
            length += 1
        refs.append(strings.get(digest) or name[:length])
    return refs


def digest(parts: Iterable[str]) -> int:
    """Hashes the parts with xxh3, each with its length before it, so that no two splits of one text
    collide."""
    packed = "".join([f"{len(part)}:{part}" for part in parts])
    return _xxh3()(packed.encode("utf-8", "surrogatepass"))


@cache
def _xxh3() -> Callable[[bytes], int]:
    import xxhash  # loaded by the first screen, not by the plugin

    return xxhash.xxh3_64_intdigest


_MOST_TRIED = 16  # labels on the way up; more within one line is a table without an order
_FURTHEST = 2  # heights between a heading and what it heads
_MOST_IDS = 64  # around a node; iOS hierarchies may be deeper than any screen needs


class Surroundings:
    """The surroundings of the nodes of one screen, computed on first use: most screens never need
    them."""

    def __init__(self, labels: Labels, title: int) -> None:
        """``title`` is the node that shows the screen's title."""
        self.layout = labels.layout
        self.labels = labels
        self.title = title
        self._unique: dict[tuple[int, int], dict[str, Rect]] = {}

    def section(self, index: int) -> str:
        """Returns the nearest label before a node in reading order, as a heading stands: in the
        same pane, and within the distance of a heading; numbers are masked, since counts change."""
        node, end = self.layout.nodes[index], self.layout.ends[index]
        if scrolls(node):  # panes have no heading: their content moves
            return ""
        within = self._within(index)
        top, left, height = node.bounds.top, node.bounds.left, node.bounds.height
        start = bisect_right(within, (top + height * 3 // 4, 0, 0))
        for _, _, label in within[max(start - _MOST_TRIED, 0) : start][::-1]:
            bounds = self.layout.nodes[label].bounds
            over = bounds.bottom <= top + min(height, bounds.height) // 4  # but for a few pixels
            if not index <= label < end and (bounds.left < left or over):
                far = top - bounds.bottom > _FURTHEST * max(height, bounds.height)
                return "" if far else mask_numbers(self.labels.own[label])
        return ""

    def ids(self, index: int) -> str:
        """Returns the ids of the node's ancestors, from the outside in, without the framework's
        own."""
        found: list[str] = []
        above = self._named_above[index]
        while above >= 0 and len(found) < _MOST_IDS:
            found.append(short_id(self.layout.nodes[above].resource_id))
            above = self._named_above[above]
        return " ".join(reversed(found))

    def anchors(self, index: int) -> tuple[Anchor, ...]:
        """Returns the nearest unique labels before and after a node in its pane; the pane itself
        where it holds none."""
        within, known = self._within(index), self.unique_labels(index)
        node, end = self.layout.nodes[index], self.layout.ends[index]
        at = bisect_right(within, (node.bounds.center.y, node.bounds.left, index))
        found: list[Anchor] = []
        for side in (within[max(at - _MOST_TRIED, 0) : at][::-1], within[at : at + _MOST_TRIED]):
            for _, _, label in side:
                text = self.labels.own[label]
                if text in known and not index <= label < end:
                    found.append(Anchor(text, known[text]))
                    break
        return tuple(found) or (Anchor("", self.pane(index)),)

    def unique_labels(self, index: int) -> Mapping[str, Rect]:
        """Returns the positions of the unique labels in the pane of a node."""
        place = self.place(index)
        if place not in self._unique:
            nodes, own = self.layout.nodes, self.labels.own
            within = self._within(index)
            times = Counter(own[label] for _, _, label in within)
            self._unique[place] = {
                own[i]: nodes[i].bounds for _, _, i in within if times[own[i]] == 1
            }
        return self._unique[place]

    def pane(self, index: int) -> Rect:
        """Returns the area of the scroller around a node, or of the screen if there is none."""
        pane = self._panes[index]
        return self.layout.nodes[pane].bounds if pane >= 0 else self.layout.screen

    def may_scroll(self, index: int) -> bool:
        """Whether something around a node scrolls or is a list."""
        return self._panes[index] >= 0

    def numbered(self, index: int) -> bool:
        """Whether another node of its class has the same id except for the number."""
        series = _series(self.layout.nodes[index])
        return len(set(self._series.get(series, ()))) > 1

    def place(self, index: int) -> tuple[int, int]:
        """Returns the pane around a node and its window."""
        return self._panes[index], self.layout.nodes[index].window

    def _within(self, index: int) -> list[tuple[int, int, int]]:
        return self._by_pane.get(self.place(index), [])

    @cached_property
    def listed(self) -> list[bool]:
        """For each node whether it is in a list."""
        return inherited(
            self.layout.nodes, False, lambda above, known: known or is_collection(above)
        )

    @cached_property
    def _series(self) -> dict[tuple[str, str], list[str]]:
        """Groups ids with a number in them by class and by the id without the number."""
        numbered = (node for node in self.layout.nodes if any(map(str.isdigit, node.resource_id)))
        return grouped((_series(node), node.resource_id) for node in numbered)

    @cached_property
    def _named_above(self) -> list[int]:
        """For each node the nearest one around it with an id of the app's, -1 if there is none."""
        return nearest_around(
            self.layout.nodes,
            lambda node: node.resource_id != "" and not is_framework(node.resource_id),
        )

    @cached_property
    def _panes(self) -> list[int]:
        """For each node the nearest thing around it that scrolls, -1 if nothing does."""
        return self.layout.once("panes", None, lambda: nearest_around(self.layout.nodes, scrolls))

    @cached_property
    def _by_pane(self) -> dict[tuple[int, int], list[tuple[int, int, int]]]:
        """The free labels of each pane from the top: middle, left edge, index."""
        alone = filter(self.labels.stands_alone, self.layout.nodes)
        places = sorted((node.bounds.center.y, node.bounds.left, node.index) for node in alone)
        return grouped((self.place(place[2]), place) for place in places)


def _series(node: Node) -> tuple[str, str]:
    return node.class_name, mask_numbers(node.resource_id)
