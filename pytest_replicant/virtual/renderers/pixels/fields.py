"""Where something is typed or chosen: text fields, spinners."""

from __future__ import annotations

from ....model import Rect
from . import typeface
from .brush import Brush
from .theme import Colour, colour, mix

BULLET = "•"


def field(brush: Brush) -> None:
    """A box whose hint moves up into its edge once there is text or the focus."""
    canvas, rect, focused = brush.canvas, brush.rect, brush.node.focused
    edge = _edge(brush)
    radius = brush.node.look.radius or brush.px(6)
    lift = brush.px(8) if brush.node.hint else 0
    lift = lift if rect.height >= brush.px(55) else 0
    frame = Rect(rect.left, rect.top + lift, rect.right, rect.bottom)
    if brush.node.look.background:
        canvas.fill(frame, brush.paper(brush.under), radius)
    canvas.outline(frame, edge, radius, brush.px(2 if focused else 1))
    side = brush.px(16)
    inside = Rect(rect.left + side, frame.top, rect.right - side, rect.bottom)
    shown = _shown(brush)
    if (shown or focused) and lift:
        _floating_hint(brush, inside, frame.top)
        _content(brush, inside, shown, hint="")
    else:
        _content(brush, inside, shown, hint=brush.node.hint or brush.node.text)


def field_plain(brush: Brush) -> None:
    """A box with round corners that shows its hint as long as it is empty."""
    rect, radius = brush.rect, brush.px(brush.theme.style.field)
    brush.canvas.fill(rect, brush.paper(brush.theme.surface), radius)
    brush.canvas.outline(rect, brush.theme.line, radius, brush.px(0.5))
    side = brush.px(14)
    inside = Rect(rect.left + side, rect.top, rect.right - side, rect.bottom)
    _content(brush, inside, _shown(brush), hint=brush.node.hint or brush.node.text)


def field_search(brush: Brush) -> None:
    """A pill with a magnifier."""
    rect = brush.rect
    fill = brush.paper(mix(brush.theme.text, brush.under, 0.92))
    brush.canvas.fill(rect, fill, brush.node.look.radius or rect.height // 2)
    if brush.node.focused:
        brush.canvas.outline(
            rect, _edge(brush), brush.node.look.radius or rect.height // 2, brush.px(2)
        )
    size = min(brush.px(22), rect.height)
    left = rect.left + brush.px(16)
    brush.canvas.icon(
        "search", Rect(left, rect.top, left + size, rect.bottom), brush.theme.secondary, size
    )
    inside = Rect(left + size + brush.px(12), rect.top, rect.right - brush.px(16), rect.bottom)
    _content(brush, inside, _shown(brush), hint=brush.node.hint or brush.node.text)


def spinner(brush: Brush) -> None:
    """Its choice, and an icon that says that there are others."""
    rect, theme, style = brush.rect, brush.theme, brush.theme.style
    brush.surface(brush.under if style.outlined else theme.surface, brush.px(style.field))
    if style.outlined and not brush.node.look.border:
        brush.canvas.outline(rect, theme.line, brush.corner(brush.px(style.field)), brush.px(1))
    name, dp = style.opens
    size, edge = min(brush.px(dp), rect.height), rect.right - brush.px(12)
    brush.canvas.icon(name, Rect(edge - size, rect.top, edge, rect.bottom), theme.secondary, size)
    chosen = next((node for node in brush.node.walk() if node.text), None)
    if chosen is not None:
        room = Rect(rect.left + brush.px(16), rect.top, edge - size, rect.bottom)
        shade = colour(chosen.look.foreground, theme.text)
        shade = shade if brush.node.enabled else mix(shade, brush.under, 0.6)
        brush.canvas.text(chosen.text, room, chosen.look.text_size or brush.px(style.chosen), shade)


def _edge(brush: Brush) -> Colour:
    idle = brush.theme.accent if brush.node.focused else brush.theme.line
    return colour(brush.node.look.border, idle)


def _shown(brush: Brush) -> str:
    """Returns the typed text as it may be seen; a field that reports its hint as its text is
    empty."""
    node = brush.node
    if node.text == node.hint:
        return ""
    return BULLET * len(node.text[:200]) if node.password else node.text


def _content(brush: Brush, inside: Rect, shown: str, hint: str) -> None:
    size = brush.text_size()
    if not shown:
        if hint:
            brush.canvas.text(hint, inside, size, brush.theme.secondary)
        _caret(brush, inside, inside.left, size)
        return
    ink = brush.ink(brush.theme.text)
    if inside.height > size * 4.6 or "\n" in shown:
        room = Rect(
            inside.left, inside.top + brush.px(6), inside.right, inside.bottom - brush.px(6)
        )
        covered = brush.canvas.paragraph(shown, room, size, ink)
        _caret(brush, covered, covered.right, size)
        return
    line = _tail(typeface.plain(shown), size, inside.width) if brush.node.focused else shown
    covered = brush.canvas.text(line, inside, size, ink)
    _caret(brush, inside, covered.right, size)


def _tail(text: str, size: int, room: int) -> str:
    """The end of a text too long for its field: that is where the caret is."""
    start = 0
    while typeface.width(text[start:], size) > room and start < len(text) - 1:
        start += max(1, (len(text) - start) // 8)
    return text[start:]


def _caret(brush: Brush, inside: Rect, x: int, size: int) -> None:
    if not brush.node.focused or not brush.node.look.caret:
        return
    x += brush.px(1)
    middle = (inside.top + inside.bottom) // 2
    caret = Rect(x, middle - size * 62 // 100, x + brush.px(2), middle + size * 62 // 100)
    brush.canvas.fill(caret, _edge(brush))


def _floating_hint(brush: Brush, inside: Rect, edge: int) -> None:
    size = brush.px(12)
    hint = typeface.cut(typeface.plain(brush.node.hint).replace("\n", " "), size, inside.width)
    length = round(typeface.width(hint, size))
    gap = brush.px(4)
    cover = Rect(inside.left - gap, edge - size, inside.left + length + gap, edge + size)
    brush.canvas.fill(Rect(cover.left, edge, cover.right, edge + brush.px(2)), brush.under)
    shade = _edge(brush) if brush.node.focused else brush.theme.secondary
    brush.canvas.text(hint, cover.inset(gap), size, shade)
