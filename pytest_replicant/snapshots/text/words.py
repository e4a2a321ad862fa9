"""Text as it is compared."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# Marks without a shape of their own, that keyboards and frameworks leave in labels.
_SHAPELESS = re.compile("[\x00-\x08\x0e-\x1f\x7f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffc]")
_LONGEST_WORD = 500


def clean(text: str) -> str:
    """NFC, white space collapsed to single spaces, shapeless marks removed."""
    if not text.isascii():
        text = _composed(_SHAPELESS.sub("", text))
    elif not text.isprintable():
        text = _SHAPELESS.sub("", text)
    elif "  " not in text and text.strip() == text:
        return text
    return " ".join(text.split())


def _composed(text: str) -> str:
    """NFC. Python sorts the marks on a letter in the square of their number, so what is longer than any word is
    composed in pieces: a text of nothing but marks would cost hours."""
    if len(text) <= _LONGEST_WORD:
        return unicodedata.normalize("NFC", text)
    return " ".join("".join(_pieces(word)) for word in text.split())


def _pieces(word: str) -> Iterator[str]:
    for start in range(0, len(word), _LONGEST_WORD):
        yield unicodedata.normalize("NFC", word[start : start + _LONGEST_WORD])


def short_id(resource_id: str) -> str:
    """The part after ``:id/``, or everything where there is none."""
    return resource_id.rpartition(":id/")[2]
