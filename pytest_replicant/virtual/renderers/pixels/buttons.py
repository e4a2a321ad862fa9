"""Buttons, icons and what else is pressed."""

from __future__ import annotations

from ....model import Rect
from . import typeface
from .brush import Brush
from .icons import ALIASES, ICONS, icon_for
from .theme import WHITE, Colour, colour, mix, on


def button(brush: Brush) -> None:
    """Filled."""
    fill = brush.paper(brush.theme.accent)
    if not brush.node.enabled:
        fill = mix(brush.theme.text, brush.under, 0.88)
    brush.canvas.fill(brush.rect, fill, _round(brush))
    if brush.node.enabled:
        _label(brush, brush.ink(on(fill)))
    else:
        _label(brush, mix(brush.theme.text, brush.under, 0.6))


def button_text(brush: Brush) -> None:
    if brush.node.look.background:
        brush.canvas.fill(brush.rect, brush.paper(brush.under), _round(brush))
    _label(brush, brush.accent(), bold=brush.node.look.bold or not brush.theme.style.own_corners)


def button_outlined(brush: Brush) -> None:
    _ground(brush)
    shade = colour(brush.node.look.border, brush.theme.line)
    brush.canvas.outline(
        brush.rect, shade, brush.node.look.radius or _pill(brush.rect), brush.px(1)
    )
    _label(brush, brush.accent())


def button_tonal(brush: Brush) -> None:
    fill = brush.paper(mix(brush.accent(), brush.under, 0.86))
    brush.canvas.fill(brush.rect, fill, brush.corner(_pill(brush.rect)))
    _label(brush, brush.accent())


def chip(brush: Brush) -> None:
    chosen = brush.node.selected or brush.node.checked
    if chosen:
        brush.canvas.fill(brush.rect, mix(brush.theme.accent, brush.under, 0.8), brush.px(8))
    brush.canvas.outline(brush.rect, brush.theme.line, brush.px(8), brush.px(1))
    _label(brush, brush.ink(brush.theme.text))


def icon(brush: Brush, name: str) -> None:
    """In the middle, or at the left of the text if there is one."""
    look = brush.node.look
    _ground(brush)
    if look.border:
        brush.canvas.outline(
            brush.rect, colour(look.border, brush.theme.line), look.radius, brush.px(1)
        )
    shade = brush.ink(on(brush.paper(brush.under)) if look.background else brush.theme.secondary)
    side = min(brush.rect.width, brush.rect.height)
    size = min(brush.px(24), side) if side < brush.px(72) else side // 2
    name = name if name in ICONS or name in ALIASES else icon_for(brush.node.description)
    if not brush.node.text:
        brush.canvas.icon(name, brush.rect, shade, size)
        return
    length = _wanted(brush)
    left = brush.rect.center.x - (size + brush.px(8) + length) // 2
    left = max(left, brush.rect.left + brush.px(8))
    brush.canvas.icon(name, Rect(left, brush.rect.top, left + size, brush.rect.bottom), shade, size)
    start = left + size + brush.px(8)
    room = Rect(
        start, brush.rect.top, max(start + 1, brush.rect.right - brush.px(4)), brush.rect.bottom
    )
    brush.canvas.text(brush.node.text, room, brush.text_size(14), shade, "left", True)


def launcher(brush: Brush, name: str) -> None:
    """An app's tile with its name below."""
    side = min(brush.rect.width, brush.px(60), max(1, brush.rect.height - brush.px(24)))
    left = brush.rect.center.x - side // 2
    tile = Rect(left, brush.rect.top, left + side, brush.rect.top + side)
    fill = brush.paper(brush.theme.accent)
    brush.canvas.fill(tile, fill, side * 28 // 100)
    brush.canvas.icon(name, tile, on(fill), side * 58 // 100)
    below = Rect(brush.rect.left, tile.bottom, brush.rect.right, brush.rect.bottom)
    label = brush.node.text or brush.node.description
    if below.height > brush.px(10) and label:
        brush.canvas.text(label, below, brush.px(13), brush.ink(WHITE), "center")


def _ground(brush: Brush) -> None:
    look = brush.node.look
    if look.background:
        brush.canvas.fill(brush.rect, brush.paper(brush.under), look.radius)


def _round(brush: Brush) -> int:
    dp = brush.theme.style.button
    return brush.corner(brush.px(dp) if dp else _pill(brush.rect))


def _pill(rect: Rect) -> int:
    return min(rect.width, rect.height) // 2


def _wanted(brush: Brush) -> int:
    return int(
        typeface.width(typeface.plain(brush.node.text).replace("\n", " "), brush.text_size(14))
    )


def _label(brush: Brush, shade: Colour, *, bold: bool = True) -> None:
    side = min(brush.px(12), brush.rect.width // 8)
    room = Rect(brush.rect.left + side, brush.rect.top, brush.rect.right - side, brush.rect.bottom)
    text = brush.node.text or ("" if brush.node.children else brush.node.description)
    align = brush.node.look.align if brush.node.look.align != "left" else "center"
    brush.canvas.text(text, room, brush.text_size(brush.theme.style.label), shade, align, bold)
