"""Whose the keyboard is: the phone names it as it is connected to, and again after another was
chosen."""

from __future__ import annotations

import pytest

from pytest_replicant.testing import virtual_device
from pytest_replicant.virtual import Profile

SHOP = "dev.replicant.shop"
GBOARD = "com.google.android.inputmethod.latin"


@pytest.mark.parametrize(
    "package", ["com.baidu.input_mi", "com.samsung.android.honeyboard", "com.simeji.typer"]
)
def test_a_form_is_filled_over_the_keyboard_of_any_maker(package: str) -> None:
    with (
        virtual_device(SHOP, profile=Profile().with_knobs({"ime": package})) as device,
        device.session() as mobile,
    ):
        mobile.tap(text="Email")
        seen = mobile.snapshot()
        assert package in {node.package for node in seen.nodes}
        assert (seen.app, seen.keyboard_visible, seen.dialog) == (SHOP, True, None)
        mobile.fill(text="Email", value="ada@example.com").expect_state(text="ada@example.com")


def test_another_keyboard_is_chosen_during_a_test() -> None:
    with virtual_device(SHOP) as device, device.session() as mobile:
        assert device.driver.traits.keyboard == GBOARD
        mobile.shell("settings put secure default_input_method com.baidu.input_mi/.ImeService")
        assert device.driver.traits.keyboard == "com.baidu.input_mi"
        mobile.shell(["ime", "reset"])
        assert device.driver.traits.keyboard == GBOARD
        device.phone.settings.put(
            "secure", "default_input_method", "com.baidu.input_mi/.ImeService"
        )  # by hand
        assert not device.driver.keyboard_shown()  # whoever asks that hears whose it is
        mobile.fill(text="Email", value="ada@example.com").expect_state(text="ada@example.com")
        assert mobile.snapshot().app == SHOP
