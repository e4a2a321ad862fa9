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


def resemblance(wanted: str, name: str) -> float:
    """From 0 to 1, whatever the case: the best of how many words they share, how alike they are letter by letter,
    and how much of one the other is."""
    wanted, name = wanted.casefold()[:_LONGEST], name.casefold()[:_LONGEST]
    part = 0.0
    if wanted in name:
        part = _LONGER + _LONGER_BY * len(wanted) / len(name)
    elif name in wanted:
        part = _PART + _PART_BY * len(name) / len(wanted)
    return max(part, _ratio(wanted, name), _shared(_WORD.findall(wanted), _WORD.findall(name)))


def _shared(ours: list[str], theirs: list[str]) -> float:
    """The share of letters that are in words of both, in whatever order."""
    letters, shared = sum(map(len, ours + theirs)), 0.0
    for word in ours:
        best, other = max(((_likeness(word, other), other) for other in theirs), default=(0.0, ""))
        if best >= _SAME_WORD:
            theirs.remove(other)
            shared += best * len(word + other)
    return shared / letters if letters else 0.0


def _likeness(word: str, other: str) -> float:
    shortest = min(len(word), len(other))
    return _ratio(word, other) if shortest >= _SHORTEST else float(word == other)


def _ratio(one: str, other: str) -> float:
    matcher = difflib.SequenceMatcher(None, one, other, autojunk=False)
    return matcher.ratio() if matcher.quick_ratio() >= _PROMISING else 0.0
