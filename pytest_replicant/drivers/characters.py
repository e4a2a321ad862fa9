"""Which characters no keyboard types and no hierarchy shows, so that they could not be read back. Pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

from ..errors import UsageError

_TYPED_CONTROLS = "\t\n"
_UNTYPEABLE = {"Cc": "a control character", "Cs": "half of a surrogate pair"}
_NONCHARACTERS = "\ufffe\uffff"  # no hierarchy can show them, so they could never be read back


def untypeable(character: str) -> str:
    """What keeps it from being typed exactly on any phone; "" where nothing does."""
    if character in _TYPED_CONTROLS:
        return ""
    if character in _NONCHARACTERS:
        return "no character of Unicode"
    return _UNTYPEABLE.get(unicodedata.category(character), "")


def check_characters(text: str, problem_of: Callable[[str], str] = untypeable) -> None:
    """Raises ``UsageError`` for the first character that has a problem."""
    for position, character in enumerate(text):
        problem = problem_of(character)
        if problem:
            raise UsageError(
                f"text cannot be typed exactly: U+{ord(character):04X} at position {position} is {problem}. "
                "Nothing was typed."
            )
