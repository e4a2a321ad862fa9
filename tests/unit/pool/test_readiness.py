"""Readiness of a phone: started, awake and unlocked before a test has it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from pytest_replicant.errors import DeviceError, DeviceOffline, DeviceTimeout
from pytest_replicant.model import ManualClock
from pytest_replicant.pool import OpenDevice, make_ready, open_device, why_unfit
from pytest_replicant.pool.readiness import await_start, quick_checks
from pytest_replicant.virtual import Latency, PhoneServer, VirtualPhone, start_server
from pytest_replicant.virtual.shell.commands import files

pytestmark = pytest.mark.slow


class Clock(ManualClock):
    """Time that passes only by waiting; ``then`` is what happens meanwhile."""

    def __init__(self) -> None:
        super().__init__(0)
        self.then: Callable[[], object] = lambda: None

    def sleep(self, seconds: float) -> None:
        super().sleep(seconds)
        self.then()


@pytest.fixture(scope="module")
def opened() -> Iterator[OpenDevice]:
    with open_device("virtual?latency=0&screen_timeout=3600") as opened:
        yield opened


@pytest.fixture
def phone(opened: OpenDevice) -> Iterator[VirtualPhone]:
    """As fresh."""
    phone = opened.phone
    assert phone is not None
    yield phone
    phone.settings.reset("property")
    phone.keyguard.set_pin("")
    phone.keyguard.disable(True)
    phone.press_key("WAKEUP")
    phone.dismiss_keyguard()


@pytest.fixture
def clock() -> Clock:
    return Clock()


def ready(opened: OpenDevice, clock: Clock, timeout: float = 60) -> list[str]:
    return [str(each) for each in make_ready(opened.driver, timeout, clock)]


def test_a_sound_phone_costs_one_command(
    opened: OpenDevice, phone: VirtualPhone, clock: Clock
) -> None:
    before = dict(phone.pace.calls)
    assert ready(opened, clock) == []
    assert clock.now() == 0
    others = {kind: count for kind, count in phone.pace.calls.items() if kind != "shell"}
    assert others == {kind: count for kind, count in before.items() if kind != "shell"}
    found = {each.name: each.status for each in quick_checks(opened.driver)}
    assert found == {
        "boot": "ok",
        "screen": "ok",
        "lock": "ok",
        "storage": "ok",
        "animations": "warn",
    }


def test_a_dark_screen_is_turned_on(opened: OpenDevice, phone: VirtualPhone, clock: Clock) -> None:
    phone.press_key("POWER")
    assert ready(opened, clock) == []
    assert phone.awake


def test_a_lock_screen_that_asks_for_nothing_is_opened(
    opened: OpenDevice, phone: VirtualPhone, clock: Clock
) -> None:
    phone.keyguard.disable(False)
    phone.press_key("POWER")
    assert ready(opened, clock) == []
    assert not phone.keyguard.shown


def test_one_that_asks_for_a_pin_is_reported(
    opened: OpenDevice, phone: VirtualPhone, clock: Clock
) -> None:
    phone.keyguard.set_pin("1234")
    phone.press_key("POWER")
    with pytest.raises(
        DeviceError, match=r"cannot be tested on: the lock screen is up.*Next: unlock it"
    ) as raised:
        ready(opened, clock)
    assert raised.value.device == "virtual?latency=0&screen_timeout=3600"
    assert 0 < clock.now() < 5
    phone.keyguard.set_pin("")
    phone.dismiss_keyguard()
    assert ready(opened, clock) == []


def test_a_phone_that_is_starting_is_waited_for(
    opened: OpenDevice, phone: VirtualPhone, clock: Clock
) -> None:
    phone.settings.put("property", "sys.boot_completed", "0")

    def start() -> None:
        if clock.now() > 20:
            phone.settings.reset("property")

    clock.then = start
    assert ready(opened, clock) == []
    assert 20 < clock.now() < 22


def test_one_that_never_starts_is_given_up(
    opened: OpenDevice, phone: VirtualPhone, clock: Clock
) -> None:
    phone.settings.put("property", "sys.boot_completed", "0")
    with pytest.raises(
        DeviceTimeout, match=r"still starting after 30 s. Next: .*replicant_device_timeout"
    ):
        ready(opened, clock, 30)
    assert 30 <= clock.now() < 31


def test_storage_that_runs_out_is_reported_and_no_more(
    opened: OpenDevice, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "_CAPACITY_KIB", 300 * 1024)
    assert [each.split(":")[0] for each in ready(opened, clock)] == ["/data is nearly full"]
    monkeypatch.setattr(files, "_CAPACITY_KIB", 30 * 1024)
    assert [each.split(":")[0] for each in ready(opened, clock)] == ["/data is full"]


def test_why_no_test_can_begin(opened: OpenDevice, phone: VirtualPhone) -> None:
    """Reported without opening it; trouble that a run fixes by itself is no reason."""
    host, port = opened.address
    phone.settings.put("property", "sys.boot_completed", "0")
    phone.keyguard.disable(False)
    phone.press_key("POWER")
    assert why_unfit(host, port, "virtual-1") == ""
    phone.keyguard.set_pin("1234")
    assert why_unfit(host, port, "virtual-1").startswith("the lock screen is up")
    assert "gone" in why_unfit(host, port, "gone")
    assert "adb" in why_unfit(host, 1, "virtual-1")


def test_an_iphone_is_asked_nothing_more() -> None:
    with open_device("virtual:ios?latency=0") as iphone:
        phone = iphone.phone
        assert phone is not None
        before = dict(phone.pace.calls)
        assert (quick_checks(iphone.driver), make_ready(iphone.driver, 1)) == ((), ())
        assert dict(phone.pace.calls) == before


def left(*answers: bool | None, timeout: float = 5) -> float:
    """``answers`` are what the phone says of having started, None for nothing; all have to be asked
    for."""
    said = list(answers)

    def started(seconds: float) -> bool:
        answer = said.pop(0)
        if answer is None:
            raise DeviceOffline("gone")
        return answer

    seconds = await_start(started, "android:R5CT", timeout, ManualClock())
    assert said == []
    return seconds


def test_one_that_is_starting_is_waited_for_even_where_it_drops_off_meanwhile() -> None:
    assert left(False, False, None, False, True) == 3, "four looks, half a second apart"


def test_one_that_does_not_answer_is_left_to_who_connects() -> None:
    assert left(None) == 5


def test_one_that_does_not_start_in_time() -> None:
    with pytest.raises(
        DeviceTimeout, match=r"android:R5CT was still starting after 5 s. Next: wait"
    ) as raised:
        left(*[False] * 100)
    assert raised.value.device == "android:R5CT"


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
