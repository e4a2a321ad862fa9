"""The check of the drivers' contract: a good driver passes, and each broken promise is found and named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from pytest_replicant.drivers.android.driver import AndroidDriver
from pytest_replicant.drivers.base import AppInFront, Capability, ShellOutput
from pytest_replicant.errors import DeviceTimeout
from pytest_replicant.model.geometry import Point
from pytest_replicant.pool.open import OpenDevice, open_device
from pytest_replicant.testing.check_driver import CLAUSES, Clause, DriverCheckFailed, check_driver

SHOP = "dev.replicant.shop"


class Mute(AndroidDriver):
    """Gives no screen where it cannot read one."""

    def dump_hierarchy(self) -> bytes:
        return b""


class Careless(AndroidDriver):
    """Types through a shell word."""

    def type_text(self, text: str) -> None:
        super().type_text(text.replace("'", ""))


class Hasty(AndroidDriver):
    """Says that it touched, wherever it was."""

    def tap(self, point: Point) -> None:
        if point.x >= 0 and point.x < self.info.width:
            super().tap(point)


class Blind(AndroidDriver):
    """Takes whatever it started for what is in front."""

    def launch(self, app: str, activity: str | None, args: Sequence[str]) -> None:
        self._app = app

    def app_in_front(self) -> AppInFront:
        return AppInFront(self._app)


class Patient(AndroidDriver):
    """Reports a time-out as a result."""

    def shell(self, command: str | Sequence[str], timeout: float) -> ShellOutput:
        try:
            return super().shell(command, timeout)
        except DeviceTimeout:
            return ShellOutput("", "", 0)


class Boastful(AndroidDriver):
    """Denies an ability and does it all the same."""

    @property
    def capabilities(self) -> Capability:
        return super().capabilities & ~Capability.TOASTS


class Clinging(AndroidDriver):
    """Cannot let go twice."""

    def close(self) -> None:
        if self._link._closed:
            raise RuntimeError("closed already")
        super().close()


@pytest.fixture(scope="module")
def device() -> Iterator[OpenDevice]:
    with open_device("virtual?latency=0") as opened:
        yield opened


@pytest.fixture
def email(device: OpenDevice) -> Point:
    """Where the shop's first field is."""
    device.driver.clear_data(SHOP)
    device.driver.launch(SHOP, None, ())
    assert device.phone is not None
    nodes = [node for window in device.phone.windows() for node in window.root.walk()]
    return next(node.bounds.center for node in nodes if node.resource_id == f"{SHOP}:id/email")


def check(device: OpenDevice, kind: type[AndroidDriver], text_field: Point, clauses: Sequence[Clause]) -> None:
    serial = device.driver.info.serial

    def connect() -> AndroidDriver:
        return kind.connect(*device.address, serial, uri=device.uri)

    check_driver(connect, app=SHOP, text_field=text_field, patience=0.2, clauses=clauses)


@pytest.mark.slow
def test_our_own_driver_keeps_the_contract(device: OpenDevice, email: Point) -> None:
    check(device, AndroidDriver, email, CLAUSES)


@pytest.mark.parametrize(
    ("kind", "clause"),
    [
        (Mute, "hierarchy"),
        (Careless, "type"),
        (Hasty, "touch-outside"),
        (Blind, "launch-absent"),
        (Patient, "shell-limit"),
        (Boastful, "unsupported"),
        (Clinging, "close-twice"),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else value,
)
def test_a_broken_promise_is_named(
    device: OpenDevice, email: Point, kind: type[AndroidDriver], clause: str
) -> None:
    asked = [each for each in CLAUSES if each.name == clause]
    with pytest.raises(DriverCheckFailed) as failed:
        check(device, kind, email, asked)
    assert [broken.clause for broken in failed.value.broken] == asked
    assert f"breaks 1 of 1 clauses of the contract:\n  {clause}: {asked[0].claim}" in str(failed.value)


def test_clauses_have_names_of_their_own() -> None:
    names = [clause.name for clause in CLAUSES]
    assert len(set(names)) == len(names)
