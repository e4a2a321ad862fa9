"""``CassetteDriver``: a phone that is a recording."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..drivers import Capability, DeviceInfo, PictureListener, Relayed, SystemDialogs, Traits
from ..model import AnyMapping, Picture, Rect
from .player import Replay
from .tape import SHORTCUTS, VERBS, RecordedPhone


def described(phone: RecordedPhone) -> tuple[DeviceInfo, Capability]:
    """What it is and what it can do."""
    capabilities = phone.capabilities
    for name in phone.verbs:
        if name not in SHORTCUTS or name in phone.shortcuts:
            capabilities |= VERBS[name]
    return phone.info, capabilities


class CassetteDriver(Relayed):
    """A driver that answers from the recording of a phone. It serves one test after another where a
    phone was shared, each from its own: ``insert``."""

    def __init__(self, replay: Replay, phone: int) -> None:
        self.insert(replay, phone)

    def insert(self, replay: Replay, phone: int) -> None:
        """From now on the answers come from there."""
        self.replay, self._phone = replay, phone
        self._info, self._capabilities = described(self.known)

    @property
    def known(self) -> RecordedPhone:
        """What was recorded of the phone itself."""
        return self.replay.cassette.phones[self._phone]

    @property
    def uri(self) -> str:
        return self.known.uri

    @property
    def info(self) -> DeviceInfo:
        return self._info

    @property
    def capabilities(self) -> Capability:
        return self._capabilities

    @property
    def traits(self) -> Traits:
        return self.known.traits

    @property
    def system_dialogs(self) -> SystemDialogs:
        return self.known.dialogs

    @property
    def listener(self) -> PictureListener:
        return _Looks(self.replay, self._phone, self)

    def is_locked(self) -> bool:
        """A recording is not."""
        return False

    def close(self) -> None:
        """Nothing is open."""

    def _ask(self, verb: str, args: Sequence[Any], named: AnyMapping) -> Any:
        return self.replay.call(self._phone, verb, (*args, *named.values()), named.get("ended"))


class _Looks(PictureListener):
    def __init__(self, replay: Replay, phone: int, camera: CassetteDriver) -> None:
        super().__init__(camera)
        self._replay = replay
        self._phone = phone

    def recorded_looks(self) -> Mapping[Rect, Picture] | None:
        return self._replay.looks(self._phone)
