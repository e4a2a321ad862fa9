"""From what was given to the phones that are meant, each by a URI that opens it."""

from __future__ import annotations

import contextlib

import pytest

from pytest_replicant.errors import DeviceBusy, DeviceNotFound, DeviceOffline
from pytest_replicant.pool import (
    DevicePool,
    DeviceRequirements,
    DeviceUri,
    NoMatchingDevice,
    OpenDevice,
    demo_apps,
    holder_of,
    open_device,
    read_uri,
)
from pytest_replicant.virtual import Latency, PhoneServer, Profile, VirtualPhone, start_server

from .rack import uris


def texts(expanded: tuple[tuple[DeviceUri, ...], object]) -> tuple[str, ...]:
    return tuple(uri.text for uri in expanded[0])


QUICK = Latency(**dict.fromkeys(Latency.__dataclass_fields__, 0))


def phone(serial: str, sdk: int = 34) -> VirtualPhone:
    return VirtualPhone(demo_apps(()), profile=Profile(serial=serial, sdk=sdk), latency=QUICK)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> object:
    with start_server(phone("old", 29), phone("new", 34), phone("odd", 34)) as started:
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(started.port))
        monkeypatch.delenv("ANDROID_ADB_SERVER_ADDRESS", raising=False)
        monkeypatch.delenv("ANDROID_ADB_SERVER_HOST", raising=False)
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
        yield started


def test_several_virtual_phones_have_names() -> None:
    meant = read_uri("virtual:2?latency=0").expand()
    assert texts(meant) == (
        "virtual:android?latency=0&serial=virtual-1",
        "virtual:android?latency=0&serial=virtual-2",
    )
    assert [uri.label for uri in meant[0]] == ["virtual-1", "virtual-2"]
    assert texts(read_uri("virtual:ios:1").expand()) == ("virtual:ios?serial=virtual-iphone-1",)
    assert all(uri.knobs["serial"] for uri in meant[0])


@pytest.mark.parametrize(
    "given", ["virtual", "android:R5CT", "farm:1", "virtual:0", "ios:http://mac:8100"]
)
def test_anything_else_is_meant_as_it_is_given(given: str) -> None:
    assert texts(read_uri(given).expand()) == (given,)


def test_android_is_every_phone_that_can_be_used(server: PhoneServer) -> None:
    server.set_state("odd", "unauthorized")
    meant = read_uri("android").expand()
    assert texts(meant) == ("android:old", "android:new")
    (complaint,) = meant[1]
    assert complaint.startswith("odd does not trust this computer: accept the question")


def test_where_none_can_be_used_each_is_explained(server: PhoneServer) -> None:
    for serial in server.serials:
        server.set_state(serial, "offline")
    assert texts(read_uri("android").expand()) == ("android",)
    with pytest.raises(DeviceOffline, match=r"(?s)none of the 3 phones.*old: does not answer adb"):
        DevicePool(uris("android"), opener).acquire()


def opener(uri: DeviceUri, timeout: float | None) -> OpenDevice:
    return open_device(uri)


def test_the_marker_finds_the_phone_that_fits(server: PhoneServer) -> None:
    pool = DevicePool(uris("android"), opener)
    try:
        taken = pool.acquire(wanted=DeviceRequirements(api=">=34"))
        assert taken.driver.info.serial == "new"
        pool.release(taken)
        with pytest.raises(NoMatchingDevice) as none:
            pool.acquire(wanted=DeviceRequirements(api=">34"))
        assert none.value.reason.endswith(
            "android:old: has API level 29, not >34; android:new, android:odd: has API level 34, "
            "not >34"
        )
    finally:
        pool.close()


def test_a_phone_in_use_says_what_it_is_to_other_processes(server: PhoneServer) -> None:
    name = read_uri("android:new").lease_name()
    assert name == f"adb://127.0.0.1:{server.port}/new"
    with open_device("android:new"):
        holder = holder_of(name)
        assert holder is not None
        assert holder.facts is not None
        assert holder.facts.api == 34
        assert "shell" in holder.facts.abilities
    assert holder_of(name) is None


def test_of_two_virtual_phones_there_are_two() -> None:
    pool = DevicePool(uris("virtual:2?latency=0"), opener)
    try:
        assert [pool.acquire().driver.info.serial for _ in range(2)] == ["virtual-1", "virtual-2"]
        with pytest.raises(
            DeviceBusy,
            match=r"virtual-1 is in use by this test\n.*virtual-2 is in use by this test",
        ):
            pool.acquire()
    finally:
        pool.close()


@pytest.mark.parametrize(
    ("uri", "name"),
    [
        ("virtual", None),
        ("virtual?serial=one", None),
        ("farm:1", None),
        ("android", None),
        ("adb://host:5037/R5CT", "adb://host:5037/R5CT"),
        ("ios:http://localhost:8100", "ios:http://127.0.0.1:8100"),
    ],
)
def test_what_a_phone_is_leased_as(uri: str, name: str | None) -> None:
    assert read_uri(uri).lease_name() == name


def test_phones_that_are_gone_say_so_themselves(server: PhoneServer) -> None:
    """Not that there are several to choose from, nor that none was ever there."""
    pool = DevicePool(uris("android"), opener)
    pool.release(pool.acquire(wanted=DeviceRequirements(api="29")))
    for serial in server.serials:
        server.detach(serial)
    with pytest.raises(DeviceNotFound, match="new is not attached"):
        pool.acquire(wanted=DeviceRequirements(api="34"))
    with contextlib.suppress(DeviceOffline):
        pool.close()


def test_a_phone_that_is_plugged_in_later_is_found(server: PhoneServer) -> None:
    pool = DevicePool(uris("android"), opener)
    try:
        with pytest.raises(NoMatchingDevice):
            pool.acquire(wanted=DeviceRequirements(api="35"))
        server.attach(phone("late", 35))
        assert pool.acquire(wanted=DeviceRequirements(api="35")).driver.info.serial == "late"
    finally:
        pool.close()
