"""Toggles and bars, on or off or set along a line: check boxes, radio buttons, switches, seek bars,
progress."""

from __future__ import annotations

import math
import re

from ....model import Rect
from .brush import Brush
from .theme import WHITE, Colour, colour, mix


def check_box(brush: Brush) -> None:
    mark = _mark_rect(brush)
    if brush.node.checked:
        brush.canvas.fill(mark, _chosen(brush), brush.px(3))
        brush.canvas.icon("check", mark, brush.theme.surface, mark.width)
    else:
        idle = _idle(brush)
        brush.canvas.outline(mark, idle, brush.px(3), brush.px(2))
    _caption_right(brush, mark)


def radio(brush: Brush) -> None:
    mark = _mark_rect(brush)
    middle, radius = mark.center, mark.width // 2
    shade = _chosen(brush) if brush.node.checked else _idle(brush)
    brush.canvas.outline(mark, shade, radius, brush.px(2))
    if brush.node.checked:
        brush.canvas.disc(middle.x, middle.y, radius // 2, shade)
    _caption_right(brush, mark)


def switch(brush: Brush) -> None:
    """The caption at the left, the thumb's track at the right."""
    rect, high = brush.rect, min(brush.px(30), brush.rect.height)
    wide = min(high * 52 // 30, rect.width)
    right = rect.right - (brush.px(4) if rect.width > wide + brush.px(8) else 0)
    top = rect.center.y - high // 2
    track = Rect(right - wide, top, right, top + high)
    if brush.node.checked:
        brush.canvas.fill(track, _chosen(brush), high // 2)
        brush.canvas.disc(
            track.right - high // 2, rect.center.y, high * 37 // 100, brush.theme.surface
        )
    else:
        brush.canvas.fill(track, mix(brush.theme.line, brush.under, 0.5), high // 2)
        brush.canvas.outline(track, _idle(brush), high // 2, brush.px(2))
        brush.canvas.disc(track.left + high // 2, rect.center.y, high * 26 // 100, _idle(brush))
    if brush.node.text:
        room = Rect(rect.left, rect.top, track.left - brush.px(12), rect.bottom)
        brush.write(brush.node.text, room, brush.ink(brush.theme.text))


def seek_bar(brush: Brush) -> None:
    rect, shade, white = brush.rect, brush.accent(), brush.theme.style.white_thumbs
    thumb = min(brush.px(13 if white else 10), max(2, rect.height // 2))
    side, y = brush.px(16), rect.center.y
    left, right = rect.left + side, max(rect.left + side + 1, rect.right - side)
    at = left + round((right - left) * _share(brush))
    thick = brush.px(2)
    idle = brush.theme.line if white else mix(shade, brush.under, 0.72)
    brush.canvas.fill(Rect(left, y - thick, right, y + thick), idle, thick)
    brush.canvas.fill(Rect(left, y - thick, max(at, left + 1), y + thick), shade, thick)
    if white:
        brush.canvas.shadow(Rect(at - thumb, y - thumb, at + thumb, y + thumb), brush.px(3), thumb)
    brush.canvas.disc(at, y, thumb, WHITE if white else shade)


def seek_bar_upright(brush: Brush) -> None:
    """From the bottom to the top."""
    rect, shade = brush.rect, brush.accent()
    thumb = min(brush.px(10), max(2, rect.width // 2))
    side = thumb + brush.px(6)
    top, bottom, x = rect.top + side, max(rect.top + side + 1, rect.bottom - side), rect.center.x
    at = bottom - round((bottom - top) * _share(brush))
    thick = brush.px(2)
    brush.canvas.fill(Rect(x - thick, top, x + thick, bottom), mix(shade, brush.under, 0.72), thick)
    brush.canvas.fill(Rect(x - thick, min(at, bottom - 1), x + thick, bottom), shade, thick)
    brush.canvas.disc(x, at, thumb, shade)


def stars(brush: Brush, named: str) -> None:
    """``named`` is how many are full, and how many there are: "3/5"; of anything else five are
    empty."""
    full, number = (
        map(int, named.split("/")) if re.fullmatch(r"\d{1,3}/\d{1,3}", named, re.ASCII) else (0, 5)
    )
    wide = max(brush.rect.width // max(number, 1), 1)
    for at in range(number):
        left = brush.rect.left + at * wide
        shade = brush.accent() if at < full else mix(brush.theme.line, brush.under, 0.5)
        cell = Rect(left, brush.rect.top, left + wide, brush.rect.bottom)
        brush.canvas.icon("star", cell, shade, max(min(wide, brush.rect.height) * 2 // 3, 1))


def progress_bar(brush: Brush) -> None:
    rect, thick = brush.rect, brush.px(2)
    y = rect.center.y
    track = Rect(rect.left, max(rect.top, y - thick), rect.right, min(rect.bottom, y + thick))
    brush.canvas.fill(track, mix(brush.accent(), brush.under, 0.75), thick)
    done = Rect(
        track.left, track.top, track.left + round(track.width * _share(brush)), track.bottom
    )
    brush.canvas.fill(done, brush.accent(), thick)


def progress_circle(brush: Brush) -> None:
    """Three quarters of a turning ring; one that has turned has a dot to show how far."""
    side = min(brush.rect.width, brush.rect.height, brush.px(48))
    brush.canvas.icon("spinning", brush.rect, brush.accent(), side)
    if brush.node.look.turn:
        angle, middle, reach = math.radians(brush.node.look.turn), brush.rect.center, side * 0.3
        x, y = middle.x + round(reach * math.cos(angle)), middle.y + round(reach * math.sin(angle))
        brush.canvas.disc(x, y, max(side // 12, 1), brush.accent())


def _share(brush: Brush) -> float:
    progress = brush.node.look.progress
    return min(1.0, max(0.0, progress)) if progress is not None else 0.0


def _mark_rect(brush: Brush) -> Rect:
    rect = brush.rect
    side = min(brush.px(20), rect.height, rect.width)
    inset = brush.px(8) if rect.width >= side + brush.px(8) else (rect.width - side) // 2
    left, top = rect.left + inset, rect.center.y - side // 2
    return Rect(left, top, left + side, top + side)


def _chosen(brush: Brush) -> Colour:
    return _shaded(brush, colour(brush.node.look.border, brush.theme.accent))


def _idle(brush: Brush) -> Colour:
    return _shaded(brush, colour(brush.node.look.border, brush.theme.secondary))


def _shaded(brush: Brush, shade: Colour) -> Colour:
    return shade if brush.node.enabled else mix(shade, brush.under, 0.6)


def _caption_right(brush: Brush, mark: Rect) -> None:
    if brush.node.text:
        left = mark.right + brush.px(12)
        room = Rect(left, brush.rect.top, max(left + 1, brush.rect.right), brush.rect.bottom)
        brush.write(brush.node.text, room, brush.ink(brush.theme.text))
