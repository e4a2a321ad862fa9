"""What the system draws around the app: status bar, navigation bar, keyboard."""

from __future__ import annotations

from ....model import Rect
from .brush import Brush
from .icons import icon_for
from .theme import Colour, colour, is_dark, on

ROWS = ("1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm")


def status_bar(brush: Brush) -> None:
    """Wifi, signal and battery at the right; the clock too where the bar has no text of its own."""
    if brush.node.look.background:
        brush.canvas.fill(brush.rect, brush.paper(brush.under))
    shade = brush.ink(on(brush.paper(brush.under)))
    size = min(brush.px(16), brush.rect.height)
    right = brush.rect.right - brush.px(20)
    for name in ("battery", "signal", "wifi"):
        brush.canvas.icon(name, Rect(right - size, brush.rect.top, right, brush.rect.bottom), shade, size)
        right -= size + brush.px(5)
    if not any(node.text for node in brush.node.walk()):
        room = Rect(brush.rect.left + brush.px(24), brush.rect.top, right, brush.rect.bottom)
        brush.canvas.text("9:41", room, brush.px(14), shade, "left", True)


def navigation_bar(brush: Brush) -> None:
    """The gesture pill, or the ground for buttons."""
    if brush.node.look.background:
        brush.canvas.fill(brush.rect, brush.paper(brush.under))
    if brush.node.children:
        return
    wide, high, middle = brush.px(108), brush.px(4), brush.rect.center
    pill = Rect(middle.x - wide // 2, middle.y - high // 2, middle.x + wide // 2, middle.y + high // 2)
    brush.canvas.fill(pill, brush.ink(on(brush.paper(brush.under))), high // 2)


def keyboard(brush: Brush) -> None:
    """The tray, and every key where the node has no keys of its own."""
    brush.canvas.fill(brush.rect, brush.paper(brush.theme.tray))
    if brush.node.children:
        return
    keys_top = brush.rect.top + brush.px(8)
    high = (brush.rect.bottom - brush.px(20) - keys_top) // 5
    unit = brush.rect.width / 10
    for index, letters in enumerate(ROWS):
        top = keys_top + index * high
        left = brush.rect.left + (brush.rect.width - unit * len(letters)) / 2
        for place, letter in enumerate(letters):
            box = Rect(round(left + place * unit), top, round(left + (place + 1) * unit), top + high)
            _key(brush, box, letter)
        if index == 3:
            _key(brush, Rect(brush.rect.left, top, round(left), top + high), "", "shift")
            _key(brush, Rect(round(left + 7 * unit), top, brush.rect.right, top + high), "", "backspace")
    top = keys_top + 4 * high
    for start, end, label, name in _BOTTOM:
        edges = (brush.rect.left + round(start * unit), brush.rect.left + round(end * unit))
        _key(brush, Rect(edges[0], top, edges[1], top + high), label, name)


_BOTTOM = (
    (0, 1.5, "?123", ""),
    (1.5, 2.5, ",", ""),
    (2.5, 7.5, "", ""),
    (7.5, 8.5, ".", ""),
    (8.5, 10, "", "enter"),
)


# A delete key rubs out, it is no waste bin; and a key without a meaning, such as the space bar, has no icon.
_KEY_ICONS = {"delete": "backspace", "dot": "", "back": "backspace"}


def key(brush: Brush) -> None:
    """One key of a keyboard that lists its keys."""
    name = icon_for(brush.node.description) if not brush.node.text else ""
    _key(brush, brush.rect, brush.node.text, _KEY_ICONS.get(name, name))


def _key(brush: Brush, box: Rect, label: str, icon: str = "") -> None:
    gap = max(1, min(brush.px(2.5), box.width // 6))
    cap = Rect(box.left + gap, box.top + gap + 1, box.right - gap, box.bottom - gap - 1)
    fill, ink = _key_colours(brush, icon)
    brush.canvas.fill(cap.shifted(0, brush.px(1)), _darker(brush), brush.px(6))
    brush.canvas.fill(cap, fill, brush.px(6))
    if icon:
        brush.canvas.icon(icon, cap, ink, min(brush.px(22), max(4, cap.height)))
    elif label:
        brush.canvas.text(label, cap, brush.text_size(20 if len(label) == 1 else 14), ink, "center")


def _key_colours(brush: Brush, icon: str) -> tuple[Colour, Colour]:
    if icon == "enter":
        accent = brush.theme.accent
        return accent, (255, 255, 255) if is_dark(accent) else (20, 20, 30)
    fill = brush.theme.tray if icon else brush.theme.key
    if icon:
        fill = tuple(max(0, part - 22) for part in fill)  # type: ignore[assignment]  # three parts stay three
    return colour(brush.node.look.background, fill) if not brush.node.children else fill, brush.theme.text


def _darker(brush: Brush) -> Colour:
    red, green, blue = brush.theme.tray
    return max(0, red - 40), max(0, green - 40), max(0, blue - 40)
