"""The phones that drivers are checked on: both virtual ones, and with ``--phone URI`` a real
one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pytest_replicant.drivers import AndroidDriver, Driver, IosDriver
from pytest_replicant.errors import UsageError
from pytest_replicant.model import Point
from pytest_replicant.pool import OpenDevice, open_device
from pytest_replicant.testing import DriverScene, Installable

from .packages import camera_app

SHOP = "dev.replicant.shop"
LINK = "replicant-shop://catalogue"
VIRTUAL = ("virtual:android", "virtual:ios")
PATIENCE = 5.0  # seconds that a virtual phone has for what it does in its own time; it takes none


@dataclass(frozen=True)
class Subject:
    """An open phone and what a check may use on it; ``text_field`` None types nothing."""

    device: OpenDevice
    app: str
    text_field: Point | None
    patience: float
    link: str | None = None
    installable: Installable | None = None

    def connect(self, kind: type[Any] | None = None) -> Driver:
        """Another driver of the same phone, of a kind of one's own if it is given."""
        return connected(self.device, kind)

    def scene(self, kind: type[Any] | None = None) -> DriverScene:
        """With a driver that the caller has to close."""

        def again() -> Driver:
            return self.connect(kind)

        return DriverScene(
            again(),
            again,
            self.app,
            self.text_field,
            self.patience,
            installable=self.installable,
            link=self.link,
        )


def connected(device: OpenDevice, kind: type[Any] | None = None) -> Driver:
    """A driver of the phone's platform, beside the one that it has."""
    host, port = device.address
    driver: Driver
    if device.driver.info.platform == "ios":
        driver = (kind or IosDriver).connect(f"http://{host}:{port}", uri=device.uri, timeout=10.0)
    else:
        driver = (kind or AndroidDriver).connect(
            host, port, device.driver.info.serial, uri=device.uri
        )
    return driver


@contextmanager
def virtual(uri: str, folder: Path) -> Iterator[Subject]:
    """A virtual phone without latency, with the shop on its first screen."""
    with open_device(f"{uri}?latency=0") as device:
        device.driver.launch(SHOP, None, ())
        package = camera_app(folder) if device.driver.info.platform == "android" else None
        yield Subject(device, SHOP, place_of(device, "email"), PATIENCE, LINK, package)


def place_of(device: OpenDevice, name: str) -> Point:
    """Where the shop has what bears that id; no driver is asked."""
    assert device.phone is not None
    nodes = [node for window in device.phone.windows() for node in window.root.walk()]
    return next(node.bounds.center for node in nodes if node.resource_id == f"{SHOP}:id/{name}")


@contextmanager
def attached(config: pytest.Config) -> Iterator[Subject]:
    """The phone of ``--phone``, with what the other options say of it."""
    uri, app = config.getoption("phone"), config.getoption("phone_app")
    if not app:
        raise UsageError(
            "--phone: name an app on it as well, which will be stopped and touched: --phone-app APP"
        )
    with open_device(uri) as device:
        yield Subject(
            device,
            app,
            point(config.getoption("phone_field")),
            10.0,
            config.getoption("phone_link"),
        )


def point(text: str | None) -> Point | None:
    """Of "540,800", in device pixels."""
    if not text:
        return None
    x, _, y = text.partition(",")
    if not (x.strip().isdecimal() and y.strip().isdecimal()):
        raise UsageError(
            f"--phone-field {text!r}: a place is two numbers of pixels, such as 540,800"
        )
    return Point(int(x), int(y))
