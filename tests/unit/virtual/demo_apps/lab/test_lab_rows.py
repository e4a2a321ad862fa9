"""Lists: alike, growing, long, endless, nested, reordered."""

from __future__ import annotations

import pytest

from pytest_replicant.virtual.demo_apps.lab.rows import WOODS

from .visitor import Visitor


def woods(visitor: Visitor) -> list[str]:
    return [node.text for node in visitor.find_all(id="wood")]


def test_look_alikes_differ_by_the_wood_alone() -> None:
    visitor = Visitor("look-alikes")
    assert woods(visitor) == list(WOODS)
    assert {node.text for node in visitor.find_all(id="name")} == {"Kitchen chair"}
    assert len(visitor.find_all("Buy", id="buy")) == len(WOODS)
    visitor.tap_node(visitor.find_all(id="buy")[2])
    assert visitor.result == "Bought the chair of cherry"
    assert visitor.events == ["bought chair 2 (Cherry)"]


def test_a_seed_orders_the_look_alikes_and_always_the_same_way() -> None:
    first = woods(Visitor("look-alikes?seed=7"))
    assert first == woods(Visitor("look-alikes?seed=7"))
    assert first != list(WOODS)
    assert sorted(first) == list(WOODS)


def test_messages_come_in_at_the_top_and_push_the_others_down() -> None:
    visitor = Visitor("inserting-list?every=500&most=2")
    place = visitor.find("Message 5").bounds.center
    assert visitor.texts().index("Message 5") < visitor.texts().index("Message 4")
    visitor.wait(500)
    visitor.phone.tap(place.x, place.y)
    assert visitor.result == "Opened message 6"
    visitor.tap("Message 5")
    assert visitor.result == "Opened message 5"
    visitor.wait(10_000)
    assert visitor.sees("Message 7")
    assert not visitor.sees("Message 8")


def test_no_message_comes_in_where_none_may() -> None:
    visitor = Visitor("inserting-list?most=0")
    visitor.wait(60_000)
    assert not visitor.sees("Message 6")


@pytest.mark.thorough
@pytest.mark.slow
def test_a_long_list_has_all_its_rows_and_shows_a_few() -> None:
    visitor = Visitor("long-list")
    assert len(visitor.find_all(id="row_title")) < 20
    seen: set[str] = set()
    for _ in range(80):
        seen |= {node.text for node in visitor.find_all(id="row_title")}
        visitor.swipe("rows", "up")
    assert seen == {f"Row {number}" for number in range(1, 501)}
    visitor.tap("Row 500")
    assert visitor.result == "Chose row 500"


def test_an_endless_list_loads_at_its_end_once_at_a_time() -> None:
    visitor = Visitor("endless-list?delay=800")
    for _ in range(4):
        visitor.swipe("rows", "up")
    assert visitor.sees(id="loading_more")
    assert not visitor.sees("Row 21")
    visitor.wait(800)
    visitor.swipe("rows", "up")
    assert visitor.sees("Row 21")
    for _ in range(5):
        visitor.swipe("rows", "up")
    assert visitor.sees("Row 40")
    assert not visitor.sees("Row 41")


def test_an_endless_list_may_have_an_end() -> None:
    visitor = Visitor("endless-list?pages=1")
    for _ in range(4):
        visitor.swipe("rows", "up")
        visitor.wait(5000)
    assert visitor.sees("Row 20")
    assert not visitor.sees(id="loading_more")


def test_pulling_at_the_top_renews_and_scrolling_does_not() -> None:
    visitor = Visitor("pull-to-refresh?delay=1000")
    visitor.swipe("departures", "up")
    visitor.wait(5000)
    assert visitor.result == "Renewed 0 times"
    visitor.swipe("departures", "down")
    assert not visitor.sees(id="refreshing")  # that only went back to the top
    visitor.swipe("departures", "down")
    assert visitor.sees(id="refreshing")
    visitor.swipe("departures", "down")
    visitor.wait(1000)
    assert not visitor.sees(id="refreshing")
    assert visitor.result == "Renewed 1 times"
    assert not visitor.sees("Train 1 to the coast")
    assert visitor.events == ["renewed 1"]


def test_of_nested_scrollers_the_inner_one_goes_first() -> None:
    visitor = Visitor("nested-scrollers")
    visitor.swipe("inner", "up")
    assert not visitor.sees("Inner row 1")
    assert visitor.sees("Outer row 1")
    visitor.swipe("outer", "down")
    for _ in range(20):
        visitor.swipe("inner", "up")
    assert not visitor.sees("Outer row 1")


@pytest.mark.parametrize("target", ["Water the plants", "List to reorder"])
def test_a_row_dropped_on_itself_or_next_to_the_list_stays(target: str) -> None:
    visitor = Visitor("reorder")
    before = visitor.texts()
    visitor.drag(visitor.find(description="Move Water the plants"), visitor.find(target))
    assert visitor.texts() == before
