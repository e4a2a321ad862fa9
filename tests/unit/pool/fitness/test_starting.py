"""A phone that is still starting is waited for; one that cannot be had for another reason is not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from pytest_replicant.errors import DeviceOffline, DeviceTimeout
from pytest_replicant.pool import open_device
from pytest_replicant.pool.fitness import starting
from pytest_replicant.pool.fitness.starting import await_start
from pytest_replicant.virtual import Latency, PhoneServer, VirtualPhone, start_server


@pytest.fixture(autouse=True)
def _hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starting, "_POLL", 0.01)


def left(*answers: bool | None, timeout: float = 5) -> float:
    """``answers`` are what the phone says of having started, None for nothing; all have to be asked for."""
    said = list(answers)

    def started(seconds: float) -> bool:
        answer = said.pop(0)
        if answer is None:
            raise DeviceOffline("gone")
        return answer

    seconds = await_start(started, "android:R5CT", timeout)
    assert said == []
    return seconds


def test_a_phone_that_has_started_is_asked_once() -> None:
    assert 4 < left(True) <= 5


def test_one_that_is_starting_is_waited_for_even_where_it_drops_off_meanwhile() -> None:
    assert 0 < left(False, False, None, False, True) < 5


def test_one_that_does_not_answer_is_left_to_who_connects() -> None:
    assert left(None) > 4


def test_one_that_does_not_start_in_time() -> None:
    with pytest.raises(DeviceTimeout, match=r"android:R5CT was still starting after 0.05 s. Next: wait") as told:
        left(*[False] * 100, timeout=0.05)
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
