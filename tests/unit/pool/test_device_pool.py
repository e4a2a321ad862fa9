"""Which phone is lent: the first that is free, and what is said where none is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

import pytest

from pytest_replicant.drivers import Driver
from pytest_replicant.errors import DeviceBusy, DeviceNotFound, UsageError
from pytest_replicant.pool import DevicePool, DeviceUri, Opened, PhoneUnfit, read_uri

from .rack import uris


@dataclass
class Info:
    platform: str


@dataclass
class Phone:
    """Open, of some platform."""

    uri: str
    info: Info
    closed: bool = False

    @property
    def driver(self) -> Driver:
        return cast("Driver", self)

    def close(self) -> None:
        self.closed = True


@dataclass
class Rack:
    """Opens phones: ``trouble`` by URI is raised instead, ``platforms`` are those that are not
    Android."""

    trouble: dict[str, Exception] = field(default_factory=dict)
    platforms: Mapping[str, str] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    timeouts: list[float | None] = field(default_factory=list)

    def open(self, given: DeviceUri, timeout: float | None) -> Phone:
        uri = given.text
        self.asked.append(uri)
        self.timeouts.append(timeout)
        if uri in self.trouble:
            raise self.trouble[uri]
        return Phone(uri, Info(self.platforms.get(uri, "android")))


def busy(uri: str) -> DeviceBusy:
    return DeviceBusy(f"{uri} is in use by process 7.", device=uri)


def test_a_phone_that_another_run_holds_is_passed_over() -> None:
    rack = Rack({"android:one": busy("android:one")})
    phones = DevicePool(uris("android:one", "android:two"), rack.open)
    assert phones.acquire(timeout=7) is phones._places[0].opened
    assert rack.asked == ["android:one", "android:two"]
    assert rack.timeouts == [7, 7]
    del rack.trouble["android:one"]
    assert cast("Phone", phones.acquire()).uri == "android:one"


def test_where_every_phone_is_held_all_of_them_are_named() -> None:
    held = ("android:one", "android:two")
    phones = DevicePool(uris(*held), Rack({uri: busy(uri) for uri in held}).open)
    with pytest.raises(DeviceBusy) as refused:
        phones.acquire()
    for uri in held:
        assert f"{uri} is in use by process 7" in str(refused.value)
    assert refused.value.device == "android:one, android:two"
    assert refused.value.__context__ is None


def test_a_phone_that_is_not_there_is_reported_and_not_passed_over() -> None:
    rack = Rack({"android:one": DeviceNotFound("android:one is not attached")})
    with pytest.raises(DeviceNotFound, match="android:one is not attached"):
        DevicePool(uris("android:one", "android:two"), rack.open).acquire()
    assert rack.asked == ["android:one"]


def test_lent_phones_and_held_ones_are_both_named() -> None:
    phones = DevicePool(
        uris("android:one", "android:two"), Rack({"android:two": busy("android:two")}).open
    )
    phones.acquire()
    with pytest.raises(
        DeviceBusy, match=r"(?s)android:one is in use by this test.*android:two is in use by pro"
    ):
        phones.acquire()


def test_what_was_given_back_is_lent_again_unopened() -> None:
    rack = Rack()
    phones = DevicePool(uris("android:one", "android:two"), rack.open)
    first = phones.acquire()
    phones.release(first)
    assert phones.acquire() is first
    assert rack.asked == ["android:one"]


@pytest.mark.parametrize("uri", ["android:one", "virtual?latency=0", "adb://build:5037/one"])
@pytest.mark.parametrize("lent", [True, False])
def test_a_platform_that_no_phone_has_is_a_wrong_call_and_opens_nothing(
    uri: str, lent: bool
) -> None:
    rack = Rack()
    phones = DevicePool(uris(uri), rack.open)
    if lent:
        phones.acquire()
    before = list(rack.asked)
    with pytest.raises(UsageError, match="no ios phone among"):
        phones.acquire(platform="ios")
    assert rack.asked == before


def test_a_phone_from_elsewhere_is_asked_for_its_platform() -> None:
    rack = Rack(platforms={"farm:2": "ios"})
    phones = DevicePool(uris("farm:1", "farm:2"), rack.open)
    assert cast("Phone", phones.acquire(platform="ios")).uri == "farm:2"
    with pytest.raises(
        DeviceBusy, match=r"further ios phone.*\nIn use:\n  farm:2 is in use by this test$"
    ):
        phones.acquire(platform="ios")
    assert cast("Phone", phones.acquire(platform="android")).uri == "farm:1"


def test_a_virtual_phone_may_be_had_again_and_again() -> None:
    phones = DevicePool(uris("virtual"), Rack().open)
    assert phones.acquire() is not phones.acquire()


BOTH = uris("virtual", "virtual:ios")
IPHONES: Mapping[str, str] = {"virtual:ios": "ios", "ios:http://mac:8100": "ios"}


def test_which_of_two_platforms_comes_first_hangs_on_no_earlier_test() -> None:
    phones = DevicePool(BOTH, Rack(platforms=IPHONES).open)
    iphone = phones.acquire(platform="ios")
    phones.release(iphone)
    assert cast("Phone", phones.acquire()).uri == "virtual"
    assert phones.acquire() is iphone


def test_an_android_phone_and_an_iphone_at_once() -> None:
    rack = Rack(platforms=IPHONES)
    phones = DevicePool(uris("virtual"), rack.open)
    taken = [
        phones.acquire(),
        phones.acquire("virtual:ios"),
        phones.acquire("virtual:ios"),
        phones.acquire("ios:http://mac:8100"),
    ]
    asked = ["virtual", "virtual:ios", "virtual:ios", "ios:http://mac:8100"]
    assert [cast("Phone", each).uri for each in taken] == rack.asked == asked


def test_a_run_without_an_iphone_says_where_to_have_one() -> None:
    with pytest.raises(
        UsageError, match=r'no ios phone among virtual\..*new_mobile\("virtual:ios"\)'
    ):
        DevicePool(uris("virtual"), Rack().open).acquire(platform="ios")


class TestOneOnWhichNoTestCanBegin:
    def pool(self, *locked: str) -> tuple[Rack, DevicePool]:
        rack = Rack()

        def prepare(opened: Opened, timeout: float | None) -> None:
            if opened.driver.uri in locked:
                raise PhoneUnfit(f"{opened.driver.uri} is locked")

        return rack, DevicePool(uris("android:one", "android:two"), rack.open, prepare=prepare)

    def test_is_passed_over_and_reported(self) -> None:
        rack, phones = self.pool("android:one")
        phones.release(phones.acquire())
        assert cast("Phone", phones.acquire()).uri == "android:two"
        assert rack.asked == ["android:one", "android:two"]
        assert [*phones.passed_over] == ["android:one is locked"]

    def test_is_an_error_where_there_is_no_other(self) -> None:
        _, phones = self.pool("android:one", "android:two")
        for _ in range(2):
            with pytest.raises(PhoneUnfit, match="android:one is locked"):
                phones.acquire()
        assert not phones.passed_over

    def test_is_an_error_where_it_was_named(self) -> None:
        _, phones = self.pool("android:one")
        with pytest.raises(PhoneUnfit, match="android:one is locked"):
            phones.acquire("android:one")

    def test_is_no_reason_to_skip(self) -> None:
        _, phones = self.pool("android:one")
        phones._met[read_uri("android:two")] = cast("Driver", Phone("android:two", Info("ios")))
        with pytest.raises(PhoneUnfit, match="android:one is locked"):
            phones.acquire(platform="android")
