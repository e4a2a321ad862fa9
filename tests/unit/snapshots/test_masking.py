"""What changes in a text while everything else stays."""

from __future__ import annotations

import pytest

from pytest_replicant.snapshots import mask_numbers, mask_progress
from pytest_replicant.snapshots.text import mask_count, mask_volatile


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


@pytest.mark.parametrize("text", ["Sold 3 times", "Sold 1,234.50 times", "Sold 2/3 times", "Sold 99+ times"])
def test_numbers_are_masked_whole(text: str) -> None:
    assert mask_numbers(text) == "Sold ~ times"


def test_a_count_is_what_ends_a_title_in_brackets() -> None:
    assert mask_count("Inbox (1,234+)") == "Inbox"
    assert mask_count("Vitamins (B12)") == "Vitamins (B12)"
    assert mask_count("(3) Inbox at 10:45") == "(3) Inbox at ~"
