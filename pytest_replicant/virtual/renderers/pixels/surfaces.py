"""What other things lie on: text by itself, toolbars, cards, dialogs, toasts, pictures, pages."""

from __future__ import annotations

from itertools import pairwise

from ....model import Rect
from . import typeface
from .brush import Brush
from .pictures import own_shade, picture, tint
from .theme import WHITE, colour, mix


def text(brush: Brush) -> None:
    """Ground, border and words; several lines where the height is there for them."""
    ground(brush)
    node = brush.node
    if not node.text:
        return
    size = brush.text_size()
    shade = brush.ink(brush.theme.text)
    inside = brush.inside()
    if inside.height >= size * typeface.LINE_HEIGHT * 1.7 or "\n" in node.text:
        brush.canvas.paragraph(node.text, inside, size, shade, node.look.align, node.look.bold)
    else:
        brush.write(node.text, inside, shade)


def ground(brush: Brush) -> None:
    """Only what the look asks for."""
    look = brush.node.look
    if look.background:
        brush.canvas.fill(brush.rect, brush.paper(brush.under), look.radius)
    if look.border:
        shade = colour(look.border, brush.theme.line)
        brush.canvas.outline(brush.rect, shade, look.radius, brush.px(1))


def toolbar(brush: Brush) -> None:
    brush.surface(brush.theme.toolbar, 0)
    if not brush.theme.style.shadows:
        brush.hair(0, 0.5, 0.2)


def card(brush: Brush) -> None:
    brush.surface(brush.theme.surface, brush.px(brush.theme.style.card))


def dialog(brush: Brush) -> None:
    brush.surface(brush.theme.surface, brush.px(brush.theme.style.dialog))


def toast(brush: Brush) -> None:
    """A dark pill around the words of the node or of what lies in it."""
    brush.canvas.fill(
        brush.rect,
        brush.paper((50, 51, 56)),
        brush.node.look.radius or min(brush.rect.height // 2, brush.px(24)),
    )
    side = brush.px(20)
    room = Rect(brush.rect.left + side, brush.rect.top, brush.rect.right - side, brush.rect.bottom)
    words = brush.node.text or next((node.text for node in brush.node.walk() if node.text), "")
    if words and not room.is_empty:
        size = brush.text_size(14)
        brush.canvas.paragraph(words, room, size, brush.ink(WHITE), "center")


def divider(brush: Brush) -> None:
    shade = brush.theme.line if brush.theme.style.own_corners else brush.paper(brush.theme.line)
    brush.canvas.fill(brush.rect, mix(shade, brush.under, brush.theme.style.divider))


def row(brush: Brush) -> None:
    ground(brush)
    brush.hair(*brush.theme.style.hair)


def image(brush: Brush, name: str) -> None:
    """A product on its tile, as large as the rectangle's shorter side; again and again if that goes
    on beyond a screen, as no part of a long picture is empty."""
    shade = colour(brush.node.look.foreground, own_shade(name))
    tile = brush.paper(tint(shade, brush.under))
    brush.canvas.fill(brush.rect, tile, brush.node.look.radius)
    pad = min(brush.node.look.radius, brush.rect.width // 2) * 3 // 10
    side = min(brush.rect.width, brush.rect.height) - 2 * pad
    if side >= 4:
        drawn = picture(name or "photo", shade, tile, side)
        for part in _parts(brush.rect, brush.px(_ONE_DP)):
            if not part.intersect(brush.canvas.area).is_empty:
                middle = part.center
                brush.canvas.picture(
                    drawn, middle.x - drawn.width // 2, middle.y - drawn.height // 2
                )


_ONE_DP = 1000  # no screen is longer


def _parts(rect: Rect, longest: int) -> list[Rect]:
    """A rectangle that is longer than a screen, in nearly square parts; any other one as it is."""
    if max(rect.width, rect.height) <= longest:
        return [rect]
    side = max(1, min(rect.width, rect.height))
    count = max(1, max(rect.width, rect.height) // side)
    if rect.height >= rect.width:
        ends = [rect.top + rect.height * each // count for each in range(count + 1)]
        return [Rect(rect.left, low, rect.right, high) for low, high in pairwise(ends)]
    ends = [rect.left + rect.width * each // count for each in range(count + 1)]
    return [Rect(low, rect.top, high, rect.bottom) for low, high in pairwise(ends)]


def wallpaper(brush: Brush) -> None:
    """Bands of dusk."""
    top, bottom = brush.paper((38, 50, 92)), brush.ink((214, 140, 132))
    bands, rect = 48, brush.rect
    for band in range(bands):
        upper = rect.top + rect.height * band // bands
        lower = rect.top + rect.height * (band + 1) // bands
        shade = mix(top, bottom, (band / bands) ** 1.6)
        brush.canvas.fill(Rect(rect.left, upper, rect.right, lower), shade)


def web(brush: Brush) -> None:
    brush.surface((255, 255, 255), 0)
    brush.canvas.outline(brush.rect, brush.theme.line, brush.node.look.radius, brush.px(1))
    if (
        not brush.node.children
    ):  # only for an empty page; its text is the title, which a browser does not draw
        text(brush)


def canvas(brush: Brush) -> None:
    """A drawing surface: squared paper."""
    brush.surface(mix(brush.theme.accent, brush.under, 0.95), brush.px(4))
    step = max(brush.px(24), 8)
    shade = mix(brush.theme.accent, brush.under, 0.86)
    for x in range(brush.rect.left + step, brush.rect.right, step):
        brush.canvas.fill(Rect(x, brush.rect.top, x + 1, brush.rect.bottom), shade)
    for y in range(brush.rect.top + step, brush.rect.bottom, step):
        brush.canvas.fill(Rect(brush.rect.left, y, brush.rect.right, y + 1), shade)
    if brush.node.text:  # without its ground, which would cover the paper
        brush.write(brush.node.text, brush.inside(), brush.ink(brush.theme.text))
