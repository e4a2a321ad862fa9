"""Text: normalised, masked, and judged by whether it lasts."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_replicant.snapshots import mask_numbers, mask_progress
from pytest_replicant.snapshots.text import (
    beginning,
    clean,
    doubt,
    generalised,
    is_framework,
    is_generated,
    mask_count,
    mask_volatile,
    short_id,
)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("  a \t b\n", "a b"),
        ("e\u0301", "é"),
        ("a\u202fb", "a b"),
        ("\u200bab\ufeff", "ab"),
        ("\u202bשלום\u202c", "שלום"),
        ("a\x00b", "ab"),
        ("👩‍👧", "👩‍👧"),  # a joiner changes what is drawn
    ],
)
def test_white_space_and_shapeless_marks(raw: str, expected: str) -> None:
    assert clean(raw) == expected


@given(st.text())
def test_cleaning_twice_changes_nothing_more(raw: str) -> None:
    assert clean(clean(raw)) == clean(raw)


@pytest.mark.parametrize(
    ("full", "short"), [("dev.shop:id/cart", "cart"), ("cart", "cart"), ("", "")]
)
def test_short_ids(full: str, short: str) -> None:
    assert short_id(full) == short


def test_a_long_text_is_composed_word_by_word() -> None:
    assert clean("e\u0301 " * 999) == " ".join("é" * 999)


def test_a_megabyte_of_marks_is_no_work_of_hours() -> None:
    marks = (
        "a" + "\u0301" * 250_000 + "\u0323" * 250_000
    )  # the wrong way round, so that they have to be sorted
    assert len(clean(marks)) > 400_000


@pytest.mark.parametrize(
    ("raw", "masked"),
    [
        ("10:45", "~"),
        ("Updated 10:45:01 PM, 3 items", "Updated ~, 3 items"),
        ("3 min ago", "~"),
        ("Seen just now", "Seen ~"),
        ("£9.90", "£9.90"),
        ("50 %", "50 %"),
        ("Ratio 16:90", "Ratio 16:90"),
        ("Cart, 2 items", "Cart, 2 items"),
        ("Battery 85 percent.", "Battery ~ percent."),
        ("Battery charging, 7%", "Battery charging, ~%"),
        ("Cover 85%", "Cover 85%"),
    ],
)
def test_only_what_ticks_by_itself_is_masked(raw: str, masked: str) -> None:
    assert mask_volatile(raw) == masked


def test_percentages_are_masked_on_request() -> None:
    assert mask_progress("Downloaded 12.5% at 10:45, 3 files") == "Downloaded ~% at ~, 3 files"


@pytest.mark.parametrize(
    "text", ["Sold 3 times", "Sold 1,234.50 times", "Sold 2/3 times", "Sold 99+ times"]
)
def test_numbers_are_masked_whole(text: str) -> None:
    assert mask_numbers(text) == "Sold ~ times"


def test_a_count_is_what_ends_a_title_in_brackets() -> None:
    assert mask_count("Inbox (1,234+)") == "Inbox"
    assert mask_count("Vitamins (B12)") == "Vitamins (B12)"
    assert mask_count("(3) Inbox at 10:45") == "(3) Inbox at ~"


@pytest.mark.parametrize(
    "label",
    [
        "Cart 3",
        "£9.90",
        "12:30",
        "5 min ago",
        "5min",
        "All (307)",
        "3分钟前",
        "100%",
        "1,234 likes",
        "20GB",
    ],
)
def test_numbers_change(label: str) -> None:
    assert doubt(label) == "holds digits, which may change"


@pytest.mark.parametrize(
    "label", ["MP3", "4K", "3D view", "Sign in", "H264", "日本語", "B2B sales"]
)
def test_digits_in_a_name_stay(label: str) -> None:
    assert doubt(label) == ""


@pytest.mark.parametrize(
    ("label", "why"), [("ON", "state"), ("Off", "state"), ("−", "sign"), ("\ueb1f", "sign")]
)
def test_states_and_signs_are_doubted(label: str, why: str) -> None:
    assert why in doubt(label)


@pytest.mark.parametrize(
    "name",
    [
        "0_resource_name_obfuscated", "123", "item-3", "row_12", "view1234", "i7", ":r1:", "«r2»",
        "_r_3_", "5f2b8c1d-3a4e-4b6f-9c7d-1e2f3a4b5c6d", "el-5f2b8c1d", "node3fa9c01b22", "x" * 81,
    ],
)  # fmt: skip
def test_generated_ids_are_reported(name: str) -> None:
    assert is_generated(name)


@pytest.mark.parametrize(
    "name", ["sign_in", "button1", "textView2", "tab_home", "cafe", "deadbeef", "line1_text", "h1b"]
)
def test_chosen_ids_are_reported(name: str) -> None:
    assert not is_generated(name)


def test_ids_of_the_framework_are_reported() -> None:
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
