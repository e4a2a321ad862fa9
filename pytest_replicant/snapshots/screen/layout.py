"""The layout of a hierarchy on the screen: shown, offscreen, covered, or decoration of the
system."""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import compress, islice, pairwise
from operator import attrgetter, is_not
from typing import Any, NamedTuple, TypeVar

from ...model import (
    Node,
    Nodes,
    Rect,
    ancestors,
)
from ..parsers.dump import NOWHERE, Dump, Platform
from ..parsers.roles import role_of
from ..parsers.xcuitest import LISTS, PANES
from .windows import (
    DISMISSES,
    NOTHING,
    SYSTEM_UI,
    Below,
    Past,
    Stack,
    bounds_of,
    ios_stack,
    pages_below,
    stack,
)

Made = TypeVar("Made")
Some = TypeVar("Some")
BARS = frozenset({"NavigationBar", "TabBar", "Toolbar"})
"""Of iOS: they lie above what scrolls, wherever they stand in the hierarchy."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Parallel to ``nodes``: ``ends`` (index after the last descendant), ``shown`` (visible, on the
    screen, not covered, in a window that can be reached), ``offscreen`` (would be shown if scrolled
    to), ``covered`` (lies completely under others of its window). ``pages`` are those of the app's
    window that lie under another."""

    nodes: tuple[Node, ...]
    size: tuple[int, int]
    ends: list[int]
    shown: list[bool]
    offscreen: list[bool]
    stack: Stack
    platform: Platform
    scale: float = 1.0  # pixels a point, where the platform counts in points
    covered: Sequence[bool] = ()
    pages: Sequence[Below] = ()
    inputs: tuple[object, ...] = ()  # what it was made of besides the nodes
    chrome: Set[int] = frozenset()  # nodes that are the system's decoration, on iOS
    kept: dict[str, tuple[object, Any]] = field(default_factory=dict)

    def once(self, name: str, made_of: object, make: Callable[[], Made]) -> Made:
        """Returns what ``make`` made where all nodes lay as they do here, if it was made of the
        same; else makes it, of nothing but the layout and ``made_of``."""
        known = self.kept.get(name)
        if known is None or known[0] != made_of:
            known = self.kept[name] = made_of, make()
        made: Made = known[1]
        return made

    @property
    def screen(self) -> Rect:
        return Rect(0, 0, *self.size)

    @property
    def window(self) -> Rect:
        """The bounds of the app's own window."""
        return self.once("window", None, lambda: bounds_of(self.nodes, self.stack.base))

    def below(self, index: int, most: int = sys.maxsize) -> Nodes:
        """The descendants in document order, no more than ``most``."""
        return self.nodes[index + 1 : min(self.ends[index], index + 1 + most)]

    def around(self, node: Node, most: int | None = None) -> Iterator[Node]:
        """The nodes around it, from its parent to the root, no more than ``most``."""
        return islice(ancestors(self.nodes, node), most)

    def under_keyboard(self, node: Node) -> bool:
        """Whether the keyboard hides a node that is reported as not visible."""
        keyboard = self.stack.keyboard
        return keyboard is not None and not node.visible and keyboard.contains(node.bounds.center)


def lay_out(
    reading: Dump, size: tuple[int, int] | None, last: Past = NOTHING, before: Layout | None = None
) -> Layout:
    """Lays out a dump; ``size`` None takes the size from the dump, and from the phone's own;
    ``last`` is the screen before, and ``before`` its layout: this is the same if nothing has
    moved."""
    if reading.platform == "ios":
        return _lay_out_ios(reading, size)
    nodes, inputs = reading.nodes, (size, reading.size, reading.keyboard, last)
    if before is not None and before.inputs == inputs and _lie_alike(before.nodes, nodes):
        return replace(before, nodes=nodes)
    ends = _ends(nodes)
    width, height = size or _size(reading, last.upright)
    windows = stack(nodes, (width, height), reading.keyboard, last)
    system = {node.window for node in nodes if node.parent < 0 and node.package == SYSTEM_UI}
    shown: list[bool] = []
    offscreen: list[bool] = []
    listed = windows.top
    for node in nodes:
        seen = node.visible and node.window in listed
        if node.package == SYSTEM_UI and node.window not in system:
            seen = False
        left, top, right, bottom = node.bounds
        somewhere = seen and left < right and top < bottom
        here = somewhere and left < width and top < height and right > 0 and bottom > 0
        shown.append(here)
        offscreen.append(somewhere and not here)
    hidden = covered(nodes, ends, shown)
    shown = [here and not under for here, under in zip(shown, hidden, strict=True)]
    pages = pages_below(nodes, ends, windows.base, shown, hidden)
    return Layout(
        nodes, (width, height), ends, shown, offscreen, windows, reading.platform,
        covered=hidden, pages=pages, inputs=inputs,
    )  # fmt: skip


_PLACE = attrgetter(
    "parent", "children", "class_name", "package", "resource_id", "bounds", "clickable",
    "long_clickable", "checkable", "visible", "window", "pane_title", "states.focused",
    "states.scrollable", "states.editable",
)  # fmt: skip


def _lie_alike(before: Nodes, now: Nodes) -> bool:
    """Whether two screens differ in nothing that a layout is made of: it reads of texts only
    whether there are some. Nodes that were not parsed again are the same objects."""
    if len(before) != len(now):
        return False
    return all(
        _PLACE(one) == _PLACE(other)
        and (bool(one.text), bool(one.description)) == (bool(other.text), bool(other.description))
        for one, other in compress(zip(before, now, strict=True), map(is_not, before, now))
    )


def uncovered(layout: Layout) -> Layout | None:
    """Returns the layout with covered and offscreen nodes listed too; None if there are none. iOS
    reports nodes under the keyboard as not visible."""
    windows, there = layout.stack, list(layout.shown)
    reachable = windows.top | frozenset(windows.below)
    for index, node in enumerate(layout.nodes):
        if node.visible or layout.offscreen[index] or layout.under_keyboard(node):
            mine = node.window in reachable and index not in layout.chrome
            there[index] |= mine and not node.bounds.is_empty
    if there == layout.shown:
        return None
    stack = replace(windows, top=reachable, below=(), dialog=-1, alone=False, over=frozenset())
    nowhere = [False] * len(there)
    return replace(
        layout, shown=there, offscreen=nowhere, stack=stack, covered=nowhere, pages=(), kept={}
    )


def _lay_out_ios(reading: Dump, size: tuple[int, int] | None) -> Layout:
    """Lays out an iOS dump. Offscreen nodes are not visible to iOS; bars lie above later nodes,
    except for an open menu, which any touch outside it closes."""
    nodes = reading.nodes
    ends = _ends(nodes)
    windows = ios_stack(nodes)
    width, height = size or _size(reading)
    screen = Rect(0, 0, width, height)
    chrome = _chrome_in(reading, ends, windows, (width, height))
    seen = _seen(nodes)
    on_screen: list[bool] = []
    offscreen: list[bool] = []
    barred: list[bool] = []
    for node, part in zip(nodes, seen, strict=True):
        here = node.window in windows.top and node.index not in chrome
        inside = node.bounds.meets(screen)
        on_screen.append(node.visible and here and inside)
        away = not inside or (part.is_empty and not node.visible)
        offscreen.append(here and away and not node.bounds.is_empty)
        barred.append(node.class_name in BARS or (node.parent >= 0 and barred[node.parent]))
    hidden = covered(nodes, ends, on_screen, seen)
    lids = [node.index for node in compress(nodes, on_screen) if node.resource_id == DISMISSES]
    shown: list[bool] = []
    under: list[bool] = []
    for index, shows in enumerate(on_screen):
        if lids and ends[index] <= lids[-1]:
            shows = False
        under.append(shows and hidden[index] and not barred[index])
        shown.append(shows and not under[index])
    pages = pages_below(nodes, ends, windows.base, shown, under)
    return Layout(
        nodes, (width, height), ends, shown, offscreen, windows, reading.platform, reading.scale,
        under, pages, chrome=chrome
    )  # fmt: skip


def _seen(nodes: Nodes) -> list[Rect]:
    """Clips each node to the scrollers around it: iOS reports the full bounds of a row, not its
    visible part."""
    ports: list[Rect | None] = []  # what those leave of the screen
    found: list[Rect] = []
    for node in nodes:
        port = ports[node.parent] if node.parent >= 0 else None
        part = node.bounds if port is None else node.bounds.intersect(port)
        found.append(part)
        ports.append(part if scrolls(node) and not node.bounds.is_empty else port)
    return found


def _ends(nodes: Nodes) -> list[int]:
    ends = list(range(1, len(nodes) + 1))
    for node in reversed(nodes):
        end, above = ends[node.index], node.parent
        if above >= 0 and end > ends[above]:
            ends[above] = end
    return ends


def _size(reading: Dump, upright: tuple[int, int] | None = None) -> tuple[int, int]:
    """Returns the size of the roots, else of the windows, else of everything. Where a dialog is all
    there is, the phone's own size counts, if it is still as wide: one that is folded is another."""
    roots = [node.bounds for node in reading.nodes if node.parent < 0 and not node.bounds.is_empty]
    boxes = roots or [node.bounds for node in reading.nodes]
    right, bottom = reading.size
    for box in boxes:
        right, bottom = max(right, box.right), max(bottom, box.bottom)
    if upright is not None and right in upright:
        bottom = max(bottom, upright[right == upright[0]])
    return right, bottom


FRAMES = frozenset({"Application", "Window", "ScrollBar"})
_DRAWN = frozenset(
    {"Any", "Group", "Image", "Other", "StaticText"}
)  # a bar of progress may be thin
_SCROLLERS = LISTS | PANES | {"TextView"}
_BARS = (":id/statusBarBackground", ":id/navigationBarBackground")  # what an app draws under them
_PERCENT = re.compile(r"[%٪﹪％]?\s?\d{1,3}\s?[%٪﹪％]?")
# In points:
_THICKEST = 40  # a scroll indicator with the room around it
_INDICATOR = 21  # from the lower edge of a screen to above its home indicator
_EDGE = 10  # how near to the edge of what it scrolls
_HAIRLINE = 5  # thinner than any letter


def _chrome_in(
    reading: Dump, ends: Sequence[int], stack: Stack, size: tuple[int, int]
) -> frozenset[int]:
    """Finds the system's decoration: frames, scroll indicators, lines, the leaves of an unmarked
    status bar, and the buttons that belong to the keyboard."""
    nodes, scale = reading.nodes, reading.scale
    found = _status_leaves(nodes, stack, size, scale)
    found += _keyboard_extras(nodes, ends, stack, size[1])
    for node in nodes:
        drawn = node.class_name in _DRAWN and _is_leaf(node)
        line = drawn and min(node.bounds.width, node.bounds.height) < _HAIRLINE * scale
        if node.class_name in FRAMES or line or _is_indicator(node, nodes, scale):
            found.append(node)
    return frozenset(node.index for node in found)


def _is_leaf(node: Node) -> bool:
    return not (node.children or node.clickable or node.states.scrollable)


def _is_indicator(node: Node, nodes: Nodes, scale: float) -> bool:
    """Whether it is a scroll indicator: one of the last children of a scroller, long, thin, along
    an edge, with a percentage as its value. Its track may be as wide as the screen, or nearly as
    wide as it is long."""
    scroller, bounds = nodes[node.parent], node.bounds
    if node.class_name != "Other" or node.parent < 0 or not _is_leaf(node):
        return False
    if scroller.class_name not in _SCROLLERS or node.index not in scroller.children[-2:]:
        return False
    if min(bounds.width, bounds.height) > _THICKEST * scale:
        return False
    ratio, around, edge = 10, scroller.bounds, _EDGE * scale
    if node.value is not None:
        if not _PERCENT.fullmatch(node.value):
            return False
        ratio = 1
    if bounds.height > bounds.width * ratio:
        return min(abs(around.right - bounds.right), abs(bounds.left - around.left)) <= edge
    if bounds.width <= bounds.height * ratio:
        return False
    return abs(around.bottom - bounds.bottom) <= edge or bounds.width * 5 > around.width * 4


def _status_leaves(nodes: Nodes, stack: Stack, size: tuple[int, int], scale: float) -> list[Node]:
    """Finds the leaves of a status bar: it has something at both ends, nothing to touch, and is no
    higher than the cut-out of the display. A single text up there belongs to the app."""
    width, height = size
    if nodes[0].class_name not in ("Application", "Window"):
        return []
    strip = _strip(width / scale, height / scale) * scale
    leaves: list[Node] = []
    for node in nodes:
        if node.bounds.bottom > strip or node.bounds.is_empty or not node.visible:
            continue
        if node.clickable and node.window in stack.top:
            return []
        if node.words and node.window in stack.top and _is_leaf(node):
            leaves.append(node)
    places = [node.bounds.center.x for node in leaves] or [0]
    return leaves if min(places) * 5 < width * 2 and max(places) * 5 > width * 3 else []


def _strip(width: float, height: float) -> float:
    """Returns the height of the status bar in points; 0 if there is none, as on a phone on its
    side."""
    if height >= width * 2:
        return height * 11 // 200
    if width >= 700:
        return 24 if max(width, height) * 2 < min(width, height) * 3 else 0
    return 20 if height > width else 0


def system_bars(nodes: Nodes, size: tuple[int, int], scale: float, platform: str) -> list[Rect]:
    """The areas of the system's own bars, in pixels: status bar and navigation bar, on an iPhone
    the strip of the status bar and the home indicator, which no hierarchy has. ``scale`` is the
    pixels per point."""
    width, height = size
    if platform == "ios":
        bars = [node.bounds for node in nodes if node.class_name == "StatusBar"]
        strip = round(_strip(width / scale, height / scale) * scale)
        if height >= width * 2 or width >= height * 2:  # without a home button
            low, across = round(_INDICATOR * scale), width // 5
            bars.append(Rect(across, height - low, width - across, height))
        bars.append(Rect(0, 0, width, strip))
        return [bar for bar in bars if not bar.is_empty]
    roots = [node.bounds for node in nodes if node.parent < 0 and node.package == SYSTEM_UI]
    drawn = [node.bounds for node in nodes if node.resource_id.endswith(_BARS)]
    return [bar for bar in [*roots, *drawn] if not bar.is_empty and bar.area * 2 <= width * height]


def _keyboard_extras(nodes: Nodes, ends: Sequence[int], stack: Stack, height: int) -> list[Node]:
    """Finds the buttons that iOS puts below the keys: globe and microphone. The bar above the keys
    is the app's."""
    if stack.keyboard is None:
        return []
    host = next(n for n in nodes if n.class_name == "Keyboard" and n.bounds == stack.keyboard)
    for above in ancestors(nodes, host):
        fills = above.window == stack.base and above.bounds.height * 10 > height * 7
        if fills or above.class_name == "Application":
            break
        host = above
    within = nodes[host.index : ends[host.index]]
    return [node for node in within if node.bounds.top >= stack.keyboard.top]


_VIEW = (
    "Other"  # of iOS: frameworks label each by all that is in it, so that its label covers nothing
)
_MOST_COVERS = (
    200  # of one height in one place; no screen needs more, and a hostile one must not cost hours
)
_Cover = tuple[
    int, int, int, int, int, bool
]  # index, left, top, right, bottom, whether it has content


def covered(
    nodes: Nodes, ends: Sequence[int], shown: Sequence[bool], seen: Sequence[Rect] | None = None
) -> list[bool]:
    """Marks each node that a later node outside its subtree covers completely, so that it takes the
    touches.

    A cover is a clickable node, several side by side without gaps, as the tabs of a bar, or a
    labelled part of the screen. One without content, as cards lay over their texts, hides the
    controls below it but not the texts. ``seen`` holds the visible part of each node where bounds
    reach beyond it: a row that is half scrolled away covers nothing there."""
    windows: defaultdict[int, _Covers] = defaultdict(_Covers)
    hidden = [False] * len(nodes)
    content = [False] * len(nodes)
    tabs: defaultdict[int, list[Node]] = defaultdict(list)  # of a parent, its clickable children
    for node in reversed(nodes):
        index, above, bounds = node.index, node.parent, node.bounds
        labelled = bool(node.text or node.description)
        if labelled or content[index]:
            content[index] = True
            if above >= 0:
                content[above] = True
        left, top, right, bottom = bounds
        if not shown[index] or left >= right or top >= bottom:
            continue
        clickable, end = node.clickable, ends[index]
        covers = windows[
            node.window if seen is None else 0
        ]  # iOS draws its windows in document order
        if (
            index in tabs
            and len(inside := tabs[index]) > 1
            and inside[0].bounds.top < inside[-1].bounds.bottom
        ):
            bar = _filled(inside)
            if bar is not None:
                covers.add(bar, inside[-1].index, all(content[tab.index] for tab in inside))
        if clickable and seen is None:
            tabs[above].append(node)
        may_be = end <= covers.last and top >= covers.top and bottom <= covers.bottom
        if may_be and covers.hide(bounds, end, clickable or bool(node.states.scrollable)):
            hidden[index] = True
        elif clickable or (labelled and node.children and node.class_name != _VIEW):
            part = seen[index] if seen is not None else bounds
            if not part.is_empty:
                covers.add(part, index, content[index])
    return hidden


_SEAM = 2  # pixels between two tabs, as widths are rounded


def _filled(tabs: Nodes) -> Rect | None:
    """Returns the rectangle that nodes side by side fill; None if they leave a gap or lie
    elsewhere."""
    boxes = sorted(tab.bounds for tab in tabs)
    top, bottom = max(box.top for box in boxes), min(box.bottom for box in boxes)
    gaps = any(after.left - before.right > _SEAM for before, after in pairwise(boxes))
    return None if gaps or bottom <= top else Rect(boxes[0].left, top, boxes[-1].right, bottom)


class _Covers:
    """Covers indexed by height and by offset from the top, so that only the few that can lie over a
    node are compared.

    A cover of up to ``2 ** level`` pixels lies in one or two stripes of that height."""

    def __init__(self) -> None:
        self.last = -1  # index of the last one, which is the first to be added
        self.top, self.bottom = (
            sys.maxsize,
            -sys.maxsize,
        )  # of all: most nodes of a list lie above them
        self._levels: dict[int, dict[int, list[_Cover]]] = {}

    def add(self, bounds: Rect, index: int, content: bool) -> None:
        self.last = max(self.last, index)
        left, top, right, bottom = bounds
        self.top, self.bottom = min(self.top, top), max(self.bottom, bottom)
        level = (bottom - top - 1).bit_length()
        stripes = self._levels.setdefault(level, {})
        for stripe in {top >> level, (bottom - 1) >> level}:
            inside = stripes.setdefault(stripe, [])
            if len(inside) < _MOST_COVERS:
                inside.append((index, left, top, right, bottom, content))

    def hide(self, bounds: Rect, end: int, touched: bool) -> bool:
        """Whether a cover with index ``end`` or later lies over ``bounds``."""
        left, top, right, bottom = bounds
        level = (bottom - top - 1).bit_length()
        for height, stripes in self._levels.items():
            if height < level:
                continue
            for cover in stripes.get(top >> height, ()):
                if (
                    cover[1] <= left and cover[2] <= top
                    and cover[3] >= right and cover[4] >= bottom
                    and cover[0] >= end and (touched or cover[5])
                ):  # fmt: skip
                    return True
        return False


_LISTS = ("RecyclerView", "ListView", "GridView")
_IOS_LISTS = ("CollectionView", "Table")
_PANES = ("ScrollView", "WebView", "ViewPager", "ViewPager2")
SCROLLERS = (*_LISTS, *_IOS_LISTS, *_PANES)
"""Endings of the classes that scroll as soon as they hold enough: their lines do not say so."""


def is_list(node: Node) -> bool:
    """Whether its class says that its children are rows."""
    return node.class_name.endswith(_LISTS) or node.class_name in _IOS_LISTS


def is_collection(node: Node) -> bool:
    """A list whose children are its rows, rather than a pane that scrolls one big child."""
    if is_list(node):
        return True
    return (
        bool(node.states.scrollable)
        and not node.class_name.endswith(_PANES)
        and len(node.children) > 1
    )


def scrolls(node: Node) -> bool:
    """Whether a node is a pane, whose content moves in it."""
    return bool(node.states.scrollable) or is_list(node)


def is_pane(node: Node) -> bool:
    """Whether the content of a node moves in it as soon as there is enough, by its class or by what
    it says."""
    return scrolls(node) or node.class_name.endswith(SCROLLERS)


def wider(nodes: Nodes, count: Callable[[int], int]) -> list[int]:
    """Returns for each node the nearest one around it of which ``count`` says another number than
    of itself, -1 if there is none. ``count`` is of what lies at or below a node."""
    found: list[int] = []
    for node in nodes:
        above = node.parent
        if above >= 0 and count(above) == count(node.index):
            above = found[above]
        found.append(above)
    return found


def inherited(nodes: Nodes, root: Some, step: Callable[[Node, Some], Some]) -> list[Some]:
    """Returns for each node what ``step`` makes of its parent and of the parent's own; ``root`` for
    a root."""
    found: list[Some] = []
    for node in nodes:
        found.append(root if node.parent < 0 else step(nodes[node.parent], found[node.parent]))
    return found


def nearest_around(nodes: Nodes, is_one: Callable[[Node], bool]) -> list[int]:
    """Returns for each node the nearest such node around it, -1 if there is none."""
    return inherited(nodes, -1, lambda above, known: above.index if is_one(above) else known)


# --- what a window may show and does not report ---------------------------------------------------
#
# A canvas, a game, a web page that is not read yet, or all of it.

_FEW = 4  # labels: a bar with a title, the way back, a button and a menu is next to nothing
_NAME = 40  # characters: a longer description of most of a window is its text, as Flutter has it
# a bar of the system, which may be in no dump, takes less than this part of the screen's height
_BAR = 16


class Unreported(NamedTuple):
    """The ``area`` of which nothing is reported, in pixels. ``apart`` are parts of it that are,
    ``labels`` is how many labels the window has."""

    area: Rect
    apart: Sequence[Rect]
    labels: int


def unreported(layout: Layout) -> Unreported | None:
    """Returns the largest area without content, where that is half of the screen at least, and
    little else is reported; None on an ordinary screen, in a small window, and under a dialog."""
    windows, screen = layout.stack, layout.screen
    if windows.dialog >= 0 or windows.base not in windows.top:
        return None
    half = screen.area // 2
    says = {node.index: node for node in layout.nodes if _says(node, half)}
    shown = [node for node in says.values() if layout.shown[node.index]]
    labels = sum(node.words != "" for node in shown)
    content, area = set(says), NOWHERE  # the largest node of the windows on top without content
    for node in layout.nodes:
        inside = range(node.index, layout.ends[node.index])
        if node.window in windows.top and content.isdisjoint(inside):
            area = max(area, node.bounds.intersect(screen), key=lambda box: box.area)
    if labels > _FEW or area.area < half:
        return None
    apart = system_bars(layout.nodes, layout.size, layout.scale, layout.platform)
    if not apart:  # where they may be
        high = screen.height // _BAR
        apart = [screen._replace(bottom=high), screen._replace(top=screen.bottom - high)]
    apart += [node.bounds for node in shown]
    if windows.keyboard:
        apart.append(windows.keyboard)
    return Unreported(area, apart, labels)


def _says(node: Node, half: int) -> bool:
    """Whether it is a text, a picture or a control, rather than a frame, or a canvas that has a
    name at most."""
    if node.text:
        return node.class_name not in FRAMES  # an iPhone's has the name of the app
    large = node.bounds.area >= half
    if node.description:
        return not large or bool(node.children) or len(node.description) > _NAME
    of_role = role_of(node.class_name).name not in ("container", "list", None)
    return of_role or (node.clickable and not large)
