"""iOS hierarchies: XCUITest's elements, as XML or as WebDriverAgent's JSON."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple
from xml.parsers import expat

from ...errors import SnapshotError
from ...model import AnyDict, AnyMapping, Node, Rect
from ...model.element import new_node
from ..text import clean
from .dump import (
    NOWHERE,
    Dump,
    children_of,
    damaged,
    document_type,
    excerpt,
    facts_in,
    number_in,
    repaired,
    states_of,
    without_declaration,
)

_ROOTS = ("AppiumAUT", "hierarchy")
_OPEN, _CLOSE = b"<AppiumAUT>", b"</AppiumAUT>"


def read_xml(data: bytes, scale: float) -> Dump:
    """Parses XML that starts at ``data``'s first byte: a hierarchy or any part of one, such as a
    single cell or several sibling elements. Raises ``SnapshotError``."""
    if b"<!DOCTYPE" in data:
        raise document_type()
    walk = _Walk(scale)
    try:
        return walk.over(without_declaration(data))
    except expat.ExpatError as first:
        try:
            return _Walk(scale).over(repaired(data))
        except expat.ExpatError:
            raise damaged(data, expat.ErrorString(first.code), cut_off=walk.at_the_end) from first


class _Walk:
    """A pass of expat over the markup. It needs no tree of XML, so depth has no limit, and no
    second pass."""

    def __init__(self, scale: float) -> None:
        self._scale = scale
        self._elements: list[_Element] = []
        self._facts: dict[str, str] = {}  # that a driver knows of the hierarchy
        self._path = [-1]
        self.at_the_end = False  # everything was read, but not everything was closed

    def over(self, data: bytes) -> Dump:
        parser = expat.ParserCreate("utf-8")
        parser.StartElementHandler = self._start
        parser.EndElementHandler = lambda tag: self._path.pop()
        parser.ProcessingInstructionHandler = lambda *said: self._facts.update(facts_in(*said))
        parser.Parse(_OPEN, False)  # parts of a hierarchy may have several roots
        parser.Parse(data, False)
        self.at_the_end = True
        parser.Parse(_CLOSE, True)
        return _dump(self._elements, self._scale, self._facts)

    def _start(self, tag: str, attributes: Mapping[str, str]) -> None:
        parent = self._path[-1]
        if tag in _ROOTS and parent < 0:
            self._path.append(-1)
            return
        kind = attributes.get("type", "")
        self._path.append(len(self._elements))
        self._elements.append(
            _Element(_class_name(kind if kind.startswith(PREFIX) else tag), attributes, parent)
        )


_START = re.compile(r'\{\s*"')
_DECODER = json.JSONDecoder()
_MOST_STARTS = 8  # braces in the noise before the answer
# By their names in XML, the keys of JSON, first come first served.
_SAME_KEYS = ("name", "label", "value", "rawIdentifier", "placeholderValue", "traits", "bundleId")
_KEYS = {
    **{name: (name,) for name in _SAME_KEYS},
    "enabled": ("isEnabled", "enabled"),
    "visible": ("isVisible", "visible"),
    "accessible": ("isAccessible", "accessible"),
    "focused": ("isFocused", "hasFocus", "focused"),
    "selected": ("isSelected", "selected"),
}
_SIDES = ("x", "y", "width", "height")
_TREE_SIGNS = frozenset({"rect", "frame", "children", "label", "isEnabled", "isVisible"})
_NUMBER = re.compile(r"[^\s{},]+")
_FINITE = re.compile(r"-?\d{1,9}(?:\.\d{1,20})?(?:e-?\d{1,2})?", re.ASCII | re.IGNORECASE)


def answer_in(data: bytes, before: int) -> AnyDict | None:
    """Finds the JSON answer before the byte ``before``, within noise that may be JSON as well. None
    if there is none; if there is no XML either, the first object counts. Raises ``SnapshotError``
    for an object nested beyond reason."""
    text = data.decode("utf-8", "replace")
    last = len(data[:before].decode("utf-8", "replace"))
    found: AnyDict | None = None
    end = 0
    for _ in range(_MOST_STARTS):
        start = _START.search(text, end, last + 2)
        if start is None:
            break
        try:
            answer, end = _DECODER.raw_decode(text, start.start())
        except RecursionError:
            raise SnapshotError(
                "no screen: the JSON is nested too deeply to be a hierarchy"
            ) from None
        except ValueError:  # damaged JSON is not searched for undamaged parts
            return None
        if _is_tree(_content(answer)) or markup_in(answer):
            return answer  # type: ignore[no-any-return]  # it starts with a brace
        found = found or answer
    return found if before == len(data) else None


def markup_in(answer: AnyMapping) -> str | None:
    """Returns the XML inside an answer that wraps it in JSON; None if it holds none."""
    value = answer.get("value")
    return value if isinstance(value, str) and "<" in value and not _is_tree(answer) else None


def read_json(answer: AnyMapping, scale: float) -> Dump:
    """Parses a tree in JSON, in WebDriverAgent's envelope or bare. Raises ``SnapshotError``."""
    root = _content(answer)
    if not _is_tree(root):
        said = excerpt(json.dumps(answer).encode())
        raise SnapshotError(f"no screen: this JSON holds no tree of elements: {said}")
    elements: list[_Element] = []
    pending: list[tuple[AnyMapping, int]] = [(root, -1)]
    while pending:
        element, parent = pending.pop()
        kind, children = element.get("type"), element.get("children")
        for child in reversed(children) if isinstance(children, list) else [children]:
            if isinstance(child, dict):
                pending.append((child, len(elements)))
        class_name = _class_name(kind) if isinstance(kind, str) else "Any"
        elements.append(_Element(class_name, _attributes(element), parent))
    return _dump(elements, scale, {})


def _content(answer: AnyMapping) -> Any:
    """Returns the content of the envelope, where it is one: a tree may have a value too."""
    if _is_tree(answer):
        return answer
    value = answer.get("value", answer)
    tree = value.get("tree") if isinstance(value, dict) else None
    return tree if isinstance(tree, dict) else value


def _is_tree(value: object) -> bool:
    if not isinstance(value, dict) or _TREE_SIGNS.isdisjoint(value):
        return False
    return isinstance(value.get("type"), str)


def _attributes(element: AnyMapping) -> dict[str, str]:
    given = _place(element.get("frame"), element.get("rect"))
    for name, keys in _KEYS.items():
        for key in reversed(keys):
            text = _text(element.get(key))
            if text is not None:
                given[name] = text
    return given


def _place(frame: object, rect: object) -> dict[str, str]:
    """Returns the position by its frame, such as ``{{0, 20.33}, {375, 44}}``; ``rect`` only has
    whole points."""
    sides = _NUMBER.findall(frame[:400]) if isinstance(frame, str) else []
    if len(sides) == len(_SIDES) and all(map(_FINITE.fullmatch, sides)):
        return dict(zip(_SIDES, sides, strict=True))
    if isinstance(rect, dict):
        return {side: text for side in _SIDES if (text := _text(rect.get(side))) is not None}
    return dict(zip(_SIDES, sides, strict=False))


def _text(value: object) -> str | None:
    """Converts a JSON value to an attribute; None for null, lists and objects."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return str(value)
    if not isinstance(value, str):
        return None
    # without halves of characters, which JSON can hold but no file can
    return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


PREFIX = "XCUIElementType"
FIELDS = frozenset({"TextField", "SecureTextField", "SearchField", "TextView"})
CHECKABLE = frozenset({"Switch", "Toggle", "CheckBox", "RadioButton"})
TOUCHED = frozenset(
    {"Button", "Cell", "ColorWell", "ComboBox", "DisclosureTriangle", "Icon", "Link", "MenuBarItem",
     "MenuButton",
     "MenuItem", "PopUpButton", "SegmentedControl", "Tab", "ToolbarButton"}
) | FIELDS | CHECKABLE  # fmt: skip
LISTS = frozenset({"Table", "CollectionView", "Outline", "Browser"})
PANES = frozenset({"ScrollView", "WebView"})
DIALOGS = frozenset({"Alert", "Sheet", "Popover", "Dialog"})
# Windows of their own even inside another window: they come and go, and lie over the rest.
WINDOWS = DIALOGS | {"Window", "Keyboard", "StatusBar"}

_CLASS = re.compile(r"[A-Za-z_]\w{0,59}", re.ASCII)
_FLAGS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
_FARTHEST = 10**9
_SCALES = (2, 3)  # pixels a point
_HALF = 0.5 + 1e-3  # a third of a point is printed as 0.33, as 0.3333, or as the sum of two others
_Edges = tuple[float, float, float, float]


class _Element(NamedTuple):
    """An element as it was read: its attributes by their XML names, and its parent's index, -1 at a
    root."""

    class_name: str
    given: Mapping[str, str]
    parent: int


def _dump(elements: Sequence[_Element], scale: float, facts: Mapping[str, str]) -> Dump:
    """Builds the nodes of elements in document order. Nothing recurses: hierarchies may be deep.
    ``scale`` is the pixels per point, ``facts`` are those of the driver."""
    if not elements:
        raise SnapshotError("no screen: the hierarchy has no elements, so there was no app to read")
    bounds = _bounds(elements, scale)
    package = elements[0].given.get("bundleId", "")
    scrolling = _overflowing(elements, bounds, scale)
    inside = children_of([one.parent for one in elements])
    nodes = [
        _node(index, one, package, bounds[index], window, inside[index], index in scrolling)
        for index, (one, window) in enumerate(zip(elements, _windows(elements), strict=True))
    ]
    return Dump(
        "ios", tuple(nodes), (0, 0), reports_hints=True, scale=scale,
        levels=number_in(facts.get("levels")), over=facts.get("over", ""),
        attributes=[one.given for one in elements]
    )  # fmt: skip


def _node(
    index: int,
    element: _Element,
    package: str,
    bounds: Rect,
    window: int,
    children: tuple[int, ...],
    overflows: bool,
) -> Node:
    class_name, given, parent = element
    get = given.get
    value, hint = get("value"), get("placeholderValue", "")
    label = get("label", "")
    if not label and class_name == "StaticText":
        label = value or ""
    name = get("rawIdentifier") or get("name", "")
    field, checkable = class_name in FIELDS, class_name in CHECKABLE
    typed = (
        value if value and value != hint else ""
    )  # an empty field shows its placeholder as its value
    return new_node(
        index=index,
        parent=parent,
        children=children,
        class_name=class_name,
        package=package,
        resource_id="" if name == label or clean(name) in ("", clean(label)) else name,
        text=typed if field else label or (name if class_name == "Application" else ""),
        description=label if field else "",
        hint=hint,
        bounds=bounds,
        states=states_of(
            checked=_flag(value) if checkable else None,
            selected=_selected(class_name, given),
            focused=_flag(get("focused")),
            enabled=_flag(get("enabled")),
            password=class_name == "SecureTextField" if field else None,
            scrollable=class_name in LISTS or overflows or None,
            editable=field,
        ),
        clickable=class_name in TOUCHED,
        long_clickable=False,
        checkable=checkable,
        visible=_flag(get("visible")) is not False,
        window=window,
        value=value,
        adjustable=_has_trait("Adjustable", given),
    )


def _overflowing(elements: Sequence[_Element], bounds: Sequence[Rect], scale: float) -> set[int]:
    """The panes that hold more than they show, at any depth, and so scroll: every alert has a
    scroll view for a text that nearly always fits. The content of a scroller inside of a pane is
    for that one to show."""
    found: set[int] = set()
    holders: list[int] = []  # the nearest pane or list around the contents of each element, or -1
    slack = -round(scale)
    for index, (class_name, _, parent) in enumerate(elements):
        around = holders[parent] if parent >= 0 else -1
        holders.append(index if class_name in PANES | LISTS else around)
        if around < 0 or elements[around].class_name not in PANES or bounds[index].is_empty:
            continue
        if not bounds[around].inset(slack).encloses(bounds[index]):
            found.add(around)
    return found


def _windows(elements: Sequence[_Element]) -> list[int]:
    windows: list[int] = []
    last = -1
    for class_name, _, parent in elements:
        begins = parent < 0 or class_name in WINDOWS
        last += begins
        windows.append(last if begins else windows[parent])
    return windows


def _bounds(elements: Sequence[_Element], pixels: float) -> list[Rect]:
    """Rounds each edge by itself, so that elements that touch in points touch in ``pixels`` a
    point. A part of an app that is written in pixels, as its frame shows, is recognised and
    kept."""
    found: list[Rect] = []
    scales: list[int] = []  # pixels for each unit the part is written in, by its frame
    frames: list[Rect | None] = []  # in points, of elements as large as the app, ancestors included
    for class_name, given, parent in elements:
        edges = _edges(given)
        scale = scales[parent] if parent >= 0 else 1
        app = frames[parent] if parent >= 0 else None
        frame = _rect(edges, 1) if parent < 0 else None
        if app is not None and class_name in ("Window", "Other"):
            rect = _rect(edges, 1)
            scale = next((k for k in _SCALES if scale == 1 and rect == app.scaled(k)), scale)
            frame = app if rect == app.scaled(scale) else None
        scales.append(scale)
        frames.append(frame if frame is not None and not frame.is_empty else None)
        found.append(_rect(edges, pixels / scale))
    return found


@lru_cache(maxsize=1024)
def _class_name(kind: str) -> str:
    """Shortens the class; a type that is no word counts as a generic one."""
    short = kind.rpartition(PREFIX)[2]
    return short if _CLASS.fullmatch(short) else "Other"


def _flag(value: str | None) -> bool | None:
    return _FLAGS.get(value.lower()) if value else None


def _selected(class_name: str, given: Mapping[str, str]) -> bool | None:
    """Returns the selected state as reported, else by the traits; else a selected button has the
    value 1."""
    reported = _flag(given.get("selected"))
    if reported is None:
        reported = _has_trait("Selected", given)
    by_value = reported is None and class_name in ("Button", "Tab")
    return _flag(given.get("value")) or None if by_value else reported


def _has_trait(trait: str, given: Mapping[str, str]) -> bool | None:
    return trait in given["traits"].replace(",", " ").split() if "traits" in given else None


def _edges(given: Mapping[str, str]) -> _Edges | None:
    """Parses the position. A missing origin is 0; a position that is no number is nowhere."""
    get = given.get
    try:
        x, y = float(get("x", 0)), float(get("y", 0))
        right, bottom = x + float(get("width", 0)), y + float(get("height", 0))
    except ValueError:
        return None
    return (x, y, right, bottom) if math.isfinite(right - x + bottom - y) else None


def _rect(edges: _Edges | None, factor: float) -> Rect:
    if edges is None:
        return NOWHERE
    whole = [math.floor(edge * factor + _HALF) for edge in edges]
    return Rect(*[max(-_FARTHEST, min(edge, _FARTHEST)) for edge in whole])
