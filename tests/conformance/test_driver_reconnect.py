"""A connection that was lost and is taken hold of again: the same phone, in time, and nothing sent
twice."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from pytest_replicant.drivers import AndroidDriver
from pytest_replicant.errors import DeviceError, DeviceNotFound, DeviceOffline
from pytest_replicant.model import Point
from pytest_replicant.virtual import PhoneServer, VirtualPhone
from pytest_replicant.virtual.device.boot import BOOT_ID

from .private_adb import Adb, Recorder

MIDDLE = Point(540, 1200)


@pytest.fixture
def driver(server: PhoneServer, phone: VirtualPhone) -> Iterator[AndroidDriver]:
    connected = AndroidDriver.connect(server.host, server.port, phone.profile.serial)
    yield connected
    connected.close()


def test_a_server_that_another_started_is_left_alone(
    driver: AndroidDriver, server: PhoneServer, phone: VirtualPhone
) -> None:
    second = AndroidDriver.connect(server.host, server.port, phone.profile.serial)
    second.reconnect(5)
    assert b"<node" in second.dump_hierarchy()
    second.close()
    assert phone.ports.listener("tcp:9008") is not None
    assert b"<node" in driver.dump_hierarchy()


def test_a_phone_that_was_unplugged_and_is_back(
    driver: AndroidDriver, server: PhoneServer, phone: VirtualPhone
) -> None:
    server.detach(phone.profile.serial)
    with pytest.raises(DeviceError):
        driver.tap(MIDDLE)
    with pytest.raises(DeviceNotFound, match=r"reconnecting on virtual-1.*not found"):
        driver.reconnect(0.3)
    server.attach(phone)
    driver.reconnect(5)
    assert b"<node" in driver.dump_hierarchy()
    assert phone.pace.calls["gesture"] == 1, "the key of connecting alone"


def test_a_phone_that_comes_back_meanwhile_is_waited_for(
    driver: AndroidDriver, server: PhoneServer, phone: VirtualPhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.set_state(phone.profile.serial, "offline")
    pause = time.sleep

    def back(seconds: float) -> None:
        server.set_state(phone.profile.serial, "device")
        monkeypatch.setattr(time, "sleep", pause)

    monkeypatch.setattr(time, "sleep", back)
    driver.reconnect(5)
    assert b"<node" in driver.dump_hierarchy()


@pytest.mark.parametrize("state", ["offline", "unauthorized"])
def test_a_phone_that_does_not_answer_is_offline(
    driver: AndroidDriver, server: PhoneServer, phone: VirtualPhone, state: str
) -> None:
    server.set_state(phone.profile.serial, state)  # type: ignore[arg-type]  # one of the literals
    with pytest.raises(DeviceOffline, match="reconnecting on virtual-1"):
        driver.reconnect(0.2)
    server.set_state(phone.profile.serial, "device")
    driver.reconnect(5)
    assert b"<node" in driver.dump_hierarchy()


def test_no_adb_server_is_started_where_there_is_none(
    driver: AndroidDriver, server: PhoneServer, usual_port: Recorder
) -> None:
    server.close()
    began = time.monotonic()
    with pytest.raises(DeviceOffline, match="virtual-1"):
        driver.reconnect(0.3)
    assert time.monotonic() - began < 3.0
    assert usual_port.heard() == []


def test_what_cannot_be_put_back_now_is_put_back_later(
    driver: AndroidDriver, server: PhoneServer, phone: VirtualPhone
) -> None:
    driver.rotate("landscape")
    server.set_state(phone.profile.serial, "offline")
    with pytest.raises(DeviceOffline):
        driver.restore_settings()
    server.set_state(phone.profile.serial, "device")
    driver.restore_settings()
    assert phone.rotation == 0


@pytest.mark.slow
def test_a_phone_that_was_restarted_is_not_the_same(
    driver: AndroidDriver, phone: VirtualPhone, server: PhoneServer
) -> None:
    """Once: whoever goes on knows it, and finds another state."""
    phone.restart()
    with pytest.raises(DeviceOffline, match="virtual-1 was restarted in the middle") as raised:
        driver.reconnect(10)
    assert not raised.value.recoverable
    assert b"<node" in driver.dump_hierarchy()


@pytest.mark.slow
def test_it_is_reported_by_whatever_is_done_next(
    driver: AndroidDriver, phone: VirtualPhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The phone was away and back again before anybody looked: what was meant for another screen is
    not sent."""
    monkeypatch.setattr("pytest_replicant.virtual.adb_side.server.RESTART_TIME", 0.0)
    phone.restart()
    deadline = time.monotonic() + 5
    while phone.ports.addresses() and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(0.05)  # the adb server lists it again
    with pytest.raises(DeviceOffline, match="was restarted in the middle"):
        driver.tap(MIDDLE)
    assert phone.pace.calls["gesture"] == 1, "the key of connecting alone"


def test_a_phone_that_does_not_tell_its_boot_id_is_believed(
    driver: AndroidDriver, phone: VirtualPhone
) -> None:
    phone.files.remove(BOOT_ID)
    driver.reconnect(5)
    assert b"<node" in driver.dump_hierarchy()


@pytest.mark.slow
def test_through_a_real_adb_server(through_adbd: Adb, server: PhoneServer) -> None:
    serial = f"{server.host}:{server.adbd_port}"
    driver = AndroidDriver.connect("127.0.0.1", through_adbd.port, serial)
    through_adbd("disconnect", serial)
    with pytest.raises((DeviceNotFound, DeviceOffline)):
        driver.reconnect(0.3)
    assert serial not in through_adbd("devices")  # the server was not asked to connect
    through_adbd("connect", serial)
    driver.reconnect(10)
    assert b"<node" in driver.dump_hierarchy()
    driver.push_file(b"\0\r\n" * 70_000, "/data/local/tmp/pushed")
    assert driver.pull_file("/data/local/tmp/pushed") == b"\0\r\n" * 70_000
    driver.close()
