"""Swipes, scrolls, and scrolling until an element shows."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_replicant import ActionFailed, UsageError, by
from pytest_replicant.model import Rect
from pytest_replicant.testing.virtual import HorizontalScroll
from pytest_replicant.virtual import Button, Column, RunningApp, Screen, Scroll, Text, Widget
from tests.lab.exhibits_shown import refused

from ..conftest import Play
from ..long_list import BOTTOM, ROW, TOP, LongList, text_row
from ..on_phone import session_on
from ..scripted_phone import button, node, screen

NAMES = [f"Row {number}" for number in range(40)]
ROWS = text_row(NAMES)
STILL = screen(button("Go"), title="Still")


def test_a_scroll_that_moves_has_not_reached_the_end(play: Play) -> None:
    session, phone = play([STILL])
    rows = LongList(phone, 40, ROWS)
    outcome = session.scroll("down")
    assert not outcome.reached_end
    assert {element.text for element in outcome.new_elements} >= {"Row 8", "Row 9"}
    assert len(rows.swipes) == 1


def test_one_dropped_swipe_is_not_the_end_of_a_list(play: Play) -> None:
    session, phone = play([STILL])
    rows = LongList(phone, 40, ROWS, drops=1)
    assert not session.scroll("down").reached_end
    (first, second) = rows.swipes
    assert first[0].y - first[1].y > second[0].y - second[1].y > 0, "the second one is shorter"


def test_two_that_move_nothing_are(play: Play) -> None:
    session, phone = play([STILL])
    LongList(phone, 3, ROWS)
    outcome = session.scroll("down")
    assert outcome.reached_end
    assert outcome.new_elements == ()


def test_a_clock_beside_the_list_is_no_movement(play: Play) -> None:
    session, phone = play([STILL])
    rows = LongList(phone, 3, ROWS)
    ticks = iter(range(1000))

    def tick() -> bytes:
        rows.around = (node("TextView", (0, 1300, 500, 1400), text=f"tick {next(ticks)}"),)
        return rows.show()

    phone.dump_hierarchy = tick  # type: ignore[method-assign]
    assert session.scroll("down").reached_end


def test_what_loads_at_the_end_is_waited_for(play: Play) -> None:
    session, phone = play([STILL])
    wheel = node("ProgressBar", (400, 1100, 600, 1200))
    rows = LongList(phone, 7, ROWS)
    session.scroll("down")
    dumps = phone.dumps

    def dump() -> bytes:
        phone.dumps += 1
        phone.clock.advance(0.05)
        rows.count = 12 if phone.dumps > dumps + 30 else 7
        rows.around = () if rows.count == 12 else (wheel,)
        return rows.show()

    phone.dump_hierarchy = dump  # type: ignore[method-assign]
    assert not session.scroll("down").reached_end


def test_a_silent_scroll_does_not_know(play: Play) -> None:
    session, phone = play([STILL])
    LongList(phone, 40, ROWS)
    outcome = session.scroll("down", silent=True)
    with pytest.raises(UsageError, match="it did not look"):
        _ = outcome.reached_end


def test_where_nothing_scrolls_that_is_said(play: Play) -> None:
    session, phone = play([STILL])
    with pytest.raises(ActionFailed, match="nothing on this screen of scripted scrolls"):
        session.scroll("down", timeout=0.5)
    assert phone.gestures == []


@pytest.mark.parametrize("number", [0, 3, 17, 39])
def test_scroll_to_stops_where_the_target_shows(play: Play, number: int) -> None:
    session, phone = play([STILL])
    LongList(phone, 40, ROWS)
    outcome = session.scroll_to(text=f"Row {number}")
    bounds = outcome.snapshot.find(text=f"Row {number}").bounds
    assert bounds.height >= 96


def test_scroll_to_goes_back_up(play: Play) -> None:
    session, phone = play([STILL])
    rows = LongList(phone, 40, ROWS)
    session.scroll_to(text="Row 39")
    session.scroll_to(text="Row 2", direction="up").expect_visible(text="Row 2")
    with pytest.raises(
        ActionFailed, match=r"up up to the end of the list, after \d swipes.\n"
    ) as failed:
        session.scroll_to(text="Row 39", direction="up")
    assert '10 swipes ago.\nNext: scroll_to(text="Row 39").' in str(failed.value)
    assert rows.offset == 0
    with pytest.raises(ActionFailed, match=r'swipes.\nNext: direction="down" looks the other way'):
        session.scroll_to(text="Row 99", direction="up")


def test_scroll_to_goes_sideways(play: Play) -> None:
    session, phone = play([STILL])
    LongList(phone, 40, ROWS, sideways=True)
    session.scroll_to(text="Row 30", direction="right", max_swipes=30)
    session.scroll_to(text="Row 1", direction="left", max_swipes=30)


def test_one_pixel_is_not_visible(play: Play) -> None:
    session, phone = play([STILL])
    rows = LongList(phone, 40, ROWS)
    rows.offset = 7 * ROW - (BOTTOM - TOP) + 1
    rows.show()
    assert session.find(text="Row 7").bounds.height == 1
    outcome = session.scroll_to(text="Row 7")
    assert outcome.snapshot.find(text="Row 7").bounds.height == ROW


def test_the_end_of_the_list_is_the_reason(play: Play) -> None:
    session, phone = play([STILL])
    rows = LongList(phone, 20, ROWS)
    with refused("ELEMENT_NOT_FOUND", "not there, down up to the end of the list"):
        session.scroll_to(text="Row 39")
    assert rows.offset == rows.limit


def test_the_limit_is_the_reason(play: Play) -> None:
    session, phone = play([STILL])
    LongList(phone, 40, ROWS)
    with pytest.raises(ActionFailed, match="up to max_swipes=2, and it still moved"):
        session.scroll_to(text="Row 39", max_swipes=2)
    with pytest.raises(
        ActionFailed, match=r"up to max_swipes=0\.\nNext: a larger max_swipes goes on"
    ):
        session.scroll_to(text="Row 39", max_swipes=0)


def test_a_screen_that_does_not_scroll_is_the_reason(play: Play) -> None:
    session, phone = play([STILL])
    with pytest.raises(
        ActionFailed, match=r"a screen that does not scroll\.\nNext: go to the screen that has"
    ):
        session.scroll_to(text="Row 39", timeout=0.5)
    assert phone.gestures == []


def test_two_that_fit_are_an_ambiguity(play: Play) -> None:
    session, phone = play([STILL])
    rows = LongList(phone, 40, text_row(["Same"] * 40))
    with refused("AMBIGUOUS_TARGET"):
        session.scroll_to(text="Same")
    assert rows.swipes == []


def test_a_named_container_is_the_one_that_is_swiped(play: Play) -> None:
    session, phone = play([STILL])
    other = node("ScrollView", (0, 1200, 1000, 2000), resource_id="a:id/other", scrollable=True)
    rows = LongList(phone, 40, ROWS, around=(other,))
    session.scroll_to(text="Row 20", container=by(resource_id="list"))
    assert all(
        Rect(0, TOP, 1000, BOTTOM).contains(point) for swipe in rows.swipes for point in swipe
    )
    with pytest.raises(ActionFailed, match="no_such"):
        session.scroll_to(text="Row 39", container=by(resource_id="no_such"))


def test_a_container_that_only_holds_the_list_stands_for_it(play: Play) -> None:
    session, phone = play([STILL])
    inner = node(
        "RecyclerView", (0, 300, 1000, 900), text="", resource_id="a:id/inner", scrollable=True
    )
    frame = node("FrameLayout", (0, 200, 1000, 1900), inner, text="Frame", clickable=True)
    phone.frames = [screen(frame, title="Framed")]
    assert session.scroll("down", by(text="Frame")).reached_end
    assert all(300 <= point.y < 900 for _, point in phone.gestures)


def test_the_finger_goes_down_beside_what_scrolls_inside(play: Play) -> None:
    session, phone = play([STILL])
    inner = node("RecyclerView", (0, 1300, 800, 1900), resource_id="a:id/inner", scrollable=True)
    outer = node(
        "ScrollView", (0, 100, 1000, 2000), inner, resource_id="a:id/outer", scrollable=True
    )
    phone.frames = [screen(outer, title="Nested")]
    session.scroll("down", by(resource_id="outer"))
    assert all(not Rect(0, 1300, 800, 1900).contains(point) for _, point in phone.gestures)


LISTED = ["Brass", "Canvas", "Copper", "Cotton", "Denim", "Linen", "Silk", "Wool"]


class Wide(Screen[dict[str, Any]]):
    """A row that goes on to the side, over a page that goes on below."""

    title = "Wide"
    pressed = ""

    def build(self, app: RunningApp[dict[str, Any]]) -> Widget:
        row = HorizontalScroll([self.choice(name) for name in LISTED], id="filters")
        page = Scroll([Text("space", height=1500), self.choice("Bottom")], id="page", weight=1)
        return Column([row, Text(f"Pressed {self.pressed}"), page], height="fill")

    def choice(self, name: str) -> Widget:
        return Button(name, width=120, on_click=lambda: setattr(self, "pressed", name))


@pytest.mark.parametrize(
    ("name", "list_id", "way"), [("Wool", "filters", "right"), ("Bottom", "page", "down")]
)
def test_what_is_listed_out_of_sight_is_scrolled_to(name: str, list_id: str, way: Any) -> None:
    with session_on(Wide, platform="ios") as mobile:
        mobile.scroll_to(text=name, container=by(resource_id=list_id), direction=way)
        mobile.tap(text=name).expect_visible(text=f"Pressed {name}")


def test_what_is_listed_out_of_sight_is_not_found_by_scrolling_another_way() -> None:
    with session_on(Wide, platform="ios") as mobile, pytest.raises(ActionFailed) as caught:
        mobile.scroll_to(text="Wool", direction="down")
    assert caught.value.failure_code == "ELEMENT_NOT_FOUND"
