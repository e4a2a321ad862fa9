"""Android hierarchies: uiautomator, uiautomator2 and Appium's UiAutomator2 page source."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import compress, count, pairwise
from operator import itemgetter
from typing import Any, NamedTuple, cast

from lxml import etree

from ...errors import SnapshotError
from ...model import Node, Rect, States
from ...model.element import new_node
from .dump import (
    NOWHERE,
    Dump,
    brief,
    children_of,
    damaged,
    document_type,
    excerpt,
    facts_in,
    number_in,
    repaired,
    states_of,
)
from .roles import role_of

_NUMBER = re.compile(r"-?\d{1,9}")
_LONGEST_BOUNDS = 60
_PHONE = "0"  # Android's number of the display that is the phone's own
_FLAG = {"true": True, "false": False}
_FLAGS = (
    "checkable", "checked", "clickable", "enabled", "focused", "scrollable", "long-clickable",
    "password", "selected",
)  # fmt: skip
_marks = itemgetter("class", *_FLAGS)
_HINTS = frozenset({"hint", "showing-hint"})
_TEXTS = ("package", "resource-id", "text", "content-desc", "bounds")
_said = itemgetter(*_TEXTS, "index", "focusable")
_PLAIN = 17
"""Number of those attributes: every version of Android prints them, and some print others in
addition."""


def read(data: bytes) -> Dump:
    """Parses a hierarchy that starts at ``data``'s first byte. Raises ``SnapshotError``."""
    tags = _parse(data)
    well_formed = not tags.repaired
    root, attributes = tags.names[0], tags.attributes[0]
    if root not in ("hierarchy", "node") and "bounds" not in attributes:
        raise SnapshotError(f"no screen: <{brief(root)}> is no Android hierarchy: {excerpt(data)}")
    if root == "hierarchy":
        tags = tags.inside()
    if not tags.names:
        raise SnapshotError("no screen: the hierarchy has no nodes, so the dump failed")
    tags = tags.on_phone()
    if not tags.names:
        raise SnapshotError(
            "no screen: all windows are on other displays, where no touch of a test goes"
        )
    size = (number_in(attributes.get("width")), number_in(attributes.get("height")))
    up = tags.parents
    places = zip(range(len(up)), up, children_of(up), _windows(up), strict=True)
    nodes, reports_hints = _nodes(tags, places)
    # uiautomator2's server makes two dots of each emoji. The others print them, and have no
    # ``visible-to-user``.
    dotted = "visible-to-user" in tags.attributes[0] and b".." in data
    return Dump(
        "android",
        nodes,
        size,
        reports_hints=reports_hints,
        levels=tags.levels,
        dotted=dotted,
        well_formed=well_formed,
        attributes=tags.attributes,
    )


class _Tags(NamedTuple):
    """Names, attributes and parents of all tags, in document order; the first one's parent is -1.
    ``levels`` is how many the phone was asked for, 0 if that is not known. ``repaired``: the text
    was no XML as it was."""

    names: list[str]
    attributes: list[dict[str, str]]
    parents: list[int]
    levels: int
    repaired: bool = False

    def inside(self) -> _Tags:
        """Returns the tags without the first one, so that its children are the roots."""
        parents = [parent - 1 for parent in self.parents[1:]]
        return _Tags(self.names[1:], self.attributes[1:], parents, self.levels)

    def on_phone(self) -> _Tags:
        """Returns the tags without the windows of other displays: touches go to the phone's own,
        and what a monitor or a car shows would pass for a part of it."""
        own: list[bool] = []
        for at, parent in enumerate(self.parents):
            here = parent < 0 and self.attributes[at].get("display-id", _PHONE) == _PHONE
            own.append(own[parent] if parent >= 0 else here)
        if all(own):
            return self
        place = {index: new for new, index in enumerate(compress(count(), own))} | {-1: -1}
        names, attributes = list(compress(self.names, own)), list(compress(self.attributes, own))
        parents = [place[parent] for parent in compress(self.parents, own)]
        return _Tags(names, attributes, parents, self.levels)


class _Target:
    """The parser's target: it receives every tag. Building a tree of elements and walking it takes
    longer."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._attributes: list[dict[str, str]] = []
        self._parents: list[int] = []
        self._open = -1  # index of the innermost tag that has not ended
        self._levels = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._parents.append(self._open)
        self._open = len(self._names)
        self._names.append(tag)
        self._attributes.append(attributes)

    def end(self, tag: str) -> None:
        self._open = self._parents[self._open]

    def doctype(self, name: str, public: str | None, system: str | None) -> None:
        """Refuses a text that declares a document type."""
        raise document_type()

    def pi(self, target: str, data: str) -> None:
        self._levels = self._levels or number_in(facts_in(target, data).get("levels"))

    def close(self) -> _Tags:
        """Ends the parse, also of a damaged text."""
        tags = _Tags(self._names, self._attributes, self._parents, self._levels)
        _Target.__init__(self)  # the parser is used again
        return tags


def _parse(data: bytes) -> _Tags:
    try:
        return _tags(data)
    except etree.XMLSyntaxError as first:
        try:
            return _tags(repaired(data))._replace(repaired=True)
        except etree.XMLSyntaxError:
            if "XML_PARSE_HUGE" in (first.msg or ""):
                raise SnapshotError(
                    "a hierarchy that is too large to be read: it nests views deeper than 256 "
                    "levels, or one of its texts is longer than 10 MB"
                ) from None
            whole = data.rstrip().endswith((b"</hierarchy>", b"</node>"))
            raise damaged(data, first.msg or "", cut_off=not whole) from first


def _tags(data: bytes) -> _Tags:
    return cast("_Tags", etree.fromstring(data, _parser()))  # as ``close`` hands them over


@cache
def _parser() -> etree.XMLParser:
    """Returns the one shared parser: making one takes as long as parsing ten nodes, and it locks
    itself while it parses.

    Entities stay enabled, or "&amp;" would not be resolved. Without a document type only XML's own
    few exist."""
    target: Any = _Target()  # the stubs know only targets that want comments and texts too
    return etree.XMLParser(target=target, resolve_entities=True, no_network=True, load_dtd=False)


_Place = tuple[int, int, tuple[int, ...], int]  # index, parent, children and window of a node


def _nodes(tags: _Tags, places: Iterable[_Place]) -> tuple[tuple[Node, ...], bool]:
    """Builds the nodes. Returns too whether the dump distinguishes hints from texts."""
    nodes: list[Node] = []
    reports_hints = False
    for name, attributes, (index, parent, children, window) in zip(
        tags.names, tags.attributes, places, strict=True
    ):
        get = attributes.get
        try:
            marks = _marks(attributes)
            package, resource_id, text, description, place, _, _ = _said(attributes)
            plain = len(attributes) == _PLAIN
        except KeyError:  # newer sources leave out what they do not know, and the class is the tag
            marks = (get("class") or name, *map(get, _FLAGS))
            package, resource_id, text, description, place = [get(name, "") for name in _TEXTS]
            plain = False
        hint, pane, shown = "", "", True
        if not plain:
            hint, pane = get("hint", ""), get("pane-title", "")
            reports_hints = reports_hints or not _HINTS.isdisjoint(attributes)
            if not hint and get("showing-hint") == "true":
                hint = text
            shown = "false" not in (get("visible-to-user"), get("displayed"))
        class_name, states, clickable, long_clickable, checkable = _kind(marks)
        bounds = rect_of(place) if len(place) <= _LONGEST_BOUNDS else NOWHERE
        nodes.append(
            new_node(
                index, parent, children, class_name, package, resource_id, text, description, hint,
                bounds, states, clickable, long_clickable, checkable, shown, window, pane,
            )
        )  # fmt: skip
    return tuple(nodes), reports_hints


def nodes_alone(tags: Sequence[bytes], places: Sequence[Node]) -> tuple[list[Node], bool] | None:
    """Parses tags, each with its end, into the ``places`` of known nodes. Returns too whether they
    tell hints from texts. None if one is not exactly one tag."""
    try:
        found = _tags(b"<all>" + b"".join(tags) + b"</all>")
    except (etree.XMLSyntaxError, SnapshotError):
        return None
    if found.parents != [-1, *[0] * len(places)]:
        return None
    known = [(one.index, one.parent, one.children, one.window) for one in places]
    nodes, hints = _nodes(found.inside(), known)
    return list(nodes), hints


def _windows(parents: list[int]) -> list[int]:
    """Numbers the windows: a root with children is a window of its own; childless roots, as
    hand-made files have, share one."""
    roots = [index for index, parent in enumerate(parents) if parent < 0]
    windows: list[int] = []
    count = 0
    flat = -1
    for start, end in pairwise([*roots, len(parents)]):
        alone = end - start == 1
        number = flat if alone and flat >= 0 else count
        windows += [number] * (end - start)
        flat = number if alone else flat
        count = max(count, number + 1)
    return windows


_Kind = tuple[str, States, bool, bool, bool]
"""Class, states and gestures, which all nodes of one class and one set of flags share: few
combinations occur, so each is computed once."""


@lru_cache(maxsize=4096)
def _kind(marks: tuple[str | None, ...]) -> _Kind:
    """``checked`` is reported of every node but only means something on a checkable one. A closed
    drop-down with several choices reports itself scrollable, but there is nothing in it to swipe.
    Whether text can be typed into the node the dump does not say: its class does."""
    class_name = (marks[0] or "node").rpartition(".")[2]
    is_field = class_name.endswith(("EditText", "AutoCompleteTextView", "SearchAutoComplete"))
    on = dict(zip(_FLAGS, [_FLAG.get(flag or "") for flag in marks[1:]], strict=True))
    checked, scrolls = on["checked"], on["scrollable"]
    states = states_of(
        checked if on["checkable"] or checked else None, on["selected"], on["focused"],
        on["enabled"], None, on["password"], scrolls and role_of(class_name).name != "dropdown",
        is_field
    )  # fmt: skip
    gestures = bool(on["clickable"]), bool(on["long-clickable"]), bool(on["checkable"])
    return class_name, states, *gestures


@lru_cache(maxsize=8192)  # the next screen has most of the boxes of this one
def rect_of(bounds: str) -> Rect:
    """Parses ``[left,top][right,bottom]``, or any text with four numbers in it."""
    try:  # taking it apart is three times as fast as looking for numbers
        left, top, right, bottom = bounds[1:-1].replace("][", ",").split(",")
        return tuple.__new__(Rect, (int(left), int(top), int(right), int(bottom)))
    except ValueError:
        numbers = _NUMBER.findall(bounds)
        return Rect(*map(int, numbers)) if len(numbers) == 4 else NOWHERE
