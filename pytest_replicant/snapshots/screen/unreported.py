"""What a window may show and does not report: a canvas, a game, a web page that is not read yet, or all of it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from typing import NamedTuple

from ...model import Node, Rect
from ..parsers.roles import role_of
from .layout import Layout
from .windows import SYSTEM_UI

_FEW = 3  # labels: a title, the way back and a menu are next to nothing
_NAME = 40  # characters: a longer description of most of a window is its text, as Flutter has it
_BAR = 16  # a bar of the system, which may be in no dump, takes less than this part of the screen's height


class Unreported(NamedTuple):
    """The ``area`` of which nothing is reported, in pixels. ``apart`` are parts of it that are, ``labels`` is how
    many labels the window has."""

    area: Rect
    apart: Sequence[Rect]
    labels: int


def unreported(layout: Layout) -> Unreported | None:
    """Returns the largest area without content, where that is half of the app's window at least, and little else
    is reported; None on an ordinary screen, in a small window, and under a dialog."""
    width, height = layout.size
    windows, half, bar = layout.stack, width * height // 2, height // _BAR
    if windows.dialog >= 0 or windows.base not in windows.top:
        return None
    shown = list(compress(layout.nodes, layout.shown))
    says = {node.index for node in shown if _says(node, half)}
    labels = sum(bool(node.text or node.description) for node in shown if node.index in says)
    screen, own = Rect(0, 0, width, height), [node for node in layout.nodes if node.window == windows.base]
    without = [
        node.bounds.intersect(screen)
        for node in own
        if node.visible and says.isdisjoint(range(node.index, layout.ends[node.index]))
    ]
    if not shown or (own[0].package == SYSTEM_UI and own[0].bounds.area < half):  # of the app there is nothing
        without, labels = [screen], 0
    area = max(without, key=lambda box: box.area, default=Rect(0, 0, 0, 0))
    if labels > _FEW or area.area < half:
        return None
    keyboard = [windows.keyboard] if windows.keyboard is not None else []
    apart = [node.bounds for node in shown if node.index in says]
    return Unreported(area.intersect(Rect(0, bar, width, height - bar)), [*apart, *keyboard], labels)


def _says(node: Node, half: int) -> bool:
    """Whether it is a text, a picture or a control, rather than a frame, or a canvas that has a name at most."""
    if node.text:
        return True
    if node.description:
        return node.bounds.area < half or bool(node.children) or len(node.description) > _NAME
    role = role_of(node.class_name)
    if node.clickable and node.bounds.area < half:
        return True
    return role is not None and role.name not in ("container", "list", None)
