"""An app's screen on iOS: safe area, navigation bar, what the app says."""

from __future__ import annotations

import pytest

from pytest_replicant.virtual import Screen, Text, Widget

from ..toy_app import PACKAGE, ManualClock, Toy, ToyState
from .iphone import all_of, front, iphone, kind_of, points, window


def test_bars_are_no_part_of_any_hierarchy() -> None:
    phone, _ = iphone()
    shown = {each.kind: each.accessible for each in phone.windows()}
    assert shown == {"app": True, "status_bar": False, "navigation_bar": False}
    assert points(window(phone, "status_bar").root) == (0, 0, 393, 59)
    assert points(window(phone, "navigation_bar").root) == (0, 818, 393, 34)


def test_a_navigation_bar_is_named_by_the_title_and_lies_below_the_status_bar() -> None:
    phone, _ = iphone()
    (bar,) = all_of(window(phone, "app").root, "NavigationBar")
    assert (bar.resource_id, points(bar)) == ("Controls", (0, 59, 393, 44))
    assert [(kind_of(node), node.text or node.description) for node in bar.children] == [
        ("StaticText", "Controls"),
        ("ImageButton", "More"),
    ]


def test_there_is_a_way_back_only_with_a_screen_below() -> None:
    phone, hand = iphone("Rows")  # Rows declares an arrow up, and is the first screen
    assert not hand.find_all(resource_id="BackButton")
    phone, hand = iphone()
    hand.tap(text="Next")
    back = hand.find(resource_id="BackButton")
    assert (kind_of(back), back.description) == ("Button", "Controls")
    hand.tap(resource_id="BackButton")
    assert "Email" in [node.hint for node in window(phone, "app").root.walk()]
    assert not hand.find_all(resource_id="BackButton")


def test_the_way_back_asks_the_screen_first() -> None:
    class Stubborn(Screen[ToyState]):
        title = "Stubborn"
        asked = 0

        def build(self, app: Toy) -> Widget:
            return Text(f"Asked {self.asked} times")

        def back(self, app: Toy) -> bool:
            self.asked += 1
            return self.asked < 2

    phone, hand = iphone()
    front(phone).go(Stubborn())
    hand.tap(resource_id="BackButton")
    assert "Asked 1 times" in hand.texts()
    hand.tap(resource_id="BackButton")
    assert "Controls" in hand.texts()


@pytest.mark.parametrize(("start", "end", "leads_back"), [(5, 250, True), (5, 60, False), (40, 300, False)])
def test_a_swipe_from_the_left_edge_leads_back(start: int, end: int, leads_back: bool) -> None:
    phone, hand = iphone()
    hand.tap(text="Next")
    phone.swipe(start * 3, 1500, end * 3, 1520)
    assert bool(hand.find_all(resource_id="BackButton")) is not leads_back
    phone.swipe(5, 1500, 900, 1520)  # and where nothing lies below, it is a swipe like any other
    assert phone.foreground()[0] == PACKAGE


def test_a_toast_is_a_label_of_the_app_as_long_as_it_lasts() -> None:
    clock = ManualClock()
    phone, hand = iphone(clock=clock)
    hand.tap(text="Say")
    label = hand.find(text="Said")
    assert (kind_of(label), label.package) == ("StaticText", PACKAGE)
    assert label.bounds.bottom <= 59 * 3, "it is in nobody's way"
    assert "toast" not in hand.kinds()
    assert phone.last_toast == "Said"
    clock.now += 3
    assert not hand.find_all(text="Said")


def test_touches_go_through_a_toast() -> None:
    phone, hand = iphone()
    hand.tap(text="Next")
    phone.set_rotation(1)  # where it lies over the navigation bar
    front(phone).toast("word " * 60)
    toast, back = hand.find(text="word " * 60), hand.find(resource_id="BackButton")
    covered = toast.bounds.intersect(back.bounds)
    assert not covered.is_empty
    phone.tap(covered.center.x, covered.center.y)
    assert not hand.find_all(resource_id="BackButton")


@pytest.mark.parametrize("screen", ["", "Rows", "Form", "Panned", "Surfaces", "Perils"])
def test_across_there_is_no_status_bar_and_everything_fits(screen: str) -> None:
    phone, hand = iphone(screen)
    phone.set_rotation(1)
    assert hand.kinds() == ["app", "navigation_bar"]
    (bar,) = all_of(window(phone, "app").root, "NavigationBar")
    assert points(bar) == (0, 0, 852, 44)
