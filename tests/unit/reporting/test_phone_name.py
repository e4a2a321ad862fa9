"""What a report calls a phone."""

from __future__ import annotations

import pytest

from pytest_replicant.reporting.printable import phone_name


@pytest.mark.parametrize(
    ("uri", "serial", "name"),
    [
        ("android:R5CT", "R5CT", "android:R5CT"),
        ("ios:http://mac:8100", "00008110", "ios:http://mac:8100 00008110"),
        ("virtual?latency=0", "virtual-1", "virtual"),
        ("virtual:ios", "virtual-iphone-1", "virtual:ios"),
        ("virtual:android?latency=0&serial=virtual-2", "virtual-2", "virtual-2"),
    ],
)
def test_a_phone_is_called_what_tells_it_from_others(uri: str, serial: str, name: str) -> None:
    assert phone_name({"uri": uri, "serial": serial}) == name
