"""Where widgets land, and how lists scroll."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_replicant.model import Rect
from pytest_replicant.testing.virtual import LIGHT
from pytest_replicant.virtual import Column, Row, Scroll, Space, UiNode, Widget
from pytest_replicant.virtual.app_kit import layout, metrics, view_state
from pytest_replicant.virtual.app_kit.widget import Sizing

from .toy_app import Hand, toy_phone

AREA = Rect(0, 0, 400, 800)


def laid_out(widget: Widget, scale: float = 1.0) -> UiNode:
    sizing = Sizing(metrics.Metrics(scale), LIGHT, "dev.replicant.toy", view_state.ViewState())
    layout.assign_paths(widget, "", {})
    node = layout.Layout(sizing).place(widget, AREA, AREA)
    assert node is not None
    return node


def box(width: int = 50, height: int = 20, **more: object) -> Widget:
    return Widget(width=width, height=height, **more)  # type: ignore[arg-type]  # whatever a test varies


def frames(widget: Widget) -> list[Rect]:
    return [child.frame for child in laid_out(widget).children]


def test_a_column_goes_down_and_a_row_to_the_right() -> None:
    assert frames(Column([box(), box()])) == [Rect(0, 0, 50, 20), Rect(0, 20, 50, 40)]
    assert frames(Row([box(), box()], align="start")) == [Rect(0, 0, 50, 20), Rect(50, 0, 100, 20)]


def test_margins_are_outside_and_padding_inside() -> None:
    column = Column([box(margin=(1, 2, 3, 4)), box()], padding=(10, 5))
    assert frames(column) == [Rect(11, 7, 61, 27), Rect(10, 31, 60, 51)]


@pytest.mark.parametrize(("spread", "left"), [("start", 0), ("center", 175), ("end", 350)])
def test_what_has_room_is_spread(spread: str, left: int) -> None:
    assert frames(Row([box()], spread=spread))[0].left == left  # type: ignore[arg-type]  # from the table above


def test_what_is_invisible_takes_no_room_and_space_is_no_view() -> None:
    column = Column([box(visible=False), Space(height=7), box()])
    assert frames(column) == [Rect(0, 7, 50, 27)]


@given(st.text(max_size=60), st.integers(1, 400))
def test_wrapping_loses_nothing_but_spaces(text: str, width: int) -> None:
    lines = metrics.wrap_text(text, 16, width)
    assert "".join(lines).replace(" ", "") == text.replace("\n", "").replace(" ", "")
    assert all(
        metrics.text_width(line, 16) <= width or len(line.strip()) <= 1 or " " in line
        for line in lines
    )


@given(st.lists(st.integers(1, 300), min_size=1, max_size=12), st.integers(0, 4000))
def test_bounds_are_the_part_of_the_frame_that_the_parent_shows(
    heights: list[int], offset: int
) -> None:
    page = Scroll([box(height=height) for height in heights], key="page")
    state = view_state.ViewState()
    state.scroll("").limit, state.scroll("").offset = 10_000, offset
    layout.assign_paths(page, "", {})
    root = layout.Layout(Sizing(metrics.Metrics(1), LIGHT, "x", state)).place(page, AREA, AREA)
    assert root is not None
    for node in root.walk():
        assert not node.bounds.is_empty
        assert node.frame.encloses(node.bounds)
        for child in node.children:
            assert child.bounds == child.frame.intersect(node.bounds)
    assert state.scroll("").offset == min(offset, max(sum(heights) - AREA.height, 0))


def test_ids_are_qualified_once() -> None:
    widgets = [box(id="mine"), box(id="android:id/title"), box(raw_id="dom-id"), box()]
    ids = [child.resource_id for child in laid_out(Column(widgets)).children]
    assert ids == ["dev.replicant.toy:id/mine", "android:id/title", "dom-id", ""]


# --- lists ----------------------------------------------------------------------------------------


def test_the_place_in_a_list_survives_a_change_and_a_visit() -> None:
    phone = toy_phone()
    hand = Hand(phone)
    hand.tap(text="Next")
    phone.swipe(500, 1900, 500, 1000)
    before = hand.find(text="Row 12").frame
    hand.tap(text="Row 12")
    phone.press_key("HOME")
    phone.press_key("APP_SWITCH")
    assert hand.find(text="Row 12").frame == before
