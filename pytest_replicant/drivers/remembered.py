"""What the last answer of a phone said, for as long as it is the last."""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar

T = TypeVar("T")


class Talk(Protocol):
    """A conversation with a phone that counts what was said."""

    calls: int


class Remembered(Generic[T]):
    """For as long as nothing else is said to the phone: later it may be so no more."""

    def __init__(self, talk: Talk) -> None:
        self._talk = talk
        self._kept: T | None = None
        self._calls = -1

    def keep(self, what: T) -> None:
        self._kept, self._calls = what, self._talk.calls

    def take(self) -> T | None:
        """Once; None where there is nothing, or something was said since."""
        kept, self._kept = self._kept, None
        return kept if self._calls == self._talk.calls else None
