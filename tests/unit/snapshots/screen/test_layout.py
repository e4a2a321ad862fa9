"""The layout: shown, covered and decorative nodes, and scrollers."""

from __future__ import annotations

from pytest_replicant.snapshots import Snapshot, scrolls

from ..screens import node, screen, text


def test_what_may_scroll_is_a_pane_even_where_all_of_it_fits() -> None:
    source = screen(
        node("ListView", text("a"), scrollable="false"), node("LinearLayout", text("b"))
    )
    snapshot = Snapshot.parse(source)
    assert [one.class_name for one in snapshot.nodes if scrolls(one)] == ["ListView"]
