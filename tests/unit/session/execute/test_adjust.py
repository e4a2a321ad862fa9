"""Sliders: set and verified, inside the control, or a failure with the series of readings."""

from __future__ import annotations

import pytest

from pytest_replicant import ActionFailed, UsageError

from ..conftest import Play
from ..scripted_phone import ScriptedPhone, node, screen

LEFT, RIGHT, TOP, BOTTOM = 100, 901, 200, 260


def slider(value: object) -> bytes:
    return screen(node("SeekBar", (LEFT, TOP, RIGHT, BOTTOM), text=str(value), resource_id="a:id/tip"))


class Slider:
    """A phone's slider from ``low`` to ``high``; ``stuck`` lets it jump about instead."""

    def __init__(self, low: int, high: int, *, stuck: bool = False) -> None:
        self.low, self.high, self.stuck = low, high, stuck

    def touched(self, phone: ScriptedPhone) -> None:
        x = phone.gestures[-1][1].x
        share = (x - LEFT) / (RIGHT - 1 - LEFT)
        value = round(self.low + share * (self.high - self.low))
        phone.frames = [slider((self.high if len(phone.gestures) % 2 else self.low) if self.stuck else value)]


@pytest.mark.parametrize(("low", "high"), [(0, 10), (0, 30), (0, 100), (-50, 50), (1000, 2000)])
@pytest.mark.parametrize("share", [0, 0.03, 0.31, 0.5, 0.77, 1])
def test_it_converges_both_ways_without_leaving_the_control(play: Play, low: int, high: int, share: float) -> None:
    wanted = round(low + share * (high - low))
    for start in (low, high):
        session, phone = play([slider(start)], on_gesture=Slider(low, high).touched, quiet=0.0)
        session.adjust(resource_id="tip", to=wanted, tolerance=(high - low) / 200).expect_visible(
            resource_id="tip"
        )
        assert all(LEFT <= point.x < RIGHT and TOP <= point.y < BOTTOM for _, point in phone.gestures)
        assert len(phone.gestures) <= 10


def test_what_never_settles_fails_with_its_series(play: Play) -> None:
    session, _ = play([slider(0)], on_gesture=Slider(0, 30, stuck=True).touched, quiet=0.0)
    with pytest.raises(ActionFailed, match="px → 30   ") as failed:
        session.adjust(resource_id="tip", to=15)
    assert failed.value.failure_code == "CONTROL_CONVERGENCE_FAILED"


def test_a_value_that_the_control_lacks_fails(play: Play) -> None:
    session, phone = play([slider(0)], on_gesture=Slider(0, 30).touched, quiet=0.0)
    with pytest.raises(ActionFailed, match="does not become 99"):
        session.adjust(resource_id="tip", to=99)
    assert all(point.x < RIGHT for _, point in phone.gestures)


def test_a_control_without_a_number_is_not_touched(play: Play) -> None:
    session, phone = play([slider("")])
    with pytest.raises(ActionFailed, match="reports no number"):
        session.adjust(resource_id="tip", to=3)
    assert phone.gestures == []


def test_a_value_that_is_no_number_is_a_wrong_call(play: Play) -> None:
    session, _ = play([slider(0)])
    with pytest.raises(UsageError, match="a number in the unit"):
        session.adjust(resource_id="tip", to="half")
