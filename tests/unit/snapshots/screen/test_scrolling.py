"""What scrolls, and what moves with it."""

from __future__ import annotations

import pytest

from pytest_replicant.snapshots import Snapshot, scrolls
from pytest_replicant.snapshots.screen.layout import is_collection, panes

from .. import ios_screens as ios
from ..screens import node, screen, text


@pytest.mark.parametrize(
    ("class_name", "scrollable", "expected"),
    [
        ("androidx.recyclerview.widget.RecyclerView", "false", True),
        ("ListView", "false", True),
        ("ScrollView", "true", False),
        ("ViewPager", "true", False),
        ("android.view.View", "true", True),  # how Compose shows a list
        ("LinearLayout", "false", False),
    ],
)
def test_what_is_a_list(class_name: str, scrollable: str, expected: bool) -> None:
    source = screen(node(class_name, text("a"), text("b"), scrollable=scrollable))
    snapshot = Snapshot.parse(source)
    assert is_collection(snapshot.nodes[1]) is expected


def test_what_may_scroll_is_a_pane_even_where_all_of_it_fits() -> None:
    source = screen(node("ListView", text("a"), scrollable="false"), node("LinearLayout", text("b")))
    snapshot = Snapshot.parse(source)
    assert [one.class_name for one in snapshot.nodes if scrolls(one)] == ["ListView"]


def test_the_nearest_pane_around_each_node() -> None:
    inner = node("ListView", node("LinearLayout", text("a")))
    source = screen(node("ScrollView", inner, scrollable="true"), text("b"))
    snapshot = Snapshot.parse(source)
    around = [snapshot.nodes[pane].class_name if pane >= 0 else "" for pane in panes(snapshot.nodes)]
    assert around == ["", "", "ScrollView", "ListView", "ListView", ""]


def test_a_row_of_ios_that_hangs_over_the_edge_of_its_list_keeps_its_name() -> None:
    name = ios.static("Desk lamp", at=(16, 570, 200, 20))
    price = ios.static("£45.00", at=(16, 610, 200, 20), visible="false")  # below the list, on the screen
    rows = ios.el("CollectionView", ios.cell(name, price, top=560), at=(0, 64, 375, 540))
    snapshot = ios.parse(ios.screen(rows))
    assert [element.label for element in snapshot.elements if element.semantic_role == "cell"] == [
        "Desk lamp £45.00"
    ]
    hidden = ios.el("Other", name, price, at=(0, 560, 375, 80))
    assert "£45.00" not in ios.parse(ios.screen(hidden)).outline()
