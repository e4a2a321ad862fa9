"""Android hierarchies: uiautomator, uiautomator2 and Appium's UiAutomator2 page source."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache, lru_cache
from itertools import compress, count, pairwise
from operator import itemgetter
from typing import Any, NamedTuple, cast

from lxml import etree

from ...errors import SnapshotError
from ...model import Node, Rect, States
from .dump import NOWHERE, Dump, brief, damaged, document_type, excerpt, levels_in, repaired, states_of
from .roles import role_of

_NUMBER = re.compile(r"-?\d{1,9}")
_LONGEST_BOUNDS = 60
_PHONE = "0"  # Android's number of the display that is the phone's own
_FLAG = {"true": True, "false": False}
_FLAGS = (
    "checkable", "checked", "clickable", "enabled", "focused", "scrollable", "long-clickable", "password",
    "selected",
)  # fmt: skip
_MARKS = itemgetter("class", *_FLAGS)


def read(data: bytes) -> Dump:
    """Parses a hierarchy that starts at ``data``'s first byte. Raises ``SnapshotError``."""
    tags = _parse(data)
    root, attributes = tags.names[0], tags.attributes[0]
    if root not in ("hierarchy", "node") and "bounds" not in attributes:
        raise SnapshotError(f"no screen: <{brief(root)}> is no Android hierarchy: {excerpt(data)}")
    if root == "hierarchy":
        tags = tags.inside()
    if not tags.names:
        raise SnapshotError("no screen: the hierarchy has no nodes, so the dump failed")
    tags = tags.on_phone()
    if not tags.names:
        raise SnapshotError("no screen: all windows are on other displays, where no touch of a test goes")
    size = (_length(attributes.get("width")), _length(attributes.get("height")))
    reports_hints = any("hint" in given or "showing-hint" in given for given in tags.attributes)
    dotted = _is_dotted(tags, data)
    return Dump(
        "android",
        _nodes(tags),
        size,
        reports_hints=reports_hints,
        levels=tags.levels,
        dotted=dotted,
        attributes=tags.attributes,
    )


def _is_dotted(tags: _Tags, data: bytes) -> bool:
    """Whether uiautomator2's server printed it, which makes two dots of each emoji; ``uiautomator dump`` and
    Appium print them, and have no ``visible-to-user``."""
    return "visible-to-user" in tags.attributes[0] and b".." in data


class _Tags(NamedTuple):
    """Names, attributes and parents of all tags, in document order; the first one's parent is -1. ``levels`` is
    how many the phone was asked for, 0 where that is not known."""

    names: list[str]
    attributes: list[dict[str, str]]
    parents: list[int]
    levels: int

    def inside(self) -> _Tags:
        """Returns the tags without the first one, so that its children are the roots."""
        return _Tags(self.names[1:], self.attributes[1:], [parent - 1 for parent in self.parents[1:]], self.levels)

    def on_phone(self) -> _Tags:
        """Returns the tags without the windows of other displays: touches go to the phone's own, and what a
        monitor or a car shows would pass for a part of it."""
        displays = [
            attributes.get("display-id", _PHONE)
            for attributes, parent in zip(self.attributes, self.parents, strict=True)
            if parent < 0
        ]
        if displays.count(_PHONE) == len(displays):
            return self
        own: list[bool] = []
        for attributes, parent in zip(self.attributes, self.parents, strict=True):
            own.append(own[parent] if parent >= 0 else attributes.get("display-id", _PHONE) == _PHONE)
        place = {index: new for new, index in enumerate(compress(count(), own))} | {-1: -1}
        names, attributes_of = list(compress(self.names, own)), list(compress(self.attributes, own))
        return _Tags(names, attributes_of, [place[parent] for parent in compress(self.parents, own)], self.levels)


class _Target:
    """The parser's target: it receives every tag. Building a tree of elements and walking it takes longer."""

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
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
        self._levels = self._levels or levels_in(target, data)

    def close(self) -> _Tags:
        """Ends the parse, also of a damaged text."""
        tags = _Tags(self._names, self._attributes, self._parents, self._levels)
        self._begin()
        return tags


def _parse(data: bytes) -> _Tags:
    try:
        return _tags(data)
    except etree.XMLSyntaxError as first:
        try:
            return _tags(repaired(data))
        except etree.XMLSyntaxError:
            if "XML_PARSE_HUGE" in (first.msg or ""):
                why = "it nests views deeper than 256 levels, or one of its texts is longer than 10 MB"
                raise SnapshotError(f"a hierarchy that is too large to be read: {why}") from None
            whole = data.rstrip().endswith((b"</hierarchy>", b"</node>"))
            raise damaged(data, first.msg or "", cut_off=not whole) from first


def _tags(data: bytes) -> _Tags:
    return cast("_Tags", etree.fromstring(data, _parser()))  # as ``close`` hands them over


@cache
def _parser() -> etree.XMLParser:
    """Returns the one shared parser: making one takes as long as parsing ten nodes, and it locks itself while it
    parses.

    Entities stay enabled, or "&amp;" would not be resolved. Without a document type only XML's own few exist."""
    target: Any = _Target()  # the stubs know only targets that want comments and texts too
    return etree.XMLParser(target=target, resolve_entities=True, no_network=True, load_dtd=False)


def _nodes(tags: _Tags) -> tuple[Node, ...]:
    children: defaultdict[int, list[int]] = defaultdict(list)
    for index, parent in enumerate(tags.parents):
        children[parent].append(index)
    kinds: dict[tuple[str | None, ...], _Kind] = {}
    nodes: list[Node] = []
    windows = _windows(tags.parents)
    for index, (attributes, parent, window) in enumerate(zip(tags.attributes, tags.parents, windows, strict=True)):
        get = attributes.get
        try:
            marks = _MARKS(attributes)
        except KeyError:  # newer sources leave out what they do not know, and the class is the tag
            marks = (get("class") or tags.names[index], *map(get, _FLAGS))
        kind = kinds.get(marks) or kinds.setdefault(marks, _kind(*marks))
        place = get("bounds", "")
        text, hint = get("text", ""), get("hint", "")
        if not hint and get("showing-hint") == "true":
            hint = text
        nodes.append(
            Node(
                index,
                parent,
                tuple(children.get(index, ())),
                kind.class_name,
                get("package", ""),
                get("resource-id", ""),
                text,
                get("content-desc", ""),
                hint,
                rect_of(place) if len(place) <= _LONGEST_BOUNDS else NOWHERE,
                kind.states,
                kind.clickable,
                kind.long_clickable,
                kind.checkable,
                get("visible-to-user") != "false" and get("displayed") != "false",
                window,
                get("pane-title", ""),
            )
        )
    return tuple(nodes)


def _windows(parents: list[int]) -> list[int]:
    """Numbers the windows: a root with children is a window of its own; childless roots, as hand-made files have,
    share one."""
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


class _Kind(NamedTuple):
    """The traits that all nodes of one class and one set of flags share: few combinations occur, so each is
    computed once."""

    class_name: str
    states: States
    clickable: bool
    long_clickable: bool
    checkable: bool


def _kind(full_class: str | None, *flags: str | None) -> _Kind:
    """Computes the kind. ``checked`` is reported of every node but only means something on a checkable one. A
    closed drop-down with several choices reports itself scrollable, but there is nothing in it to swipe."""
    checkable, checked, clickable, enabled, focused, scrollable, long_clickable, password, selected = [
        _FLAG.get(flag or "") for flag in flags
    ]
    class_name = (full_class or "node").rpartition(".")[2]
    role = role_of(class_name)
    states = states_of(
        checked if checkable or checked else None,
        selected,
        focused,
        enabled,
        None,
        password,
        scrollable and not (role and role.name == "dropdown"),
        is_field(class_name),
    )
    return _Kind(class_name, states, bool(clickable), bool(long_clickable), bool(checkable))


def is_field(class_name: str) -> bool:
    """Whether text can be typed into the node, by its class: the dump does not say."""
    return class_name.endswith(("EditText", "AutoCompleteTextView", "SearchAutoComplete"))


@lru_cache(maxsize=8192)  # the next screen has most of the boxes of this one
def rect_of(bounds: str) -> Rect:
    """Parses ``[left,top][right,bottom]``, or any text with four numbers in it."""
    try:  # taking it apart is twice as fast as looking for numbers
        return Rect._make(map(int, bounds[1:-1].replace("][", ",").split(",")))
    except (ValueError, TypeError):
        numbers = _NUMBER.findall(bounds)
        return Rect(*map(int, numbers)) if len(numbers) == 4 else NOWHERE


def _length(value: str | None) -> int:
    return int(value) if value and value.isdecimal() and len(value) < 7 else 0
