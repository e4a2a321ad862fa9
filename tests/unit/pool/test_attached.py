"""Which attached phone is meant, and the five ways in which none is."""

from __future__ import annotations

import socket

import pytest

from pytest_replicant.drivers import KnownPhone
from pytest_replicant.errors import DeviceNotFound, DeviceOffline, DeviceTimeout, UsageError
from pytest_replicant.pool import attached, list_phones, server_address
from pytest_replicant.pool.attached import choose_phone

GOOD = KnownPhone("R5CT", "device", "Pixel_8")
SECOND = KnownPhone("emulator-5554", "device", "sdk_gphone64")
STRANGER = KnownPhone("0A1B", "unauthorized")
ASLEEP = KnownPhone("9XYZ", "offline")
SERVER = "the adb server at 127.0.0.1:5037"


def test_a_serial_chooses_and_without_one_the_only_usable_phone_is_meant() -> None:
    assert choose_phone([STRANGER, GOOD, ASLEEP], "", SERVER) == GOOD
    assert choose_phone([GOOD, SECOND], "emulator-5554", SERVER) == SECOND


@pytest.mark.parametrize(
    ("phone", "said"),
    [
        (STRANGER, "0A1B does not trust this computer. Next: accept the question"),
        (ASLEEP, "9XYZ does not answer adb. Next: unplug it"),
        (KnownPhone("R5CT", "rescue"), "'rescue'"),
    ],
)
def test_a_phone_that_cannot_be_used_is_not_chosen_by_its_serial_either(
    phone: KnownPhone, said: str
) -> None:
    for serial in ("", phone.serial):
        with pytest.raises(DeviceOffline, match=said):
            choose_phone([phone], serial, SERVER)


def test_no_phone() -> None:
    with pytest.raises(
        DeviceNotFound, match=r"no phone is attached.*USB debugging.*--replicant-device=virtual"
    ):
        choose_phone([], "", SERVER)


def test_several_phones_are_listed_as_they_would_be_named() -> None:
    with pytest.raises(UsageError) as refused:
        choose_phone([GOOD, SECOND], "", SERVER)
    assert "--replicant-device=android:R5CT  Pixel_8" in str(refused.value)
    assert "--replicant-device=android:emulator-5554" in str(refused.value)


def test_an_unknown_serial_lists_what_is_attached_and_the_nearest() -> None:
    with pytest.raises(DeviceNotFound) as refused:
        choose_phone([GOOD, SECOND, STRANGER], "emulator-5556", SERVER)
    assert "Did you mean android:emulator-5554?" in str(refused.value)
    assert "0A1B: does not trust this computer" in str(refused.value)
    assert refused.value.device == "emulator-5556"


def test_several_phones_of_which_none_is_usable_are_each_explained() -> None:
    with pytest.raises(
        DeviceOffline, match=r"(?s)none of the 2 phones.*0A1B: does not trust.*9XYZ: does not"
    ):
        choose_phone([STRANGER, ASLEEP], "", SERVER)


def test_the_server_is_where_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", "41234")
    assert server_address() == ("127.0.0.1", 41234)
    monkeypatch.setenv("ANDROID_ADB_SERVER_ADDRESS", "10.0.0.2")
    assert server_address() == ("10.0.0.2", 41234)


@pytest.mark.parametrize("port", ["adb", "0", "65536"])
def test_a_port_that_is_none_is_refused(port: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", port)
    with pytest.raises(UsageError, match="ANDROID_ADB_SERVER_PORT"):
        server_address()


def test_a_server_on_another_computer_is_not_started_from_here(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def unknown(*_: object, **__: object) -> socket.socket:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "create_connection", unknown)
    with pytest.raises(DeviceNotFound) as refused:
        list_phones("no.such.host.invalid", 5037)
    assert "no adb server answers at no.such.host.invalid:5037" in str(refused.value)
    assert "port" in str(refused.value)
    assert "firewall" in str(refused.value)
    assert "start-server" not in str(refused.value)
    assert refused.value.__suppress_context__


def test_a_computer_that_says_nothing_may_have_a_firewall(monkeypatch: pytest.MonkeyPatch) -> None:
    def dropped(*_: object, **__: object) -> socket.socket:
        raise TimeoutError("timed out")

    monkeypatch.setattr(socket, "create_connection", dropped)
    with pytest.raises(DeviceTimeout, match=r"nothing answers at 192\.0\.2\.1:5037 .*firewall"):
        list_phones("192.0.2.1", 5037)
    with pytest.raises(DeviceTimeout, match="listing phones on the adb server at localhost:5037"):
        list_phones("localhost", 5037)


@pytest.mark.parametrize(
    ("host", "near"), [("127.0.0.1", True), ("::1", True), ("localhost", True), ("farm", False)]
)
def test_this_computer_is_known_from_others(host: str, near: bool) -> None:
    assert attached.is_this_computer(host) is near
