"""Which screen this is (``screen_key``), and what is on it (``fingerprint``), as short strings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..model.element import ScreenTraits
from .frame import frame
from .windows import is_covered

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..model.element import Element
    from .layout import Layout

# What changes by itself: clocks, ages, the battery. Prices, counts and other percentages are content.
_CLOCK = re.compile(r"\b(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?:\s?[AaPp]\.?[Mm]\.?)?(?![\d:])")
_AGE = re.compile(r"\b\d+ ?(?:s|sec|secs|seconds?|m|min|mins|minutes?|h|hrs?|hours?|d|days?) ago\b|\bjust now\b")

_BATTERY = re.compile(r"(\bbattery\b[^\d%]{0,24})\d{1,3}(?= ?(?:%|percent\b))", re.IGNORECASE)
_COUNT = re.compile(r" *\(\d[\d.,]*\+?\)$")  # "Inbox (3)"
_PERCENT = re.compile(r"\b\d+(?:[.,]\d+)?(?= ?(?:%|percent\b))")


def mask_volatile(text: str) -> str:
    """The text with what ticks by itself replaced by ``~``."""
    if not any(sign.isdigit() for sign in text):
        return _AGE.sub("~", text) if "just now" in text else text
    return _BATTERY.sub(r"\1~", _AGE.sub("~", _CLOCK.sub("~", text)))


def mask_progress(text: str) -> str:
    """The same with percentages, which tick while something is going on."""
    return _PERCENT.sub("~", mask_volatile(text))


def traits(layout: Layout, app: str, title: str, dialog: str | None) -> ScreenTraits:
    """What a screen is known by; one without a title by its frame."""
    tab, *parts = frame(layout, named=bool(title))
    ways = frozenset(part for part in parts if part.startswith("way "))
    return ScreenTraits(
        app=app,
        title=_uncounted(title),
        dialog=_uncounted(dialog or ""),
        covered=is_covered(layout.stack),
        tab=tab,
        parts=frozenset(parts) - ways,
        ways=ways,
    )


def screen_key(known_by: ScreenTraits, activity: str, dialog: str | None) -> str:
    """Equal under scrolling and content."""
    over = "" if dialog is None else f"dialog:{known_by.dialog}"
    parts = (known_by.app, activity, known_by.title, over, known_by.tab, *sorted(known_by.parts | known_by.ways))
    return _hashed(["screen", *parts])


def fingerprint(key: str, headings: Iterable[str], elements: Sequence[Element], loading: bool) -> str:
    """Equal under clock ticks, focus and small moves; different after a toggle or other content."""
    parts = [key, *map(mask_volatile, headings), "loading" if loading else ""]
    for element in elements:
        states = element.states
        parts += [
            element.class_name,
            element.resource_id,
            mask_volatile(element.label),
            "" if element.value is None else mask_volatile(str(element.value)),
            f"{states.checked}{states.selected}{states.enabled}{states.expanded}",
        ]
        parts += [mask_volatile(label) for label in element.folded]
    return _hashed(parts)


def _uncounted(title: str) -> str:
    """Without what ticks, and without a count at its end."""
    return _COUNT.sub("", mask_volatile(title))


def _hashed(parts: Iterable[str]) -> str:
    from .digest import digest  # xxhash is loaded by the first screen

    return f"{digest(parts):016x}"
