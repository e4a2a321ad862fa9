"""``Snapshot`` as a whole."""

from __future__ import annotations

import subprocess
import sys

import pytest

from pytest_replicant.snapshots import Snapshot

from .screens import SHOP, SIZE, button, parse, screen


def test_stamps_are_kept() -> None:
    snapshot = Snapshot.parse(
        SHOP, "android", id="s7", captured_at_ms=5, received_at_ms=9, activity="a/.B"
    )
    assert (snapshot.id, snapshot.revision, snapshot.captured_at_ms, snapshot.received_at_ms) == (
        "s7",
        0,
        5,
        9,
    )
    assert (snapshot.platform, snapshot.app, snapshot.activity, snapshot.size) == (
        "android",
        "dev.shop",
        "a/.B",
        SIZE,
    )


def test_parsed_by_hand_it_is_s0() -> None:
    assert Snapshot.parse(SHOP).id == "s0"


def test_the_display_may_be_smaller_than_the_windows_reach() -> None:
    snapshot = Snapshot.parse(screen(button("Low", at=(0, 2300, 90, 2390))), size=(1080, 2000))
    assert snapshot.elements == ()


def test_elements_are_equal_by_snapshot_and_identity() -> None:
    one, again, later = parse(SHOP), parse(SHOP), parse(SHOP, "s2")
    assert one.find(text="Tray") == again.find(text="Tray")
    assert one.find(text="Tray") != later.find(text="Tray")


def test_an_element_is_found_by_its_ref() -> None:
    snapshot = parse(SHOP)
    for element in snapshot.elements:
        assert snapshot.element(element.ref) is element


@pytest.mark.slow
def test_naming_the_class_loads_no_heavy_library() -> None:
    program = (
        "import sys, pytest_replicant.snapshots.snapshot;"
        "print([name for name in ('lxml', 'xxhash', 'pytest', 'pluggy') if name in sys.modules])"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "[]"
