"""What around an element is suggested to tell it from others."""

from __future__ import annotations

from pytest_replicant.model import Element
from pytest_replicant.snapshots.query.search_index import SearchIndex
from pytest_replicant.snapshots.suggest.proposal import containers, contents, heading, lines, neighbours, rows

from ..screens import SHOP, button, catalogue, node, parse, row, screen, text


def found(source: str, label: str) -> tuple[SearchIndex, Element]:
    snapshot = parse(source)
    return snapshot._search_index, next(element for element in snapshot.elements if element.label == label)


def test_a_row_is_told_by_its_title_before_its_other_labels() -> None:
    assert [extra.describe() for extra in rows(*found(SHOP, "Add"))] == [
        'row_with=by(text="Blue mug")',
        'row_with=by(text="£9.90")',
    ]
    assert next(extra.describe() for extra in rows(*found(SHOP, "Blue mug"))) == 'row_with=by(text="Add")'


def test_labels_with_numbers_come_last() -> None:
    place, add = found(screen(catalogue(row("Line 4", "to town", 400), row("Line 5", "home", 500))), "Add")
    assert [extra.describe() for extra in rows(place, add)] == [
        'row_with=by(text="to town")',
        'row_with=by(text="Line 4")',
    ]


def test_without_a_row_only_what_is_on_its_height_is_suggested() -> None:
    bar = node(
        "FrameLayout",
        text("Milk", at=(0, 300, 90, 390)),
        text("Below", at=(0, 500, 90, 590)),
        button("Delete", at=(500, 300, 600, 390)),
    )
    place, delete = found(screen(bar), "Delete")
    assert list(rows(place, delete)) == []
    assert [extra.describe() for extra in lines(place, delete)] == ['row_with=by(text="Milk")']


def test_containers_are_named_or_of_a_class_of_their_own() -> None:
    source = screen(
        node(
            "Toolbar",
            node("FrameLayout", node("LinearLayout", button("OK")), resource_id="a:id/actions"),
            at=(0, 300, 1080, 500),
        )
    )
    assert [extra.describe() for extra in containers(*found(source, "OK"))] == [
        'within=by(resource_id="actions")',
        'within=by(class_name="Toolbar")',
    ]


def test_what_it_holds_is_only_what_lies_inside() -> None:
    pane = node("ScrollView", text("Inside"), at=(0, 200, 900, 800), scrollable="true")
    snapshot = parse(screen(pane, text("Outside", at=(0, 900, 90, 990))))
    scroller = snapshot.find(class_name="ScrollView")
    assert [extra.describe() for extra in contents(snapshot._search_index, scroller)] == ['has=by(text="Inside")']


def test_neighbours_are_suggested_by_distance_and_neither_around_nor_inside() -> None:
    inner = node("FrameLayout", button("Pick", at=(0, 500, 90, 590)), resource_id="a:id/around")
    source = screen(text("Far", at=(0, 2000, 90, 2090)), text("Close", at=(0, 400, 90, 490)), inner)
    assert [extra.describe() for extra in neighbours(*found(source, "Pick"))] == [
        'near=by(text="Close")',
        'near=by(text="Far")',
    ]


def test_a_heading_stands_above_and_is_no_control() -> None:
    source = screen(
        text("Shipping", at=(0, 200, 900, 250)),
        button("Other", at=(0, 300, 90, 390)),
        button("Change", at=(0, 400, 90, 490)),
    )
    assert heading(*found(source, "Change")) == "Shipping"
    assert heading(*found(screen(button("Change")), "Change")) == ""
