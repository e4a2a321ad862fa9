"""Where two fingers go."""

from __future__ import annotations

import pytest

from pytest_replicant.drivers.android.input import AndroidPointer
from pytest_replicant.drivers.checks import fingers
from pytest_replicant.errors import UsageError
from pytest_replicant.model import Point, Rect

from .odd_phone import Phone


@pytest.mark.parametrize("scale", [2.0, 0.5, 1.2, 4.0])
@pytest.mark.parametrize("area", [Rect(0, 0, 1000, 600), Rect(40, 300, 640, 1300), Rect(0, 0, 500, 500)])
def test_fingers_stay_inside_and_end_as_far_apart_as_asked(area: Rect, scale: float) -> None:
    start, end = fingers(area, scale)
    inside = Rect(area.left + 1, area.top + 1, area.right - 1, area.bottom - 1)
    assert all(inside.left < p.x < inside.right and inside.top < p.y < inside.bottom for p in (*start, *end))
    assert apart(end) / apart(start) == pytest.approx(scale, rel=0.03)
    assert {start[0].x + start[1].x, end[0].x + end[1].x} == {2 * area.center.x}


def apart(pair: tuple[Point, Point]) -> int:
    return abs(pair[0].x - pair[1].x) + abs(pair[0].y - pair[1].y)


@pytest.mark.parametrize("scale", [0.0, -2.0, 1.0, float("inf"), float("nan"), 100.0])
def test_a_pinch_that_cannot_be(scale: float) -> None:
    phone = Phone()
    with pytest.raises(UsageError, match="Nothing was touched"):
        AndroidPointer(phone.link).pinch(Rect(0, 0, 1000, 1000), scale, 0.1)
    assert phone.gesture == []


def test_a_pinch_is_one_call() -> None:
    phone = Phone()
    AndroidPointer(phone.link).pinch(Rect(0, 0, 1000, 1000), 2.0, 0.5)
    method, _, *points, steps = phone.gesture
    assert (method, len(points), steps) == ("gesture", 4, 100)
