"""Checks that every driver makes of gestures, text, screenshots and packages."""

from __future__ import annotations

import unicodedata
import zipfile
from collections.abc import Callable
from pathlib import Path

from ..errors import UsageError
from ..model import Point, Rect

READ_AGAIN = "It may be changing screens, locked or off; read again."
SEVERAL = (".aab", ".apks", ".xapk", ".apkm")
"""Endings of files that hold several Android packages, or are made into several."""
ONE_INSTEAD = (
    "holds several packages; give one APK, such as the universal one that bundletool makes"
)
LONGEST_GESTURE = 60.0
CLOSEST = 48  # pixels between two fingers; nearer, the screen takes them for one


def checked_length(seconds: float) -> float:
    """Length of a gesture. Raises ``UsageError`` for one that no gesture has."""
    if not 0 <= seconds <= LONGEST_GESTURE:
        raise UsageError(
            f"a gesture of {seconds} s; give 0 to {LONGEST_GESTURE:g} seconds. Nothing was touched."
        )
    return seconds


def fingers(area: Rect, scale: float) -> tuple[tuple[Point, Point], tuple[Point, Point]]:
    """Places of two fingers at the begin and at the end: along the longer side of ``area``, a tenth
    of it away from the edges. Raises ``UsageError`` if they would come too near."""
    if not 0 < scale < float("inf") or scale == 1:
        raise UsageError(
            f"a pinch of scale {scale}; above 1 zooms in, between 0 and 1 out. Nothing was touched."
        )
    longest = max(area.width, area.height) * 4 // 5
    shortest = round(longest / max(scale, 1 / scale))
    if shortest < CLOSEST:
        raise UsageError(
            f"a pinch of scale {scale:g} in {area}: the fingers would be {shortest} pixels apart, "
            f"and {CLOSEST} is the least. Give a larger area, or pinch several times. Nothing was "
            "touched."
        )
    wide, narrow = _pair(area, longest), _pair(area, shortest)
    return (narrow, wide) if scale > 1 else (wide, narrow)


def _pair(area: Rect, apart: int) -> tuple[Point, Point]:
    middle, half = area.center, apart // 2
    if area.width >= area.height:
        return Point(middle.x - half, middle.y), Point(middle.x + half, middle.y)
    return Point(middle.x, middle.y - half), Point(middle.x, middle.y + half)


_TYPED_CONTROLS = "\t\n"
_UNTYPEABLE = {"Cc": "a control character", "Cs": "half of a surrogate pair"}
_NONCHARACTERS = "\ufffe\uffff"  # no hierarchy can show them, so they could never be read back


def untypeable(character: str) -> str:
    """Reason why no phone types it exactly; "" if there is none."""
    if character in _TYPED_CONTROLS:
        return ""
    if character in _NONCHARACTERS:
        return "no character of Unicode"
    return _UNTYPEABLE.get(unicodedata.category(character), "")


def check_characters(text: str, problem_of: Callable[[str], str] = untypeable) -> None:
    """Checks each character. Raises ``UsageError`` for the first one with a problem."""
    for position, character in enumerate(text):
        problem = problem_of(character)
        if problem:
            raise UsageError(
                f"text cannot be typed exactly: U+{ord(character):04X} at position {position} is "
                f"{problem}. Nothing was typed."
            )


_PNG_START = b"\x89PNG\r\n\x1a\n"
_PNG_END = b"IEND\xaeB`\x82"


def is_whole_png(data: bytes) -> bool:
    return data.startswith(_PNG_START) and data.endswith(_PNG_END)


def png_size(data: bytes) -> tuple[int, int]:
    """Width and height in pixels, from the header of a PNG."""
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")


def checked_apk(path: Path) -> Path:
    """Path of an APK. Raises ``UsageError`` for a file that can be none, before the phone is
    asked."""
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "does not exist"
        raise UsageError(
            f"install {path}: it {what}; give the path of an APK. Nothing was installed."
        )
    try:
        is_archive = zipfile.is_zipfile(path)
    except OSError as error:
        raise UsageError(
            f"install {path}: it cannot be read: {error}. Nothing was installed."
        ) from None
    if not is_archive:
        raise UsageError(
            f"install {path}: it is no APK, nor any other zip file. Nothing was installed."
        )
    if path.suffix.lower() in SEVERAL:
        raise UsageError(f"install {path}: a {path.suffix} {ONE_INSTEAD}. Nothing was installed.")
    return path
