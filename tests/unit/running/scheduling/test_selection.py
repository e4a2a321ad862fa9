"""The phone of each test: ids of a matrix, and the workers that the phones can serve."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from pytest_replicant.pool import read_uri
from pytest_replicant.running.scheduling.selection import LONGEST, kind_ids, workers_for
from pytest_replicant.virtual import PhoneServer, Profile, VirtualPhone, start_server


@pytest.mark.parametrize(
    ("kinds", "ids"),
    [
        (["virtual"], ["virtual"]),
        (["virtual:2?latency=0", "virtual:ios:2"], ["virtual-2", "virtual-ios-2"]),
        (["virtual?latency=0", "virtual?latency=90"], ["virtual-latency-0", "virtual-latency-90"]),
        (["android:R5CT", "adb://build:5037/R5CT"], ["android-R5CT", "adb-build-5037-R5CT"]),
        (["a:/", "a:?"], ["a.1", "a.2"]),
        (
            ["ios:http://mac:8100?token=1", "ios:http://mac:8100?token=2"],
            ["ios-http-mac-8100.1", "ios-http-mac-8100.2"],
        ),
        (["…"], ["phone"]),
        (["ios:http://user:secret@mac:8100"], ["ios-http-mac-8100"]),
        (["x" * 90, "x" * 91], ["x" * LONGEST + ".1", "x" * LONGEST + ".2"]),
    ],
)
def test_ids_are_readable_and_safe_and_differ(kinds: list[str], ids: list[str]) -> None:
    assert kind_ids([*map(read_uri, kinds)]) == ids
    assert len({*ids}) == len(kinds)
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+", each) for each in ids)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[PhoneServer]:
    phones = [
        VirtualPhone([], profile=Profile(serial=serial)) for serial in ("one", "two", "three")
    ]
    with start_server(*phones) as started:
        started.set_state("three", "unauthorized")
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(started.port))
        monkeypatch.delenv("ANDROID_ADB_SERVER_ADDRESS", raising=False)
        monkeypatch.delenv("ANDROID_ADB_SERVER_HOST", raising=False)
        yield started


@pytest.mark.parametrize(
    ("given", "workers"),
    [
        ("virtual:3", 3),
        ("virtual:3?latency=0 virtual:ios:2", 5),
        ("virtual:3 virtual:3", 3),
        ("android", 2),
        ("android android:one", 2),
        ("android:one android:gone", 2),
        ("android virtual:ios:2 ios:http://mac:8100", 5),
        ("farm:1 farm:2", 2),
        ("virtual", None),
        ("virtual:ios?latency=0", None),
        ("", None),
        ("android virtual", None),
    ],
)
def test_phones_are_counted(
    pytester: pytest.Pytester, server: PhoneServer, given: str, workers: int | None
) -> None:
    config = pytester.parseconfig(*(f"--replicant-device={each}" for each in given.split()))
    assert workers_for(config) == workers


@pytest.mark.slow
def test_a_phone_on_which_no_test_can_begin_gets_no_worker(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A phone that was named does: its trouble is reported by its tests."""
    one, two = (VirtualPhone([], profile=Profile(serial=serial)) for serial in ("one", "two"))
    with start_server(one, two) as started:
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(started.port))
        assert workers_for(pytester.parseconfig("--replicant-device=android")) == 2
        one.keyguard.set_pin("1234")
        one.press_key("POWER")
        assert workers_for(pytester.parseconfig("--replicant-device=android")) == 1
        named = ("--replicant-device=android", "--replicant-device=android:one")
        assert workers_for(pytester.parseconfig(*named)) == 2


@pytest.mark.parametrize(("devices", "workers"), [((), 2), (("android",), 4), (("virtual",), None)])
def test_emulators_are_added_to_what_is_named(
    pytester: pytest.Pytester, server: PhoneServer, devices: tuple[str, ...], workers: int | None
) -> None:
    given = [f"--replicant-device={each}" for each in devices]
    assert (
        workers_for(
            pytester.parseconfig(*given, "--replicant-device=avd:a", "--replicant-device=avd:b")
        )
        == workers
    )


def test_without_an_adb_server_there_is_one_that_tells(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", "1")
    assert workers_for(pytester.parseconfig("--replicant-device=android")) == 1


def test_what_is_wrong_with_the_options_is_reported_later(pytester: pytest.Pytester) -> None:
    assert (
        workers_for(
            pytester.parseconfig(
                "--replicant-device=virtual:3", "-o", "replicant_lease_timeout=soon"
            )
        )
        == 1
    )


def test_a_number_in_the_environment_wins(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_XDIST_AUTO_NUM_WORKERS", "7")
    assert workers_for(pytester.parseconfig("--replicant-device=virtual:3")) is None
