"""Collecting every row of a list, and the lists of the lab."""

from __future__ import annotations

import pytest

from pytest_replicant import ActionFailed, by

from ..conftest import Play
from ..long_list import Cell, LongList, text_row
from ..scripted_phone import button, node, screen

NAMES = [f"Row {number}" for number in range(40)]
STILL = screen(button("Go"), button("Stay", 500), title="Still")
WANTED = by(resource_id="row")


@pytest.mark.parametrize("fling", [0.8, 1.0, 1.3])
@pytest.mark.parametrize("drops", [0, 1])
def test_every_row_is_there_once_and_in_order(play: Play, fling: float, drops: int) -> None:
    session, phone = play([STILL])
    LongList(phone, 40, text_row(NAMES), fling=fling, drops=drops)
    found = session.collect(WANTED)
    assert found.labels == NAMES
    assert found.stopped == "the end of the list"


@pytest.mark.parametrize("count", [1, 5, 6, 7, 13, 20])
def test_rows_that_look_alike_are_counted_by_where_they_lie(play: Play, count: int) -> None:
    session, phone = play([STILL])
    LongList(phone, count, text_row(["Chair"] * count))
    assert session.collect(WANTED).labels == ["Chair"] * count


def test_twins_among_others(play: Play) -> None:
    names = ["Ash", "Oak", "Oak", "Oak", "Pine", "Ash", "Oak", "Oak", "Elm", "Ash"] * 2
    session, phone = play([STILL])
    LongList(phone, len(names), text_row(names))
    assert session.collect(WANTED).labels == names


def test_from_where_it_is(play: Play) -> None:
    session, phone = play([STILL])
    LongList(phone, 40, text_row(NAMES))
    session.scroll_to(text="Row 20")
    first = session.find_all(resource_id="row")[0].label
    assert session.collect(WANTED).labels == NAMES[NAMES.index(first) :]
    assert session.collect(WANTED, direction="up").labels == NAMES


def test_sideways(play: Play) -> None:
    session, phone = play([STILL])
    LongList(phone, 25, text_row(NAMES), sideways=True)
    assert session.collect(WANTED, direction="right").labels == NAMES[:25]


def cards(index: int, bounds: tuple[int, int, int, int]) -> str:
    """A name, of which there are two, and the same button on each card; what is cut off is not in
    the dump."""
    left, top, _, bottom = bounds
    low, high = max(top, bottom - 80), min(bottom, top + 80)
    name = node("TextView", (left, top, 500, high), text="Chair", resource_id="a:id/name")
    kind = node("TextView", (left, low, 500, bottom), text=f"Wood {index}", resource_id="a:id/wood")
    buy = node(
        "Button", (700, top, 900, bottom), text="Buy", resource_id="a:id/buy", clickable=True
    )
    inside = [name, kind, buy] if bottom - top > 100 else [name]
    return node("LinearLayout", bounds, *inside, resource_id="a:id/card", clickable=True)


def test_a_row_that_was_cut_is_taken_as_it_is_whole(play: Play) -> None:
    session, phone = play([STILL])
    LongList(phone, 13, cards)
    assert session.collect(by(resource_id="card")).labels == [
        f"Chair Wood {number}" for number in range(13)
    ]


def test_the_same_button_on_every_card(play: Play) -> None:
    session, phone = play([STILL])
    LongList(phone, 13, cards)
    found = session.collect(by(text="Buy"))
    assert [element.context for element in found] == [
        f"Chair Wood {number}" for number in range(13)
    ]


def test_only_what_is_in_the_list(play: Play) -> None:
    session, phone = play([STILL])
    beside = node("TextView", (0, 1500, 500, 1600), text="Row 99", resource_id="a:id/row")
    LongList(phone, 20, text_row(NAMES), around=(beside,))
    assert session.collect(WANTED, by(resource_id="list")).labels == NAMES[:20]


def test_what_loads_at_the_end_belongs_to_it(play: Play) -> None:
    def more(rows: LongList) -> None:
        rows.count = min(rows.count + 10, 40)

    session, phone = play([STILL])
    LongList(phone, 10, text_row(NAMES), more=more)
    assert session.collect(WANTED).labels == NAMES


def test_where_nothing_scrolls_it_is_what_shows(play: Play) -> None:
    session, phone = play([STILL])
    found = session.collect(class_name="Button")
    assert found.labels == ["Go", "Stay"]
    assert found.stopped == "the edge of a screen that does not scroll"
    assert phone.gestures == []


def test_it_is_one_step_of_the_trace(play: Play) -> None:
    session, phone = play([STILL])
    LongList(phone, 40, text_row(NAMES))
    session.collect(WANTED)
    (result,) = session._context.recorder.results
    assert result.action_type == "collect"
    assert result.details["count"] == 40
    assert result.details["swipes"] > 5


def test_a_part_of_a_list_is_no_list(play: Play) -> None:
    session, phone = play([STILL])
    LongList(phone, 40, text_row(NAMES))
    with pytest.raises(
        ActionFailed,
        match=r"max_swipes=3 did not reach the end .* so far, the last \[\w+\] TextView",
    ):
        session.collect(WANTED, max_swipes=3)


def test_a_list_that_runs_past_a_screen_is_not_pieced_together(play: Play) -> None:
    session, phone = play([STILL])
    LongList(phone, 40, text_row(NAMES), fling=2.6)
    with pytest.raises(ActionFailed, match="rows may have been missed"):
        session.collect(WANTED)


def test_a_heading_that_sticks_is_there_once(play: Play) -> None:
    def with_heading(cell: Cell) -> Cell:
        def make(index: int, bounds: tuple[int, int, int, int]) -> str:
            heading = node(
                "TextView", (600, 200, 900, 260), text="Woods", resource_id="a:id/heading"
            )
            return cell(index, bounds) + (heading if bounds[1] == 200 else "")

        return make

    session, phone = play([STILL])
    LongList(phone, 40, with_heading(text_row(NAMES)))
    assert session.collect(WANTED).labels == NAMES


def test_a_container_may_be_a_ref_or_an_element(play: Play) -> None:
    session, phone = play([STILL])
    LongList(phone, 12, text_row(NAMES))
    box = session.find(resource_id="list")
    assert session.collect(WANTED, box).labels == NAMES[:12]
    assert session.collect(WANTED, box.ref, direction="up").labels == NAMES[:12]


def test_a_list_that_does_not_scroll_is_gone_through_all_the_same(play: Play) -> None:
    row = node("TextView", (0, 200, 1000, 300), text="Row 1", resource_id="a:id/row")
    rows = node("RecyclerView", (0, 200, 1000, 900), row, resource_id="a:id/list")
    beside = node("TextView", (0, 1500, 500, 1600), text="Row 99", resource_id="a:id/row")
    session, phone = play([screen(rows, beside, title="Short")])
    found = session.collect(WANTED, by(resource_id="list"))
    assert found.labels == ["Row 1"]
    assert found.stopped == "the edge of a list that does not scroll"
    with pytest.raises(ActionFailed, match="no_such"):
        session.collect(WANTED, by(resource_id="no_such"))
    assert phone.gestures == []
