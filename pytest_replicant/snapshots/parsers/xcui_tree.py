"""From the elements of an iOS hierarchy, in whatever form they were written, to nodes."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from ...errors import SnapshotError
from ...model import Node, Rect, States
from ..text.words import clean
from .reading import NOWHERE, Reading, states_of

if TYPE_CHECKING:
    from collections.abc import Mapping

PREFIX = "XCUIElementType"
FIELDS = frozenset({"TextField", "SecureTextField", "SearchField", "TextView"})
CHECKABLE = frozenset({"Switch", "Toggle", "CheckBox", "RadioButton"})
TOUCHED = frozenset(
    {"Button", "Cell", "ColorWell", "ComboBox", "DisclosureTriangle", "Icon", "Link", "MenuBarItem", "MenuButton",
     "MenuItem", "PopUpButton", "SegmentedControl", "Tab", "ToolbarButton"}
) | FIELDS | CHECKABLE  # fmt: skip
LISTS = frozenset({"Table", "CollectionView", "Outline", "Browser"})
PANES = frozenset({"ScrollView", "WebView"})
DIALOGS = frozenset({"Alert", "Sheet", "Popover", "Dialog"})
# What is a window of its own even where it lies within one: it comes and goes, and lies over the rest.
WINDOWS = DIALOGS | {"Window", "Keyboard", "StatusBar"}

_CLASS = re.compile(r"[A-Za-z_]\w{0,59}", re.ASCII)
_FLAGS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
_FARTHEST = 10**9
_SCALES = (2, 3)  # pixels a point
_HALF = 0.5 + 1e-3  # a third of a point is printed as 0.33, as 0.3333, or as the sum of two others
_Edges = tuple[float, float, float, float]


class Tree:
    """Takes elements in document order, each with its type, its attributes by their XML names, and the index
    of its parent, -1 at a root. Nothing here recurses: hierarchies may be deep. ``scale`` is how many pixels
    the nodes count for a point."""

    def __init__(self, scale: float = 1.0) -> None:
        self._scale = scale
        self._classes: list[str] = []
        self._attributes: list[Mapping[str, str]] = []
        self._parents: list[int] = []
        self._children: list[list[int]] = []

    def add(self, kind: str, attributes: Mapping[str, str], parent: int) -> int:
        index = len(self._classes)
        self._classes.append(_class_name(kind))
        self._attributes.append(attributes)
        self._parents.append(parent)
        self._children.append([])
        if parent >= 0:
            self._children[parent].append(index)
        return index

    def reading(self) -> Reading:
        if not self._classes:
            raise SnapshotError("no screen: the hierarchy has no elements, so there was no app to read")
        bounds = self._bounds()
        windows = self._windows()
        package = next((given.get("bundleId", "") for given in self._attributes[:1]), "")
        nodes = [self._node(index, package, bounds, window) for index, window in enumerate(windows)]
        return Reading("ios", tuple(nodes), (0, 0), reports_hints=True, scale=self._scale)

    def _node(self, index: int, package: str, bounds: list[Rect], window: int) -> Node:
        class_name, get = self._classes[index], self._attributes[index].get
        value, hint = get("value"), get("placeholderValue", "")
        label = get("label", "")
        if not label and class_name == "StaticText":
            label = value or ""
        name = get("rawIdentifier") or get("name", "")
        field = class_name in FIELDS
        typed = value if value and value != hint else ""  # an empty field shows its placeholder as its value
        return Node(
            index=index,
            parent=self._parents[index],
            children=tuple(self._children[index]),
            class_name=class_name,
            package=package,
            resource_id="" if name == label or clean(name) in ("", clean(label)) else name,
            text=typed if field else label or (name if class_name == "Application" else ""),
            description=label if field else "",
            hint=hint,
            bounds=bounds[index],
            states=self._states(index, bounds),
            clickable=class_name in TOUCHED,
            long_clickable=False,
            checkable=class_name in CHECKABLE,
            visible=_flag(get("visible")) is not False,
            window=window,
            value=value,
            adjustable=_has_trait("Adjustable", self._attributes[index]),
        )

    def _states(self, index: int, bounds: list[Rect]) -> States:
        class_name, get = self._classes[index], self._attributes[index].get
        field = class_name in FIELDS
        return states_of(
            checked=_flag(get("value")) if class_name in CHECKABLE else None,
            selected=_selected(class_name, self._attributes[index]),
            focused=_flag(get("focused")),
            enabled=_flag(get("enabled")),
            password=class_name == "SecureTextField" if field else None,
            scrollable=class_name in LISTS or (class_name in PANES and self._overflows(index, bounds)) or None,
            editable=field,
        )

    def _overflows(self, index: int, bounds: list[Rect]) -> bool:
        """Whether a pane holds more than it shows, which is what makes it scroll: every alert has a scroll
        view for a text that nearly always fits."""
        frame = bounds[index].inset(-round(self._scale))
        return any(
            not frame.encloses(bounds[child]) for child in self._children[index] if not bounds[child].is_empty
        )

    def _windows(self) -> list[int]:
        windows: list[int] = []
        last = -1
        for class_name, parent in zip(self._classes, self._parents, strict=True):
            if parent < 0 or class_name in WINDOWS:
                last += 1
                windows.append(last)
            else:
                windows.append(windows[parent])
        return windows

    def _bounds(self) -> list[Rect]:
        """Each edge by itself to the nearest pixel, so that what touches in points touches in pixels. Where a
        whole part of an app is written in pixels, as its frame shows, that part is taken for what it is."""
        found: list[Rect] = []
        scales: list[int] = []  # pixels for each unit the part is written in, by its frame
        frames: list[Rect | None] = []  # in points, of what is as large as the app, and so is everything above
        for index, parent in enumerate(self._parents):
            edges = _edges(self._attributes[index])
            scale = scales[parent] if parent >= 0 else 1
            app = frames[parent] if parent >= 0 else None
            frame = _rect(edges, 1) if parent < 0 else None
            if app is not None and self._classes[index] in ("Window", "Other"):
                rect = _rect(edges, 1)
                scale = next((k for k in _SCALES if scale == 1 and rect == _scaled_up(app, k)), scale)
                frame = app if rect == _scaled_up(app, scale) else None
            scales.append(scale)
            frames.append(frame if frame is not None and not frame.is_empty else None)
            found.append(_rect(edges, self._scale / scale))
        return found


@lru_cache(maxsize=1024)
def _class_name(kind: str) -> str:
    """Short; a type that is no word is a generic one."""
    short = kind.rpartition(PREFIX)[2]
    return short if _CLASS.fullmatch(short) else "Other"


def _flag(value: str | None) -> bool | None:
    return _FLAGS.get(value.lower()) if value else None


def _selected(class_name: str, given: Mapping[str, str]) -> bool | None:
    """As reported; else by the traits; else a button that is selected has the value 1."""
    reported = _flag(given.get("selected"))
    if reported is None:
        reported = _has_trait("Selected", given)
    if reported is None and class_name in ("Button", "Tab"):
        return _flag(given.get("value")) or None
    return reported


def _has_trait(trait: str, given: Mapping[str, str]) -> bool | None:
    return trait in given["traits"].replace(",", " ").split() if "traits" in given else None


def _edges(given: Mapping[str, str]) -> _Edges | None:
    """A missing origin is 0; a place that is no number is nowhere."""
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
    x, y, right, bottom = edges
    return Rect(_rounded(x * factor), _rounded(y * factor), _rounded(right * factor), _rounded(bottom * factor))


def _rounded(value: float) -> int:
    return max(-_FARTHEST, min(math.floor(value + _HALF), _FARTHEST))


def _scaled_up(rect: Rect, scale: int) -> Rect:
    return Rect(rect.left * scale, rect.top * scale, rect.right * scale, rect.bottom * scale)
