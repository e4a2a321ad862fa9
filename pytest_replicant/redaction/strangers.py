"""What a file for strangers keeps of a text: names by form, and words of our own. The rest has other words."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache
from pathlib import Path

from .words import WORD, Words, key_of

_NAME = re.compile(
    r"(?!(?:\D*\d){7})"  # as many digits as a phone number has at least
    r"-?(?:[A-Za-z_][\w.]*:)?[A-Za-z_.][\w.$-]*(?:/[\w.$-]+)?",
    re.ASCII,
)
"""An id, a class, a package, an activity, an option of a command: no address, number or path has this form."""
_QUOTED = r"\"(?:[^\"\\\n]|\\.)*\"?|(?<!\w)'(?:[^'\\\n]|\\.)*'?|“[^”\n]*”?|«[^»\n]*»?"
_OUR_ROOMS = ("drivers", "proving", "session", "snapshots", "testing")
"""Whose messages a proof has."""


@cache
def _our_words() -> frozenset[str]:
    """The words of our own code: a message may say them."""
    package = Path(__file__).parents[1]
    sources = [package / "errors.py", *(file for room in _OUR_ROOMS for file in package.glob(f"{room}/**/*.py"))]
    return frozenset(key_of(word) for file in sources for word in WORD.findall(file.read_text(encoding="utf-8")))


class ForStrangers:
    """``secrets`` are in nothing that its methods return."""

    def __init__(self, secrets: Collection[str], words: Words) -> None:
        self.screen = words.text
        self._words = words
        literal = [_literal(each) for each in sorted({*secrets} - {""}, key=lambda each: (-len(each), each))]
        secret = f"(?i:{'|'.join(literal)})" if literal else "(?!)"
        self._secret = re.compile(secret)
        self._in_message = re.compile(f"{secret}|{_QUOTED}|(?P<word>{WORD.pattern})")

    def fact(self, text: str) -> str:
        """What was read of the phone by a form of its own, as its model is: all but secrets stands."""
        return self._secret.sub(self._covered, text)

    def name(self, text: str) -> str:
        """Names between blanks stand, but for secrets in them."""
        return re.sub(r"\S+", self._named, text)

    def message(self, text: str) -> str:
        """Our own words stand, except where they are quoted."""
        return self._in_message.sub(self._in_sentence, text)

    def _named(self, match: re.Match[str]) -> str:
        return self.fact(match[0]) if _NAME.fullmatch(match[0]) else self.screen(match[0])

    def _in_sentence(self, match: re.Match[str]) -> str:
        is_ours = match["word"] is not None and key_of(match[0]) in _our_words()
        return match[0] if is_ours else self._covered(match)

    def _covered(self, match: re.Match[str]) -> str:
        return self.screen(match[0]) if WORD.search(match[0]) else "-" * len(match[0])


def _literal(secret: str) -> str:
    """A short one counts as a word alone."""
    return rf"(?<!\w){re.escape(secret)}(?!\w)" if len(secret) < 4 else re.escape(secret)
