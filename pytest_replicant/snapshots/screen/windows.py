"""The windows of a hierarchy: the app's own, those below others, and the keyboard."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ...model import Node, Rect
from ..parsers.xcuitest import DIALOGS
from .permissions import asks_permission

SYSTEM_UI = "com.android.systemui"
_KEYBOARD_PACKAGE = re.compile(r"inputmethod|keyboard|honeyboard|swiftkey|\bime\b")
_MOST_RIVALS = 64  # windows that may lie over others; no phone has as many, and a hostile dump must not cost hours


@dataclass(frozen=True, slots=True)
class Stack:
    """Windows by number. ``base`` is the app's own, ``top`` the reachable ones, ``below`` those under another
    one; ``keyboard`` is the keyboard's area where the dump has it, ``keyboards`` are its windows; ``dialog``
    is the index of the topmost node that iOS marks as a dialog, -1 where there is none."""

    base: int
    top: frozenset[int]
    below: tuple[int, ...]
    keyboard: Rect | None
    dialog: int = -1
    keyboards: frozenset[int] = frozenset()


@dataclass(slots=True)
class _Window:
    number: int
    package: str
    bounds: Rect
    lively: bool  # something in it can be touched
    focused: bool


def stack(nodes: Sequence[Node], keyboard: str = "") -> Stack:
    """Sorts the windows. Android lists the active window first and then from the top down, but real
    dumps come in any order, so size and focus decide before order does."""
    if len({node.window for node in nodes}) == 1:
        return Stack(nodes[0].window, frozenset({nodes[0].window}), (), None)
    windows = _collect(nodes)
    keyboards = _keyboards(windows, keyboard)
    typed = {window.number for window in keyboards}
    apps = [window for window in windows if window.package != SYSTEM_UI and window.number not in typed]
    screen = max((window.bounds.area for window in windows), default=0)
    shades = [w for w in windows if w.package == SYSTEM_UI and (not apps or w.bounds.area * 2 > screen)]
    if shades and not apps:
        apps, shades = shades, []
    if not apps:
        apps, keyboards = windows, []
    base = max(apps, key=lambda window: (window.bounds.area, -window.number))
    rivals = [*apps[:_MOST_RIVALS], *shades[:_MOST_RIVALS]]
    below = [w.number for w in apps if any(_is_above(o, w) for o in rivals if o is not w)]
    reachable = frozenset(w.number for w in [*apps, *shades]) - frozenset(below)
    area = keyboards[0].bounds if keyboards else None
    return Stack(base.number, reachable, tuple(below), area, keyboards=frozenset(w.number for w in keyboards))


def is_covered(stack: Stack) -> bool:
    """Whether something lies over the app's own window."""
    return stack.dialog >= 0 or stack.base in stack.below


def _collect(nodes: Sequence[Node]) -> list[_Window]:
    windows: dict[int, _Window] = {}
    for node in nodes:
        window = windows.get(node.window)
        if window is None:
            window = windows[node.window] = _Window(node.window, node.package, node.bounds, False, False)
        elif node.parent < 0:
            window.bounds = window.bounds.union(node.bounds)
        window.lively = window.lively or node.clickable or bool(node.states.scrollable)
        window.focused = window.focused or bool(node.states.focused)
    return list(windows.values())


def _keyboards(windows: Sequence[_Window], own: str) -> list[_Window]:
    """Finds the windows with a keyboard's package: ``own`` is the one that the phone named. Keyboards have
    settings too, which fill the screen: where no other app is shown, the largest window is an app's and not a
    keyboard."""
    named = {
        window.number for window in windows if window.package == own or _KEYBOARD_PACKAGE.search(window.package)
    }
    if all(window.package == SYSTEM_UI or window.number in named for window in windows):
        largest = max(windows, key=lambda window: (window.bounds.area, window.number not in named, -window.number))
        named.discard(largest.number)
    return [window for window in windows if window.number in named]


def _is_above(upper: _Window, lower: _Window) -> bool:
    """Whether ``upper`` takes the touches meant for ``lower``. A window in which nothing can be touched,
    such as a tool tip, does not."""
    shared = upper.bounds.intersect(lower.bounds)
    if shared.is_empty or not upper.lively:
        return False
    if upper.package == SYSTEM_UI:
        return True
    asks, asked = (_asks_over_any_app(window.package) for window in (upper, lower))
    if asks != asked:  # however large the app's own dialog is that it came over
        return asks
    if upper.bounds.area != lower.bounds.area:
        return upper.bounds.area < lower.bounds.area
    if upper.focused != lower.focused:
        return upper.focused
    return upper.number < lower.number


def _asks_over_any_app(package: str) -> bool:
    return package == "android" or asks_permission(package)


_CHROME = frozenset({"Keyboard", "StatusBar"})
DISMISSES = "PopoverDismissRegion"
"""What iOS calls the area around an open menu or popover, over all that was there before."""


@dataclass(slots=True, eq=False)
class _IosWindow:
    root: Node
    holds_something: bool = False  # a label, or what can be touched
    shows_something: bool = False
    is_menu: bool = False  # a touch outside it closes it


def ios_stack(nodes: Sequence[Node]) -> Stack:
    """Sorts the windows of an iOS hierarchy; the parser counts alerts, sheets, popovers, the keyboard and the
    status bar as windows. The last dialog that shows something is on top: siblings are drawn in document order.
    Without a dialog, a window that a touch outside it closes counts as one: a menu."""
    windows = _collect_ios(nodes)
    dialogs = [w for w in windows if w.root.class_name in DIALOGS and w.shows_something]
    dialogs = dialogs or [w for w in windows[1:] if w.is_menu and w.shows_something]
    apps = [
        w
        for w in windows
        if w.root.class_name not in _CHROME and w.root.class_name not in DIALOGS and w not in dialogs
    ]
    if not apps:  # a part of a hierarchy, such as an alert alone
        apps = windows
    base = max(apps, key=lambda w: (w.holds_something, w.root.bounds.area, -w.root.window)).root.window
    if not dialogs:
        keyboard = _keyboard(windows) if any(w.root.class_name not in _CHROME for w in windows) else None
        return Stack(base, frozenset(w.root.window for w in apps), (), keyboard)
    top = dialogs[-1].root.window
    below = {w.root.window for w in [*apps, *dialogs] if w.holds_something} - {top}
    return Stack(base, frozenset({top}), tuple(sorted(below)), _keyboard(windows), dialog=dialogs[-1].root.index)


def _collect_ios(nodes: Sequence[Node]) -> list[_IosWindow]:
    windows: list[_IosWindow] = []  # a window's number is its place: they are counted in document order
    for node in nodes:
        if node.window == len(windows):
            windows.append(_IosWindow(node))
        window = windows[node.window]
        if node.resource_id == DISMISSES:
            window.is_menu = window.is_menu or node.visible
            continue
        says = node.clickable or bool(node.text or node.description)
        if says and not node.bounds.is_empty and node.class_name != "Application":
            window.holds_something = True
            window.shows_something = window.shows_something or node.visible
    return windows


def _keyboard(windows: Sequence[_IosWindow]) -> Rect | None:
    shown = (w.root for w in windows if w.root.class_name == "Keyboard" and w.shows_something)
    return next((root.bounds for root in shown if not root.bounds.is_empty), None)
