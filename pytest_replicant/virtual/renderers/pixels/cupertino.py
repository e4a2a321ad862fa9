"""What iOS draws in a way of its own; everything else is drawn as on Android, in iOS's palette and
style."""

from __future__ import annotations

from collections.abc import Callable

from ....model import Rect
from . import cupertino_system, fields
from .brush import Brush
from .theme import WHITE, Colour, colour, mix

GREEN: Colour = (52, 199, 89)


def back_button(brush: Brush) -> None:
    """A chevron, and where it leads."""
    ink, rect = brush.accent(), brush.rect
    chevron = Rect(rect.left, rect.top, rect.left + brush.px(20), rect.bottom)
    brush.canvas.icon("chevron_left", chevron, ink, brush.px(24))
    words = Rect(chevron.right, rect.top, rect.right, rect.bottom)
    brush.canvas.text(brush.node.description, words, brush.text_size(17), ink)


def menu(brush: Brush) -> None:
    brush.canvas.shadow(brush.rect, brush.px(14), brush.px(13))
    brush.canvas.fill(brush.rect, brush.paper(brush.theme.surface), brush.px(13))


def menu_item(brush: Brush) -> None:
    rect, ink = brush.rect, brush.ink(brush.theme.text)
    if brush.node.selected:
        mark = Rect(rect.left + brush.px(10), rect.top, rect.left + brush.px(28), rect.bottom)
        brush.canvas.icon("check", mark, ink, brush.px(18))
    brush.canvas.text(brush.node.text, brush.inside(), brush.text_size(17), ink)
    brush.hair(0, 0.5, 0.2)


def switch(brush: Brush) -> None:
    """The caption at the left, the switch at the right."""
    rect = brush.rect
    high = min(brush.px(31), rect.height)
    wide = min(high * 51 // 31, rect.width)
    track = Rect(
        rect.right - wide, rect.center.y - high // 2, rect.right, rect.center.y - high // 2 + high
    )
    _switch(brush, track)
    words = Rect(rect.left, rect.top, track.left - brush.px(8), rect.bottom)
    if brush.node.text and not words.is_empty:
        brush.write(brush.node.text, words, brush.ink(brush.theme.text))


def check_box(brush: Brush) -> None:
    """iOS has none: a small switch before the caption."""
    rect, high = brush.rect, min(brush.px(18), brush.rect.height)
    top, wide = rect.center.y - high // 2, min(brush.px(29), rect.width)
    _switch(brush, Rect(rect.left, top, rect.left + wide, top + high))
    _caption(brush, rect.left + brush.px(36))


def radio(brush: Brush) -> None:
    """A mark before the chosen one, nothing before the others."""
    rect = brush.rect
    if brush.node.checked:
        mark = Rect(rect.left + brush.px(6), rect.top, rect.left + brush.px(28), rect.bottom)
        brush.canvas.icon(
            "check", mark, colour(brush.node.look.border, brush.theme.accent), brush.px(22)
        )
    _caption(brush, rect.left + brush.px(36))


def _switch(brush: Brush, track: Rect) -> None:
    high, gap = track.height, brush.px(2)
    fill = GREEN if brush.node.checked else mix(brush.theme.text, brush.under, 0.86)
    fill = fill if brush.node.enabled else mix(fill, brush.under, 0.5)
    brush.canvas.fill(track, fill, high // 2)
    x = track.right - high // 2 if brush.node.checked else track.left + high // 2
    brush.canvas.disc(x, track.center.y, max(1, high // 2 - gap), WHITE)


def _caption(brush: Brush, left: int) -> None:
    words = Rect(left, brush.rect.top, max(left + 1, brush.rect.right), brush.rect.bottom)
    if brush.node.text:
        brush.write(brush.node.text, words, brush.ink(brush.theme.text))


PAINTERS: dict[str, Callable[[Brush], None]] = {
    "back_button": back_button,
    "check_box": check_box,
    "field": fields.field_plain,
    "key": cupertino_system.key,
    "keyboard": cupertino_system.keyboard,
    "menu": menu,
    "menu_item": menu_item,
    "navigation_bar": cupertino_system.home_indicator,
    "radio": radio,
    "status_bar": cupertino_system.status_bar,
    "switch": switch,
}
