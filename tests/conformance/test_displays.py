"""A phone with several displays: what is in front is what its own has in front, and so is its
picture."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from PIL import Image

from pytest_replicant.testing import virtual_device
from pytest_replicant.virtual import Profile

SHOP = "dev.replicant.shop"
SEVERAL = [
    replace(Profile(), **facts)
    for facts in ({"folded": True}, {"displays": 2}, {"folded": True, "displays": 2})
]


@pytest.mark.parametrize("profile", SEVERAL, ids=["folded", "monitor", "both"])
def test_the_picture_is_of_the_display_that_is_on(profile: Profile) -> None:
    with virtual_device(SHOP, profile=profile) as device:
        pictures = [Image.open(io.BytesIO(device.driver.screenshot())) for _ in range(2)]
    for picture in pictures:
        assert picture.size == (profile.width, profile.height)
        colours = picture.convert("RGB").getcolors(1 << 24)
        assert colours is not None
        assert len(colours) > 100


@pytest.mark.parametrize("profile", [Profile(), SEVERAL[0]], ids=["plain", "folded"])
def test_a_picture_is_one_command(profile: Profile) -> None:
    with virtual_device(SHOP, profile=profile) as device:
        device.driver.screenshot()
        before = device.phone.pace.calls["screenshot"]
        device.driver.screenshot()
        assert device.phone.pace.calls["screenshot"] == before + 1


def test_what_a_monitor_has_in_front_is_not_in_front() -> None:
    with virtual_device(SHOP, profile=SEVERAL[1]) as device:
        said = device.driver.shell("dumpsys activity activities", 5.0).stdout
        assert said.index("com.android.launcher3/.SecondaryDisplayLauncher") < said.index(SHOP)
        front = device.driver.app_in_front()
        assert front is not None
        assert front.app == SHOP
        assert device.driver.app_status(SHOP) == "foreground"
