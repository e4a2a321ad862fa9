"""A phone that is still starting is waited for; one that cannot be had for another reason is not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

import pytest

from pytest_replicant.drivers.base import Driver
from pytest_replicant.errors import DeviceOffline, DeviceTimeout
from pytest_replicant.pool import starting
from pytest_replicant.pool.open import open_device
from pytest_replicant.pool.starting import connect_once_started
from pytest_replicant.virtual.device.phone import VirtualPhone
from pytest_replicant.virtual.profile import Latency
from pytest_replicant.virtual.serve import PhoneServer, start_server

PHONE = cast("Driver", object())


class Link:
    """Connects at the ``works``-th try; ``answers`` are what it says of having started, None for nothing."""

    def __init__(self, works: int, *answers: bool | None) -> None:
        self.tries: list[float] = []
        self._works = works
        self._answers = list(answers)

    def connect(self, seconds: float) -> Driver:
        self.tries.append(seconds)
        if len(self.tries) < self._works:
            raise DeviceOffline("server quit")
        return PHONE

    def started(self, seconds: float) -> bool:
        answer = self._answers.pop(0)
        if answer is None:
            raise DeviceOffline("gone")
        return answer


@pytest.fixture(autouse=True)
def _hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starting, "_POLL", 0.01)


def connected(link: Link, timeout: float = 5) -> Any:
    return connect_once_started(link.connect, link.started, "android:R5CT", timeout)


def test_a_phone_that_has_started_is_asked_nothing() -> None:
    assert connected(Link(1)) is PHONE


def test_one_that_is_starting_is_waited_for_even_where_it_drops_off_meanwhile() -> None:
    link = Link(2, False, False, None, True)
    assert connected(link) is PHONE
    assert len(link.tries) == 2
    assert link.tries[1] <= link.tries[0]


@pytest.mark.parametrize("answer", [True, None])
def test_what_fails_for_another_reason_fails_at_once(answer: bool | None) -> None:
    link = Link(2, answer)
    with pytest.raises(DeviceOffline, match="server quit"):
        connected(link)
    assert len(link.tries) == 1


def test_one_that_does_not_start_in_time() -> None:
    with pytest.raises(DeviceTimeout, match=r"android:R5CT was still starting after 0.05 s. Next: wait") as told:
        connected(Link(2, *[False] * 100), timeout=0.05)
    assert told.value.device == "android:R5CT"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[PhoneServer]:
    latency = replace(Latency.from_knobs({"latency": "0"}), boot_ms=1200)
    phone = VirtualPhone(latency=latency)
    with start_server(phone) as server:
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(server.port))
        phone.boot.again(latency.boot_ms)
        yield server


@pytest.mark.slow
def test_a_phone_that_has_just_been_restarted_is_opened(server: PhoneServer) -> None:
    with open_device("android") as opened:
        assert opened.driver.info.model == "Virtual Phone"


@pytest.mark.slow
def test_one_that_takes_too_long_is_let_go_of(server: PhoneServer) -> None:
    with pytest.raises(DeviceTimeout, match="still starting"):
        open_device("android", timeout=0.6)
    with open_device("android"):  # its lease was given back
        pass
