"""The phones of a run that is a replay: each is the recording of the test that is running."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import ClassVar

from ..cassettes import CassetteDriver, RecordedPhone, Replay, described
from ..errors import ReplayEnded
from ..pool import (
    DevicePool,
    DeviceRequirements,
    DeviceUri,
    Facts,
    NoMatchingDevice,
    OpenDevice,
    Opened,
    Resource,
    ResourcePool,
    read_uri,
)
from ..stash import RESOURCES_OF_TEST


class ReplayedPhones(DevicePool):
    """A test that asks for any phone gets the next one of its own recording. ``current`` is the replay of the
    test that is running; it raises ``ReplayEnded`` if there is none. ``recorded`` are those of the report."""

    is_replayed: ClassVar[bool] = True

    def __init__(
        self, uri: str, current: Callable[[], Replay], recorded: Callable[[], Sequence[RecordedPhone]]
    ) -> None:
        super().__init__((read_uri(uri),), partial(_open, current))
        self._current = current
        self._recorded = recorded
        self._given: list[Opened] = []

    def acquire(
        self,
        uri: str | DeviceUri | None = None,
        platform: str | None = None,
        timeout: float | None = None,
        *,
        wanted: DeviceRequirements | None = None,
    ) -> Opened:
        """Raises ``ReplayEnded`` where the test has no recording, or had no further phone, and
        ``NoMatchingDevice`` where it has none since no phone of that run would do."""
        wanted = wanted or DeviceRequirements(platform or "")
        if isinstance(uri, str):
            wanted = replace(wanted, platform=read_uri(uri).platform or wanted.platform)
        try:
            opened = self.open(self.uris[0], timeout)
        except ReplayEnded:
            if why := self._why_none(wanted):
                raise NoMatchingDevice(why, reason=why) from None
            raise
        self._given.append(opened)
        if why := wanted.why_not(opened.driver):
            asked = f"asked for {wanted.described}: {why}"
            self._current().end("diverged", f"recorded on {opened.driver.uri}, {asked}")
        return opened

    def _why_none(self, wanted: DeviceRequirements) -> str:
        """Why no phone of the recorded run would do; "" where one may."""
        reasons = {one.uri: wanted.why_not_with(Facts.of(*described(one))) for one in self._recorded()}
        if not reasons or not all(reasons.values()):
            return ""
        each = "; ".join(f"{uri}: {why}" for uri, why in reasons.items())
        return f"no phone of the recording will do for {wanted.described}: {each}"

    def drop(self, opened: Opened) -> None:
        self._given = [one for one in self._given if one is not opened]

    release = drop  # the next test has a recording of its own

    def holds(self, opened: Opened) -> bool:
        return any(one is opened for one in self._given)

    @property
    def in_use(self) -> list[Opened]:
        return [*self._given]

    def lose(self, opened: Opened, reason: str) -> None:
        """A phone that was lost then cannot be lost now."""

    def close(self) -> None:
        self._given.clear()


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
        used = [each.name for one, each in self._given if one is replay and each.kind == kind]
        for each in _resources(replay):
            if each.kind == kind and name in ("", each.name) and each.name not in used:
                self._given.append((replay, each))
                return each
        return replay.end("beyond the recording", f"the test had no further {kind} {name}".rstrip())

    def release(self, *resources: Resource) -> None:
        """They are no one else's."""

    @property
    def held(self) -> tuple[Resource, ...]:
        return tuple(each for _, each in self._given)

    def close(self) -> None:
        """Nothing was made."""
        self._given.clear()


def _resources(replay: Replay) -> list[Resource]:
    recorded = replay.given(RESOURCES_OF_TEST, "its resources")
    try:
        return [Resource(str(one["kind"]), str(one["name"]), dict(one["data"])) for one in recorded]
    except (KeyError, TypeError, ValueError) as error:
        return replay.end("beyond the recording", f"its resources cannot be read: {error}")


def _open(current: Callable[[], Replay], uri: DeviceUri, timeout: float | None) -> Opened:
    replay = current()
    return OpenDevice(CassetteDriver(replay, replay.next_phone(look=True)))
