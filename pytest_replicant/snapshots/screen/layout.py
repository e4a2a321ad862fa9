"""The hierarchy as a screen: what is on it, what is off it or covered, and in which windows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ...model import Rect
from . import overlays
from .chrome import is_chrome
from .covering import covered
from .scrolling import scrolls
from .windows import SYSTEM_UI, Stack, stack

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...model import Node
    from ..parsers.reading import Platform, Reading

BARS = frozenset({"NavigationBar", "TabBar", "Toolbar"})
"""Of iOS: they lie above what scrolls, wherever they stand in the hierarchy."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Parallel to ``nodes``: ``ends`` (index after the last descendant), ``shown`` (visible, on the screen,
    not covered, in a window that can be reached), ``offscreen`` (would be shown if scrolled to)."""

    nodes: tuple[Node, ...]
    size: tuple[int, int]
    ends: list[int]
    shown: list[bool]
    offscreen: list[bool]
    stack: Stack
    platform: Platform
    scale: float = 1.0  # pixels a point, where the platform counts in points

    def below(self, index: int) -> Sequence[Node]:
        """The descendants, in document order."""
        return self.nodes[index + 1 : self.ends[index]]

    def under_keyboard(self, node: Node) -> bool:
        """Whether the keyboard is what hides a node that is said not to be visible."""
        keyboard = self.stack.keyboard
        return keyboard is not None and not node.visible and keyboard.contains(node.bounds.center)


def lay_out(reading: Reading, size: tuple[int, int] | None) -> Layout:
    if reading.platform == "ios":
        return _lay_out_ios(reading, size)
    nodes = reading.nodes
    ends = _ends(nodes)
    windows = stack(nodes)
    width, height = size or _size(reading)
    system = {node.window for node in nodes if node.parent < 0 and node.package == SYSTEM_UI}
    shown: list[bool] = []
    offscreen: list[bool] = []
    for node in nodes:
        seen = node.visible and node.window in windows.top and (node.package != SYSTEM_UI or node.window in system)
        left, top, right, bottom = node.bounds
        somewhere = seen and left < right and top < bottom
        here = somewhere and left < width and top < height and right > 0 and bottom > 0
        shown.append(here)
        offscreen.append(somewhere and not here)
    hidden = covered(nodes, ends, shown)
    shown = [here and not under for here, under in zip(shown, hidden, strict=True)]
    return Layout(nodes, (width, height), ends, shown, offscreen, windows, reading.platform)


def uncovered(layout: Layout) -> Layout | None:
    """The same with all that is covered, or off the screen, listed as well; None where that is nothing. iOS says
    of what the keyboard lies over that it is not visible."""
    windows = layout.stack
    reachable = windows.top | frozenset(windows.below)
    chrome = [False] * len(layout.nodes)
    if layout.platform == "ios":
        chrome = is_chrome(layout.nodes, layout.ends, windows, layout.size, layout.scale)
    there = [
        here or ((node.visible or layout.offscreen[node.index] or layout.under_keyboard(node))
                 and not node.bounds.is_empty and node.window in reachable and not chrome[node.index])
        for node, here in zip(layout.nodes, layout.shown, strict=True)
    ]  # fmt: skip
    if there == layout.shown:
        return None
    stack = Stack(windows.base, reachable, (), windows.keyboard)
    return replace(layout, shown=there, offscreen=[False] * len(there), stack=stack)


def _lay_out_ios(reading: Reading, size: tuple[int, int] | None) -> Layout:
    """What is off the screen is not visible to iOS, and bars lie above what comes after them, but for an open
    menu, beside which every touch closes it."""
    nodes = reading.nodes
    ends = _ends(nodes)
    windows = overlays.stack(nodes)
    width, height = size or _size(reading)
    screen = Rect(0, 0, width, height)
    chrome = is_chrome(nodes, ends, windows, (width, height), reading.scale)
    here = [node.window in windows.top and not chrome[node.index] for node in nodes]
    inside = [not node.bounds.intersect(screen).is_empty for node in nodes]
    on_screen = [node.visible and here[node.index] and inside[node.index] for node in nodes]
    seen = _seen(nodes)
    hidden = covered(nodes, ends, on_screen, seen)
    lid = max(
        (node.index for node in nodes if node.resource_id == overlays.DISMISSES and on_screen[node.index]),
        default=0,
    )
    on_screen = [seen and (index >= lid or ends[index] > lid) for index, seen in enumerate(on_screen)]
    barred = [False] * len(nodes)
    for node in nodes:
        barred[node.index] = node.class_name in BARS or (node.parent >= 0 and barred[node.parent])
    shown = [seen and (bar or not under) for seen, bar, under in zip(on_screen, barred, hidden, strict=True)]
    scrolled_away = [
        not node.visible and part.is_empty and not node.bounds.is_empty
        for node, part in zip(nodes, seen, strict=True)
    ]
    offscreen = [
        here[node.index] and not node.bounds.is_empty and (not inside[node.index] or scrolled_away[node.index])
        for node in nodes
    ]
    return Layout(nodes, (width, height), ends, shown, offscreen, windows, reading.platform, reading.scale)


def _seen(nodes: Sequence[Node]) -> list[Rect]:
    """What everything around it that scrolls leaves of each node. iOS tells where a row is, and not what of it
    is to be seen."""
    ports: list[Rect | None] = []  # what those leave of the screen
    found: list[Rect] = []
    for node in nodes:
        port = ports[node.parent] if node.parent >= 0 else None
        part = node.bounds if port is None else node.bounds.intersect(port)
        found.append(part)
        ports.append(part if scrolls(node) and not node.bounds.is_empty else port)
    return found


def _ends(nodes: Sequence[Node]) -> list[int]:
    ends = list(range(1, len(nodes) + 1))
    for node in reversed(nodes):
        end, above = ends[node.index], node.parent
        if above >= 0 and end > ends[above]:
            ends[above] = end
    return ends


def _size(reading: Reading) -> tuple[int, int]:
    """What the root says, else as far as the windows reach, else as far as anything does."""
    roots = [node.bounds for node in reading.nodes if node.parent < 0 and not node.bounds.is_empty]
    boxes = roots or [node.bounds for node in reading.nodes]
    right = max((box.right for box in boxes), default=0)
    bottom = max((box.bottom for box in boxes), default=0)
    return max(right, reading.size[0]), max(bottom, reading.size[1])
