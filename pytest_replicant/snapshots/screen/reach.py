"""Obstructions of a node: everything drawn over it that would take its touches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from ...model import Node, Rect
from .layout import BARS, Layout, scrolls

_PART_OF_SCREEN = 4  # a text over more than a fourth of the screen is the name of a pane
_MOST_IN_NOTICE = 20  # nodes: a text, a picture, a button or two, and what lies around them
_HIGHER = 2  # times its text's height at most: a notice; a higher part is one of the screen


class Cover(NamedTuple):
    """An area where a touch would reach another node: ``index`` is that node, -1 for a keyboard
    outside the dump. ``inside`` is a part of the node itself, ``over`` lies over it in its window.
    ``window`` is another window; its ``index`` is that of its root, or of a part of one of which
    nothing tells where it lies."""

    bounds: Rect
    index: int  # type: ignore[assignment]  # hides an unneeded method of tuples
    kind: Literal["inside", "over", "window", "keyboard"]


def visible_part(layout: Layout, node: Node) -> Rect:
    """Clips a node to the screen and to the scrollers around it; empty if nothing is left."""
    port = node.bounds if layout.screen.is_empty else layout.screen
    for around in layout.around(node):
        if scrolls(around) and not around.bounds.is_empty:
            port = port.intersect(around.bounds)
    return node.bounds.intersect(port)


def covers(layout: Layout, node: Node) -> list[Cover]:
    """Returns everything that overlaps a node and would take its touches."""
    found = list(_other_windows(layout, node))
    for page in layout.pages:
        if page.hidden and page.start <= node.index < page.end:
            found.append(Cover(layout.nodes[page.over].bounds, page.over, "over"))
    found += _same_window(layout, node)
    keyboard = layout.stack.keyboard
    if keyboard is not None:
        found.append(Cover(keyboard, -1, "keyboard"))
    over: list[Cover] = []
    for cover in found:
        if layout.platform == "ios" and cover.kind == "over":
            # to its visible part: iOS reports the full bounds of a row that is half scrolled away
            cover = cover._replace(bounds=visible_part(layout, layout.nodes[cover.index]))
        if cover.bounds.meets(node.bounds):
            over.append(cover)
    return over


def _other_windows(layout: Layout, node: Node) -> Iterator[Cover]:
    """Yields covers by other windows. A dialog takes every touch, also those outside it, which
    close it; any other window those in its bounds. If nothing tells which of two lies above, no
    touch goes where the parts of both meet."""
    stack = layout.stack
    if node.window in stack.below:
        tops = [one for one in layout.nodes if one.window in (stack.over or stack.top)]
        root = next((one for one in tops if not one.bounds.is_empty), None)
        if root is not None:
            yield Cover(layout.screen, root.index, "window")
    own = next((window for window in stack.others if window.number == node.window), None)
    for window in stack.others:
        if own is None or window is own:
            continue
        over = window.is_over(own)
        if over:
            yield Cover(window.bounds, window.root, "window")
        elif over is None:
            for one in layout.nodes:
                if one.window == window.number and (one.clickable or one.words):
                    yield Cover(one.bounds, one.index, "window")


def _same_window(layout: Layout, node: Node) -> Iterator[Cover]:
    end = layout.ends[node.index]
    within = (node, *layout.around(node))
    own = {one.index for one in within}
    ios = layout.platform == "ios"
    barred = ios and any(one.class_name in BARS for one in within)
    if ios and not barred:
        for one in layout.nodes:
            if one.class_name in BARS and one.visible:
                yield Cover(one.bounds, one.index, "over")
    for one in layout.nodes[node.index + 1 :]:
        if one.window != node.window or not one.visible or one.bounds.is_empty:
            continue
        if one.index < end:
            if (one.clickable or one.long_clickable) and not _fills(one, node):
                yield Cover(one.bounds, one.index, "inside")
        elif not barred:
            cover = _later(layout, node, one, own)
            if cover is not None:
                yield cover


def _fills(inner: Node, node: Node) -> bool:
    """Whether the two are one thing to a finger: filled completely, or mostly by a part without a
    name of its own."""
    mostly = not inner.words and inner.bounds.area * 3 > node.bounds.area * 2
    return mostly or inner.bounds.encloses(node.bounds)


def _later(layout: Layout, node: Node, one: Node, own: set[int]) -> Cover | None:
    """Returns the cover by a later node that can be touched or shows text. A text within the node
    is its caption."""
    if one.clickable or one.long_clickable:
        return Cover(one.bounds, one.index, "over")
    if one.children or not one.words:
        return None
    if one.bounds.area * _PART_OF_SCREEN > layout.screen.area:
        return None
    part = _part(layout, one, own)
    return None if node.bounds.encloses(part.bounds) else Cover(part.bounds, part.index, "over")


def _part(layout: Layout, node: Node, own: set[int]) -> Node:
    """Returns the notice around a text, with the button next to it: the whole notice takes
    touches."""
    found = node
    for around in layout.around(node):
        if around.index in own:
            break
        if around.bounds.height > node.bounds.height * _HIGHER:
            # a small part with a control in it: iOS does not report which nodes take touches
            large = around.bounds.area * _PART_OF_SCREEN > layout.screen.area
            inside = layout.below(around.index, _MOST_IN_NOTICE)
            if large or layout.platform != "ios" or not any(one.clickable for one in inside):
                break
        found = around
    return found
