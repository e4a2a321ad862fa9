"""Whatever becomes of the connection, at whatever byte: no error of a socket leaves the driver, nothing hangs."""

from __future__ import annotations

import inspect
import itertools
import select
import socket
import struct
import tempfile
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from pytest_replicant.drivers import AndroidDriver, AppInFront, Driver
from pytest_replicant.drivers.android import link
from pytest_replicant.errors import DeviceError, Unsupported, UsageError
from pytest_replicant.model import Point, Rect
from pytest_replicant.virtual import PhoneServer, VirtualPhone

SHOP = "dev.replicant.shop"
HERE, THERE = Point(540, 1200), Point(540, 800)
RESET = struct.pack("ii", 1, 0)  # SO_LINGER: closing sends a reset


def has_no_audit(driver: Driver) -> None:
    with pytest.raises(Unsupported):
        driver.accessibility_audit()


METHODS: dict[str, Callable[[Driver], object]] = {
    "dump_hierarchy": lambda driver: driver.dump_hierarchy(),
    "tap": lambda driver: driver.tap(HERE),
    "double_tap": lambda driver: driver.double_tap(HERE),
    "long_press": lambda driver: driver.long_press(HERE, 0.01),
    "swipe": lambda driver: driver.swipe(HERE, THERE, 0.01),
    "drag": lambda driver: driver.drag(HERE, THERE, 0.01),
    "pinch": lambda driver: driver.pinch(Rect(0, 0, 800, 800), 2.0, 0.01),
    "check_typeable": lambda driver: driver.check_typeable("ada"),
    "check_field_takes": lambda driver: driver.check_field_takes("two\nlines"),
    "type_text": lambda driver: driver.type_text("ada"),
    "clear_text": lambda driver: driver.clear_text(),
    "focused_field": lambda driver: driver.focused_field(),
    "keyboard_shown": lambda driver: driver.keyboard_shown(),
    "press_key": lambda driver: driver.press_key("home"),
    "hide_keyboard": lambda driver: driver.hide_keyboard(),
    "screenshot": lambda driver: driver.screenshot(),
    "launch": lambda driver: driver.launch(SHOP, None, ()),
    "stop": lambda driver: driver.stop(SHOP),
    "clear_data": lambda driver: driver.clear_data(SHOP),
    "app_in_front": lambda driver: driver.app_in_front(),
    "cold_start": lambda driver: driver.cold_start(SHOP, None, (), fresh=False, ended=print),
    "is_drawn": lambda driver: driver.is_drawn(AppInFront(SHOP, ".Main")),
    "is_locked": lambda driver: driver.is_locked(),
    "notices": lambda driver: driver.notices(),
    "replace_text": lambda driver: driver.replace_text("ada"),
    "true_texts": lambda driver: driver.true_texts({"..": 1}, {}),
    "appearance": lambda driver: driver.appearance(),
    "app_status": lambda driver: driver.app_status(SHOP),
    "open_url": lambda driver: driver.open_url("shop://cart", SHOP),
    "last_toast": lambda driver: driver.last_toast(),
    "clear_toasts": lambda driver: driver.clear_toasts(),
    "logs": lambda driver: driver.logs(),
    "shell": lambda driver: driver.shell("echo here", 1.0),
    "log_mark": lambda driver: driver.log_mark(),
    "crashes": lambda driver: driver.crashes(None, SHOP),
    "pids": lambda driver: driver.pids(SHOP),
    "accessibility_audit": has_no_audit,
    "installed": lambda driver: driver.installed(SHOP),
    "install": lambda driver: driver.install(some_apk()),
    "uninstall": lambda driver: driver.uninstall("dev.example.absent"),
    "permissions": lambda driver: driver.permissions(SHOP),
    "set_permission": lambda driver: driver.set_permission(SHOP, "camera", True),
    "push_file": lambda driver: driver.push_file(b"bytes", "/sdcard/pushed"),
    "pull_file": lambda driver: driver.pull_file("/sdcard/pushed"),
    "rotate": lambda driver: driver.rotate("landscape"),
    "orientation": lambda driver: driver.orientation(),
    "wake": lambda driver: driver.wake(),
    "restore_settings": lambda driver: driver.restore_settings(),
    "reconnect": lambda driver: driver.reconnect(0.3),
    "close": lambda driver: driver.close(),
}
_FOLDER = tempfile.TemporaryDirectory()


def some_apk() -> Path:
    """An archive that a driver sends to the phone; what the phone makes of it is of no interest here."""
    path = Path(_FOLDER.name) / "some.apk"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("anything", "")
    return path


SAYS_NOTHING = {
    "notices",
    "check_typeable",
    "restore_settings",
    "close",
    "accessibility_audit",
}  # to the phone, or of trouble


class Cable:
    """Between a driver and the adb server. ``cut`` is how many bytes of each answer still come through, None
    for all; then the connection is reset, or, with ``gently``, closed."""

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
        """One thread for both ways: a socket that another thread reads from is not closed before that ends."""
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
def driver(cable: Cable, phone: VirtualPhone, monkeypatch: pytest.MonkeyPatch) -> Iterator[AndroidDriver]:
    monkeypatch.setattr(link, "START_SECONDS", 0.5)
    connected = AndroidDriver.connect("127.0.0.1", cable.port, phone.profile.serial)
    yield connected
    cable.cut = None
    connected.close()


def test_every_method_of_a_driver_is_tried() -> None:
    promised = {name for name, _ in inspect.getmembers(Driver, inspect.isfunction) if name[0] != "_"} - {
        "unsupported"
    }
    assert set(METHODS) == promised


CUTS = [
    pytest.param(method, cut, gently, id=f"{method}-{cut}-{'closed' if gently else 'reset'}", marks=marks)
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
        METHODS[method](driver)
        return
    # 40 bytes are enough for some to have their whole answer.
    with (
        pytest.raises((DeviceError, UsageError), match="virtual-1")
        if cut < 40
        else suppress(DeviceError, UsageError)
    ):
        METHODS[method](driver)


@pytest.mark.parametrize(
    "method",
    [pytest.param(name, marks=pytest.mark.thorough if at % 3 else []) for at, name in enumerate(METHODS)],
)
def test_an_unplugged_cable_is_reported_in_our_words(driver: AndroidDriver, cable: Cable, method: str) -> None:
    cable.unplug()
    if method in SAYS_NOTHING:
        METHODS[method](driver)
        return
    with pytest.raises(DeviceError, match="virtual-1") as raised:
        METHODS[method](driver)
    assert isinstance(raised.value.__context__, Exception)
    assert raised.value.__suppress_context__
