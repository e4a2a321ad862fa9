"""Phones that are leased in a folder of the test's own, for pools that stand for several
processes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

from pytest_replicant.drivers import Capability, DeviceInfo, Driver
from pytest_replicant.pool import DevicePool, DeviceUri, Lease, read_uri
from pytest_replicant.pool.leases import read_record, write_record

ONE, TWO, THREE = "adb://build:5037/one", "adb://build:5037/two", "adb://build:5037/three"


def uris(*given: str) -> tuple[DeviceUri, ...]:
    return tuple(map(read_uri, given))


@dataclass
class LeasedPhone:
    uri: str
    info: DeviceInfo
    capabilities: Capability
    lease: Lease

    @property
    def driver(self) -> Driver:
        return cast("Driver", self)

    def close(self) -> None:
        self.lease.release()


@dataclass
class Clock:
    """``meanwhile`` is what others do during each sleep, one after the other; then nothing happens
    any more."""

    meanwhile: list[Callable[[], object]] = field(default_factory=list)
    time: float = 0
    slept: int = 0

    def now(self) -> float:
        return self.time

    def epoch_ms(self) -> int:
        return round(self.time * 1000)

    def sleep(self, seconds: float) -> None:
        assert seconds > 0
        self.time += seconds
        self.slept += 1
        if self.meanwhile:
            self.meanwhile.pop(0)()


@dataclass
class Process:
    """Opens phones as a process of that number would; ``levels`` are API levels that are not 34."""

    pid: int
    levels: Mapping[str, int] = field(default_factory=dict)
    opened: list[str] = field(default_factory=list)

    def open(self, uri: DeviceUri, timeout: float | None) -> LeasedPhone:
        name = uri.lease_name()
        assert name is not None
        lease = Lease(name).acquire()
        self.opened.append(uri.text)
        info = DeviceInfo(
            uri.text, "android", "", "", 1, 1, 1.0, {"sdk": str(self.levels.get(uri.text, 34))}
        )
        lease.publish(info, Capability.SHELL)
        self.sign(lease._record)
        return LeasedPhone(uri.text, info, Capability.SHELL, lease)

    def sign(self, record: Path) -> None:
        write_record(record, replace(read_record(record), pid=self.pid))

    def pool(self, *given: str, timeout: float = 60, clock: Clock | None = None) -> DevicePool:
        return DevicePool(uris(*given), self.open, timeout, clock=clock or Clock())


def uri_of(opened: object) -> str:
    return cast("LeasedPhone", opened).uri
