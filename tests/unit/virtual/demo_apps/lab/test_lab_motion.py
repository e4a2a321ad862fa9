"""What moves, is covered, comes late or goes early."""

from __future__ import annotations

import pytest

from .visitor import Visitor


def test_a_moving_button_comes_to_rest() -> None:
    visitor = Visitor("moving-button?lasts=1000")
    places = []
    for _ in range(10):
        places.append(visitor.find("Catch me").bounds)
        visitor.wait(100)
    assert len(set(places)) > 5
    resting = visitor.find("Catch me").bounds
    visitor.wait(5000)
    assert visitor.find("Catch me").bounds == resting
    visitor.tap("Catch me")
    assert visitor.result == "Caught 1 times"


def test_a_moving_button_may_never_rest_and_stays_on_the_screen() -> None:
    visitor = Visitor("moving-button?lasts=0")
    visitor.wait(60_000)
    places = set()
    for _ in range(96):
        visitor.wait(16)
        place = visitor.find("Catch me").bounds
        places.add(place)
        assert place.right <= visitor.phone.size[0]
    assert len(places) == 96


def test_an_overlay_takes_the_touches_until_it_goes() -> None:
    visitor = Visitor("overlay?lasts=2000")
    visitor.tap("Pay")
    assert (visitor.result, visitor.find(id="swallowed").text) == ("Paid 0 times", "The sheet took 1 touches")
    visitor.wait(2000)
    assert not visitor.sees(id="veil")
    visitor.tap("Pay")
    assert visitor.result == "Paid 1 times"


def test_a_bar_covers_the_last_button_until_one_scrolls() -> None:
    visitor = Visitor("bottom-bar")
    assert visitor.find(id="bar").bounds.contains(visitor.find("Accept").bounds.center)
    visitor.tap("Accept")
    assert visitor.result == "Pressed help"
    visitor.swipe("page", "up")
    visitor.tap("Accept")
    assert visitor.events == ["pressed help", "pressed accept"]


def test_a_toast_lies_over_the_button_and_lets_taps_through() -> None:
    visitor = Visitor("toasts")
    visitor.tap("Archive")
    toast = next(window for window in visitor.phone.windows() if window.kind == "toast")
    assert toast.root.bounds.contains(visitor.find("Next").bounds.center)
    assert visitor.phone.last_toast == "Archived one message"
    visitor.tap("Next")
    assert visitor.result == "Next"


def test_a_snackbar_takes_the_taps_and_goes() -> None:
    visitor = Visitor("snackbar?lasts=3000")
    following = visitor.find("Next").bounds.center
    visitor.tap("Archive")
    assert visitor.sees("Archived one message")
    visitor.phone.tap(following.x, following.y)
    assert visitor.events == ["archived"]
    visitor.wait(3000)
    assert not visitor.sees("Archived one message")
    visitor.phone.tap(following.x, following.y)
    assert visitor.result == "Next"


def test_undo_is_there_while_the_snackbar_is_and_a_second_one_lasts_as_long() -> None:
    visitor = Visitor("snackbar?lasts=3000")
    visitor.tap("Archive")
    visitor.wait(2000)
    visitor.tap("Archive")
    visitor.wait(2000)
    visitor.tap("Undo")
    assert visitor.result == "Undone"
    assert not visitor.sees("Undo")


def test_the_clock_ticks_and_the_button_alone_keeps() -> None:
    visitor = Visitor("clock")
    assert visitor.find(id="time").text == "10:00:00"
    visitor.wait(1000)
    assert visitor.find(id="time").text == "10:00:01"
    visitor.wait(3599_000)
    assert visitor.find(id="time").text == "11:00:00"
    assert visitor.result == "Kept 0 times"
    visitor.tap("Keep")
    assert visitor.result == "Kept 1 times"


def test_nothing_ticks_on_once_the_exhibit_is_closed() -> None:
    visitor = Visitor()
    visitor.open("clock")
    visitor.phone.press_key("BACK")
    assert visitor.title == "Lab"
    visitor.wait(2000)
    before = visitor.phone.version()
    visitor.wait(60_000)
    assert visitor.phone.version() == before


def test_a_button_is_enabled_late() -> None:
    visitor = Visitor("late-button?delay=2000")
    visitor.wait(1999)
    assert not visitor.find("Agree").enabled
    visitor.tap("Agree")
    visitor.wait(1)
    assert visitor.find("Agree").enabled
    visitor.tap("Agree")
    assert visitor.result == "Agreed 1 times"


@pytest.mark.parametrize("delay", [300, 5000])
def test_content_comes_late(delay: int) -> None:
    visitor = Visitor(f"late-content?delay={delay}")
    visitor.wait(delay - 1)
    assert visitor.sees(id="loading")
    assert not visitor.sees("Parcel 4711")
    visitor.wait(1)
    assert visitor.sees("Parcel 4711")
    assert not visitor.sees(id="loading")


def test_a_message_flashes_and_what_it_said_stays_true() -> None:
    visitor = Visitor("flash?lasts=500")
    visitor.tap("Save")
    visitor.wait(499)
    assert visitor.sees("Saved")
    visitor.wait(1)
    assert not visitor.sees("Saved")
    assert visitor.result == "Saves: 1"


def test_a_flash_may_come_late() -> None:
    visitor = Visitor("flash?delay=1000")
    visitor.tap("Save")
    assert not visitor.sees("Saved")
    visitor.wait(1000)
    assert visitor.sees("Saved")


def test_a_switch_flips_back() -> None:
    visitor = Visitor("flip-back")
    visitor.tap("Push messages")
    visitor.wait(999)
    assert visitor.find("Push messages").checked
    visitor.wait(1)
    assert not visitor.find("Push messages").checked
    assert visitor.events == ["switched on"]
    assert "refused" in visitor.log


def test_an_earlier_refusal_leaves_a_later_try_alone() -> None:
    visitor = Visitor("flip-back")
    for _ in range(3):
        visitor.tap("Push messages")
        visitor.wait(400)
    assert visitor.find("Push messages").checked
    visitor.wait(600)
    assert not visitor.find("Push messages").checked


def test_a_menu_closes_by_itself() -> None:
    visitor = Visitor("closing-menu?lasts=1500")
    visitor.tap(description="More options")
    assert visitor.sees("By name")
    visitor.wait(1500)
    assert not visitor.sees("By name")
    assert visitor.find(id="closed").text == "Closed by itself 1 times"


def test_offers_come_by_themselves_and_round_again() -> None:
    visitor = Visitor("carousel?every=2000")
    seen = []
    for _ in range(6):
        seen.append(visitor.find(id="offer").text)
        visitor.wait(2000)
    assert seen == ["Mug", "Teapot", "Lamp", "Clock", "Chair", "Mug"]
    visitor.tap("Teapot")
    assert visitor.result == "Took the teapot"


def test_a_swipe_turns_to_the_next_offer_and_they_may_stand_still() -> None:
    visitor = Visitor("carousel?every=0")
    visitor.wait(60_000)
    assert visitor.find(id="offer").text == "Mug"
    bounds = visitor.find(id="offers").bounds
    visitor.phone.swipe(bounds.right - 100, bounds.center.y, bounds.left + 100, bounds.center.y)
    assert [node.text for node in visitor.find_all(id="offer")] == ["Teapot"]
    assert visitor.find(id="place").text == "2 of 5"
