"""The layout: shown, covered and decorative nodes, and scrollers."""

from __future__ import annotations

import pytest

from pytest_replicant.snapshots import Snapshot, scrolls
from pytest_replicant.snapshots.screen.layout import is_collection, nearest_around

from .. import ios_screens as ios
from ..ios_screens import app, el, static
from ..ios_screens import button as ios_button
from ..ios_screens import parse as ios_parse
from ..ios_screens import screen as ios_screen
from ..screens import button, labels_of, node, parse, screen, text


def labels(*inside: str) -> list[str]:
    return labels_of(parse(screen(*inside)).elements)


PANEL = node("LinearLayout", button("Over", at=(0, 0, 100, 100)), at=(0, 0, 600, 350), clickable="true")


@pytest.mark.parametrize(
    ("inside", "shown"),
    [
        ((button("Under", at=(10, 200, 200, 300)), PANEL), ["", "Over"]),
        ((button("Sticks out", at=(10, 300, 200, 400)), PANEL), ["Sticks out", "", "Over"]),
        ((PANEL, button("Later", at=(10, 200, 200, 300))), ["", "Over", "Later"]),
    ],
)
def test_a_later_panel_with_content_covers_what_is_fully_under_it(inside: list[str], shown: list[str]) -> None:
    assert labels(*inside) == shown


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
    assert "Nothing yet" in labels_of(shown.elements)
    covered = ios.parse(ios.screen(above, ios.el("Table", row, at=(0, 60, 375, 607))))
    assert "Nothing yet" not in labels_of(covered.elements)


PANE = (0, 64, 375, 603)
LONG = el("Other", static("Body"), at=(0, 64, 375, 1500))


def ios_labels(source: str) -> list[str]:
    return [element.label for element in ios_parse(source).elements if element.label]


def test_a_status_bar_is_no_part_of_the_screen() -> None:
    bar = el("StatusBar", el("Other", label="9:41", name="clock", at=(170, 0, 40, 20)), at=(0, 0, 375, 20))
    assert ios_labels(app(el("Window", ios_button("Buy")), el("Window", bar))) == ["Buy"]


@pytest.mark.parametrize(
    ("size", "clock"),
    [
        ((0, 0, 375, 667), (20, 0, 40, 20)),
        ((0, 0, 402, 874), (40, 18, 50, 22)),
        ((0, 0, 768, 1024), (8, 4, 60, 16)),
    ],
)
def test_nor_are_the_texts_at_both_ends_of_the_top_that_are_not_marked_as_one(
    size: tuple[int, int, int, int], clock: tuple[int, int, int, int]
) -> None:
    battery = (size[2] - 60, *clock[1:])
    top = static("9:41", at=clock, name="clock-id") + static("100 %", at=battery)
    assert ios_labels(app(el("Window", top, ios_button("Buy"), at=size), at=size)) == ["Buy"]


@pytest.mark.parametrize(
    "top",
    [
        static("LIVE", at=(20, 2, 40, 16)),  # at one end only
        static("LIVE", at=(20, 2, 40, 16)) + static("4K", at=(330, 8, 40, 30)),  # one reaches further down
        static("LIVE", at=(20, 2, 40, 16)) + ios_button("Close", at=(330, 2, 40, 16)),  # can be touched
    ],
)
def test_a_text_at_the_top_is_the_apps_where_it_does_not_look_like_a_status_bar(top: str) -> None:
    assert "LIVE" in ios_labels(app(el("Window", top)))


def test_a_phone_on_its_side_has_no_status_bar() -> None:
    size = (0, 0, 667, 375)
    top = static("Left", at=(20, 2, 40, 16)) + static("Right", at=(600, 2, 40, 16))
    assert ios_labels(app(el("Window", top, at=size), at=size)) == ["Left", "Right"]


@pytest.mark.parametrize(
    ("at", "value"),
    [
        ((342, 70, 30, 590), "0%"),
        ((342, 70, 30, 60), "100 %"),  # hardly longer than thick
        ((3, 634, 369, 30), "0%"),  # as wide as the screen
        ((3, 560, 369, 30), "٪0"),  # above a tab bar, in another script
        ((3, 70, 30, 590), "%12"),  # at the left
    ],
)
def test_scroll_indicators_are_dropped_whatever_they_are_called(at: tuple[int, int, int, int], value: str) -> None:
    bar = el("Other", at=at, label="Vertikale Bildlaufleiste", name="bar-id", value=value)
    assert ios_labels(ios_screen(el("ScrollView", LONG, bar, at=PANE))) == ["Body"]


def test_a_thin_indicator_is_known_without_its_value() -> None:
    bar = el("Other", at=(368, 70, 3, 300), label="bar")
    assert ios_labels(ios_screen(el("ScrollView", LONG, bar, at=PANE))) == ["Body"]


@pytest.mark.parametrize(
    "kept",
    [
        el("Other", at=(355, 70, 20, 590), label="Index", value="A"),  # the index of a list
        el("Other", at=(100, 300, 200, 30), label="Half", value="50%"),  # in the middle
        el("Other", at=(0, 560, 375, 100), label="Storage", value="50%"),  # thick
        el("Other", ios_button("Up", at=(342, 70, 30, 30)), at=(342, 70, 30, 200), label="Zoom", value="50%"),
        el("Slider", at=(342, 70, 30, 590), label="Volume", value="50%"),
    ],
)
def test_what_only_resembles_a_scroll_indicator_is_kept(kept: str) -> None:
    assert len(ios_labels(ios_screen(el("ScrollView", LONG, kept, at=PANE)))) > 1


def test_what_has_a_percentage_outside_of_what_scrolls_is_kept() -> None:
    assert ios_labels(ios_screen(el("Other", at=(342, 70, 30, 300), label="Battery", value="50%"))) == ["Battery"]


def test_lines_are_dropped_and_thin_bars_of_progress_are_not() -> None:
    line = el("Other", at=(0, 100, 375, 1), label="separator", name="line")
    bar = el("ProgressIndicator", at=(0, 120, 375, 4), label="Upload", value="50%")
    assert ios_labels(ios_screen(line, bar)) == ["Upload"]


def test_neither_app_nor_window_is_an_element() -> None:
    assert ios_labels(app(el("Window", ios_button("Buy"), label="Main"))) == ["Buy"]


def test_a_button_called_like_chrome_is_kept() -> None:
    """No text makes chrome of what can be touched."""
    names = ("chevron", "Vertical scroll bar, 1 page", "Status bar")
    buttons = [ios_button(name, at=(16, 100 + 50 * n, 200, 40)) for n, name in enumerate(names)]
    assert ios_labels(ios_screen(*buttons)) == list(names)


def test_what_is_off_the_screen_is_counted_in_both_directions() -> None:
    right = ios_button("Right", at=(400, 100, 50, 50), visible="false")
    down = ios_button("Down", at=(0, 700, 50, 50))  # some versions call it visible all the same
    above = ios_button("Up", at=(0, -90, 50, 50), visible="false")
    snapshot = ios_parse(ios_screen(ios_button("Buy"), right, down, above))
    assert labels_of(snapshot.elements) == ["Buy"]
    assert snapshot.outline().endswith("(3 offscreen)")


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
    panes = nearest_around(snapshot.nodes, scrolls)
    around = [snapshot.nodes[pane].class_name if pane >= 0 else "" for pane in panes]
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
