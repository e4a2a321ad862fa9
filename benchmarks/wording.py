"""Other words for what a screen says: changed numbers, other names, another alphabet."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

_DIGIT = re.compile(r"\d")
_WORDS = """
amber anchor apricot arrow autumn bamboo basket beacon birch blanket bottle branch bridge bronze bucket
butter button candle canvas carrot castle cedar chalk cherry circle clover cobalt copper coral cotton crater
crystal daisy desert dolphin ember engine falcon feather fennel flint forest garden ginger glacier granite
harbor hazel helmet heron hollow honey indigo island ivory jacket jasmine jungle kettle ladder lagoon
lantern lemon linen magnet maple marble meadow mirror mosaic nectar needle nickel nutmeg ocean olive onyx
orchid oyster paddle pebble pepper pillow plum pocket poplar quartz quiver rabbit ribbon river rocket saddle
saffron sailor sandal shadow silver sparrow spruce sunset teapot thistle thunder timber tulip tunnel turtle
valley velvet violet walnut whistle willow window winter yarrow zephyr
""".split()  # noqa: SIM905 - as a list it would take a page
_LATIN = "abcdefghijklmnopqrstuvwxyz"
_OTHER = "абцдефгхийклмнопярстужвщыз"
_ALPHABET = str.maketrans(_LATIN + _LATIN.upper(), _OTHER + _OTHER.upper())


def renumbered(text: str, rng: Random) -> str:
    """The same text with other numbers; without numbers, with one."""
    if not _DIGIT.search(text):
        return f"{text} ({rng.randint(2, 99)})"
    changed = text
    while changed == text:
        changed = _DIGIT.sub(lambda match: str(rng.randint(1, 9)), text)
    return changed


def replaced(text: str, rng: Random, taken: set[str]) -> str:
    """Another text of about as many words, which the screen does not show yet; numbers stay
    numbers."""
    letters = sum(character.isalpha() for character in text)
    if letters * 2 < len(text.strip()) and _DIGIT.search(text):
        return renumbered(text, rng)
    count = min(max(len(text.split()), 1), 5)
    while True:
        found = " ".join(rng.choice(_WORDS) for _ in range(count + rng.randint(0, 1))).capitalize()
        if found not in taken:
            taken.add(found)
            return found


def translated(text: str) -> str:
    """In another alphabet and longer, the same for the same text; letters that are not Latin move
    on by one."""
    words = []
    for word in text.split(" "):
        letters = "".join(_next(character) for character in word.translate(_ALPHABET))
        longer = any(character.isalpha() for character in letters) and len(letters) > 3
        words.append(letters + letters[-2:] if longer else letters)
    return " ".join(words)


def _next(character: str) -> str:
    if not character.isalpha() or character.lower() in _OTHER:
        return character
    following = chr(ord(character) + 1)
    return following if following.isalpha() else chr(ord(character) - 1)


def consistent(change: Callable[[str], str]) -> Callable[[str], str]:
    """The same answer for the same text: one node may say one thing in two attributes."""
    known: dict[str, str] = {}

    def changed(text: str) -> str:
        if text not in known:
            known[text] = change(text)
        return known[text]

    return changed


def replacing(rng: Random, taken: set[str]) -> Callable[[str], str]:
    """Other texts, each the same for the same text."""
    return consistent(lambda text: replaced(text, rng, taken))
