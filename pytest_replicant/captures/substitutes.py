"""Other words for words: of the same length and letters of the same kind, and none that means anything."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import islice, product
from random import Random
from typing import Any

SHORTEST = 4
"""Letters of a word that is looked for inside of others: a shorter one is in too many."""
_CONSONANTS, _LETTERS, _DIGITS = "bcdfghjklmnpqrstvwxz", "abcdefghijklmnopqrstuvwxyz", "0123456789"
_FEW = 10  # letters of a kind that are too few to choose from
_VOWEL = re.compile("LETTER (?:AE|OE|DOTLESS I|[AEIOUY])(?: |$)")
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


@lru_cache(maxsize=4096)
def _letters_like(sign: str) -> str:
    """The letters that may stand for this one; "" for a mark, which stays."""
    if sign.isascii():
        return _DIGITS if sign in _DIGITS else _LETTERS
    kind = _kind(sign)
    if kind[1][0] == "M":
        return ""
    high = sign > "\uffff"
    found = _alphabets(high).get(kind, "")
    if len(found) >= _FEW:
        return found
    if high:
        return _alphabets(high)["CJK", "Lo", False]
    return _DIGITS if kind[1][0] == "N" else _alphabets(high)["LATIN", "Ll", True]


def _kind(sign: str) -> tuple[str, str, bool]:
    """Script, category, and whether there is a capital of it."""
    script = unicodedata.name(sign, "").partition(" ")[0]
    return script, unicodedata.category(sign), _lower(sign.upper()) == sign != sign.upper()


@cache
def _alphabets(high: bool) -> dict[tuple[str, str, bool], str]:
    found = defaultdict(list)
    for sign in map(chr, range(0x10000, 0x110000) if high else range(0x80, 0x10000)):
        if WORD.match(sign):
            kind = _kind(sign)
            odd = sign >= "\u0250" or _VOWEL.search(unicodedata.name(sign)) if kind[0] == "LATIN" else False
            form: Any = "NFKC" if kind[0] in ("ARABIC", "HEBREW") else "NFC"
            if not odd and (high or unicodedata.is_normalized(form, sign)):
                found[kind].append(sign)
    return {kind: "".join(signs) for kind, signs in found.items()}


class Words:
    """First every text is given to ``text``, which returns it as it is; then, after ``choose``, once more."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self.chosen = False
        self._new: dict[str, str] = {}  # by key
        self._used: set[str] = set()
        self._spelled: dict[str, str] = {}
        self._texts: dict[str, str] = {}
        self._noted: set[tuple[str, bool]] = set()
        self._found: set[str] = set()
        self._in_others: set[str] = set()  # words that a new one could happen to have in it
        self._lengths: list[int] = []
        self._known: set[str] = set()
        self._exact: set[str] = set()
        self._known_lengths: list[int] = []

    def text(self, text: str, known: bool = True) -> str:
        """The text in other words. ``known`` words are later recognised where no text is expected."""
        if self.chosen:
            if text not in self._texts:
                self._texts[text] = WORD.sub(self._other, text)
            return self._texts[text]
        if (text, known) in self._noted:
            return text
        self._noted.add((text, known))
        for word in WORD.findall(text):
            key = key_of(word)
            self._found.add(key)
            if known and len(key) >= SHORTEST:
                self._known.add(key)
                self._exact.add(word)
            elif known and not (word.isascii() and (word.islower() or word.isdigit())):
                self._exact.add(word)
        return text

    def choose(self) -> None:
        """Other words, also than those that were chosen before."""
        self.chosen = True
        for chosen in (self._new, self._used, self._spelled, self._texts):
            chosen.clear()
        self._in_others = {key for key in self._found if len(key) >= SHORTEST and not re.search("[aeiouy]", key)}
        self._lengths = sorted({len(key) for key in self._in_others})
        self._known_lengths = sorted({len(key) for key in self._known})
        for key in sorted(self._found):
            self._choose(key)

    def knows(self, word: str) -> bool:
        """Whether it is a known word, or has one in it."""
        return self.is_exact(word) or self.gives_away(word)

    def is_exact(self, word: str) -> bool:
        """Whether it is a known word, and is so spelled."""
        return word in self._exact

    def gives_away(self, word: str) -> bool:
        """As ``knows``, for words that are not too short to be there by chance: no short one is among those."""
        key = key_of(word)
        return key in self._known or _has(key, self._known, self._known_lengths)

    def _other(self, match: re.Match[str]) -> str:
        word = match[0]
        if word not in self._spelled:
            key = key_of(word)
            new = self._new.get(key) or self._choose(key)
            capitals = (
                other.upper() if low != sign else other for other, low, sign in zip(new, key, word, strict=False)
            )
            self._spelled[word] = "".join(capitals) + new[len(key) :]
        return self._spelled[word]

    def _choose(self, key: str) -> str:
        letters = [_letters_like(sign) for sign in key]
        new = next((new for new in self._proposed(key, letters) if new != key and new not in self._used), None)
        if new is None:  # every other word of this kind stands for one already: two of them change places
            same = (other for other in self._new if list(map(_letters_like, other)) == letters)
            other, new = next(same, ""), key
            if other:
                new, self._new[other] = self._new[other], key
                self._used.add(key)
            while not other and new in self._used:
                new += "q"
        self._used.add(new)
        self._new[key] = new
        return new

    def _proposed(self, key: str, letters: list[str]) -> Iterator[str]:
        plain = [_CONSONANTS if each is _LETTERS else each for each in letters]
        for among in (plain, letters):
            for _ in range(40):
                new = self._drawn(key, among)
                if new not in self._found and not _has(new, self._in_others, self._lengths):
                    yield new
        for _ in range(40):
            yield self._drawn(key, letters)
        mixed = [
            self._random.sample(each, len(each)) if each else [sign]
            for each, sign in zip(letters, key, strict=True)
        ]
        yield from islice(map("".join, product(*mixed)), 20_000)

    def _drawn(self, key: str, letters: list[str]) -> str:
        if len({*letters}) == 1 and letters[0]:
            return "".join(self._random.choices(letters[0], k=len(key)))
        choice = self._random.choice
        return "".join(choice(each) if each else sign for each, sign in zip(letters, key, strict=True))


def _has(key: str, words: set[str], lengths: list[int]) -> bool:
    """Whether one of the words is a part of ``key``."""
    return any(
        key[start : start + length] in words
        for length in lengths
        if length < len(key)
        for start in range(len(key) - length + 1)
    )
