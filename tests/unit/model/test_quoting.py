"""Text of an app stays within its quotes."""

from __future__ import annotations

import ast

import pytest

from pytest_replicant.model.quoting import class_named, quoted, shortened
from tests.unit.snapshots.screens import node, parse, screen


@pytest.mark.parametrize("text", ['say "hi"', "\\", '\\"', '" in row "x', ""])
def test_what_is_quoted_can_be_read_back(text: str) -> None:
    assert ast.literal_eval(quoted(text)) == text


def test_a_long_text_is_cut() -> None:
    assert quoted("x" * 999) == '"' + "x" * 159 + '…"'
    assert [shortened("Catalogue", longest) for longest in (9, 8)] == ["Catalogue", "Catalog…"]


@pytest.mark.parametrize(
    ("name", "printed"),
    [("Button", "Button"), ("Inner$View", "Inner$View"), ('B\n[k427] "x"', '"B [k427] \\"x\\""'), ("", '""')],
)
def test_a_class_name_stands_bare_where_it_is_one(name: str, printed: str) -> None:
    assert class_named(name) == printed


def test_an_element_describes_itself_in_one_line_and_within_quotes() -> None:
    [element] = parse(screen(node("Button", text='Pay" in row "Milk', clickable="true"))).elements
    assert element.describe() == f'[{element.ref}] Button "Pay\\" in row \\"Milk"'
