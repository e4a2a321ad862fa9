"""How a phone is named in a line."""

from __future__ import annotations

import pytest

from pytest_replicant.model.printable import phone_name


@pytest.mark.parametrize(
    ("uri", "serial", "name"),
    [
        ("android:R58M", "R58M", "android:R58M"),
        ("adb://host:5037/R58M", "R58M", "adb://host:5037/R58M"),
        ("farm:7", "R58M", "farm:7 R58M"),
        ("ios:http://127.0.0.1:8100", "00008-1", "ios:http://127.0.0.1:8100 00008-1"),
        ("virtual?latency=0", "virtual-1", "virtual-1"),
        ("virtual?apps=a:b&latency=0", "", "virtual"),
        ("virtual:ios", "virtual-iphone-1", "virtual-iphone-1"),
        ("virtual:android?latency=0&serial=virtual-2", "virtual-2", "virtual-2"),
        ("android:R58M", "", "android:R58M"),
        ("", "", ""),
    ],
)
def test_a_phone_is_named_as_the_user_does(uri: str, serial: str, name: str) -> None:
    assert phone_name({"uri": uri, "serial": serial}) == name
