"""What a window may show and does not report: a canvas, a game, a web page that is not read yet, or all of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...model import Node, Rect
from ..parsers.roles import role_of
from .layout import FRAMES, Layout, system_bars

_FEW = 4  # labels: a bar with a title, the way back, a button and a menu is next to nothing
_NAME = 40  # characters: a longer description of most of a window is its text, as Flutter has it
_BAR = 16  # a bar of the system, which may be in no dump, takes less than this part of the screen's height


class Unreported(NamedTuple):
    """The ``area`` of which nothing is reported, in pixels. ``apart`` are parts of it that are, ``labels`` is how
    many labels the window has."""

    area: Rect
    apart: Sequence[Rect]
    labels: int


def unreported(layout: Layout) -> Unreported | None:
    """Returns the largest area without content, where that is half of the screen at least, and little else is
    reported; None on an ordinary screen, in a small window, and under a dialog."""
    windows, screen = layout.stack, Rect(0, 0, *layout.size)
    if windows.dialog >= 0 or windows.base not in windows.top:
        return None
    half = screen.area // 2
    says = [node for node in layout.nodes if _says(node, half)]
    shown = [node for node in says if layout.shown[node.index]]
    labels = sum(bool(node.words) for node in shown)
    area = _largest_without(layout, says, screen)
    if labels > _FEW or area.area < half:
        return None
    apart = [*_bars(layout, screen), *(node.bounds for node in shown), *filter(None, [windows.keyboard])]
    return Unreported(area, apart, labels)


def _bars(layout: Layout, screen: Rect) -> Sequence[Rect]:
    """Returns the bars of the system; of a dump without any, where they may be."""
    high = screen.height // _BAR
    around = [Rect(0, 0, screen.right, high), Rect(0, screen.bottom - high, screen.right, screen.bottom)]
    return system_bars(layout.nodes, layout.size, layout.scale, layout.platform) or around


def _largest_without(layout: Layout, says: Sequence[Node], screen: Rect) -> Rect:
    """Returns the largest node of the windows on top with no content; empty for none."""
    content = {node.index for node in says}
    own = (node for node in layout.nodes if node.window in layout.stack.top)
    empty = (node for node in own if content.isdisjoint(range(node.index, layout.ends[node.index])))
    boxes = (node.bounds.intersect(screen) for node in empty)
    return max(boxes, key=lambda box: box.area, default=Rect(0, 0, 0, 0))


def _says(node: Node, half: int) -> bool:
    """Whether it is a text, a picture or a control, rather than a frame, or a canvas that has a name at most."""
    if node.text:
        return node.class_name not in FRAMES  # an iPhone's has the name of the app
    large = node.bounds.area >= half
    if node.description:
        return not large or bool(node.children) or len(node.description) > _NAME
    of_role = role_of(node.class_name).name not in ("container", "list", None)
    return of_role or (node.clickable and not large)
