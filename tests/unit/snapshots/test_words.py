"""Text as it is compared and printed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_replicant.snapshots.words import clean, quoted, short_id


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


@pytest.mark.slow
@given(st.text())
def test_quoted_text_stays_within_its_quotes_and_on_its_line(raw: str) -> None:
    printed = quoted(clean(raw))
    assert len(printed.splitlines()) == 1
    assert printed.replace("\\\\", "").replace('\\"', "").count('"') == 2


@pytest.mark.parametrize(("full", "short"), [("dev.shop:id/cart", "cart"), ("cart", "cart"), ("", "")])
def test_short_ids(full: str, short: str) -> None:
    assert short_id(full) == short
