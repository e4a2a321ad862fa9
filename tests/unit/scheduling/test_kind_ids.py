"""What a test is called on each phone of a matrix."""

from __future__ import annotations

import re

import pytest

from pytest_replicant.scheduling.selection import LONGEST, kind_ids


@pytest.mark.parametrize(
    ("kinds", "ids"),
    [
        (["virtual"], ["virtual"]),
        (["virtual:2?latency=0", "virtual:ios:2"], ["virtual-2", "virtual-ios-2"]),
        (["virtual?latency=0", "virtual?latency=90"], ["virtual-latency-0", "virtual-latency-90"]),
        (["android:R5CT", "adb://build:5037/R5CT"], ["android-R5CT", "adb-build-5037-R5CT"]),
        (["a:/", "a:?"], ["a.1", "a.2"]),
        (
            ["ios:http://mac:8100?token=1", "ios:http://mac:8100?token=2"],
            ["ios-http-mac-8100.1", "ios-http-mac-8100.2"],
        ),
        (["…"], ["phone"]),
        (["ios:http://user:secret@mac:8100"], ["ios-http-mac-8100"]),
        (["x" * 90, "x" * 91], ["x" * LONGEST + ".1", "x" * LONGEST + ".2"]),
    ],
)
def test_ids_are_readable_and_safe_and_differ(kinds: list[str], ids: list[str]) -> None:
    assert kind_ids(kinds) == ids
    assert len({*ids}) == len(kinds)
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+", each) for each in ids)
