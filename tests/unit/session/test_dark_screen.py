"""A screen that goes dark in the middle of a test: turned on and said so, or a reason that is no
one's product."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pytest_replicant.errors import ActionFailed, DeviceError
from pytest_replicant.session import Recorder
from pytest_replicant.testing import VirtualDevice, virtual_device

SHOP = "dev.replicant.shop"


@pytest.fixture
def device() -> Iterator[VirtualDevice]:
    with virtual_device(SHOP) as device:
        device.phone.settings.put("global", "stay_on_while_plugged_in", "0")
        yield device


def said(recorder: Recorder) -> list[str]:
    traces = [
        *(result.trace for result in recorder.results),
        *(check.trace for check in recorder.checks),
    ]
    steps = [step for trace in traces for step in (trace.steps if trace else ())]
    return [str(step.metadata["phone"]) for step in steps if "phone" in step.metadata]


@pytest.mark.parametrize("locked", [False, True])
def test_it_is_turned_on_and_the_trace_says_so(device: VirtualDevice, locked: bool) -> None:
    device.phone.keyguard.disable(not locked)
    with device.recorded() as (mobile, recorder):
        mobile.tap(text="Forgot password?").expect_screen("Reset password")
        device.clock.sleep(40)
        assert not device.phone.awake
        mobile.back().expect_screen("Sign in")
        assert device.phone.awake
        assert [line.startswith("the screen had gone dark") for line in said(recorder)] == [True]


def test_a_check_that_waits_long_is_not_in_the_dark(device: VirtualDevice) -> None:
    with device.session() as mobile:
        mobile.expect_gone(text="Catalogue", timeout=5)
        with pytest.raises(AssertionError, match="Catalogue"):
            mobile.expect_visible(text="Catalogue", timeout=90)
        mobile.expect_visible(text="Sign in")


def test_one_with_a_pin_is_the_phones_trouble_at_once(device: VirtualDevice) -> None:
    device.phone.keyguard.set_pin("1234")
    with device.session() as mobile:
        device.clock.sleep(40)
        began = device.clock.now()
        with pytest.raises(
            DeviceError, match="dark and locked, and its lock screen asks for a PIN"
        ) as raised:
            mobile.tap(text="Forgot password?")
        assert "Screen lock: None" in str(raised.value)
        assert not isinstance(raised.value, ActionFailed)
        assert device.clock.now() - began < 10
        with pytest.raises(DeviceError, match="locked, and its lock screen asks for a PIN"):
            mobile.expect_visible(text="Sign in")
        with pytest.raises(DeviceError, match="asks for a PIN"):
            mobile.expect_gone(text="Sign in")


def test_who_pressed_the_power_key_wants_it_dark(device: VirtualDevice) -> None:
    with device.session() as mobile:
        mobile.press_key("power", silent=True)
        with pytest.raises(DeviceError, match="dark since the power key was pressed"):
            mobile.snapshot()
        assert not device.phone.awake
        mobile.press_key("power", silent=True)
        mobile.expect_visible(text="Sign in")
        device.clock.sleep(40)
        mobile.expect_visible(text="Sign in")
