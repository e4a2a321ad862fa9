"""``BaseDriver``: a driver without optional abilities, to derive drivers from that have some."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from .base import Capability, DeviceInfo, Driver
from .changes import Changes
from .exchanges import Exchanges


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
