"""The phones of a run that is a replay: each is the recording of the test that is running."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ClassVar, cast

from ..cassettes import CassetteDriver, Replay
from ..drivers import Driver
from ..pool import (
    DevicePool,
    DeviceRequirements,
    DeviceUri,
    OpenDevice,
    Opened,
    Resource,
    ResourcePool,
    read_uri,
)
from ..stash import RESOURCES_OF_TEST


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


class ReplayedResources(ResourcePool):
    """The accounts and other resources that the test had when it was recorded. Of a secret no more is known than
    its length."""

    def __init__(self, current: Callable[[], Replay]) -> None:
        super().__init__((), lambda words: "", 0, "", str, lambda secret: None)
        self._current = current
        self._given: list[tuple[Replay, Resource]] = []

    def acquire(self, *kinds: str, name: str = "") -> tuple[Resource, ...]:
        """Raises ``ReplayEnded`` where the test had none of that kind, or not so many."""
        return tuple(self._next(kind, name) for kind in kinds)

    def _next(self, kind: str, name: str) -> Resource:
        replay = self._current()
        recorded = replay.given(RESOURCES_OF_TEST, "its resources")
        used = [each.name for one, each in self._given if one is replay and each.kind == kind]
        for each in recorded:
            if each["kind"] == kind and name in ("", each["name"]) and each["name"] not in used:
                found = Resource(kind, each["name"], each["data"])
                self._given.append((replay, found))
                return found
        replay.end("beyond the recording", f"the test had no further {kind} {name}".rstrip())

    def release(self, *resources: Resource) -> None:
        """They are no one else's."""

    @property
    def held(self) -> tuple[Resource, ...]:
        return tuple(each for _, each in self._given)

    def close(self) -> None:
        """Nothing was made."""
        self._given.clear()


def _open(current: Callable[[], Replay], uri: DeviceUri, timeout: float | None) -> Opened:
    replay = current()
    return OpenDevice(cast("Driver", CassetteDriver(replay, replay.next_phone(look=True))))
