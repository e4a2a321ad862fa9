"""What iOS draws around an app: status bar, home indicator, keyboard."""

from __future__ import annotations

from ....model import Rect
from .brush import Brush
from .theme import BLACK, Colour, mix, on

SIGNAL = (4, 6, 9, 12)  # points, how high each bar is


def status_bar(brush: Brush) -> None:
    """Signal, wifi and battery at the right. Clock and camera are nodes of their own."""
    canvas, rect, ink = brush.canvas, brush.rect, on(brush.under)
    middle, right = rect.top + brush.px(30), rect.right - brush.px(32)
    _battery(brush, right, middle, ink)
    size = brush.px(18)
    wifi = Rect(
        right - brush.px(52),
        middle - size // 2,
        right - brush.px(52) + size,
        middle - size // 2 + size,
    )
    canvas.icon("wifi", wifi, ink, size)
    for index, high in enumerate(SIGNAL):
        left, bottom = right - brush.px(75) + index * brush.px(5), middle + brush.px(6)
        canvas.fill(
            Rect(left, bottom - brush.px(high), left + brush.px(3), bottom), ink, brush.px(1)
        )


def _battery(brush: Brush, right: int, middle: int, ink: Colour) -> None:
    """Full, lying on its side."""
    box = Rect(
        right - brush.px(27), middle - brush.px(6), right - brush.px(2), middle + brush.px(6.5)
    )
    brush.canvas.outline(box, mix(ink, brush.under, 0.5), brush.px(4), brush.px(1))
    brush.canvas.fill(box.inset(brush.px(2)), ink, brush.px(2))
    nub = Rect(right - brush.px(1), middle - brush.px(2), right, middle + brush.px(2))
    brush.canvas.fill(nub, mix(ink, brush.under, 0.5))


def home_indicator(brush: Brush) -> None:
    """A thin line over the content."""
    wide, high = brush.px(134), brush.px(5)
    left, top = brush.rect.center.x - wide // 2, brush.rect.bottom - brush.px(8) - high
    brush.canvas.fill(Rect(left, top, left + wide, top + high), on(brush.under), high // 2)


def keyboard(brush: Brush) -> None:
    """The tray; its keys are nodes of their own."""
    brush.canvas.fill(brush.rect, brush.theme.tray)


_ICONS = {"shift": "shift", "delete": "backspace"}
_WORDS = {"numbers": "123"}


def key(brush: Brush) -> None:
    """White caps; those that do something other than type are grey, but for the space bar."""
    label = brush.node.description
    gap, down = brush.px(3), brush.px(5)
    rect = brush.rect
    cap = Rect(rect.left + gap, rect.top + down, rect.right - gap, rect.bottom - down)
    types = len(label) == 1 or label == "space"
    fill = brush.theme.key if types else mix(brush.theme.tray, (60, 64, 75), 0.2)
    brush.canvas.fill(cap.shifted(0, brush.px(1)), mix(brush.theme.tray, BLACK, 0.4), brush.px(5))
    brush.canvas.fill(cap, fill, brush.px(5))
    if label in _ICONS:
        brush.canvas.icon(_ICONS[label], cap, brush.theme.text, brush.px(22))
    else:
        words = _WORDS.get(label, label)
        brush.canvas.text(
            words, cap, brush.px(24 if len(label) == 1 else 16), brush.theme.text, "center"
        )
