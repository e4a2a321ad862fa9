"""Colours: the light and the dark palette, and what a widget's own colours make of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from ...ui import DesignName

Colour = tuple[int, int, int]

_HEX = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})\Z")


@lru_cache(maxsize=512)
def colour(text: str, default: Colour) -> Colour:
    """``#rgb`` or ``#rrggbb``; anything else is the default."""
    if not _HEX.match(text):
        return default
    digits = text[1:] if len(text) == 7 else "".join(digit * 2 for digit in text[1:])
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)


def mix(one: Colour, other: Colour, share: float) -> Colour:
    """``share`` (0 to 1) of the other colour in the first."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def is_dark(shade: Colour) -> bool:
    """Whether light text is the one to read on it."""
    return 0.299 * shade[0] + 0.587 * shade[1] + 0.114 * shade[2] < 140


WHITE: Colour = (255, 255, 255)
BLACK: Colour = (0, 0, 0)
INK: Colour = (28, 27, 31)


def on(shade: Colour) -> Colour:
    """The text colour to read on a fill."""
    return WHITE if is_dark(shade) else INK


@dataclass(frozen=True)
class Style:
    """How a platform draws what both have, in dp. Without ``own_corners`` a widget says itself how
    round it is."""

    own_corners: bool
    shadows: bool  # below raised parts
    white_thumbs: bool  # of sliders, on grey tracks
    outlined: bool  # lists of choices have a frame, and no ground of their own
    button: int  # corners; 0 is a pill
    label: int  # text of buttons
    card: int
    dialog: int
    field: int
    divider: float  # how much of the ground is in its colour
    hair: tuple[
        float, float, float
    ]  # below a row: from where on, how thick, how much of the ground is in it
    opens: tuple[str, int]  # the icon of what opens a list of choices, and its size
    chosen: int  # text of the choice


MATERIAL = Style(
    own_corners=False,
    shadows=True,
    white_thumbs=False,
    outlined=True,
    button=0,
    label=14,
    card=12,
    dialog=28,
    field=6,
    divider=0.4,
    hair=(0, 1, 0.55),
    opens=("down", 24),
    chosen=16,
)
CUPERTINO = Style(
    own_corners=True,
    shadows=False,
    white_thumbs=True,
    outlined=False,
    button=12,
    label=17,
    card=10,
    dialog=14,
    field=10,
    divider=0.2,
    hair=(16, 0.5, 0),
    opens=("up_down", 20),
    chosen=17,
)


@dataclass(frozen=True)
class Theme:
    """A palette: the page, its surfaces, and its text; and the style that it is of."""

    page: Colour
    surface: Colour  # cards, dialogs, menus
    text: Colour
    secondary: Colour  # hints, captions, icons
    line: Colour  # outlines, dividers, idle tracks
    accent: Colour
    toolbar: Colour
    key: Colour
    tray: Colour  # what keys lie on
    style: Style = MATERIAL

    def on(self, background: Colour) -> Theme:
        """The palette of the same style for what lies on another ground."""
        return theme_on(background, "cupertino" if self.style is CUPERTINO else "material")


LIGHT = Theme(
    page=(250, 250, 250),
    surface=(255, 255, 255),
    text=INK,
    secondary=(95, 99, 104),
    line=(200, 202, 208),
    accent=(63, 81, 181),
    toolbar=(63, 81, 181),
    key=(255, 255, 255),
    tray=(228, 231, 236),
)
DARK = Theme(
    page=(18, 18, 18),
    surface=(38, 39, 44),
    text=(232, 232, 236),
    secondary=(164, 167, 174),
    line=(84, 86, 94),
    accent=(159, 168, 218),
    toolbar=(31, 33, 46),
    key=(74, 78, 86),
    tray=(38, 40, 45),
)


CUPERTINO_LIGHT = Theme(
    page=(242, 242, 247),
    surface=(255, 255, 255),
    text=BLACK,
    secondary=(134, 134, 139),
    line=(209, 209, 214),
    accent=(0, 122, 255),
    toolbar=(249, 249, 251),
    key=(255, 255, 255),
    tray=(209, 212, 219),
    style=CUPERTINO,
)
CUPERTINO_DARK = Theme(
    page=BLACK,
    surface=(44, 44, 46),
    text=WHITE,
    secondary=(152, 152, 158),
    line=(72, 72, 76),
    accent=(10, 132, 255),
    toolbar=(28, 28, 30),
    key=(107, 107, 110),
    tray=(43, 43, 46),
    style=CUPERTINO,
)
_PALETTES: dict[DesignName, tuple[Theme, Theme]] = {
    "material": (LIGHT, DARK),
    "cupertino": (CUPERTINO_LIGHT, CUPERTINO_DARK),
}


def theme_on(page: Colour, design: DesignName = "material") -> Theme:
    """The palette for what lies on a background."""
    return _PALETTES[design][is_dark(page)]
