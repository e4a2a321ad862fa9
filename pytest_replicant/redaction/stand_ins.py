"""Stand-ins for hidden texts of a recording: one text has the same one wherever it was, of its length and letters
of the same kind. Where a text was typed or sent, a mask, for which any text is accepted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..model import MASK, Redactor
from ..model.secret import matches, replaced
from .walk import texts_in
from .words import Words

_MAIL = re.compile(r"[^\s\"'<>()\[\]{},;:=|/]{1,100}@[\w-]{1,100}(?:\.[\w-]{1,100})+")
_SPELLED_OUT = "hidden"
"""For a text that is spelled as JSON or an address would."""


class StandIns:
    """``secrets`` and what ``patterns`` match are hidden; on screens mail addresses too that are not ``named`` by
    the test, None for any. ``hidden`` are all that were found."""

    def __init__(
        self,
        secrets: Sequence[str],
        patterns: Sequence[re.Pattern[str]],
        words: Words,
        named: str | None,
    ) -> None:
        self._patterns = patterns
        self._words = words
        self._named = named
        literal = sorted(secrets, key=len, reverse=True)
        self._secret = re.compile("|".join(map(re.escape, literal)) or "(?!)", re.IGNORECASE)
        self._redactor = Redactor(secrets)
        self._known: dict[tuple[str, bool], str] = {}
        self.hidden: set[str] = set()

    def text(self, text: str, *, on_screen: bool = False) -> str:
        """With stand-ins. ``on_screen`` is the text of an app, which may be a mail address."""
        key = text, on_screen
        if key not in self._known:
            stand_in = self._words.text
            self._known[key] = MASK.join(self._without(one, stand_in, on_screen) for one in text.split(MASK))
        return self._known[key]

    def screen(self, text: str) -> str:
        return self.text(text, on_screen=True)

    def loose(self, text: str) -> str:
        """With masks, for which any text is accepted."""
        return MASK.join(self._without(one, lambda _: MASK, False) for one in text.split(MASK))

    def _without(self, text: str, stand_in: Callable[[str], str], on_screen: bool) -> str:
        if not text:
            return text

        def hidden(found: str) -> str:
            self.hidden.add(found.casefold())
            return stand_in(found)

        text = self._secret.sub(lambda match: hidden(match[0]), text)
        for pattern in self._patterns:
            text = replaced(text, matches(pattern, text), hidden)
        if on_screen and self._named is not None:
            mails = [found for found in _MAIL.finditer(text) if found[0].casefold() not in self._named]
            text = replaced(text, [found.span() for found in mails], hidden)
        spelled = self._redactor.text(text)  # as JSON, an address or a cut text has it
        return text if spelled == text else spelled.replace(MASK, _SPELLED_OUT)

    def found(self, value: Any) -> set[str]:
        """The texts in this that are hidden."""
        seen: set[str] = set()

        def note(text: str) -> str:
            seen.add(text.casefold())
            return text

        for text in texts_in(value):
            self._without(text, note, False)
        return seen

    def still_in(self, texts: Iterable[str]) -> bool:
        """Whether a secret is in one of these."""
        return any(self._secret.search(one) for one in texts)
