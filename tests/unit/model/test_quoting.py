"""Text of an app stays within its quotes."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_replicant.model import bare, quoted, shortened


@pytest.mark.slow
@given(st.text())
def test_any_text_stays_within_its_quotes_and_on_its_line(raw: str) -> None:
    printed = quoted(raw)
    assert len(printed.splitlines()) == 1
    assert printed.replace("\\\\", "").replace('\\"', "").count('"') == 2


def test_a_long_text_is_cut() -> None:
    assert quoted("x" * 999) == '"' + "x" * 159 + '…"'
    assert [shortened("Catalogue", longest) for longest in (9, 8)] == ["Catalogue", "Catalog…"]


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("Button", "Button"),
        ("Inner$View", "Inner$View"),
        ("app:id/pay-now", "app:id/pay-now"),
        ('B\n[k427] "x"', '"B [k427] \\"x\\""'),
        ("", '""'),
    ],
)
def test_a_name_stands_bare_where_it_is_one(name: str, printed: str) -> None:
    assert bare(name) == printed


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("a\nb", r'"a\nb"'),
        ("\u202etxt", r'"\u202etxt"'),
        ("\ue8b6", r'"\ue8b6"'),
        ('\\" in row "x', r'"\\\" in row \"x"'),
    ],
)
def test_what_cannot_be_seen_or_ends_a_text_is_written_out(text: str, printed: str) -> None:
    assert quoted(text) == printed
    assert ast.literal_eval(printed) == text


@pytest.mark.parametrize("text", ["می\u200cروم", "👨\u200d👩\u200d👧", "naïve £1"])
def test_what_joins_letters_and_pictures_stays(text: str) -> None:
    assert quoted(text) == f'"{text}"'
