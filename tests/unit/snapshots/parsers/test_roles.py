"""What a control is for: the page has what comes out."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

from pytest_replicant.model import RoleName
from pytest_replicant.snapshots import Snapshot

from ..screens import node, parse, screen

PAGE = Path(__file__).parents[4] / "docs" / "reference" / "semantics.md"


def table_of_roles() -> list[list[str]]:
    rows = [
        line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")
    ]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows[1:]]


def test_what_the_page_says_of_a_class_comes_out() -> None:
    for name, classes, actions, adjustable, shape, _ in table_of_roles():
        for word in classes.split(", "):
            [element] = parse(screen(node(word.strip("*"), text="x", at=(0, 0, 9, 9)))).elements
            assert element.semantic_role == name.strip("`")
            assert ", ".join(element.supported_actions or ()) == actions, word
            assert str(element.adjustable or "") == adjustable, word
            assert (element.state_shape or "") == shape, word


def test_the_page_reports_every_role() -> None:
    assert {row[0].strip("`") for row in table_of_roles()} == {*get_args(RoleName)}


def test_a_class_name_of_any_length_is_bearable() -> None:
    [element] = Snapshot.parse(
        screen(node("Aa" * 500_000 + "Switch", text="x", at=(0, 0, 9, 9)))
    ).elements
    assert element.semantic_role is None
