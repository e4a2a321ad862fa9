"""The phones that one adb server knows, their states, and who wants to hear of changes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

from ..task_group import TaskGroup
from .attachment import Attachment
from .device_list import Listed

State = Literal["device", "offline", "unauthorized"]
KEPT_CHANGES = 256  # lists a tracker may lag behind; beyond it the oldest go

UNAUTHORIZED = (
    "device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set\n"
    "Try 'adb kill-server' if that seems wrong.\n"
    "Otherwise check for a confirmation dialog on your device."
)


class HostFailure(Exception):
    """A host service cannot do it; ``str()`` is the message for the client."""


@dataclass(frozen=True)
class Which:
    """The device a request is about: by serial, by transport id, or (neither) the only one."""

    serial: str | None = None
    transport_id: int | None = None


@dataclass
class Device:
    """An attached phone. ``sessions`` are the services that run on it now."""

    serial: str
    transport_id: int
    attachment: Attachment
    state: State = "offline"
    sessions: TaskGroup = field(default_factory=TaskGroup)

    def listed(self) -> Listed:
        profile = self.attachment.phone.profile
        return Listed(
            self.serial,
            self.state,
            profile.product,
            profile.model,
            profile.device,
            self.transport_id,
        )


class Roster:
    def __init__(self) -> None:
        self._devices: dict[str, Device] = {}
        self._trackers: set[asyncio.Queue[tuple[Listed, ...]]] = set()
        self._last_id = 0

    def __iter__(self) -> Iterator[Device]:
        return iter(list(self._devices.values()))

    def serials(self) -> list[str]:
        return list(self._devices)

    def get(self, serial: str) -> Device | None:
        return self._devices.get(serial)

    def attach(self, serial: str, attachment: Attachment) -> Device:
        """Trackers see it offline first, then ready, as with a real phone."""
        self._last_id += 1
        device = Device(serial, self._last_id, attachment)
        self._devices[serial] = device
        self._notify()
        self.set_state(device, "device")
        return device

    def detach(self, device: Device) -> None:
        """Trackers see it offline first, then gone."""
        self.set_state(device, "offline")
        self._devices.pop(device.serial, None)
        self._notify()

    def set_state(self, device: Device, state: State) -> None:
        if device.state != state:
            device.state = state
            self._notify()

    def find(self, which: Which) -> Device:
        """In any state. Raises ``HostFailure`` if there is none, or more than one fits."""
        if which.serial is not None:
            device = self._devices.get(which.serial)
            if device is None:
                raise HostFailure(f"device '{which.serial}' not found")
            return device
        if which.transport_id is not None:
            for device in self:
                if device.transport_id == which.transport_id:
                    return device
            raise HostFailure(f"no device with transport id '{which.transport_id}'")
        if not self._devices:
            raise HostFailure("no devices/emulators found")
        if len(self._devices) > 1:
            raise HostFailure("more than one device/emulator")
        return next(iter(self))

    def ready(self, which: Which) -> Device:
        """One that can be used. Raises ``HostFailure``."""
        device = self.find(which)
        if device.state == "unauthorized":
            raise HostFailure(UNAUTHORIZED)
        if device.state != "device":
            raise HostFailure("device offline")
        return device

    def listing(self) -> tuple[Listed, ...]:
        return tuple(device.listed() for device in self)

    @contextmanager
    def changes(self) -> Iterator[asyncio.Queue[tuple[Listed, ...]]]:
        """A queue of device lists: the one now, and one for each change."""
        queue: asyncio.Queue[tuple[Listed, ...]] = asyncio.Queue(KEPT_CHANGES)
        queue.put_nowait(self.listing())
        self._trackers.add(queue)
        try:
            yield queue
        finally:
            self._trackers.discard(queue)

    def _notify(self) -> None:
        for queue in self._trackers:
            if queue.full():
                queue.get_nowait()
            queue.put_nowait(self.listing())
