"""Text as it is compared."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_replicant.snapshots.text import clean, short_id


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


@pytest.mark.parametrize(("full", "short"), [("dev.shop:id/cart", "cart"), ("cart", "cart"), ("", "")])
def test_short_ids(full: str, short: str) -> None:
    assert short_id(full) == short


def test_a_long_text_is_composed_word_by_word() -> None:
    assert clean("e\u0301 " * 999) == " ".join("é" * 999)


def test_a_megabyte_of_marks_is_no_work_of_hours() -> None:
    marks = "a" + "\u0301" * 250_000 + "\u0323" * 250_000  # the wrong way round, so that they have to be sorted
    assert len(clean(marks)) > 400_000
