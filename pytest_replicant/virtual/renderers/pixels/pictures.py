"""Drawn pictures of products, on a grid of 100 by 100, in the product's colour."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from .strokes import OVERSAMPLING, Ink, Stroke, arc, box, disc, draw_strokes, line, poly, ring
from .theme import Colour, is_dark, mix

GRID = 100
THUMBNAIL = (
    400  # pixels; a list shows dozens of these, a screen hardly more than one that is larger
)

# Inks: main, dark and light are shades of the product's colour; wood, leaf, metal, paper and flame
# are fixed.
PICTURES: dict[str, tuple[Stroke, ...]] = {
    "mug": (
        ring(69, 50, 16, width=8),
        box(24, 28, 68, 80, 9),
        box(54, 28, 68, 80, 9, ink="dark"),
        box(24, 28, 60, 80, 9),
        disc(46, 29, 22, 6, ink="dark"),
        box(31, 40, 36, 70, 2.5, ink="light"),
    ),
    "tray": (
        poly(12, 58, 26, 38, 74, 38, 88, 58),
        poly(22, 55, 31, 42, 69, 42, 78, 55, ink="dark"),
        box(10, 56, 90, 66, 5),
        box(38, 59, 62, 62.5, 1.7, ink="dark"),
    ),
    "bowl": (
        disc(50, 46, 38, 34),
        box(8, 8, 92, 45, ink="tile"),
        disc(50, 46, 38, 9, ink="dark"),
        box(37, 77, 63, 83, 3, ink="dark"),
        arc(50, 46, 31, 100, 160, 4, ink="light"),
    ),
    "plate": (
        disc(50, 52, 38),
        ring(50, 52, 38, width=2, ink="dark"),
        disc(50, 52, 25, ink="light"),
        disc(50, 52, 23),
    ),
    "glass": (
        poly(32, 18, 68, 18, 62, 84, 38, 84, ink="light"),
        poly(34.5, 42, 65.5, 42, 61, 81, 39, 81),
        disc(50, 42, 15.5, 4, ink="dark"),
        line(38, 24, 42, 76, width=2.4, ink="paper"),
    ),
    "teapot": (
        ring(76, 52, 15, width=6.5),
        line(12, 38, 24, 58, 34, 64, width=9),
        disc(50, 56, 27, 25),
        box(35, 30, 65, 36, 3, ink="dark"),
        disc(50, 26, 5, ink="dark"),
        arc(50, 56, 19, 140, 220, 4, ink="light"),
    ),
    "jug": (
        ring(68, 48, 17, width=7),
        poly(28, 20, 64, 20, 70, 82, 26, 82),
        poly(28, 20, 64, 20, 22, 30),
        box(26, 76, 70, 85, 4, ink="dark"),
        line(36, 34, 34, 70, width=4, ink="light"),
    ),
    "vase": (
        line(50, 34, 44, 12, width=2.6, ink="leaf"),
        line(50, 34, 60, 14, width=2.6, ink="leaf"),
        disc(44, 12, 6, ink="flame"),
        disc(61, 14, 6, ink="flame"),
        box(42, 30, 58, 48, 3),
        disc(50, 63, 21, 24),
        box(40, 80, 60, 88, 3, ink="dark"),
        arc(50, 63, 14, 130, 220, 4, ink="light"),
    ),
    "lamp": (
        disc(50, 32, 40, 30, ink="glow"),
        box(47.5, 46, 52.5, 84, 1, ink="metal"),
        box(32, 82, 68, 88, 3, ink="metal"),
        poly(36, 16, 64, 16, 78, 52, 22, 52),
        poly(36, 16, 44, 16, 36, 52, 22, 52, ink="light"),
    ),
    "candle": (
        disc(50, 24, 14, 18, ink="glow"),
        disc(50, 26, 5, 9, ink="flame"),
        line(50, 33, 50, 42, width=2, ink="dark"),
        box(35, 40, 65, 84, 4),
        box(35, 40, 43, 84, 4, ink="light"),
        box(28, 82, 72, 88, 3, ink="metal"),
    ),
    "clock": (
        disc(50, 50, 37),
        disc(50, 50, 30, ink="paper"),
        line(50, 50, 50, 30, width=4, ink="night"),
        line(50, 50, 64, 58, width=4, ink="night"),
        disc(50, 50, 3.5, ink="flame"),
    ),
    "chair": (
        box(28, 14, 36, 60, 3, ink="dark"),
        box(64, 14, 72, 60, 3, ink="dark"),
        box(30, 18, 70, 30, 3),
        box(30, 36, 70, 45, 3),
        box(24, 54, 76, 63, 4),
        line(29, 63, 25, 88, width=6, ink="dark"),
        line(71, 63, 75, 88, width=6, ink="dark"),
    ),
    "cushion": (
        box(18, 22, 82, 80, 15),
        poly(15, 19, 28, 24, 22, 34),
        poly(85, 19, 72, 24, 78, 34),
        poly(15, 83, 28, 78, 22, 68),
        poly(85, 83, 72, 78, 78, 68),
        *(line(x, 30, x, 72, width=3, ink="light") for x in (34, 50, 66)),
    ),
    "basket": (
        arc(50, 46, 28, 180, 360, 6, ink="dark"),
        poly(16, 44, 84, 44, 75, 84, 25, 84),
        *(
            line(20 + step, y, 80 - step, y, width=3, ink="dark")
            for step, y in ((1, 56), (4, 66), (6, 76))
        ),
        box(13, 40, 87, 49, 4, ink="dark"),
    ),
    "spoon": (
        line(50, 44, 50, 84, width=8),
        disc(50, 30, 16, 20),
        disc(50, 31, 10, 13, ink="dark"),
    ),
    "knife": (
        poly(44, 12, 58, 26, 58, 58, 44, 58, ink="metal"),
        box(42, 56, 60, 88, 5),
        disc(51, 66, 2, ink="light"),
        disc(51, 78, 2, ink="light"),
    ),
    "pan": (
        line(68, 50, 92, 50, width=8, ink="dark"),
        disc(42, 50, 32),
        disc(42, 50, 25, ink="dark"),
        arc(42, 50, 19, 190, 260, 4, ink="light"),
    ),
    "book": (
        box(24, 16, 76, 86, 4, ink="dark"),
        box(28, 76, 76, 83, ink="paper"),
        box(24, 14, 76, 76, 4),
        box(24, 14, 33, 80, 3, ink="dark"),
        box(42, 28, 68, 33, 1, ink="light"),
        box(42, 38, 60, 42, 1, ink="light"),
    ),
    "plant": (
        disc(50, 30, 11, 20, ink="leaf"),
        disc(33, 38, 14, 9, ink="leaf"),
        disc(67, 38, 14, 9, ink="leaf"),
        disc(38, 24, 9, 11, ink="leaf"),
        disc(62, 24, 9, 11, ink="leaf"),
        poly(30, 56, 70, 56, 64, 86, 36, 86),
        box(27, 50, 73, 60, 3, ink="dark"),
    ),
    "towel": (
        box(12, 18, 88, 24, 3, ink="metal"),
        box(26, 20, 74, 82, 3),
        box(26, 62, 74, 67, ink="light"),
        box(26, 71, 74, 74, ink="light"),
        box(26, 20, 36, 82, 2, ink="dark"),
    ),
    "bottle": (
        box(43, 10, 57, 20, 2, ink="dark"),
        box(45, 18, 55, 40),
        disc(50, 44, 18, 14),
        box(32, 42, 68, 88, 6),
        box(32, 54, 68, 74, ink="paper"),
        box(38, 60, 62, 63, ink="dark"),
    ),
    "photo": (
        box(14, 20, 86, 80, 6, ink="light"),
        disc(33, 38, 7, ink="flame"),
        poly(18, 76, 42, 46, 58, 66, 68, 54, 84, 76),
    ),
}

_FIXED: dict[str, Ink] = {
    "wood": (176, 132, 88),
    "leaf": (86, 148, 92),
    "metal": (148, 154, 164),
    "paper": (252, 250, 244),
    "flame": (246, 166, 62),
    "night": (52, 54, 64),
}


_SHADES: tuple[Colour, ...] = (
    (196, 106, 74),
    (63, 111, 209),
    (90, 150, 110),
    (122, 91, 168),
    (217, 138, 58),
    (70, 130, 150),
)


def own_shade(name: str) -> Colour:
    """The colour of a picture that was given none: always the same for the same name."""
    return _SHADES[sum(map(ord, name)) % len(_SHADES)]


def tint(shade: Colour, under: Colour) -> Colour:
    """A quiet tile for a picture in this colour, on a light or a dark page."""
    return mix(shade, (32, 33, 38), 0.72) if is_dark(under) else mix(shade, (246, 246, 248), 0.84)


def _strokes(name: str) -> tuple[Stroke, ...]:
    """By name, else by the last word of it: a "Blue mug" is a mug."""
    last = name.casefold().split()[-1:]
    return PICTURES.get(name) or PICTURES.get(last[0] if last else "", PICTURES["photo"])


def picture(name: str, shade: Colour, tile: Colour, size: int) -> Image.Image:
    """A square picture of ``size`` pixels; an unknown name is a photograph of hills."""
    size = max(4, min(size, 1600))
    return (_thumbnail if size <= THUMBNAIL else _large_picture)(name, shade, tile, size)


@lru_cache(maxsize=128)
def _thumbnail(name: str, shade: Colour, tile: Colour, size: int) -> Image.Image:
    return _drawn(name, shade, tile, size)


@lru_cache(maxsize=4)
def _large_picture(name: str, shade: Colour, tile: Colour, size: int) -> Image.Image:
    return _drawn(name, shade, tile, size)


def _drawn(name: str, shade: Colour, tile: Colour, size: int) -> Image.Image:
    many = OVERSAMPLING if size <= THUMBNAIL else 2
    inks: dict[str, Ink] = {
        **_FIXED,
        "main": shade,
        "dark": mix(shade, (20, 20, 30), 0.28),
        "light": mix(shade, (255, 255, 255), 0.5),
        "glow": mix(tile, (255, 214, 120), 0.45),
        "tile": tile,
    }
    large = Image.new("RGB", (size * many, size * many), tile)
    draw_strokes(large, _strokes(name), size * many / GRID, inks)
    return large.reduce(many)
