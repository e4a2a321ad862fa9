"""Gestures that are no plain tap: what they refuse, and what their trace says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_replicant import ActionFailed, UsageError, by
from pytest_replicant.model import Point
from pytest_replicant.session import DeviceSession

from ..conftest import Play
from ..scripted_phone import button, screen

HOME = screen(button("Go"), button("Stay", 600), title="Home")


def test_a_tap_at_a_point_is_marked_degraded(play: Play) -> None:
    session, phone = play([HOME])
    outcome = session.tap_at(12.7, 1999)
    assert phone.gestures == [("tap", Point(12, 1999))]
    assert outcome.result.details["degraded"] is True
    assert outcome.result.trace.steps[0].metadata["degraded"] is True


def test_a_point_beyond_the_screen_is_not_touched(play: Play) -> None:
    session, phone = play([HOME])
    for point in ((1000, 10), (10, 2000)):
        with pytest.raises(UsageError, match=r"has 1000 x 2000 pixels\. Nothing was touched"):
            session.tap_at(*point)
    assert phone.gestures == []


def test_a_pinch_is_marked_degraded(play: Play) -> None:
    session, phone = play([HOME])
    outcome = session.pinch(text="Go", scale=0.5)
    assert phone.gestures == [("pinch", Point(300, 250))]
    assert outcome.result.details["degraded"] is True


def test_both_ends_of_a_drag_are_of_one_screen(play: Play) -> None:
    """The source moves while the goal is awaited: where it was first is not where it is picked up."""
    early = screen(button("Go"), title="Home")
    late = screen(button("Go", 400), button("Stay", 900), title="Home")
    session, phone = play([early] * 4 + [late])
    outcome = session.drag(by(text="Go"), by(text="Stay"))
    assert phone.gestures == [("drag", Point(300, 450))]
    assert outcome.result.details["to"] == [300, 950]


def test_both_ends_on_a_screen_that_stands_still_cost_no_further_dump(play: Play) -> None:
    session, phone = play([HOME])
    session.drag(by(text="Go"), by(text="Stay"), silent=True)
    assert phone.dumps == 2


def test_a_drag_to_what_is_not_there_does_not_begin(play: Play) -> None:
    session, phone = play([HOME])
    with pytest.raises(ActionFailed, match='text="Gone"'):
        session.drag(by(text="Go"), by(text="Gone"), timeout=0.3)
    assert phone.gestures == []


WRONG: dict[str, Callable[[Any], object]] = {
    "a point of words": lambda mobile: mobile.tap_at("10", 10),
    "a point beside the screen": lambda mobile: mobile.tap_at(-1, 10),
    "a point nowhere": lambda mobile: mobile.tap_at(float("nan"), 10),
    "a pinch by nothing": lambda mobile: mobile.pinch(text="Go", scale=0),
    "a pinch that stays": lambda mobile: mobile.pinch(text="Go", scale=1),
    "a pinch by a word": lambda mobile: mobile.pinch(text="Go", scale="2"),
    "a pinch of nothing": lambda mobile: mobile.pinch(scale=2),
    "a long press for ever": lambda mobile: mobile.long_press(text="Go", seconds=float("inf")),
    "a drag of a word": lambda mobile: mobile.drag("Go", "Stay"),
}


@pytest.mark.parametrize("call", WRONG.values(), ids=WRONG.keys())
def test_a_wrong_call_is_a_usage_error(play: Play, call: Callable[[DeviceSession], object]) -> None:
    session, phone = play([HOME])
    with pytest.raises(UsageError):
        call(session)
    assert phone.gestures == []
