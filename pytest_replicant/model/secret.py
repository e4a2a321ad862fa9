"""``Secret``: text that is typed but never written down."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

MASK = "•••"

SHORT = 3
"""Characters, blanks around them not counted, from which on a secret is looked for inside other text."""

_LITERAL = re.compile(
    r"""(\bSecret\(\s*(?:value\s*=\s*)?)((?:[rbuRBU]?(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')\s*)+)"""
)
"""A secret as the source of a test spells it, or an explained ``assert``: typed yet or not."""


@dataclass(frozen=True)
class Secret:
    """A value for ``fill`` that no trace, report, log or message shows."""

    value: str = field(repr=False)

    def __str__(self) -> str:
        return MASK


class Redactor:
    """Replaces every known secret in whatever is about to be written.

    A secret of ``SHORT`` or more characters goes wherever it stands, also as Python or JSON would spell it
    between quotes. A shorter one would take letters out of every word: it goes only where it is all there
    is, which is the whole of a text or the whole of what stands between two quotes. The string in
    ``Secret("...")`` goes always, known or not.
    """

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self._secrets: set[str] = set()
        self._spellings: list[str] = []  # the longest first: one may hold another
        self._quoted: re.Pattern[str] | None = None
        for secret in secrets:
            self.add(secret)

    def add(self, secret: str) -> None:
        if not secret or secret in self._secrets:
            return
        self._secrets.add(secret)
        spellings = {spelling for known in self._secrets if not _is_short(known) for spelling in _spelled(known)}
        self._spellings = sorted(spellings, key=len, reverse=True)
        short = "|".join(re.escape(known) for known in self._secrets if _is_short(known))
        self._quoted = re.compile(rf"(?P<quote>[\"'])(?:{short})(?P=quote)") if short else None

    def __bool__(self) -> bool:
        return bool(self._secrets)

    def text(self, text: str) -> str:
        if text in self._secrets:
            return MASK
        if "Secret(" in text:
            text = _LITERAL.sub(rf"\1'{MASK}'", text)
        for spelling in self._spellings:
            text = text.replace(spelling, MASK)
        if self._quoted is not None:
            text = self._quoted.sub(rf"\g<quote>{MASK}\g<quote>", text)
        return text

    def value(self, value: object) -> object:
        """The same JSON-like value with every string in it redacted, keys included."""
        if not self._secrets:
            return value
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {self.value(key): self.value(item) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.value(item) for item in value]
        return value


def _is_short(secret: str) -> bool:
    return len(secret.strip()) < SHORT


def _spelled(secret: str) -> set[str]:
    return {secret, repr(secret)[1:-1], ascii(secret)[1:-1], json.dumps(secret)[1:-1]}
