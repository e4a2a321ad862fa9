"""How phones say how they are set to look, in the words of each platform."""

from __future__ import annotations

import pytest

from pytest_replicant.drivers import Appearance
from pytest_replicant.drivers.ios.driver import ios_appearance
from tests.unit.drivers.android.odd_phone import Phone


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (
            "Night mode: yes\nlocale en-GB\nlocale de-DE\nPhysical density: 420\n",
            Appearance("en-GB", True, 420),
        ),
        ("Night mode: no\nlocale \nlocale null\nlocale en-US\n", Appearance("en-US", False)),
        (
            "Night mode: auto\nlocale\nlocale de-DE,en-GB\nmComputedNightMode=true\n",
            Appearance("de-DE", True),
        ),
        (
            "Night mode: custom_schedule\nPhysical density: 420\nOverride density: 480\n",
            Appearance("", None, 480),
        ),
        ("cmd: Can't find service: uimode\n", Appearance()),
    ],
)
def test_android_says_it_in_one_answer(said: str, expected: Appearance) -> None:
    assert Phone(cmd_uimode=said).driver.appearance() == expected


@pytest.mark.parametrize(
    ("device", "expected"),
    [
        ({"currentLocale": "en_GB", "userInterfaceStyle": "light"}, Appearance("en-GB", False)),
        ({"currentLocale": "zh-Hans_CN@calendar=gregorian"}, Appearance("zh-Hans-CN")),
        ({"userInterfaceStyle": "unspecified"}, Appearance()),
        ({"currentLocale": None, "userInterfaceStyle": "dark"}, Appearance("", True)),
    ],
)
def test_an_iphone_says_it_of_itself(device: dict[str, object], expected: Appearance) -> None:
    assert ios_appearance(device) == expected
