"""Text as it is compared and printed."""

from __future__ import annotations

import re
import unicodedata

from ..model.quoting import quoted as quoted

# Marks without a shape of their own, that keyboards and frameworks leave in labels.
_SHAPELESS = re.compile("[\x00-\x08\x0e-\x1f\x7f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffc]")


def clean(text: str) -> str:
    """NFC, white space collapsed to single spaces, shapeless marks removed."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", _SHAPELESS.sub("", text))
    elif not text.isprintable():
        text = _SHAPELESS.sub("", text)
    elif "  " not in text and text.strip() == text:
        return text
    return " ".join(text.split())


def short_id(resource_id: str) -> str:
    """The part after ``:id/``, or everything where there is none."""
    return resource_id.rpartition(":id/")[2]
