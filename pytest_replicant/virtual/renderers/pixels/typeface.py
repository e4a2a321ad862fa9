"""Text in Pillow's own scalable font: measured, cut to fit, wrapped, and drawn.

That font knows plain Latin only, so signs a shop needs are drawn as strokes, accents are set over
their letters, and everything else shows as the font's empty box. Text comes from apps and may be
anything.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby

from PIL import Image, ImageDraw, ImageFont

from .strokes import Stroke, arc, disc, line, mask_of, ring
from .theme import Colour

ELLIPSIS = "…"
LONGEST = 2000  # characters of one text that are looked at, unless its frame has room for more
_NARROWEST = 0.15  # of the text size: no sign that is drawn takes less
LINE_HEIGHT = 1.33  # of the text size

# Signs the font lacks: advance and strokes, in hundredths of the text size, the baseline at 100.
_SIGNS: dict[str, tuple[int, tuple[Stroke, ...]]] = {
    "£": (
        54,
        (
            arc(31, 47, 17, 170, 340, 7.5),
            line(18, 50, 20, 84, 8, 96.5, width=7.5),
            line(8, 96, 46, 96, width=7.5),
            line(8, 70, 38, 70, width=7),
        ),
    ),
    "€": (
        58,
        (arc(36, 65, 33, 55, 305, 7.5), line(3, 58, 38, 58, width=6), line(3, 71, 36, 71, width=6)),
    ),
    "¥": (
        56,
        (
            line(6, 34, 28, 66, 50, 34, width=7),
            line(28, 66, 28, 97, width=7),
            line(10, 74, 46, 74, width=6),
        ),
    ),
    "•": (44, (disc(22, 66, 15),)),
    "–": (56, (line(4, 70, 52, 70, width=6.5),)),
    "—": (100, (line(3, 70, 97, 70, width=6.5),)),
    "−": (58, (line(8, 70, 50, 70, width=7),)),
    "×": (56, (line(12, 54, 44, 86, width=7), line(44, 54, 12, 86, width=7))),
    "✓": (66, (line(8, 70, 26, 90, 58, 42, width=8),)),
    "→": (84, (line(8, 68, 76, 68, width=7), line(54, 48, 76, 68, 54, 88, width=7))),
    "←": (84, (line(8, 68, 76, 68, width=7), line(30, 48, 8, 68, 30, 88, width=7))),
    "°": (34, (ring(17, 40, 13, width=6),)),
    "大": (
        100,
        (
            line(12, 50, 88, 50, width=7),
            line(50, 20, 48, 56, 38, 80, 10, 100, width=7),
            line(51, 52, 64, 78, 90, 100, width=7),
        ),
    ),
    "小": (
        100,
        (
            line(50, 20, 50, 98, 38, 90, width=7),
            line(30, 48, 12, 84, width=7),
            line(68, 46, 90, 82, width=7),
        ),
    ),
}
# Marks over a letter, in hundredths of the text size, centred on zero, for a small letter.
_MARKS: dict[str, tuple[float, ...]] = {
    "\u0301": (-5, 41, 6, 31),
    "\u0300": (-6, 31, 5, 41),
    "\u0302": (-9, 40, 0, 31, 9, 40),
    "\u0303": (-11, 37, -4, 33, 4, 37, 11, 33),
    "\u0308": (-9, 36, -8, 36),
    "\u030a": (-1, 34, 1, 34),
    "\u030c": (-9, 31, 0, 40, 9, 31),
}
_LETTERS = {
    "ß": "ss",
    "æ": "ae",
    "Æ": "AE",
    "ø": "o",
    "Ø": "O",
    "ł": "l",
    "Ł": "L",
    "œ": "oe",
    "đ": "d",
}


@lru_cache(maxsize=64)
def font(size: int) -> ImageFont.FreeTypeFont:
    """Pillow's own font at a size in pixels."""
    face = ImageFont.load_default(max(4, min(size, 400)))
    if not isinstance(face, ImageFont.FreeTypeFont):
        raise RuntimeError(
            "Pillow was built without FreeType; install a wheel of pillow to draw screens"
        )
    return face


def room_for(size: int, room: int) -> int:
    """How many characters of that size a line of that many pixels holds at most."""
    return int(room * SLACK / max(1, size * _NARROWEST)) + 8


def plain(text: str, most: int = LONGEST) -> str:
    """What can be seen of a text, on one line or several: no controls, no direction marks, and of a
    longer one no more than ``most`` characters, or ``LONGEST``."""
    text = text[: max(most, LONGEST)]
    return text if text.isascii() and text.isprintable() else _visible(text)


@lru_cache(maxsize=1024)
def _visible(text: str) -> str:
    kept = []
    for sign in unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\t", "    ")):
        if sign == "\n" or sign == "\u2028":
            kept.append("\n")
            continue
        category = unicodedata.category(sign)
        if category in ("Cf", "Mn", "Me") or sign == "\ufe0f":
            continue
        if category in ("Cc", "Zs", "Zp"):
            kept.append(" ")
        else:
            kept.append("\ufffd" if category == "Cs" else _LETTERS.get(sign, sign))
    return "".join(kept)


@lru_cache(maxsize=2048)
def _in_font(sign: str) -> bool:
    if sign.isascii():
        return True
    face = font(24)
    empty = face.getmask("\ue123")
    mask = face.getmask(sign)
    return mask.size != empty.size or bytes(mask) != bytes(empty)


@lru_cache(maxsize=2048)
def _accented(sign: str) -> tuple[str, str] | None:
    parts = unicodedata.normalize("NFD", sign)
    if len(parts) == 2 and parts[0].isascii() and not _in_font(sign):
        return parts[0], parts[1]
    return None


def _is_plain(sign: str) -> bool:
    return sign.isascii() or (sign not in _SIGNS and _accented(sign) is None)


def _runs(text: str) -> Iterator[str]:
    """Stretches that the font draws by itself, and single signs that it does not."""
    for by_font, signs in groupby(text, _is_plain):
        if by_font:
            yield "".join(signs)
        else:
            yield from signs


@lru_cache(maxsize=8192)
def width(text: str, size: int) -> float:
    """Of one line, in pixels."""
    if text.isascii():
        return font(size).getlength(text)
    return sum(_advance(run, size) for run in _runs(text))


def _advance(run: str, size: int) -> float:
    if run in _SIGNS:
        return _SIGNS[run][0] * size / 100
    accented = _accented(run) if len(run) == 1 else None
    return font(size).getlength(accented[0] if accented else run)


SLACK = 1.1  # of the room: layout reckons with widths of its own, a little apart from the font's


def cut(text: str, size: int, room: float) -> str:
    """One line that fits into ``room`` pixels, with an ellipsis where something had to go."""
    if _fits(text, size, room):
        return text
    kept = _longest(text, size, room - width(ELLIPSIS, size))
    return text[:kept].rstrip() + ELLIPSIS


def _longest(text: str, size: int, room: float) -> int:
    """How many characters from the start fit."""
    low, high = 0, min(len(text), room_for(size, math.ceil(max(room, 0))))
    while low < high:
        middle = (low + high + 1) // 2
        if width(text[:middle], size) <= room:
            low = middle
        else:
            high = middle - 1
    return low


@lru_cache(maxsize=1024)
def wrap(text: str, size: int, room: int, lines: int) -> tuple[str, ...]:
    """At most ``lines`` lines of ``room`` pixels, broken at spaces; the last is cut if there is
    more."""
    found: list[str] = []
    for paragraph in text.split("\n"):
        rest = paragraph
        while True:
            if len(found) == lines:
                found[-1] = cut(found[-1] + " " + rest + ELLIPSIS, size, room)
                return tuple(found)
            head, rest = _break(rest, size, room)
            found.append(head)
            if not rest:
                break
    return tuple(found)


def _fits(text: str, size: int, room: float) -> bool:
    """Without measuring all of a text that is far too long."""
    return len(text) <= room_for(size, math.ceil(max(room, 0))) and width(text, size) <= room


def _break(text: str, size: int, room: int) -> tuple[str, str]:
    if _fits(text, size, room):
        return text, ""
    kept = max(1, _longest(text, size, room))
    if kept < len(text) and not text[kept].isspace():
        space = text.rfind(" ", 0, kept)
        kept = space if space > 0 else kept
    return text[:kept].rstrip(), text[kept:].lstrip()


def draw_line(
    image: Image.Image,
    text: str,
    x: float,
    baseline: float,
    size: int,
    fill: Colour,
    bold: bool = False,
) -> None:
    """One line from ``x`` on. Bold is the same line twice, a little apart: the font has one
    weight."""
    pen = ImageDraw.Draw(image)
    for run in _pieces(text):
        if x > image.width:
            return
        advance = _advance(run, size)
        if x + advance < -size:  # far to the left: a line may be as wide as many screens
            x += advance
            continue
        steps = (0.0, max(1.0, size / 30)) if bold else (0.0,)
        for step in steps:
            _draw_run(image, pen, run, x + step, baseline, size, fill)
        x += advance


_PIECE = 100  # characters that are drawn at once


def _pieces(text: str) -> Iterator[str]:
    for run in _runs(text):
        for start in range(0, len(run), _PIECE):
            yield run[start : start + _PIECE]


def _draw_run(
    image: Image.Image,
    pen: ImageDraw.ImageDraw,
    run: str,
    x: float,
    baseline: float,
    size: int,
    fill: Colour,
) -> None:
    if run in _SIGNS:
        image.paste(fill, (round(x), round(baseline - size)), _sign_mask(run, size))
        return
    accented = _accented(run) if len(run) == 1 else None
    pen.text(
        (x, baseline), accented[0] if accented else run, fill=fill, font=font(size), anchor="ls"
    )
    if accented and accented[1] in _MARKS:
        image.paste(fill, (round(x), round(baseline - size * 1.2)), _mark_mask(*accented, size))


@lru_cache(maxsize=128)
def _sign_mask(sign: str, size: int) -> Image.Image:
    advance, strokes = _SIGNS[sign]
    return mask_of(strokes, (max(1, round(advance * size / 100)), round(size * 1.1)), size / 100)


@lru_cache(maxsize=128)
def _mark_mask(letter: str, mark: str, size: int) -> Image.Image:
    middle = font(size).getlength(letter) / size * 50
    lift = 0 if letter.isupper() or letter in "bdfhklt" else 20
    at = [value + (middle if index % 2 == 0 else lift) for index, value in enumerate(_MARKS[mark])]
    strokes = [line(*at, width=7)]
    if mark == "\u0308":
        strokes.append(line(at[0] + 17, at[1], at[2] + 17, at[3], width=7))
    return mask_of(strokes, (max(1, round(middle * size / 50)), size), size / 100)
