"""What the system draws around the app: status bar, navigation bar, keyboard."""

from __future__ import annotations

from ....model import Rect
from .brush import Brush
from .icons import icon_for
from .theme import Colour, is_dark, on


def status_bar(brush: Brush) -> None:
    """Wifi, signal and battery at the right; the clock is a node of its own."""
    brush.canvas.fill(brush.rect, brush.paper(brush.under))
    shade = brush.ink(on(brush.paper(brush.under)))
    size = min(brush.px(16), brush.rect.height)
    right = brush.rect.right - brush.px(20)
    for name in ("battery", "signal", "wifi"):
        brush.canvas.icon(
            name, Rect(right - size, brush.rect.top, right, brush.rect.bottom), shade, size
        )
        right -= size + brush.px(5)


def keyboard(brush: Brush) -> None:
    """The tray; its keys are nodes of their own."""
    brush.canvas.fill(brush.rect, brush.paper(brush.theme.tray))


# A delete key rubs out, it is no waste bin; and a key without a meaning, such as the space bar, has
# no icon.
_KEY_ICONS = {"delete": "backspace", "dot": "", "back": "backspace"}


def key(brush: Brush) -> None:
    label, box = brush.node.text, brush.rect
    name = icon_for(brush.node.description) if not label else ""
    icon = _KEY_ICONS.get(name, name)
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
    return brush.paper(fill), brush.theme.text


def _darker(brush: Brush) -> Colour:
    red, green, blue = brush.theme.tray
    return max(0, red - 40), max(0, green - 40), max(0, blue - 40)
