"""``BaseDriver``: a driver without optional abilities, to derive drivers from that have some; changes made to a
phone, and answers of it that hold until something else is said to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from ..errors import DeviceError, UsageError
from .base import Capability, DeviceInfo, Driver
from .sent import Exchanges


class BaseDriver(Driver):
    """A driver in which every ability of ``Capability`` raises ``Unsupported`` and names the capability.

    A subclass writes the methods that every phone has, and of the others those that it states in
    ``capabilities``. It cannot be created while one of the former is missing. ``instead`` says, for abilities that
    are missing, what there is in their place; it becomes a part of the error.
    """


SHORTCUTS: Mapping[Capability, tuple[str, ...]] = {
    Capability.COLD_START: ("cold_start", "launch", "stop", "clear_data"),
    Capability.REPLACE_TEXT: ("replace_text", "type_text", "clear_text"),
}
"""Each with its method, and with those that it stands for."""


class OurDriver(BaseDriver):
    """The common part of this package's drivers. Their roles set ``_changes``; ``exchanges`` are all that is
    sent."""

    exchanges: Exchanges
    by_parts: ClassVar[Capability] = Capability.NONE
    """Shortcuts that do not count: a verb that they stand for was overridden since, and a driver means its own."""
    _changes: Changes
    _uri: str
    _info: DeviceInfo

    def __init_subclass__(cls, **named: Any) -> None:
        super().__init_subclass__(**named)
        own = vars(cls).keys()
        for shortcut, (verb, *parts) in SHORTCUTS.items():
            if verb in own:
                cls.by_parts &= ~shortcut
            elif own & set(parts):
                cls.by_parts |= shortcut
                setattr(cls, verb, getattr(BaseDriver, verb))  # which raises Unsupported

    @property
    def uri(self) -> str:
        return self._uri

    @property
    def info(self) -> DeviceInfo:
        return self._info

    def restore_settings(self) -> None:
        self._changes.undo()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._uri}>"


class Changes(dict[str, Callable[[], object]]):
    """Changes by name. The first one of each counts: the state before it is restored."""

    def remember(self, name: str, put_back: Callable[[], object]) -> None:
        self.setdefault(name, put_back)

    def undo(self) -> None:
        """Restores everything, last first. A change that cannot be restored now is tried again by the next call,
        and its error raised once all others were restored; one of an app that is gone needs nothing."""
        errors: list[DeviceError] = []
        for name, put_back in reversed(list(self.items())):
            try:
                put_back()
            except UsageError:
                pass
            except DeviceError as error:
                errors.append(error)
                continue
            del self[name]
        if errors:
            raise errors[0]


T = TypeVar("T")


class CallCounter(Protocol):
    """A link to a phone that counts its calls."""

    calls: int


@dataclass
class Remembered(Generic[T]):
    """An answer that holds until the next call: later it may hold no more."""

    counter: CallCounter
    _kept: T | None = None
    _calls: int = -1

    def keep(self, what: T) -> None:
        self._kept, self._calls = what, self.counter.calls

    def take(self) -> T | None:
        """The answer, once; None if there is none, or another call was made since."""
        kept, self._kept = self._kept, None
        return kept if self._calls == self.counter.calls else None
