"""The phones of a run that is a replay: each is the recording of the test that is running."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ClassVar, cast

from ..cassettes import CassetteDriver, Replay
from ..drivers import Driver
from ..pool import DevicePool, DeviceRequirements, DeviceUri, OpenDevice, Opened, read_uri


class ReplayedPhones(DevicePool):
    """Whatever phone a test asks for, it gets the next one of its own recording. ``current`` is the replay of the
    test that is running; it raises ``ReplayEnded`` where there is none."""

    is_replayed: ClassVar[bool] = True

    def __init__(self, uri: str, current: Callable[[], Replay]) -> None:
        super().__init__((read_uri(uri),), partial(_open, current))

    def release(self, opened: Opened) -> None:
        """The next test has a recording of its own."""
        super().release(opened)
        self.drop(opened)

    def _mismatch(self, uri: DeviceUri, wanted: DeviceRequirements) -> str:
        return ""


def _open(current: Callable[[], Replay], uri: DeviceUri, timeout: float | None) -> Opened:
    replay = current()
    return OpenDevice(cast("Driver", CassetteDriver(replay, replay.next_phone(look=True))))
