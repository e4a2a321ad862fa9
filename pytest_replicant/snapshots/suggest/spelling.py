"""Misspelt labels and ids: the same name on the screen, but for a slip of the keyboard."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Any

from ...model import Selector
from ..query.search_index import SearchIndex
from ..text import clean, short_id


def spellings(screen: SearchIndex, wanted: Selector) -> Iterator[Selector]:
    """Yields each keyword as the screen spells it, where one name of it alone comes close, and none
    is equal."""
    descriptions = dict.fromkeys(clean(element.description) for element in screen.elements)
    pools: dict[str, Collection[str]] = {
        "text": screen.named,
        "description": descriptions,
        "resource_id": screen.identified,
    }
    for name, pool in pools.items():
        value = getattr(wanted, name)
        if not isinstance(value, str) or clean(value) in pool:
            continue
        plain = short_id if name == "resource_id" else clean
        near = {plain(one) for one in pool if is_slip(plain(value), plain(one))}
        if len(near) == 1:
            keywords: Any = {name: near.pop()}
            yield Selector(**keywords)


def parts_in_other_letters(screen: SearchIndex, wanted: Selector) -> Iterator[Selector]:
    """Yields a part of a label as the screen spells it, where that differs by case alone, and in
    one way."""
    part = clean(wanted.text_contains or "")
    at = {name: name.casefold().find(part.casefold()) for name in screen.named} if part else {}
    found = {name[start : start + len(part)] for name, start in at.items() if start >= 0} - {part}
    if len(found) == 1:
        yield Selector(text_contains=found.pop())


_UNREAD = re.compile(r"[\s_,:;'’\"“”]+|(?<=[^\W\d])[-.](?=[^\W\d])")
"""What a reader may forget in a name."""
_SHORTEST_WORD = 4  # letters; of shorter words one letter makes another one
_LONGER_WORD = 6
_SHORTEST_SLIP = 3  # letters of a text that is no word, as it has no vowel: "Sgn"
_ENDS = "?!.…"  # of a sentence, which is no part of its last word
_VOWELS = frozenset("aeiouy")


def is_slip(wanted: str, name: str) -> bool:
    """Whether the two are one name with a slip of the keyboard: other case or spaces, two letters
    exchanged, or one letter too many, too few or another inside a long word. What differs in
    numbers, in short words or at the ends of a word is another name: "mug" and "rug", "Save" and
    "Saved", "Row 4" and "Row 5"."""
    ours, theirs = (
        [word for word in _UNREAD.split(one.casefold()) if word] for one in (wanted, name)
    )
    if not any(map(str.isalpha, ours)):
        return False
    if "".join(ours) == "".join(theirs):
        return [w for w in ours if not w.isalpha()] == [w for w in theirs if not w.isalpha()]
    apart = [(one, other) for one, other in zip(ours, theirs, strict=False) if one != other]
    return len(ours) == len(theirs) and len(apart) == 1 and _is_typo(*apart[0])


def _is_typo(one: str, other: str) -> bool:
    """``one`` is what was written."""
    if one[-1] == other[-1] in _ENDS:
        one, other = one[:-1], other[:-1]
    shorter, longer = sorted((one, other), key=len)
    shortest = _SHORTEST_WORD if _VOWELS & set(one) or not one.isascii() else _SHORTEST_SLIP
    if len(shorter) < shortest or not one.isalpha() or not other.isalpha() or one[0] != other[0]:
        return False
    apart = [at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b]
    if len(one) == len(other):
        exchanged = len(apart) == 2 and apart[1] - apart[0] == 1 and sorted(one) == sorted(other)
        return exchanged or (len(apart) == 1 and len(one) >= _LONGER_WORD and one[-1] == other[-1])
    inside = one[-1] == other[-1] and len(longer) - len(shorter) == 1
    return inside and any(longer[:at] + longer[at + 1 :] == shorter for at in range(1, len(longer)))
