"""Gestures that are no plain tap: what they refuse, and what their trace says."""

from __future__ import annotations

import pytest

from pytest_replicant import ActionFailed, by
from pytest_replicant.model import Point

from ..conftest import Play
from ..scripted_phone import button, screen

HOME = screen(button("Go"), button("Stay", 600), title="Home")


def test_a_tap_at_a_point_is_marked_degraded(play: Play) -> None:
    session, phone = play([HOME])
    outcome = session.tap_at(12.7, 1999)
    assert phone.gestures == [("tap", Point(12, 1999))]
    assert outcome.result.details["degraded"] is True
    assert outcome.result.trace.steps[0].metadata["degraded"] is True


def test_a_pinch_is_marked_degraded(play: Play) -> None:
    session, phone = play([HOME])
    outcome = session.pinch(text="Go", scale=0.5)
    assert phone.gestures == [("pinch", Point(300, 250))]
    assert outcome.result.details["degraded"] is True


def test_both_ends_of_a_drag_are_of_one_screen(play: Play) -> None:
    """The source moves while the goal is awaited: where it was first is not where it is picked
    up."""
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
