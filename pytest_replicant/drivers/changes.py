"""Changes made to a phone, and answers of it that hold until something else is said to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from ..errors import DeviceError, UsageError


class Changes:
    """By name. The first change of each counts: what was there before it is what comes back."""

    def __init__(self) -> None:
        self._put_back: dict[str, Callable[[], object]] = {}

    def remember(self, name: str, put_back: Callable[[], object]) -> None:
        self._put_back.setdefault(name, put_back)

    def undo(self) -> None:
        """Restores everything, last first. A change that cannot be restored now is tried again by the next call,
        and its error raised once all others were restored; one of an app that is gone needs nothing."""
        errors: list[DeviceError] = []
        for name, put_back in reversed(list(self._put_back.items())):
            try:
                put_back()
            except UsageError:
                pass
            except DeviceError as error:
                errors.append(error)
                continue
            del self._put_back[name]
        if errors:
            raise errors[0]


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
