"""Whatever becomes of the connection, at whatever byte: no error of a socket leaves the driver,
nothing hangs."""

from __future__ import annotations

import inspect
import itertools
import select
import socket
import struct
import tempfile
import threading
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from operator import methodcaller
from pathlib import Path
from typing import Any

import pytest

from pytest_replicant.drivers import AndroidDriver, AppInFront, Driver
from pytest_replicant.drivers.android import link
from pytest_replicant.errors import DeviceError, UsageError
from pytest_replicant.model import Point, Rect
from pytest_replicant.virtual import PhoneServer, VirtualPhone

SHOP = "dev.replicant.shop"
HERE, THERE = Point(540, 1200), Point(540, 800)
RESET = struct.pack("ii", 1, 0)  # SO_LINGER: closing sends a reset


GIVEN: Mapping[str, Any] = {
    "activity": None, "app": SHOP, "area": Rect(0, 0, 800, 800), "args": (), "command": "echo here",
    "end": THERE, "ended": print, "fresh": False, "front": AppInFront(SHOP, ".Main"),
    "granted": True, "key": "home", "descriptions": {}, "local": b"bytes",
    "orientation": "landscape", "permission": "camera", "point": HERE, "remote": "/sdcard/pushed",
    "scale": 2.0, "seconds": 0.01, "since": None, "start": HERE, "text": "two\nlines",
    "timeout": 0.5, "url": "shop://cart", "texts": {"..": 1},
}  # fmt: skip
_FOLDER = tempfile.TemporaryDirectory()
NO_METHODS = {"unsupported", "accessibility_audit"}  # the latter an iPhone's
PROMISED = {name for name, _ in inspect.getmembers(Driver, inspect.isfunction) if name[0] != "_"}
METHODS = sorted(PROMISED - NO_METHODS)


def some_apk() -> Path:
    """An archive that a driver sends to the phone; what the phone makes of it is of no interest
    here."""
    path = Path(_FOLDER.name) / "some.apk"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("anything", "")
    return path


def call(driver: Driver, method: str) -> object:
    wanted = inspect.signature(getattr(Driver, method)).parameters
    given = {**GIVEN, "path": some_apk()}
    if method == "uninstall":
        given["app"] = "dev.example.absent"
    return methodcaller(method, **{name: given[name] for name in wanted if name in given})(driver)


SAYS_NOTHING = {
    "notices",
    "check_typeable",
    "restore_settings",
    "close",
}  # to the phone, or of trouble


class Cable:
    """Between a driver and the adb server. ``cut`` is how many bytes of each answer still come
    through, None for all; then the connection is reset, or, with ``gently``, closed."""

    def __init__(self, port: int) -> None:
        self.cut: int | None = None
        self.gently = False
        self._behind = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def unplug(self) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                threading.Thread(target=self._carry, args=(near, self.cut), daemon=True).start()

    def _carry(self, near: socket.socket, left: int | None) -> None:
        """One thread for both ways: a socket that another thread reads from is not closed before
        that ends."""
        with near, suppress(OSError), socket.create_connection(("127.0.0.1", self._behind)) as far:
            while left is None or left > 0:
                readable, _, _ = select.select([near, far], [], [])
                data = readable[0].recv(65536 if left is None else min(left, 65536))
                if not data:
                    return
                (far if readable[0] is near else near).sendall(data)
                if readable[0] is far and left is not None:
                    left -= len(data)
            if not self.gently:
                near.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)


@pytest.fixture
def cable(server: PhoneServer) -> Iterator[Cable]:
    made = Cable(server.port)
    yield made
    made.unplug()


@pytest.fixture
def driver(
    cable: Cable, phone: VirtualPhone, monkeypatch: pytest.MonkeyPatch
) -> Iterator[AndroidDriver]:
    monkeypatch.setattr(link, "START_SECONDS", 0.5)
    connected = AndroidDriver.connect("127.0.0.1", cable.port, phone.profile.serial)
    yield connected
    cable.cut = None
    connected.close()


CUTS = [
    pytest.param(
        method, cut, gently, id=f"{method}-{cut}-{'closed' if gently else 'reset'}", marks=marks
    )
    for number, method in enumerate(METHODS)
    for kind, (cut, gently) in enumerate(itertools.product((3, 40), (True, False)))
    for marks in ([] if kind == number % 4 else [pytest.mark.thorough],)
]
"""Each method once by day, each of the four cuts at every fourth; the rest at night."""


@pytest.mark.parametrize(("method", "cut", "gently"), CUTS)
def test_a_cut_connection_is_reported_in_our_words(
    driver: AndroidDriver, cable: Cable, method: str, cut: int, gently: bool
) -> None:
    cable.cut, cable.gently = cut, gently
    if method in SAYS_NOTHING:
        call(driver, method)
        return
    # 40 bytes are enough for some to have their whole answer.
    with (
        pytest.raises((DeviceError, UsageError), match="virtual-1")
        if cut < 40
        else suppress(DeviceError, UsageError)
    ):
        call(driver, method)


@pytest.mark.parametrize(
    "method",
    [
        pytest.param(name, marks=pytest.mark.thorough if at % 3 else [])
        for at, name in enumerate(METHODS)
    ],
)
def test_an_unplugged_cable_is_reported_in_our_words(
    driver: AndroidDriver, cable: Cable, method: str
) -> None:
    cable.unplug()
    if method in SAYS_NOTHING:
        call(driver, method)
        return
    with pytest.raises(DeviceError, match="virtual-1") as raised:
        call(driver, method)
    assert isinstance(raised.value.__context__, Exception)
    assert raised.value.__suppress_context__
