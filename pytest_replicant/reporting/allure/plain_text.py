"""Text as Allure can keep it, whatever an app or a test put into it."""

from __future__ import annotations

LONGEST_TITLE = 300
LONGEST_TEXT = 200_000

_KEPT = frozenset("\n\t")


def plain_text(text: str, longest: int = LONGEST_TEXT) -> str:
    """Allure writes UTF-8 and JSON, which half a surrogate pair or a control character stops; a mark that turns
    the direction of writing would make a report say something else."""
    cut = text if len(text) <= longest else f"{text[:longest]} … {len(text) - longest} characters more"
    return "".join(character if character.isprintable() or character in _KEPT else "\ufffd" for character in cut)


def one_line(text: str, longest: int = LONGEST_TITLE) -> str:
    """For titles, labels and parameters, which a report shows in one line."""
    return plain_text(" ".join(text.split()) if text.strip() else "", longest)
