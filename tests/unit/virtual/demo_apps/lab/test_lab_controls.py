"""What is set, chosen and typed, and what no one can read."""

from __future__ import annotations

import pytest

from pytest_replicant.model import Point
from pytest_replicant.virtual import Widget, drawn_by_apps

from .visitor import Visitor


@pytest.mark.parametrize(("share", "price"), [(0.0, 0), (0.33, 30), (1.0, 100)])
def test_a_slider_rounds_to_steps(share: float, price: int) -> None:
    visitor = Visitor("stepped-slider?step=10")
    visitor.tap_node(visitor.find(id="slider"), share)
    assert visitor.result == f"Up to £{price}"
    assert visitor.find(id="slider").text == f"{price}.0"


def test_a_vertical_slider_goes_up() -> None:
    visitor = Visitor("vertical-slider")
    bounds = visitor.find(id="slider").bounds
    assert bounds.height > bounds.width
    visitor.phone.swipe(bounds.center.x, bounds.center.y, bounds.center.x, bounds.top + 1)
    assert visitor.result == "Volume 100"
    visitor.phone.tap(bounds.center.x, bounds.bottom - 1)
    assert visitor.result == "Volume 0"
    assert visitor.find(id="slider").text == "0.0"


def test_a_stepper_ends_at_both_ends() -> None:
    visitor = Visitor("stepper?most=3")
    visitor.tap(description="Increase guests")
    assert visitor.find(id="guests").text == "3"
    assert not visitor.find(description="Increase guests").enabled
    for _ in range(5):
        visitor.tap(description="Decrease guests")
    assert visitor.result == "A table for 1"


def test_halves_lower_and_raise() -> None:
    visitor = Visitor("halves")
    control = visitor.find(id="heating")
    assert control.description == "Heating, 20 degrees"
    visitor.tap_node(control, 0.9)
    assert visitor.find(id="heating").description == "Heating, 21 degrees"
    for _ in range(40):
        visitor.tap_node(control, 0.1)
    assert visitor.find(id="heating").description == "Heating, 5 degrees"


def test_a_spoken_control_takes_touches_at_its_sides_and_swipes() -> None:
    visitor = Visitor("spoken-control")
    control = visitor.find(id="brightness")
    assert (control.class_name, control.text) == ("android.view.View", "")
    assert control.description == "Brightness, 40 percent"
    visitor.tap_node(control, 0.8)
    assert visitor.find(id="brightness").description == "Brightness, 50 percent"
    bounds = control.bounds
    visitor.phone.swipe(bounds.center.x, bounds.center.y, bounds.right - 1, bounds.center.y)
    assert visitor.find(id="brightness").description == "Brightness, 100 percent"
    assert visitor.result == "The room is bright"
    visitor.tap_node(control, 0.8)
    assert visitor.find(id="brightness").description == "Brightness, 100 percent"


# --- fields -------------------------------------------------------------------------------------------------
def test_a_field_loses_a_letter_once() -> None:
    visitor = Visitor("dropping-field")
    visitor.type("name", "Grace")
    assert visitor.find(id="name").text == "Grce"
    visitor.set_text("name", "")
    visitor.type("name", "Grace")
    assert visitor.find(id="name").text == "Grace"


def test_a_field_may_lose_letters_always_and_however_they_come() -> None:
    visitor = Visitor("dropping-field?every=2&lost=10000")
    visitor.set_text("name", "Hopper")
    assert visitor.find(id="name").text == "Hpe"
    for letter in "abcd":
        visitor.type("name", letter)
    assert visitor.find(id="name").text == "Hpeac"


def test_deleting_loses_nothing() -> None:
    visitor = Visitor("dropping-field?every=1&lost=1")
    visitor.type("name", "Ada")
    assert visitor.find(id="name").text == "da"
    visitor.phone.press_key("DEL")
    assert visitor.find(id="name").text == "d"


def test_a_field_corrects_at_a_space_and_when_left() -> None:
    visitor = Visitor("autocorrect-field")
    visitor.type("note", "teh")
    assert visitor.find(id="note").text == "teh"
    visitor.type("note", " cat adn")
    assert visitor.find(id="note").text == "the cat adn"
    visitor.tap(id="signed")
    assert visitor.find(id="note").text == "the cat and"
    visitor.type("note", "!")
    assert visitor.find(id="note").text == "the cat and!"
    visitor.type("note", " teh")
    visitor.phone.press_key("ENTER")
    assert visitor.find(id="note").text == "the cat and! the"
    assert visitor.find(id="signed").focused


def test_other_words_are_left_alone() -> None:
    visitor = Visitor("autocorrect-field")
    visitor.type("note", "tehran lehteh ")
    visitor.tap(id="signed")
    assert visitor.find(id="note").text == "tehran lehteh "


# --- surfaces -----------------------------------------------------------------------------------------------


def test_a_canvas_is_one_view_without_a_word() -> None:
    visitor = Visitor("bare-canvas")
    board = visitor.find(id="board")
    assert (board.children, board.text, board.description, board.clickable) == ([], "", "", False)
    visitor.phone.tap(board.bounds.left + 10, board.bounds.top + 20)
    assert visitor.events == ["touched 10,20"]
    assert visitor.result == "Touched 1 times"


@pytest.mark.parametrize("slug", ["drawn-text", "drawn-button", "icon-row", "drawn-game?every=0"])
def test_what_an_app_draws_by_itself_is_in_no_hierarchy_and_takes_taps(slug: str) -> None:
    visitor = Visitor(slug)
    board = visitor.find(id="board")
    assert (board.children, board.text, board.description, board.clickable) == ([], "", "", False)
    parts = [node for node in drawn_by_apps(visitor.phone.windows()) if isinstance(node.owner, Widget)]
    waiting = [node for node in parts if isinstance(node.owner, Widget) and node.owner.on_click is not None]
    assert all(board.bounds.encloses(node.bounds) for node in parts)
    for count, node in enumerate(waiting[:3], 1):
        visitor.phone.tap(*node.bounds.center)
        assert len(visitor.events) == count
    visitor.phone.tap(board.bounds.right - 2, board.bounds.bottom - 2)
    assert len(visitor.events) == min(len(waiting), 3)


def test_two_fingers_enlarge_the_map_and_one_does_not() -> None:
    visitor = Visitor("pinch-map")
    middle = visitor.find(id="map").bounds.center
    near, far = [(Point(middle.x - by, middle.y), Point(middle.x + by, middle.y)) for by in (100, 200)]
    visitor.phone.tap(middle.x, middle.y)
    assert visitor.result == "Enlarged 1.0 times"
    visitor.phone.pinch(near, far)
    assert visitor.find(id="map").description == "Map, enlarged 2.0 times"
    for _ in range(5):
        visitor.phone.pinch(near, far)
    assert visitor.result == "Enlarged 8.0 times"
    for _ in range(9):
        visitor.phone.pinch(far, near)
    assert visitor.result == "Enlarged 1.0 times"
