"""The icons an app asks for by name, on a grid of 24 by 24."""

from __future__ import annotations

from functools import lru_cache
from math import cos, pi, sin

from PIL import Image

from .strokes import Stroke, arc, box, disc, line, mask_of, poly, ring

GRID = 24


def _gear() -> tuple[Stroke, ...]:
    teeth = []
    for turn in range(8):
        x, y = cos(turn * pi / 4), sin(turn * pi / 4)
        teeth.append(line(12 + 6 * x, 12 + 6 * y, 12 + 9 * x, 12 + 9 * y, width=3.4))
    return (*teeth, disc(12, 12, 7.4), disc(12, 12, 3.2, ink="cut"))


def _star() -> tuple[Stroke, ...]:
    at: list[float] = []
    for turn in range(10):
        radius, angle = (10, 4.2)[turn % 2], turn * pi / 5 - pi / 2
        at += [12 + radius * cos(angle), 12.6 + radius * sin(angle)]
    return (poly(*at),)


ICONS: dict[str, tuple[Stroke, ...]] = {
    "cart": (
        line(2, 4, 5, 4, 8.4, 14, 18, 14, 20.6, 7),
        line(6, 7, 20.6, 7),
        disc(9.4, 18.8, 1.9),
        disc(17, 18.8, 1.9),
    ),
    "search": (ring(10, 10, 6.8), line(14.8, 14.8, 20.2, 20.2, width=2.2)),
    "settings": _gear(),
    "back": (line(4.5, 12, 20, 12), line(11.5, 5, 4.5, 12, 11.5, 19)),
    "add": (line(12, 5, 12, 19), line(5, 12, 19, 12)),
    "remove": (line(5, 12, 19, 12),),
    "close": (line(6, 6, 18, 18), line(18, 6, 6, 18)),
    "menu": (line(4, 7, 20, 7), line(4, 12, 20, 12), line(4, 17, 20, 17)),
    "more": (disc(12, 5, 2), disc(12, 12, 2), disc(12, 19, 2)),
    "heart": (disc(7.6, 8.6, 4.9), disc(16.4, 8.6, 4.9), poly(3.4, 11.2, 20.6, 11.2, 12, 20.6)),
    "check": (line(5, 12.8, 10, 17.6, 19.4, 7, width=2.2),),
    "person": (disc(12, 8, 4.2), disc(12, 20.6, 8, 6.6), box(0, 20.4, 24, 24, ink="cut")),
    "home": (poly(12, 3, 22, 12, 2, 12), box(5, 11, 19, 20.5), box(10, 14, 14, 20.5, ink="cut")),
    "home_button": (ring(12, 12, 7.5),),
    "recents": (box(5.5, 5.5, 18.5, 18.5, 2), box(7.5, 7.5, 16.5, 16.5, 1, ink="cut")),
    "back_button": (poly(17, 5, 17, 19, 6, 12),),
    "delete": (
        box(5, 4.5, 19, 6.6),
        box(9.5, 3, 14.5, 5),
        box(6.4, 8, 17.6, 21, 2),
        box(9.3, 10.5, 10.9, 18.5, ink="cut"),
        box(13.1, 10.5, 14.7, 18.5, ink="cut"),
    ),
    "share": (
        line(6.5, 12, 17.5, 5.6),
        line(6.5, 12, 17.5, 18.4),
        disc(6.4, 12, 3),
        disc(17.6, 5.4, 3),
        disc(17.6, 18.6, 3),
    ),
    "star": _star(),
    "warning": (
        poly(12, 2.5, 22.5, 21, 1.5, 21),
        line(12, 9.4, 12, 14, ink="cut"),
        disc(12, 17.6, 1.3, ink="cut"),
    ),
    "bell": (
        disc(12, 10, 5.8, 6.6),
        box(6.2, 10, 17.8, 17),
        box(4.4, 16.6, 19.6, 18.4, 0.9),
        disc(12, 20, 1.9),
    ),
    "chevron_left": (line(15.5, 4, 7.5, 12, 15.5, 20, width=2.6),),
    "up_down": (line(7, 10, 12, 5, 17, 10, width=2), line(7, 14, 12, 19, 17, 14, width=2)),
    "down": (poly(6.5, 9.5, 17.5, 9.5, 12, 15.2),),
    "lock": (arc(12, 8.6, 5, 180, 360), box(5, 9.6, 19, 21, 2), disc(12, 15, 2, ink="cut")),
    "camera": (
        box(2.5, 7, 21.5, 20, 2),
        box(8, 4.4, 16, 9, 1.5),
        disc(12, 13.4, 4.4, ink="cut"),
        disc(12, 13.4, 2.8),
    ),
    "dot": (disc(12, 12, 4),),
    "shift": (poly(12, 3.5, 20.5, 12.4, 3.5, 12.4), box(8.6, 12, 15.4, 19.5, 0.6)),
    "backspace": (
        poly(1.5, 12, 8, 4.5, 22, 4.5, 22, 19.5, 8, 19.5),
        line(11.4, 8.6, 18, 15.4, width=1.8, ink="cut"),
        line(18, 8.6, 11.4, 15.4, width=1.8, ink="cut"),
    ),
    "enter": (line(20, 6, 20, 13, 5, 13), line(9.4, 8.4, 4.8, 13, 9.4, 17.6)),
    "spinning": (arc(12, 12, 10.5, 300, 210, 2.4),),
    "wifi": (poly(12, 20.5, 1.2, 8, 4.6, 5.4, 8.2, 4, 12, 3.5, 15.8, 4, 19.4, 5.4, 22.8, 8),),
    "signal": (poly(3, 20.5, 20.5, 20.5, 20.5, 3),),
    "battery": (box(7, 4, 17, 22, 2), box(9.6, 2, 14.4, 5, 0.8)),
}

ALIASES = {
    "shop": "cart",
    "lab": "warning",
    "plus": "add",
    "minus": "remove",
    "trash": "delete",
    "profile": "person",
    "favorite": "heart",
}

# What a description probably means, for image buttons that name no icon; the first word found
# counts.
_MEANINGS: tuple[tuple[str, str], ...] = (
    ("setting", "settings"),
    ("navigate up", "back"),
    ("backspace", "backspace"),
    ("back", "back"),
    ("cart", "cart"),
    ("search", "search"),
    ("add", "add"),
    ("increase", "add"),
    ("decrease", "remove"),
    ("delete", "delete"),
    ("remove", "remove"),
    ("close", "close"),
    ("more", "more"),
    ("menu", "menu"),
    ("favo", "heart"),
    ("like", "heart"),
    ("home", "home"),
    ("share", "share"),
    ("shift", "shift"),
    ("enter", "enter"),
    ("profile", "person"),
    ("camera", "camera"),
)


def icon_for(description: str) -> str:
    """The name of the icon that a description suggests, "dot" if none does."""
    words = description[:200].casefold()
    return next((name for word, name in _MEANINGS if word in words), "dot")


@lru_cache(maxsize=256)
def icon_mask(name: str, size: int) -> Image.Image:
    """A square coverage mask ("L") of ``size`` pixels; an unknown name is a dot."""
    size = max(1, size)
    strokes = ICONS.get(ALIASES.get(name, name), ICONS["dot"])
    return mask_of(strokes, (size, size), size / GRID)
