"""How alike two texts of a screen are to a reader."""

from __future__ import annotations

import difflib
import re

_LONGEST = 200
_LONGER, _LONGER_BY = 0.7, 0.3
"""A text that begins, holds or ends with the wanted one: this much, and so much more by its share of the whole."""
_PART, _PART_BY = 0.55, 0.4
"""A text that is a part of the wanted one, such as the field "Password" for "Wrong password or mail": below what
has nearly all its words, in whatever order, and nothing where it is a letter or two of many."""
_PROMISING = 0.6
_SAME_WORD = 0.75
"""From here on two words are one with other letters: "mail" and "email", "colour" and "color"."""
_SHORTEST = 4
"""Letters of a word that may have others; of a shorter one they make another word: "mug" and "rug"."""
_WORD = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]|[^\W_]+")
"""A word; a letter of a script that writes without spaces: Thai, Lao, Burmese, Khmer, Japanese, Chinese."""


def resemblance(wanted: str, name: str, *, closely: bool = True) -> float:
    """From 0 to 1, whatever the case: the best of how many words they share, how alike they are letter by letter,
    and how much of one the other is. Without ``closely`` no letters are compared, which takes long."""
    wanted, name = wanted.casefold()[:_LONGEST], name.casefold()[:_LONGEST]
    if wanted == name:
        return 1.0
    part = 0.0
    if wanted in name:
        part = _LONGER + _LONGER_BY * len(wanted) / len(name)
    elif name in wanted:
        part = _PART + _PART_BY * len(name) / len(wanted)
    letters = _ratio(wanted, name) if closely else 0.0
    return max(part, letters, _shared(_WORD.findall(wanted), _WORD.findall(name), closely=closely))


def _shared(ours: list[str], theirs: list[str], *, closely: bool) -> float:
    """The share of letters that are in words of both, in whatever order."""
    if len(ours) == 1 or len(theirs) == 1:
        return 0.0  # a word alone is a part of the other text, or is compared letter by letter
    left, shared = list(theirs), 0.0
    for word in ours:
        likeness = [_of_words(word, other, closely=closely) for other in left]
        best = max(likeness, default=0.0)
        if best >= _SAME_WORD:
            other = left.pop(likeness.index(best))
            shared += best * (len(word) + len(other))
    return shared / (sum(map(len, ours)) + sum(map(len, theirs)) or 1)


def _of_words(one: str, other: str, *, closely: bool) -> float:
    if one == other:
        return 1.0
    return _ratio(one, other) if closely and min(len(one), len(other)) >= _SHORTEST else 0.0


def _ratio(one: str, other: str) -> float:
    matcher = difflib.SequenceMatcher(None, one, other, autojunk=False)
    promising = matcher.real_quick_ratio() >= _PROMISING and matcher.quick_ratio() >= _PROMISING
    return matcher.ratio() if promising else 0.0
