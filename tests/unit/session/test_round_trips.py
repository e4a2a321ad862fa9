"""What a step costs in calls to the phone, on a settled screen that was read just now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar

import pytest

from pytest_replicant import ActionFailed, Secret, UsageError
from pytest_replicant.drivers import AndroidDriver, Exchange
from pytest_replicant.session import DeviceSession
from pytest_replicant.testing import VirtualDevice, virtual_device

SHOP, LAB = "dev.replicant.shop", "dev.replicant.lab"
Counted = Callable[[Callable[[], object]], "Counter[str]"]


@pytest.fixture
def device() -> Iterator[VirtualDevice]:
    with virtual_device(SHOP, LAB) as device:
        yield device


@pytest.fixture
def mobile(device: VirtualDevice) -> Iterator[DeviceSession]:
    with device.session(screenshots=False) as mobile:
        yield mobile


@pytest.fixture
def counted(device: VirtualDevice) -> Counted:
    """The calls of a step by their method, its commands by their program."""

    def count(step: Callable[[], object]) -> Counter[str]:
        heard: list[Exchange] = []
        device.driver.exchanges.listener = heard.append  # type: ignore[attr-defined]
        step()
        device.driver.exchanges.listener = None  # type: ignore[attr-defined]
        return Counter(
            one.doing.split()[0] if one.kind == "command" else one.doing for one in heard
        )

    return count


def test_a_tap_and_its_check_take_two_dumps(mobile: DeviceSession, counted: Counted) -> None:
    mobile.tap(text="Remember me").expect_state(checked=True)
    calls = counted(lambda: mobile.tap(text="Remember me").expect_state(checked=False))
    assert calls == {"getLastToast": 1, "date": 1, "click": 1, "dumpWindowHierarchy": 2}


@pytest.mark.parametrize(
    "value", ["ada@example.com", Secret("ada@example.com")], ids=["text", "secret"]
)
def test_a_field_is_filled_by_one_call_and_read_back(
    mobile: DeviceSession, counted: Counted, value: Any
) -> None:
    mobile.fill(text="Email", value="grace@example.com")
    calls = counted(lambda: mobile.fill(text="Email", value=value).expect_state(text=value))
    assert calls == {
        "getLastToast": 1,
        "date": 1,
        "objInfo": 1,
        "setText": 1,
        "dumpWindowHierarchy": 2,
    }


@pytest.mark.parametrize("fresh", [False, True])
def test_a_launch_takes_three_commands(
    mobile: DeviceSession, device: VirtualDevice, counted: Counted, fresh: bool
) -> None:
    for app in (SHOP, LAB, SHOP, SHOP):
        calls = counted(lambda app=app: mobile.launch(app, fresh=fresh))  # type: ignore[misc]
        assert calls["dumpsys"] == 2, "before it is ended, and once the screen is still"
        assert calls["am"] == 1
        reading = ("getLastToast", "clearLastToast", "date", "dumpWindowHierarchy")
        assert sum(calls[name] for name in calls if name not in reading) == 3
        assert device.phone.foreground()[0] == app


def test_an_app_that_is_not_there_is_not_launched(mobile: DeviceSession) -> None:
    with pytest.raises(
        UsageError,
        match=r"dev\.replicant\.shap is not installed .* Near names on it: dev\.replicant",
    ):
        mobile.launch("dev.replicant.shap")
    with pytest.raises(UsageError, match="not installed"):
        mobile.launch("dev.replicant.shap", fresh=True)


def test_words_for_the_start_are_quoted(mobile: DeviceSession, device: VirtualDevice) -> None:
    mobile.launch(SHOP, args=("--es", "note", "a'b; touch /sdcard/owned; $(touch /sdcard/owned)"))
    assert device.driver.shell("ls /sdcard/owned", 5).exit_code != 0
    assert device.phone.foreground()[0] == SHOP


def test_an_app_that_dies_at_its_start_is_no_launch(
    mobile: DeviceSession, device: VirtualDevice
) -> None:
    stop, start = device.phone.stop_app, device.phone.start_app

    def dying(package: str, *args: Any, **named: Any) -> None:
        start(package, *args, **named)
        stop(package)

    device.phone.start_app = dying  # type: ignore[method-assign]
    with pytest.raises(
        ActionFailed, match=r"not dev\.replicant\.shop; it does not run: did it crash\?"
    ):
        mobile.launch(SHOP, timeout=1)


class Own(AndroidDriver):
    """A driver that is derived from ours, with launches and texts of its own."""

    done: ClassVar[list[str]] = []

    def launch(self, app: str, activity: str | None, args: Sequence[str]) -> None:
        self.done.append(f"launch {app}")
        super().launch(app, activity, args)

    def type_text(self, text: str) -> None:
        self.done.append(f"type {text}")
        super().type_text(text)


def test_a_derived_driver_launches_and_types_by_its_own_verbs() -> None:
    with virtual_device(SHOP, driver=Own) as device, device.session(screenshots=False) as mobile:
        mobile.launch(SHOP)
        mobile.fill(text="Email", value="ada@example.com").expect_state(text="ada@example.com")
    assert Own.done == [f"launch {SHOP}", "type ada@example.com"]
