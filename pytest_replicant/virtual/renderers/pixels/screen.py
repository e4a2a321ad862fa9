"""A whole screen: windows from the bottom up, each node in its place, clipped to its visible
part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from PIL import Image

from ....model import Rect
from ...ui import UiNode, Window
from .brush import Brush
from .canvas import Canvas
from .shapes import paint_shape, shape_of
from .theme import LIGHT, Colour, Theme, colour, theme_on

WIDTH_DP = {"material": 411.4, "cupertino": 393}  # of an ordinary phone, whatever its pixels
DIM = [round(level * 0.5) for level in range(256)] * 3
DEEPEST = 120  # nested views; deeper ones are not drawn
FARTHEST = (
    1_000_000  # pixels; a frame that reaches further is nonsense, and its visible part is drawn
)

_BOXES = {
    "dialog": "dialog",
    "popup": "card",
    "system_dialog": "dialog",
}  # where their look leaves that open
_WHOLE = {"toast", "spinner"}  # these draw the words of their children by themselves
_RAISED_DP = {"card": 2, "dialog": 8, "toolbar": 2, "toast": 4}
_ROUND_DP = {"card": 12, "dialog": 28, "toast": 24}


def draw_screen(windows: Sequence[Window], size: tuple[int, int]) -> Image.Image:
    """An RGB image of ``size`` pixels, black for a screen that is off. A window below an opaque app
    is still drawn, and painted over."""
    if not windows:
        return Image.new("RGB", (max(1, size[0]), max(1, size[1])))
    image = Image.new("RGB", (max(1, size[0]), max(1, size[1])), LIGHT.page)
    dp = min(image.size) / WIDTH_DP[windows[0].design]
    page = LIGHT.page
    for window in _from_below(windows):
        if window.dims_below:
            image = image.point(DIM)
        canvas = Canvas(image, dp)
        if window.kind == "app":
            page = colour(window.root.look.background, LIGHT.page)
        _draw_window(canvas, window, page)
    return image


def _from_below(windows: Sequence[Window]) -> list[Window]:
    """In drawing order. A dialog darkens the status bar too, although nothing can cover that."""
    lowest_dim = min((window.layer for window in windows if window.dims_below), default=None)

    def height(window: Window) -> float:
        if window.kind == "status_bar" and lowest_dim is not None:
            return min(window.layer, lowest_dim - 0.5)
        return window.layer

    return sorted(windows, key=height)


def _draw_window(canvas: Canvas, window: Window, page: Colour) -> None:
    root = _with_surface(window, canvas.area)
    theme = theme_on(page, window.design)
    if window.kind == "app":
        canvas.fill(root.bounds, page)
    under = theme.tray if window.kind == "keyboard" else page
    if window.kind in _BOXES:
        under = theme.surface
    _draw_node(canvas, root, _Ground(theme, under, canvas.area), DEEPEST)


def _with_surface(window: Window, screen: Rect) -> UiNode:
    """The root as the kind of its window has it, where its own look leaves that open."""
    root = window.root
    if root.look.shape or root.look.background or root.frame == screen or window.kind not in _BOXES:
        return root
    return replace(root, look=replace(root.look, shape=_BOXES[window.kind]))


@dataclass(slots=True)
class _Ground:
    """What a node lies on: palette, colour, and how far its parent reaches."""

    theme: Theme
    under: Colour
    clip: Rect


def _draw_node(canvas: Canvas, node: UiNode, ground: _Ground, deepest: int) -> None:
    visible = node.bounds.intersect(canvas.area)
    if visible.is_empty or deepest == 0:
        return
    shape, name = shape_of(node)
    whole = node.frame if _is_sane(node.frame, node.bounds) else node.bounds
    raised = node.look.elevation or canvas.dp * _RAISED_DP.get(shape, 0)
    if raised and ground.theme.style.shadows:
        with canvas.clipped(ground.clip) as wide:
            if wide is not None:
                corner = node.look.radius or round(_ROUND_DP.get(shape, 0) * canvas.dp)
                wide.shadow(whole, round(raised), corner)
    if shape or node.look.background or node.look.border:
        with canvas.clipped(visible) if visible != whole else canvas.clipped(canvas.area) as part:
            if part is not None:
                paint_shape(Brush(part, node, whole, ground.theme, ground.under), shape, name)
    if shape in _WHOLE:
        return
    below = _below(node, shape, ground, visible)
    for child in (*node.drawn, *node.children):
        _draw_node(canvas, child, below, deepest - 1)


def _is_sane(frame: Rect, bounds: Rect) -> bool:
    farthest = max(map(abs, (frame.left, frame.top, frame.right, frame.bottom)))
    return not frame.is_empty and farthest <= FARTHEST and not frame.intersect(bounds).is_empty


def _below(node: UiNode, shape: str, ground: _Ground, visible: Rect) -> _Ground:
    theme = ground.theme
    default = {
        "card": theme.surface,
        "dialog": theme.surface,
        "toolbar": theme.toolbar,
        "keyboard": theme.tray,
    }
    under = colour(node.look.background, default.get(shape, ground.under))
    return _Ground(theme if under == ground.under else theme.on(under), under, visible)
