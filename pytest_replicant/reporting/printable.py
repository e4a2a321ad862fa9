"""Text of an app, a test or a log where control characters would be obeyed: a terminal, XML, a CI job's log."""

from __future__ import annotations

from ..model.quoting import shortened

LONGEST = 400


def printable(text: str, longest: int = LONGEST) -> str:
    """One line without control characters, marks that turn it around, and halves of characters: each stands as
    Python writes it."""
    cut = shortened(text, longest)
    if cut.isprintable():
        return cut
    return shortened("".join(each if each.isprintable() else _escaped(each) for each in cut), longest)


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
