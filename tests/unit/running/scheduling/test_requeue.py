"""Which phone an error is about."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast

from pytest_replicant.errors import DeviceError, DeviceNotFound, DeviceOffline, ProtocolError
from pytest_replicant.pool import Opened
from pytest_replicant.running.scheduling.between_tests import suspects


@dataclass
class Info:
    serial: str


@dataclass
class Driver:
    uri: str
    info: Info


@dataclass
class Phone:
    driver: Driver = field(default_factory=lambda: Driver("android:one", Info("one")))


ONE, TWO = Phone(), Phone(Driver("farm:7", Info("two")))
LENT = cast("list[Opened]", [ONE, TWO])


def suspected(error: DeviceError) -> list[object]:
    return [*suspects(LENT, error)]


def test_the_phone_that_it_names_by_its_serial_or_its_uri() -> None:
    assert suspected(DeviceOffline("gone", device="one")) == [ONE]
    assert suspected(DeviceOffline("gone", device="farm:7")) == [TWO]


def test_any_where_it_names_none() -> None:
    assert suspected(DeviceOffline("gone")) == [ONE, TWO]


def test_none_where_it_names_another() -> None:
    assert suspected(DeviceNotFound("no such phone", device="three")) == []


def test_none_where_the_phone_answered() -> None:
    assert suspected(ProtocolError("what?", device="one")) == []
