"""The windows of a hierarchy: the app's own, those below others, the keyboard, and the pages in one
window."""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from operator import or_
from typing import NamedTuple

from ...model import Node, Nodes, Rect, grouped
from ..parsers.dump import NOWHERE
from ..parsers.xcuitest import DIALOGS
from ..text import short_id

SYSTEM_UI = "com.android.systemui"
_KEYBOARD_PACKAGE = re.compile(r"inputmethod|keyboard|honeyboard|swiftkey|\bime\b")
# its windows are dialogs, except for those that belong to a field, such as autofill's
_SYSTEM = "android"
_OF_DIALOGS = re.compile(
    r":id/(alertTitle|alert_title|dialog_title|touch_outside|aerr_\w+|permission_\w+)$"
    r"|^android:id/(message|button[123])$"
)  # ids of frameworks in a dialog's own window
_AROUND_SHEET = ":id/touch_outside"  # in a dialog's window that fills the screen (Material)
_MOST_WINDOWS = 64  # no phone has as many, and a hostile dump must not cost hours
# a window of a third of the screen or more is one, or asks something; a smaller one only lies there
_LARGE = 3


@dataclass(frozen=True, slots=True)
class Window:
    """One window of a dump. ``rank`` is how high it is known to lie: above each of a lower one.
    ``modal`` says before which dialogs it goes; 0 if nothing says that it is one. ``sheet``: it has
    room around a sheet."""

    number: int
    root: int  # index of its first root
    package: str
    bounds: Rect
    focused: bool
    rank: int = 0
    modal: int = 0
    sheet: bool = False

    def is_over(self, other: Window) -> bool | None:
        """Whether it lies above another; None if nothing tells. Order does not: Android's servers
        collect windows in a hash set (AccessibilityNodeInfoDumper.getWindowRoots). Of two windows
        of one rank, one that encloses the other lies below: Android leaves out a window that is
        covered completely."""
        if self.rank != other.rank:
            return self.rank > other.rank
        if self.bounds != other.bounds:
            inside, around = other.bounds.encloses(self.bounds), self.bounds.encloses(other.bounds)
            return inside if inside != around else None
        return self.focused if self.focused != other.focused else None


class Past(NamedTuple):
    """The screen before: its app's package and window, dialogs apart. ``upright`` is the size of
    the phone."""

    app: str = ""
    window: Rect = NOWHERE
    upright: tuple[int, int] | None = None


NOTHING = Past()


@dataclass(frozen=True, slots=True)
class Stack:
    """Windows by number. ``base`` is the app's own, ``top`` those whose content is listed,
    ``below`` those under a dialog; ``keyboard`` is the keyboard's area where the dump has it,
    ``keyboards`` its windows; ``dialog`` is the index of the topmost node that iOS marks as a
    dialog, -1 if there is none. ``alone``: the base is a dialog itself, and the app's own window
    under it is not in the dump. ``others`` are Android's windows, except for keyboards."""

    base: int
    top: frozenset[int]
    below: tuple[int, ...]
    keyboard: Rect | None
    dialog: int = -1
    keyboards: frozenset[int] = frozenset()
    alone: bool = False
    over: frozenset[int] = frozenset()  # the dialogs over those below
    sheet: bool = False  # the base is a window around a sheet
    others: tuple[Window, ...] = ()

    def place(self, node: Node) -> int:
        """Where a node's window stands in an outline, not in the dump: the app's own first."""
        return next(
            (at for at, window in enumerate(self.others) if window.number == node.window), 0
        )


def stack(nodes: Nodes, size: tuple[int, int], keyboard: str = "", last: Past = NOTHING) -> Stack:
    """Sorts the windows of a screen of ``size``; ``last`` is the one before.

    A phone lists what can be touched: a window under a modal one is not in its list
    (updateUnaccountedSpace in AOSP's AccessibilityController), so a window that is there is covered
    by the bounds of others only. Bars and small windows of other apps, such as a taskbar, an edge
    handle or a chat head, are no part of the screen. Dumps of other origin do list windows under a
    dialog; one is known by its ids or its package.
    """
    windows = _collect(nodes)
    keyboards = _keyboards(windows, keyboard)
    screen = size[0] * size[1]
    mine = [window for window in windows if window not in keyboards]
    if not mine:
        mine, keyboards = windows, []
    base = max(mine[:_MOST_WINDOWS], key=lambda window: _weight(window, screen, last.app))
    mine = [_ranked(window, base, screen) for window in mine[:_MOST_WINDOWS]]
    top = [window for window in mine if window.rank < _DECORATION or window.modal]
    below = [window for window in top if any(_hides(other, window) for other in top)]
    over = [window for window in top if any(_hides(window, other) for other in below)]
    inside = base.bounds != last.window and last.window.encloses(base.bounds)
    shrunk = inside and base.package == last.app and not _is_panned(base, keyboards, last)
    alone = base not in below and _is_dialog(base, [w for w in top if w is not base], size, shrunk)
    return Stack(
        base.number,
        frozenset(window.number for window in top if window not in below),
        tuple(window.number for window in below),
        keyboards[0].bounds if keyboards else None,
        keyboards=frozenset(window.number for window in keyboards),
        alone=alone,
        over=frozenset(window.number for window in over if window not in below),
        sheet=base.sheet,
        others=(*sorted(mine, key=lambda one: (one is not base, one.rank, _weight(one, 0, ""))),),
    )


def is_covered(stack: Stack) -> bool:
    """Whether a dialog lies over the app's own window."""
    return stack.dialog >= 0 or stack.alone or stack.base in stack.below


_DECORATION = 2  # the rank of bars, and of small windows of other apps
_ASKS, _SHADE = 2, 3  # which dialogs go first: the system's own questions, and its notifications


def _collect(nodes: Nodes) -> list[Window]:
    windows: list[Window] = []
    for number, inside in grouped((node.window, node) for node in nodes).items():
        bounds = reduce(Rect.union, (node.bounds for node in inside if node.parent < 0))
        focused = any(node.states.focused for node in inside)
        ids = (node.resource_id for node in inside if node.resource_id)
        mark = next(filter(_is_of_dialog, ids), "")
        pane = next((node for node in inside if node.pane_title and node.visible), None)
        sheet = pane is not None and _is_around(inside, pane, bounds)
        root, modal = inside[0], int(mark != "")
        sheet = sheet or mark.endswith(_AROUND_SHEET)
        windows.append(Window(number, root.index, root.package, bounds, focused, 0, modal, sheet))
    return windows


@lru_cache(maxsize=4096)
def _is_of_dialog(resource_id: str) -> bool:
    return _OF_DIALOGS.search(resource_id) is not None


def _is_around(inside: Nodes, pane: Node, window: Rect) -> bool:
    """Whether all that a window shows lies in one pane that is smaller: a sheet, as Compose opens
    in a window of its own. The area around, which closes it, may be a control."""
    most = window.area * 3
    if pane.bounds.area * 5 >= most:
        return False
    end = next((n.index for n in inside if n.index > pane.index > n.parent), sys.maxsize)
    outside = (n for n in inside if not pane.index <= n.index < end)
    return not any(n.words or (n.clickable and n.bounds.area * 5 < most) for n in outside)


def _weight(window: Window, screen: int, last_app: str) -> tuple[object, ...]:
    """By which the app's own window is chosen: of the large ones the largest, else a dialog, which
    hides the rest, rather than what only lies there. The last ones are for an order that is not
    that of the dump."""
    area, own = window.bounds.area, window.package != SYSTEM_UI
    large = area * _LARGE >= screen
    asks = window.modal > 0 or asks_permission(window.package)
    sides = window.bounds.width, window.bounds.height
    thin = min(sides) * 8 < max(sides)
    last = window.package == last_app
    return (
        own and large, large, asks and not large, last and not large, not thin, own, area,
        window.focused, window.package, window.bounds
    )  # fmt: skip


def _ranked(window: Window, base: Window, screen: int) -> Window:
    """The window with its rank and, where it is a dialog, how far it goes before others."""
    if window is base:
        return window
    large = window.bounds.area * _LARGE >= screen
    if window.package == SYSTEM_UI:
        shade = window.bounds.area * 2 > screen
        return replace(window, rank=_SHADE if shade else _DECORATION, modal=_SHADE if shade else 0)
    if _asks(window, large):
        return replace(window, rank=1, modal=_ASKS)
    if window.package not in (base.package, _SYSTEM) and not window.modal:
        return window if large else replace(window, rank=_DECORATION)
    return replace(window, rank=int(window.bounds.area < base.bounds.area))


def _asks(window: Window, large: bool) -> bool:
    """Whether the system asks in it: for a permission, or what to do about an app."""
    if window.package == _SYSTEM:
        return large or window.modal > 0
    return asks_permission(window.package)


def _hides(upper: Window, lower: Window) -> bool:
    """Whether ``upper`` is a dialog over ``lower``."""
    if upper is lower or not (upper.modal and upper.rank) or not upper.bounds.meets(lower.bounds):
        return False
    return upper.is_over(lower) is True if upper.modal == lower.modal else upper.modal > lower.modal


def _is_dialog(base: Window, others: Sequence[Window], size: tuple[int, int], shrunk: bool) -> bool:
    """Whether the app's window is a dialog, so that those of its app below it are left out. A
    dialog keeps away from the edges and is centred or small, rises from the lower edge, or is flat;
    an app that has a part of the screen, as in split screen, on a tablet that it was not made for
    or next to a car's own controls, reaches from edge to edge or lies to one side. ``shrunk``: it
    had more just before."""
    width, height = size
    if any(window.bounds.area * _LARGE >= width * height for window in others):
        return False
    left, top, right, bottom = base.bounds
    across = left * 50 <= width and (width - right) * 50 <= width
    high = top * 16 <= height and (height - bottom) * 8 <= height
    if base.sheet:
        return True
    if across and high:
        return False
    if across:
        rises = top * 5 >= height and (height - bottom) * 10 <= height
        return base.modal > 0 or rises or base.bounds.height * 5 < width * 2 or shrunk
    centred = abs(left - (width - right)) * 10 <= width
    return base.modal > 0 or (not high and (centred or base.bounds.area * _LARGE < width * height))


def _is_panned(base: Window, keyboards: Sequence[Window], last: Past) -> bool:
    """Whether the app's window was moved up to make room for a keyboard: it still begins at its old
    place, and all that it lost lies under the keyboard. Where the dump has none, it holds the focus
    and keeps half of its height: no keyboard is higher."""
    if base.bounds.top != last.window.top:
        return False
    if keyboards:
        return keyboards[0].bounds.top <= base.bounds.bottom
    return base.focused and base.bounds.height * 2 >= last.window.height


def _keyboards(windows: Sequence[Window], own: str) -> list[Window]:
    """Finds the windows with a keyboard's package: ``own`` is the one that the phone named.
    Keyboards have settings too, which fill the screen: where no other app is shown, the largest
    window is an app's and not a keyboard."""
    named = [w for w in windows if w.package == own or _KEYBOARD_PACKAGE.search(w.package)]
    if all(window.package == SYSTEM_UI or window in named for window in windows):
        largest = max(windows, key=lambda w: (w.bounds.area, w not in named, -w.number))
        return [window for window in named if window is not largest]
    return named


_CHROME = frozenset({"Keyboard", "StatusBar"})
DISMISSES = "PopoverDismissRegion"
"""What iOS calls the area around an open menu or popover, over all that was there before."""


class _IosWindow(NamedTuple):
    """``says`` are the nodes with a label, or that can be touched; ``shows``: one of them can be
    seen. ``is_menu``: a touch outside closes it."""

    root: Node
    says: Nodes
    is_menu: bool
    shows: bool


def ios_stack(nodes: Nodes) -> Stack:
    """Sorts the windows of an iOS hierarchy; the parser counts alerts, sheets, popovers, the
    keyboard and the status bar as windows. The last dialog that shows something is on top: siblings
    are drawn in document order. Without a dialog, a window that a touch outside it closes counts as
    one: a menu."""
    windows: list[_IosWindow] = []
    for inside in grouped((node.window, node) for node in nodes).values():
        closes = any(node.resource_id == DISMISSES and node.visible for node in inside)
        says = list(filter(_says_something, inside))
        shows = any(node.visible for node in says)
        windows.append(_IosWindow(inside[0], says, closes, shows))
    dialogs = [w for w in windows if w.root.class_name in DIALOGS and w.shows]
    dialogs = dialogs or [w for w in windows[1:] if w.is_menu and w.shows]
    chrome = _CHROME | DIALOGS
    apps = [w for w in windows if w.root.class_name not in chrome and w not in dialogs]
    apps = apps or windows  # of a part of a hierarchy, such as an alert alone
    base = max(apps, key=lambda w: (bool(w.says), w.root.bounds.area, -w.root.window)).root.window
    keyboards = [w.root.bounds for w in windows if w.root.class_name == "Keyboard" and w.shows]
    keyboard = next((box for box in keyboards if not box.is_empty), None)
    if not dialogs:
        if all(w.root.class_name in _CHROME for w in windows):
            keyboard = None
        return Stack(base, frozenset(w.root.window for w in apps), (), keyboard)
    root = dialogs[-1].root
    below = {w.root.window for w in [*apps, *dialogs] if w.says} - {root.window}
    return Stack(base, frozenset({root.window}), tuple(sorted(below)), keyboard, dialog=root.index)


def _says_something(node: Node) -> bool:
    if node.resource_id == DISMISSES or node.bounds.is_empty or node.class_name == "Application":
        return False
    return node.clickable or bool(node.words)


# --- pages that lie over each other in one window -------------------------------------------------
#
# A fragment that was added, a stack of screens, a presented view: nothing in a hierarchy says that
# a page is opaque. Two pages fill the window and are siblings. That the upper one hides the lower
# one shows if both have a bar of their own, or if texts lie over texts that no one could read.

# above the content it is that of the window, as before Android 3; else a row's
OLD_TITLE = "android:id/title"
_CLASSES = ("Toolbar", "ActionBar", "AppBar", "ActionBarContainer")
_IDS = re.compile("toolbar|action_bar|app_bar")
_MOST_PAGES = 8  # siblings that fill a window
_MOST_TEXTS = 60  # of a page


class Below(NamedTuple):
    """The nodes of a page that lies under another one: from ``start`` to before ``end``; ``over``
    is the index of that. ``hidden``: it is known to hide them; else they are only not on top, and
    may show through."""

    start: int
    end: int
    over: int
    hidden: bool


@lru_cache(maxsize=4096)
def is_bar(class_name: str, resource_id: str) -> bool:
    """Whether class or id are those of a bar at the top of a page, which has its title."""
    name = short_id(resource_id).lower()
    by_id = _IDS.search(name) and "search" not in name and not name.endswith(("_root", "_layout"))
    by_class = class_name == "NavigationBar" or class_name.endswith(_CLASSES)
    return by_class or resource_id == OLD_TITLE or bool(by_id)


def bounds_of(nodes: Nodes, window: int) -> Rect:
    """Returns the bounds of a window's root."""
    return next((node.bounds for node in nodes if node.window == window), NOWHERE)


def pages_below(
    nodes: Nodes, ends: Sequence[int], base: int, shown: list[bool], under: list[bool]
) -> list[Below]:
    """The pages of a window that lie under others of it. Those that are hidden are no longer
    ``shown``, and ``under`` others."""
    window = bounds_of(nodes, base)
    siblings: defaultdict[int, list[Node]] = defaultdict(list)
    for node in nodes:
        if node.window == base and _fills(node, window):
            siblings[node.parent].append(node)
    found: list[Below] = []
    for stack in siblings.values():
        if len(stack) == 1:
            continue
        pages = [
            (node, _page(nodes[node.index : ends[node.index]], window))
            for node in stack[:_MOST_PAGES]
        ]
        for at, (node, page) in enumerate(pages, start=1):
            start, end = node.index, ends[node.index]
            hiding = [one for one, over in pages[at:] if _lies_over(over, page)]
            others = [one for one, over in pages[at:] if over.body and page.body]
            if hiding or others:
                found.append(Below(start, end, (hiding or others)[0].index, bool(hiding)))
            if hiding:
                under[start:end] = map(or_, under[start:end], shown[start:end])
                shown[start:end] = [False] * (end - start)
    return found


def _fills(node: Node, window: Rect) -> bool:
    """Whether it fills a window, of which bars of the system may take a part."""
    return node.visible and node.bounds.intersect(window).area * 5 > window.area * 4


class _Page(NamedTuple):
    """What a page shows: its ``texts``, and its ``bars`` at the top. ``body``: there are texts
    between its bars; a message at the lower edge alone is part of the page below."""

    texts: list[Rect]
    bars: list[Rect]
    body: bool


def _page(nodes: Nodes, window: Rect) -> _Page:
    seen = [node for node in nodes if node.visible and node.bounds.meets(window)]
    texts = [node.bounds for node in seen if _is_text(node, window)][:_MOST_TEXTS]
    bars = [
        node.bounds
        for node in seen
        if node.bounds.top * 3 <= window.bottom and is_bar(node.class_name, node.resource_id)
    ]
    middle = range(window.top + window.height // 10, window.bottom - window.height // 7)
    return _Page(texts, bars, any(box.center.y in middle for box in texts))


def _is_text(node: Node, window: Rect) -> bool:
    """Whether it is a text, rather than what describes a picture or a page that fills the
    window."""
    leaf = bool(node.words) and not node.children
    return leaf and node.bounds.area * 2 < window.area


def _lies_over(upper: _Page, lower: _Page) -> bool:
    """Whether the upper page has a bar or, above a body, a text where the lower one has its bar; or
    at least half of the lower texts would be drawn over."""
    on_bar = [*upper.bars, *(upper.texts if upper.body else ())]
    if any(bar.meets(text) for bar in lower.bars for text in on_bar):
        return True
    drawn_over = sum(any(map(box.meets, upper.texts)) for box in lower.texts)
    return 0 < len(lower.texts) <= 2 * drawn_over


# --- whose windows ask whether an app may do something, by the package's name ---------------------

PERMISSION_SUFFIXES = (".permissioncontroller", ".packageinstaller")
"""Of AOSP's own controller, of Google's, and of makers' that renamed it
(``com.samsung.android.…``)."""

PERMISSION_PACKAGES = frozenset(
    {
        "com.android.permissioncontroller",
        "com.android.packageinstaller",  # Android 6 to 9
        "com.google.android.permissioncontroller",
        "com.google.android.packageinstaller",
        "com.samsung.android.permissioncontroller",
        "com.lbe.security.miui",  # MIUI and HyperOS; gkd-kit's recorded hierarchies of it
        "com.coloros.securitypermission",  # Oppo, OnePlus, Realme
        "com.oplus.securitypermission",
        "com.vivo.permissionmanager",
        "com.huawei.systemmanager",
        "com.hihonor.systemmanager",
        "com.meizu.safe",
    }
)
"""Those that are known, by maker."""


def asks_permission(package: str) -> bool:
    """Whether such a package's windows are the system's question whether an app may do
    something."""
    return package in PERMISSION_PACKAGES or package.endswith(PERMISSION_SUFFIXES)
