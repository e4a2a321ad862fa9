"""How large text is: a table of glyph widths, so that layout needs no font and is the same
everywhere."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache

LINE_HEIGHT = 1.33  # of the text size, as Android's TextView with its font padding

_WIDTHS_OF = {  # thousandths of the text size, in a common sans serif
    220: "ijl|'",
    250: " !.,:;I",
    330: "frt()[]{}`-\u2022",
    380: '"/\\*',
    500: "csvxyzJk?",
    560: "abdeghnopquL0123456789$#_+=<>~^",
    600: "EFSTZPY",
    650: "ABCKRVX&",
    700: "DGHNOQU",
    800: "wm%",
    880: "MW@",
}
_WIDTHS = {glyph: width for width, glyphs in _WIDTHS_OF.items() for glyph in glyphs}
_DEFAULT = 560


@dataclass(frozen=True, slots=True)
class Metrics:
    """Density-independent lengths into pixels. ``scale`` is pixels per dp."""

    scale: float

    def px(self, dp: float) -> int:
        return int(dp * self.scale + 0.5)

    def line(self, size_px: int) -> int:
        """The height of one line of text."""
        return int(size_px * LINE_HEIGHT + 0.5)


@lru_cache(maxsize=4096)
def text_width(text: str, size_px: int) -> int:
    """Pixels that one line of text takes, and a little: hinted fonts run wider than their
    outlines."""
    return -(-sum(map(_glyph, text)) * size_px * 103 // 100_000)


@lru_cache(maxsize=2048)
def wrap_text(text: str, size_px: int, width: int) -> tuple[str, ...]:
    """The lines that a text breaks into: at spaces where it can, inside a word where it must."""
    return tuple(
        line for paragraph in text.split("\n") for line in _wrap_line(paragraph, size_px, width)
    )


def _wrap_line(paragraph: str, size_px: int, width: int) -> list[str]:
    if text_width(paragraph, size_px) <= width:
        return [paragraph]
    lines: list[str] = []
    current = ""
    for word in paragraph.split(" "):
        longer = f"{current} {word}" if current else word
        if text_width(longer, size_px) <= width:
            current = longer
            continue
        if current:
            lines.append(current)
        *full, current = _break_word(word, size_px, width)
        lines.extend(full)
    return [*lines, current]


def _break_word(word: str, size_px: int, width: int) -> list[str]:
    pieces = [""]
    for glyph in word:
        if pieces[-1] and text_width(pieces[-1] + glyph, size_px) > width:
            pieces.append("")
        pieces[-1] += glyph
    return pieces


@lru_cache(maxsize=1024)
def _glyph(glyph: str) -> int:
    known = _WIDTHS.get(glyph)
    if known is not None:
        return known
    if unicodedata.combining(glyph) or unicodedata.category(glyph) in ("Cf", "Mn"):
        return 0
    return 1000 if unicodedata.east_asian_width(glyph) in ("W", "F") else _DEFAULT
