"""What iOS draws in a way of its own; everything else is drawn as on Android, in iOS's colours."""

from __future__ import annotations

from collections.abc import Callable

from ....model import Rect
from . import cupertino_system, fields
from .brush import Brush
from .theme import WHITE, Colour, colour, mix, on

GREEN: Colour = (52, 199, 89)
ROUND = 10  # points: fields, cards
BUTTON_ROUND = 12


def button(brush: Brush) -> None:
    """Filled, its corners round but no pill."""
    fill = brush.paper(brush.theme.accent)
    fill = fill if brush.node.enabled else mix(brush.theme.text, brush.under, 0.88)
    brush.canvas.fill(brush.rect, fill, brush.px(BUTTON_ROUND))
    ink = brush.ink(on(fill)) if brush.node.enabled else mix(brush.theme.text, brush.under, 0.6)
    label(brush, ink, bold=True)


def button_tonal(brush: Brush) -> None:
    fill = brush.paper(mix(brush.accent(), brush.under, 0.86))
    brush.canvas.fill(brush.rect, fill, brush.rect.height // 2)
    label(brush, brush.accent(), bold=True)


def button_text(brush: Brush) -> None:
    if brush.node.look.background:
        brush.canvas.fill(brush.rect, brush.paper(brush.under), brush.px(BUTTON_ROUND))
    label(brush, brush.accent(), bold=brush.node.look.bold)


def label(brush: Brush, ink: Colour, *, bold: bool) -> None:
    text = brush.node.text or ("" if brush.node.children else brush.node.description)
    brush.canvas.text(text, brush.rect, brush.text_size(17), ink, "center", bold)


def back_button(brush: Brush) -> None:
    """A chevron, and where it leads."""
    ink, rect = brush.accent(), brush.rect
    chevron = Rect(rect.left, rect.top, rect.left + brush.px(20), rect.bottom)
    brush.canvas.icon("chevron_left", chevron, ink, brush.px(24))
    words = Rect(chevron.right, rect.top, rect.right, rect.bottom)
    brush.canvas.text(brush.node.description, words, brush.text_size(17), ink)


def toolbar(brush: Brush) -> None:
    """As light as the page, with a hair below."""
    brush.canvas.fill(brush.rect, brush.paper(brush.theme.toolbar))
    _hair(brush, brush.rect.bottom)


def card(brush: Brush) -> None:
    brush.canvas.fill(brush.rect, brush.paper(brush.theme.surface), brush.px(ROUND))


def alert(brush: Brush) -> None:
    brush.canvas.fill(brush.rect, brush.paper(brush.theme.surface), brush.px(14))


def menu(brush: Brush) -> None:
    brush.canvas.shadow(brush.rect, brush.px(14), brush.px(13))
    brush.canvas.fill(brush.rect, brush.paper(brush.theme.surface), brush.px(13))


def menu_item(brush: Brush) -> None:
    rect, ink = brush.rect, brush.ink(brush.theme.text)
    if brush.node.selected:
        mark = Rect(rect.left + brush.px(10), rect.top, rect.left + brush.px(28), rect.bottom)
        brush.canvas.icon("check", mark, ink, brush.px(18))
    brush.canvas.text(brush.node.text, brush.inside(), brush.text_size(17), ink)
    _hair(brush, rect.bottom)


def divider(brush: Brush) -> None:
    brush.canvas.fill(brush.rect, mix(brush.theme.line, brush.under, 0.2))


def row(brush: Brush) -> None:
    """A row of a list: a hair that begins with its words."""
    rect = brush.rect
    if brush.node.look.background:
        brush.canvas.fill(rect, brush.paper(brush.under), brush.node.look.radius)
    left = rect.left + brush.px(16)
    brush.canvas.fill(Rect(left, rect.bottom - brush.px(0.5), rect.right, rect.bottom), brush.theme.line)


def switch(brush: Brush) -> None:
    """The caption at the left, the switch at the right."""
    rect = brush.rect
    high = min(brush.px(31), rect.height)
    wide = min(high * 51 // 31, rect.width)
    track = Rect(rect.right - wide, rect.center.y - high // 2, rect.right, rect.center.y - high // 2 + high)
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
        brush.canvas.icon("check", mark, colour(brush.node.look.border, brush.theme.accent), brush.px(22))
    _caption(brush, rect.left + brush.px(36))


def seek_bar(brush: Brush) -> None:
    """A thin track under a white thumb."""
    rect, shade = brush.rect, brush.accent()
    thumb = min(brush.px(13), max(2, rect.height // 2))
    left, right, y = rect.left + brush.px(16), rect.right - brush.px(16), rect.center.y
    right = max(right, left + 1)
    progress = brush.node.look.progress
    at = left + round((right - left) * min(1.0, max(0.0, progress or 0.0)))
    thick = brush.px(2)
    brush.canvas.fill(Rect(left, y - thick, right, y + thick), brush.theme.line, thick)
    brush.canvas.fill(Rect(left, y - thick, max(at, left + 1), y + thick), shade, thick)
    brush.canvas.shadow(Rect(at - thumb, y - thumb, at + thumb, y + thumb), brush.px(3), thumb)
    brush.canvas.disc(at, y, thumb, WHITE)


def spinner(brush: Brush) -> None:
    """A pop-up button: its choice, and chevrons up and down."""
    rect = brush.rect
    brush.canvas.fill(rect, brush.paper(brush.theme.surface), brush.px(ROUND))
    edge = rect.right - brush.px(12)
    size = min(brush.px(20), rect.height)
    brush.canvas.icon("up_down", Rect(edge - size, rect.top, edge, rect.bottom), brush.theme.secondary, size)
    chosen = next((node for node in brush.node.walk() if node.text), None)
    if chosen is not None:
        words = Rect(rect.left + brush.px(16), rect.top, edge - size, rect.bottom)
        ink = colour(chosen.look.foreground, brush.theme.text) if brush.node.enabled else brush.theme.secondary
        brush.canvas.text(chosen.text, words, chosen.look.text_size or brush.px(17), ink)


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


def _hair(brush: Brush, bottom: int) -> None:
    shade = mix(brush.theme.line, brush.under, 0.2)
    brush.canvas.fill(Rect(brush.rect.left, bottom - brush.px(0.5), brush.rect.right, bottom), shade)


PAINTERS: dict[str, Callable[[Brush], None]] = {
    "back_button": back_button,
    "button": button,
    "button_text": button_text,
    "button_tonal": button_tonal,
    "card": card,
    "check_box": check_box,
    "dialog": alert,
    "divider": divider,
    "field": fields.field_plain,
    "key": cupertino_system.key,
    "keyboard": cupertino_system.keyboard,
    "menu": menu,
    "menu_item": menu_item,
    "navigation_bar": cupertino_system.home_indicator,
    "radio": radio,
    "row": row,
    "seek_bar": seek_bar,
    "spinner": spinner,
    "status_bar": cupertino_system.status_bar,
    "switch": switch,
    "toolbar": toolbar,
}
