"""Which screen this is (``screen_key``), and what is on it (``fingerprint``), as short strings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model import ScreenTraits
from ..naming.titles import dialog_says
from ..screen.windows import is_covered
from ..text.masking import mask_count, mask_numbers, mask_volatile
from .frame import frame

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ...model import Element
    from ..screen.layout import Layout


def traits(layout: Layout, app: str, title: str, dialog: str | None) -> ScreenTraits:
    """What a screen is known by; one without a title by its frame."""
    tab, *parts = frame(layout, named=bool(title))
    ways = frozenset(part for part in parts if part.startswith("way "))
    return ScreenTraits(
        app=app,
        title=mask_count(title),
        dialog=mask_count(dialog or ""),
        says="" if dialog is None else mask_numbers(dialog_says(layout)),
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
        parts += content(element)
    return _hashed(parts)


def content(element: Element) -> list[str]:
    """What of one element is on the screen, wherever that is."""
    states = element.states
    return [
        element.class_name,
        element.resource_id,
        mask_volatile(element.label),
        "" if element.value is None else mask_volatile(str(element.value)),
        f"{states.checked}{states.selected}{states.enabled}{states.expanded}",
        *(mask_volatile(label) for label in element.folded),
    ]


def _hashed(parts: Iterable[str]) -> str:
    from .digest import digest  # xxhash is loaded by the first screen

    return f"{digest(parts):016x}"
