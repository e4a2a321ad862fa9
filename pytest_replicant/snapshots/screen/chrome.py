"""iOS: what is on the screen but not of the app. Told by type and geometry: texts are translated, and an id of
its own does not make a clock an element."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..parsers.xcui_tree import LISTS, PANES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...model import Node, Rect
    from .windows import Stack

_FRAMES = frozenset({"Application", "Window", "ScrollBar"})
_DRAWN = frozenset({"Any", "Group", "Image", "Other", "StaticText"})  # a bar of progress may be thin
_SCROLLERS = LISTS | PANES | {"TextView"}
_PERCENT = re.compile(r"[%٪﹪％]?\s?\d{1,3}\s?[%٪﹪％]?")
# In points:
_THICKEST = 40  # a scroll indicator with the room around it
_EDGE = 10  # how near to the edge of what it scrolls
_HAIRLINE = 5  # thinner than any letter


def is_chrome(
    nodes: Sequence[Node], ends: Sequence[int], stack: Stack, size: tuple[int, int], scale: float = 1.0
) -> list[bool]:
    """Frames, scroll indicators, lines, the leaves of a status bar that is not marked as one, and the buttons
    that belong to the keyboard. ``scale`` is how many pixels a point has."""
    found = [
        node.class_name in _FRAMES
        or _is_line(node, scale)
        or (node.parent >= 0 and _is_indicator(node, nodes, scale))
        for node in nodes
    ]
    strip = _status_leaves(nodes, stack, size, scale)
    for node in [*strip, *_beside_the_keyboard(nodes, ends, stack, size[1])]:
        found[node.index] = True
    return found


def _is_leaf(node: Node) -> bool:
    return not (node.children or node.clickable or node.states.scrollable)


def _is_line(node: Node, scale: float) -> bool:
    if node.class_name not in _DRAWN or not _is_leaf(node):
        return False
    return min(node.bounds.width, node.bounds.height) < _HAIRLINE * scale


def _is_indicator(node: Node, nodes: Sequence[Node], scale: float) -> bool:
    """One of the last children of what scrolls: long, thin, along an edge, with a percentage for its value. Its
    track may be as wide as the screen, or nearly as wide as it is long."""
    scroller = nodes[node.parent]
    if scroller.class_name not in _SCROLLERS or not _is_leaf(node) or node.class_name != "Other":
        return False
    thickness = min(node.bounds.width, node.bounds.height)
    if node.index not in scroller.children[-2:] or thickness > _THICKEST * scale:
        return False
    edge = _EDGE * scale
    if node.value is None:
        return _is_along(node.bounds, scroller.bounds, 10, edge)
    return _PERCENT.fullmatch(node.value) is not None and _is_along(node.bounds, scroller.bounds, 1, edge)


def _is_along(bounds: Rect, scroller: Rect, ratio: int, edge: float) -> bool:
    if bounds.height > bounds.width * ratio:
        return min(abs(scroller.right - bounds.right), abs(bounds.left - scroller.left)) <= edge
    if bounds.width <= bounds.height * ratio:
        return False
    return abs(scroller.bottom - bounds.bottom) <= edge or bounds.width * 5 > scroller.width * 4


def _status_leaves(nodes: Sequence[Node], stack: Stack, size: tuple[int, int], scale: float) -> list[Node]:
    """A status bar has something at both ends, nothing to touch, and is no higher than the cut-out of the
    display. A single text up there is the app's."""
    width, height = size
    strip = (
        _strip(width / scale, height / scale) * scale if nodes[0].class_name in ("Application", "Window") else 0
    )
    up_there = [
        node
        for node in nodes
        if node.visible and node.window in stack.top and not node.bounds.is_empty and node.bounds.bottom <= strip
    ]
    leaves = [node for node in up_there if _is_leaf(node) and (node.text or node.description)]
    if any(node.clickable for node in up_there):
        return []
    places = [node.bounds.center.x for node in leaves]
    return leaves if places and min(places) * 5 < width * 2 and max(places) * 5 > width * 3 else []


def _strip(width: float, height: float) -> float:
    """How high the status bar is, all in points; 0 where there is none, as on a phone on its side."""
    if height >= width * 2:
        return height * 11 // 200
    if width >= 700:
        return 24 if max(width, height) * 2 < min(width, height) * 3 else 0
    return 20 if height > width else 0


def _beside_the_keyboard(nodes: Sequence[Node], ends: Sequence[int], stack: Stack, height: int) -> Sequence[Node]:
    """What iOS puts below the keys: the globe, the microphone. The bar above the keys is the app's."""
    if stack.keyboard is None:
        return []
    keyboard = next(node for node in nodes if node.class_name == "Keyboard" and node.bounds == stack.keyboard)
    host = keyboard
    while host.parent >= 0:
        above = nodes[host.parent]
        fills = above.window == stack.base and above.bounds.height * 10 > height * 7
        if fills or above.class_name == "Application":
            break
        host = above
    within = nodes[host.index : ends[host.index]]
    return [node for node in within if node.bounds.top >= stack.keyboard.top]
