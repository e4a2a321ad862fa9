"""Rows: what a repeated control belongs to."""

from __future__ import annotations

from pytest_replicant.model import by

from ..ios_screens import button as tap
from ..ios_screens import cell, el, static, table
from ..ios_screens import screen as ios_screen
from ..screens import button, catalogue, node, parse, row, screen, text


def contexts(source: str, label: str) -> list[str]:
    return [element.context for element in parse(source).find_all(text=label)]


def test_children_of_a_list_are_rows() -> None:
    assert contexts(screen(catalogue(row("Milk", "£1", 400))), "Add") == ["Milk £1"]


def test_siblings_of_one_kind_are_rows_without_a_list() -> None:
    assert contexts(screen(row("Milk", "£1", 400), row("Bread", "£2", 500)), "Add") == ["Milk £1", "Bread £2"]


def test_a_single_group_is_no_row() -> None:
    assert contexts(screen(row("Milk", "£1", 400)), "Add") == [""]


def test_panes_that_scroll_are_no_rows() -> None:
    def pane(name: str, left: int) -> str:
        inside = node(
            "ScrollView", text(name, at=(left, 300, left + 90, 350)), button("Go", at=(left, 400, left + 90, 490))
        )
        return node(
            "LinearLayout", inside.replace("<node", '<node scrollable="true"', 1), at=(left, 0, left + 500, 2400)
        )

    assert contexts(screen(pane("Left", 0), pane("Right", 500)), "Go") == ["", ""]


def test_a_row_with_a_name_of_its_own_is_called_by_it() -> None:
    named = node(
        "LinearLayout",
        text("£1", at=(0, 400, 90, 450)),
        button("Add", at=(900, 400, 990, 450)),
        content_desc="Milk",
    )
    assert contexts(screen(catalogue(named)), "Add") == ["Milk"]


def test_the_cells_of_an_ios_list_are_rows() -> None:
    milk = cell(static("Milk"), tap("Add", at=(300, 66, 60, 40)), label="Milk")
    bread = cell(static("Bread", at=(16, 110, 90, 20)), tap("Add", at=(300, 110, 60, 40)), top=108)
    snapshot = parse(ios_screen(table(milk, bread)))
    assert [element.row_title for element in snapshot.find_all(text="Add")] == ["Milk", "Bread"]
    assert snapshot.find(text="Add", row_with=by(text="Bread")).bounds.top == 110
    assert not any(element.fragile for element in snapshot.find_all(text="Add"))


def test_a_cell_is_a_row_wherever_it_lies() -> None:
    section = el(
        "Other", cell(static("Milk"), tap("Add", at=(300, 66, 60, 40)), tap("Less", at=(230, 66, 60, 40)))
    )
    assert parse(ios_screen(el("CollectionView", section))).find(text="Add").row_title == "Milk"
