"""Which screen this is (``screen_key``), and what is on it (``fingerprint``), as short strings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .rows import is_collection
from .words import short_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..model.element import Element, Node
    from .layout import Layout

# What changes by itself: clocks, ages, the battery. Prices, counts and other percentages are content.
_CLOCK = re.compile(r"\b(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?:\s?[AaPp]\.?[Mm]\.?)?(?![\d:])")
_AGE = re.compile(r"\b\d+ ?(?:s|sec|secs|seconds?|m|min|mins|minutes?|h|hrs?|hours?|d|days?) ago\b|\bjust now\b")

_BATTERY = re.compile(r"(\bbattery\b[^\d%]{0,24})\d{1,3}(?= ?(?:%|percent\b))", re.IGNORECASE)
_PERCENT = re.compile(r"\b\d+(?:[.,]\d+)?(?= ?(?:%|percent\b))")


def mask_volatile(text: str) -> str:
    """The text with what ticks by itself replaced by ``~``."""
    if not any(sign.isdigit() for sign in text):
        return _AGE.sub("~", text) if "just now" in text else text
    return _BATTERY.sub(r"\1~", _AGE.sub("~", _CLOCK.sub("~", text)))


def mask_progress(text: str) -> str:
    """The same with percentages, which tick while something is going on."""
    return _PERCENT.sub("~", mask_volatile(text))


def inside_scrollers(nodes: Sequence[Node]) -> list[bool]:
    """For each node whether something around it scrolls or is a list."""
    inside = [False] * len(nodes)
    for node in nodes:
        if node.parent >= 0:
            above = nodes[node.parent]
            inside[node.index] = inside[above.index] or bool(above.states.scrollable) or is_collection(above)
    return inside


def screen_key(layout: Layout, app: str, activity: str, title: str, dialog: str | None) -> str:
    """Equal under scrolling and content. A screen without a title is known by the ids of its fixed parts."""
    parts = ["screen", app, activity, mask_volatile(title), "" if dialog is None else f"dialog:{dialog}"]
    if not title:
        parts += sorted(_fixed_ids(layout))
    return _hashed(parts)


def fingerprint(key: str, elements: Sequence[Element], loading: bool) -> str:
    """Equal under clock ticks, focus and small moves; different after a toggle or other content."""
    parts = [key, "loading" if loading else ""]
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


def _fixed_ids(layout: Layout) -> set[str]:
    """Ids of the base window that are in nothing that scrolls."""
    moving = [False] * len(layout.nodes)
    found: set[str] = set()
    for node in layout.nodes:
        above = node.parent >= 0 and moving[node.parent]
        moving[node.index] = above or bool(node.states.scrollable) or is_collection(node)
        if not above and node.resource_id and node.window == layout.stack.base and node.visible:
            found.add(short_id(node.resource_id))
    return found


def _hashed(parts: Iterable[str]) -> str:
    from .digest import digest  # xxhash is loaded by the first screen

    return f"{digest(parts):016x}"
