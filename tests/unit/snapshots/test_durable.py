"""Selectors to write down."""

from __future__ import annotations

import pytest

from pytest_replicant.model.selector import by
from pytest_replicant.snapshots.snapshot import Snapshot

from .screens import SHOP, button, catalogue, node, parse, row, screen, text


def code(snapshot: Snapshot, **selector: object) -> str:
    return snapshot.selector(snapshot.ref(**selector)).code


def test_an_id_comes_first_then_the_label_then_the_row() -> None:
    snapshot = parse(screen(button("Pay", resource_id="dev.shop:id/pay"), button("Help", at=(0, 500, 90, 590))))
    assert code(snapshot, text="Pay") == 'by(resource_id="pay")'
    assert code(snapshot, text="Help") == 'by(text="Help")'
    shop = parse(SHOP)
    assert code(shop, text="Add", nth=1) == 'by(text="Add", row_with=by(text="Red mug"))'


@pytest.mark.parametrize(
    "source", [SHOP, screen(*(node("ImageView", at=(n, 300, n + 9, 390), clickable="true") for n in (0, 50, 100)))]
)
def test_the_code_finds_the_element_it_was_made_for(source: str) -> None:
    snapshot = parse(source)
    for element in snapshot.elements:
        proposal = snapshot.selector(element.ref)
        assert snapshot.match(eval(proposal.code, {"by": by})) == [element]
        assert proposal.unique_on == ("s1",)


def test_a_place_in_the_order_is_the_last_resort_and_warned_about() -> None:
    snapshot = parse(screen(*(node("ImageView", at=(n, 300, n + 9, 390), clickable="true") for n in (0, 50))))
    proposal = snapshot.selector(snapshot.elements[1].ref)
    assert proposal.code == 'by(class_name="ImageView", nth=1)'
    assert "nth counts places" in proposal.warnings[0]


def test_a_selector_is_tried_on_other_screens_too() -> None:
    first = parse(screen(button("Add"), title="Product"))
    other = parse(screen(catalogue(row("Milk", "£1", 400), row("Bread", "£2", 500)), title="List"), "s2")
    alone = first.selector(first.ref(text="Add"))
    assert alone.code == 'by(text="Add")'
    both = first.selector(first.ref(text="Add"), also=[other])
    assert both.unique_on == ("s1",)
    assert "not unique on every snapshot" in both.warnings[-1]


def test_digits_in_a_label_are_warned_about() -> None:
    snapshot = parse(screen(text("Cart 3")))
    assert "digits" in snapshot.selector(snapshot.ref(text="Cart 3")).warnings[0]
