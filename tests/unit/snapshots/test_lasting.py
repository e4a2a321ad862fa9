"""Which ids and labels a test can rely on."""

from __future__ import annotations

import re

import pytest

from pytest_replicant.snapshots.text import beginning, doubt, generalised, is_framework, is_generated


@pytest.mark.parametrize(
    "label",
    ["Cart 3", "£9.90", "12:30", "5 min ago", "5min", "All (307)", "3分钟前", "100%", "1,234 likes", "20GB"],
)
def test_numbers_change(label: str) -> None:
    assert doubt(label) == "holds digits, which may change"


@pytest.mark.parametrize("label", ["MP3", "4K", "3D view", "Sign in", "H264", "日本語", "B2B sales"])
def test_digits_in_a_name_stay(label: str) -> None:
    assert doubt(label) == ""


@pytest.mark.parametrize(("label", "why"), [("ON", "state"), ("Off", "state"), ("−", "sign"), ("\ueb1f", "sign")])
def test_states_and_signs_are_doubted(label: str, why: str) -> None:
    assert why in doubt(label)


@pytest.mark.parametrize(
    "name",
    [
        "0_resource_name_obfuscated", "123", "item-3", "row_12", "view1234", "i7", ":r1:", "«r2»", "_r_3_",
        "5f2b8c1d-3a4e-4b6f-9c7d-1e2f3a4b5c6d", "el-5f2b8c1d", "node3fa9c01b22", "x" * 81,
    ],
)  # fmt: skip
def test_generated_ids_are_told(name: str) -> None:
    assert is_generated(name)


@pytest.mark.parametrize(
    "name", ["sign_in", "button1", "textView2", "tab_home", "cafe", "deadbeef", "line1_text", "h1b"]
)
def test_chosen_ids_are_told(name: str) -> None:
    assert not is_generated(name)


def test_ids_of_the_framework_are_told() -> None:
    assert is_framework("android:id/button1")
    assert not is_framework("dev.shop:id/button1")


@pytest.mark.parametrize(
    ("label", "pattern"),
    [
        ("Cart 3", r"^Cart \d+$"),
        ("All (307)", r"^All \(\d+\)$"),
        ("Total: £9.90 (2 items)", r"^Total: £[\d.,]+ \(\d+ items\)$"),
        ("MP3 5 min", r"^MP3 \d+ min$"),
        ("Sign in", ""),
        ("£9.90", ""),
        ("x" * 70 + " 3", ""),
    ],
)
def test_numbers_are_left_open(label: str, pattern: str) -> None:
    assert generalised(label) == pattern
    assert not pattern or re.search(pattern, label)


def test_a_long_label_is_known_by_its_beginning() -> None:
    long = "All of the coffee that we sell is roasted on the day on which it is sent, at noon"
    assert beginning(long) == "All of the coffee that we sell is roasted on the day on"
    assert beginning("All of the coffee that 3 of us sell") == "All of the coffee that"
    assert beginning("3 of us sell coffee") == ""


def test_a_hostile_label_is_read_to_an_end() -> None:
    assert doubt("1," * 500_000 + "x")
    assert is_generated("a" * 1_000_000 + "-")
    assert beginning("1,1" * 300_000) == ""
