"""Other words for words: of the same length and letters of the same kind, and none that means anything."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from functools import cache, lru_cache
from itertools import product
from math import prod
from random import Random

_CONSONANTS, _LETTERS, _DIGITS = "bcdfghjklmnpqrstvwxz", "abcdefghijklmnopqrstuvwxyz", "0123456789"
_FEW = 10  # letters of a kind that are too few to choose from
_FEW_WORDS = 30_000  # all words of three letters: one more, and a word that is free is soon found by chance
_MARKS = "".join(chr(code) for code in range(0x300, 0x10000) if unicodedata.category(chr(code))[0] == "M")
_HIGH = "\U00010000-\U0010ffff"
_MORE = "\u24b6-\u24e9\u2800-\u28ff"  # letters in circles, and Braille
WORD = re.compile(rf"(?:[^\W_{_HIGH}]|[{_MORE}])(?:[^\W_{_HIGH}]|[{_MORE}{_MARKS}])*|(?:(?=[{_HIGH}])[^\W_])+")
"""Letters, digits and their marks. Those that are two units of UTF-16, of which a dump may have made dots, are
words of their own."""


@lru_cache(maxsize=4096)
def _lower(sign: str) -> str:
    """The small letter of a capital that is that one's only capital; else the sign itself."""
    low = sign.lower()
    return low if len(low) == 1 and low != sign and low.upper() == sign else sign


def key_of(word: str) -> str:
    """What words that differ in capitals have in common."""
    return word.lower() if word.isascii() else "".join(map(_lower, word))


def _letters_like(sign: str) -> str:
    """The letters that may stand for this one, which is one of them; "" for a mark, which stays."""
    if sign.isascii():
        return _DIGITS if sign in _DIGITS else _LETTERS
    return _alphabets(sign > "\uffff").get(sign, "")


@cache
def _alphabets(high: bool) -> dict[str, str]:
    """By letter, all of its script and kind; of kinds with few letters, all of such kinds."""
    kinds: defaultdict[tuple[object, ...], list[str]] = defaultdict(list)
    for sign in map(chr, range(0x10000, 0x110000) if high else range(0x80, 0x10000)):
        if WORD.match(sign):
            kinds[_kind(sign)].append(sign)
    for kind in [kind for kind, signs in kinds.items() if len(signs) < _FEW]:
        kinds["few", kind[-1]] += kinds.pop(kind)
    return {sign: letters for signs in kinds.values() for letters in ["".join(signs)] for sign in signs}


def _kind(sign: str) -> tuple[object, ...]:
    """Script, category, whether texts are compared by it as it is, and whether there is a capital of it."""
    script = unicodedata.name(sign, "").partition(" ")[0]
    has_capital = _lower(sign.upper()) == sign != sign.upper()
    return script, unicodedata.category(sign), unicodedata.is_normalized("NFKC", sign), has_capital


class Words:
    """Other words, each always the same one for the same word, and for no other."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._new: dict[str, str] = {}  # by key
        self._used: set[str] = set()
        self._texts: dict[str, str] = {}

    def text(self, text: str) -> str:
        """The text in other words."""
        if text not in self._texts:
            self._texts[text] = WORD.sub(self._other, text)
        return self._texts[text]

    def _other(self, match: re.Match[str]) -> str:
        word = match[0]
        key = key_of(word)
        if key not in self._new:
            self._choose(key)
        capitals: list[str] = []
        for new, low, sign in zip(self._new[key], key, word, strict=True):
            capitals.append(new.upper() if low != sign else new)
        return "".join(capitals)

    def _choose(self, key: str) -> None:
        letters = [_letters_like(sign) or sign for sign in key]
        if prod(map(len, letters)) <= _FEW_WORDS:
            self._turn(letters)
            return
        letters = [each.replace(_LETTERS, _CONSONANTS) for each in letters]
        new = key
        while new == key or new in self._used:
            new = "".join(map(self._random.choice, letters))
        self._used.add(new)
        self._new[key] = new

    def _turn(self, letters: list[str]) -> None:
        """Of a few words, each stands for the next one of a circle: not one is left over for itself."""
        circle = ["".join(signs) for signs in product(*letters)]
        self._random.shuffle(circle)
        self._new |= zip(circle, [*circle[1:], circle[0]], strict=True)
