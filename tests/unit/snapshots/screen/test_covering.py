"""What lies under something else."""

from __future__ import annotations

from .. import ios_screens as ios
from ..screens import button, node, parse, screen, text


def labels(*inside: str) -> list[str]:
    return [element.label for element in parse(screen(*inside)).elements]


def test_a_later_panel_with_content_covers_what_is_fully_under_it() -> None:
    panel = node("LinearLayout", button("Over", at=(0, 0, 100, 100)), at=(0, 0, 600, 600), clickable="true")
    assert labels(button("Under", at=(10, 300, 200, 400)), panel) == ["", "Over"]


def test_what_sticks_out_is_not_covered() -> None:
    panel = node("LinearLayout", button("Over", at=(0, 0, 100, 100)), at=(0, 0, 600, 350), clickable="true")
    assert "Under" in labels(button("Under", at=(10, 300, 200, 400)), panel)


def test_an_earlier_sibling_does_not_cover() -> None:
    panel = node("LinearLayout", text("Panel", at=(0, 0, 100, 100)), at=(0, 0, 600, 600), clickable="true")
    assert "Over" in labels(panel, button("Over", at=(10, 300, 200, 400)))


def test_a_touch_area_without_content_does_not_hide_the_text_under_it() -> None:
    card = node("View", at=(0, 200, 600, 400), clickable="true")
    assert labels(text("Readable"), button("Hidden"), card) == ["Readable", ""]


def test_a_parent_does_not_cover_its_children() -> None:
    inner = button("Inside", at=(10, 10, 100, 100))
    assert "Inside" in labels(node("LinearLayout", inner, at=(0, 0, 600, 600), clickable="true", text="Card"))


def test_a_text_drawn_over_a_button_does_not_hide_it() -> None:
    assert labels(button("Buy", at=(10, 10, 100, 100)), text("New", at=(0, 0, 110, 110))) == ["Buy", "New"]


def test_a_row_that_is_half_scrolled_away_covers_nothing_beyond_its_list() -> None:
    row = ios.el("Cell", ios.static("Row 8", at=(16, 70, 100, 20), visible="false"), at=(0, 60, 375, 60))
    above = ios.static("Nothing yet", at=(16, 70, 200, 20))
    shown = ios.parse(ios.screen(above, ios.el("Table", row, at=(0, 104, 375, 563))))
    assert "Nothing yet" in [element.label for element in shown.elements]
    covered = ios.parse(ios.screen(above, ios.el("Table", row, at=(0, 60, 375, 607))))
    assert "Nothing yet" not in [element.label for element in covered.elements]
