"""Changes made to a phone, and answers of it that hold until something else is said to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from ..errors import DeviceError, UsageError


class Changes:
    """Changes by name. The first one of each counts: the state before it is restored."""

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


class CallCounter(Protocol):
    """A link to a phone that counts its calls."""

    calls: int


class Remembered(Generic[T]):
    """An answer that holds until the next call: later it may hold no more."""

    def __init__(self, counter: CallCounter) -> None:
        self._counter = counter
        self._kept: T | None = None
        self._calls = -1

    def keep(self, what: T) -> None:
        self._kept, self._calls = what, self._counter.calls

    def take(self) -> T | None:
        """The answer, once; None where there is none, or another call was made since."""
        kept, self._kept = self._kept, None
        return kept if self._calls == self._counter.calls else None
