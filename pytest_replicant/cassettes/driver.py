"""``CassetteDriver``: a phone that is a recording."""

from __future__ import annotations

from typing import Any

from ..drivers import Capability, DeviceInfo, Traits
from ..json_fields import fitted
from ..model import Picture, Rect
from .player import Replay
from .tape import METHODS, OPTIONAL, RecordedPhone, dialogs_of


def described(phone: RecordedPhone) -> tuple[DeviceInfo, Capability]:
    """What it is and what it can do."""
    capabilities = Capability.NONE
    for name in phone.capabilities:
        capabilities |= Capability[name]
    return fitted(DeviceInfo, dict(phone.info), "info"), capabilities


class CassetteDriver:
    """A driver that answers from the recording of a phone. It serves one test after another where a phone was
    shared, each from its own: ``insert``."""

    def __init__(self, replay: Replay, phone: int) -> None:
        self.insert(replay, phone)

    def insert(self, replay: Replay, phone: int) -> None:
        """From now on the answers come from there."""
        self.replay, self._phone = replay, phone
        known = replay.cassette.phones[phone]
        self.uri = known.uri
        self.info, self.capabilities = described(known)
        self.traits: Traits = fitted(Traits, dict(known.traits), "traits")
        self.system_dialogs = dialogs_of(known.dialogs)
        self.shortcuts = frozenset(known.shortcuts)
        self._verbs = frozenset(known.verbs)
        self.noticed: list[str] = []

    @property
    def known(self) -> RecordedPhone:
        """What was recorded of the phone itself."""
        return self.replay.cassette.phones[self._phone]

    def recorded_looks(self) -> dict[Rect, Picture] | None:
        return self.replay.looks(self._phone)

    def restore_settings(self) -> None:
        """Nothing was changed on any phone."""

    def close(self) -> None:
        """Nothing is open."""

    def __getattr__(self, name: str) -> Any:
        if name not in METHODS or (name in OPTIONAL and name not in self._verbs):
            raise AttributeError(name)

        def replayed(*args: Any, **named: Any) -> Any:
            ended = named.get("ended")
            given = (*args, *named.values())
            return self.replay.call(self._phone, name, given, ended if callable(ended) else None)

        return replayed
