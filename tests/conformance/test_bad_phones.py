"""Phones that cannot be had: each is said in our words, in time, and nothing is left behind."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_replicant.drivers import AndroidDriver
from pytest_replicant.errors import (
    DeviceBusy,
    DeviceError,
    DeviceNotFound,
    DeviceOffline,
    DeviceTimeout,
    UsageError,
)
from pytest_replicant.pool import (
    DevicePool,
    DeviceUri,
    OpenDevice,
    demo_apps,
    open_device,
    read_uri,
)
from pytest_replicant.virtual import (
    UIAUTOMATOR2_MAIN,
    Latency,
    PhoneServer,
    Profile,
    Terminal,
    VirtualPhone,
    start_server,
)

from ..faults.leaks import Held, left_since

QUICK = Latency(**dict.fromkeys(Latency.__dataclass_fields__, 0))


def phone(serial: str) -> VirtualPhone:
    return VirtualPhone(demo_apps(()), profile=Profile(serial=serial), latency=QUICK)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[PhoneServer]:
    """An adb server of our own with one phone, where the environment says that adb's is."""
    with start_server(phone("R5CT")) as started:
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(started.port))
        monkeypatch.delenv("ANDROID_ADB_SERVER_ADDRESS", raising=False)
        monkeypatch.delenv("ANDROID_ADB_SERVER_HOST", raising=False)
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path))  # where leases are kept
        yield started


class Silent:
    """Accepts connections and never says a word."""

    def __enter__(self) -> int:
        self._listener = socket.create_server(("127.0.0.1", 0))
        return int(self._listener.getsockname()[1])

    def __exit__(self, *_: object) -> None:
        self._listener.close()


def test_the_only_attached_phone_is_opened(server: PhoneServer) -> None:
    with open_device("android") as device:
        assert device.uri == "android:R5CT"
        assert device.phone is None
        assert device.facts["serial"] == "R5CT"


def test_a_serial_chooses_among_several(server: PhoneServer) -> None:
    server.attach(phone("second"))
    with open_device("android:second") as device:
        assert device.driver.info.serial == "second"


def test_which_phone_is_meant_is_not_read_from_the_environment(
    server: PhoneServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.attach(phone("second"))
    monkeypatch.setenv("ANDROID_SERIAL", "second")
    with pytest.raises(UsageError, match="2 phones"):
        open_device("android")


def test_the_first_free_phone_of_several_is_taken(server: PhoneServer) -> None:
    server.attach(phone("second"))

    def opener(uri: DeviceUri, timeout: float | None) -> OpenDevice:
        return open_device(uri)

    here = DevicePool(tuple(map(read_uri, ("android:R5CT", "android:second"))), opener)
    other = DevicePool(tuple(map(read_uri, ("android:R5CT", "android:second"))), opener)
    try:
        assert here.acquire().driver.info.serial == "R5CT"
        assert other.acquire().driver.info.serial == "second"
        with pytest.raises(
            DeviceBusy, match=r"(?s)android:second is in use by this test.*/R5CT is in use by this"
        ):
            other.acquire()
    finally:
        here.close()
        other.close()


@pytest.mark.parametrize("state", ["unauthorized", "offline"])
def test_a_phone_that_turns_bad_after_it_was_listed(server: PhoneServer, state: str) -> None:
    server.set_state("R5CT", "unauthorized" if state == "unauthorized" else "offline")
    with pytest.raises(DeviceOffline, match="R5CT"):
        AndroidDriver.connect("127.0.0.1", server.port, "R5CT")


def test_a_phone_that_is_unplugged_in_the_middle(server: PhoneServer) -> None:
    with open_device("android") as device:
        server.detach("R5CT")
        for call in (
            device.driver.dump_hierarchy,
            device.driver.screenshot,
            device.driver.app_in_front,
        ):
            with pytest.raises(DeviceError) as raised:
                call()
            assert isinstance(raised.value, (DeviceNotFound, DeviceOffline))
            assert raised.value.device == "R5CT"


def _interrupted(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.slow
def test_a_server_that_hangs_is_left_in_time() -> None:
    with Silent() as port:
        began = time.monotonic()
        with pytest.raises(DeviceTimeout, match="phone"):
            AndroidDriver.connect("127.0.0.1", port, "phone", timeout=0.5)
        assert time.monotonic() - began < 2.0


@pytest.mark.slow
def test_a_phone_whose_automation_never_starts_is_left_in_time() -> None:
    async def never(*_: object) -> int:
        await asyncio.Event().wait()
        return 0

    sleepy = phone("R5CT")
    sleepy.programs[UIAUTOMATOR2_MAIN] = never
    with start_server(sleepy) as server:
        began = time.monotonic()
        with pytest.raises(DeviceTimeout, match="not ready"):
            AndroidDriver.connect("127.0.0.1", server.port, "R5CT", timeout=0.6)
        assert time.monotonic() - began < 2.0


def test_a_phone_whose_automation_is_taken_says_by_whom() -> None:
    async def taken(_phone: object, _words: object, terminal: Terminal) -> int:
        await terminal.write(
            b"java.lang.IllegalStateException: UiAutomationService already registered!\n"
        )
        await asyncio.Event().wait()
        return 1

    busy = phone("R5CT")
    busy.programs[UIAUTOMATOR2_MAIN] = taken
    with (
        start_server(busy) as server,
        pytest.raises(DeviceOffline, match="Another automation tool"),
    ):
        AndroidDriver.connect("127.0.0.1", server.port, "R5CT", timeout=5)


def test_a_refused_virtual_phone_leaves_no_thread() -> None:
    before = Held.now()
    with pytest.raises(UsageError):
        open_device("virtual?app=no.such.app")
    assert not left_since(before)
