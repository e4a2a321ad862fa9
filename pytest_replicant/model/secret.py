"""``Secret``: text that is typed but never written down."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

MASK = "•••"


@dataclass(frozen=True)
class Secret:
    """A value for ``fill`` that no trace, report, log or message shows."""

    value: str = field(repr=False)

    def __str__(self) -> str:
        return MASK


class Redactor:
    """Replaces every known secret in whatever is about to be written."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self._secrets: set[str] = {secret for secret in secrets if secret}

    def add(self, secret: str) -> None:
        if secret:
            self._secrets.add(secret)

    def __bool__(self) -> bool:
        return bool(self._secrets)

    def text(self, text: str) -> str:
        for secret in sorted(self._secrets, key=len, reverse=True):  # the longest first: one may hold another
            text = text.replace(secret, MASK)
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
