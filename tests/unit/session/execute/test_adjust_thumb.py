"""A thumb that has to be taken where it is, as on iPhones; and the whole ladder with the built-in policies."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_replicant import ActionFailed
from pytest_replicant.model import Point
from pytest_replicant.recovery import builtin

from ..conftest import Kit
from ..kit_phone import KitPhone
from .test_adjust_tracks import SHAPES, all_inside, next_mode, track

GRIP = 40  # px around the middle of the thumb


class ThumbPhone(KitPhone):
    """Its slider moves only where a drag begins on the thumb; taps do nothing."""

    def swipe(self, start: Point, end: Point, seconds: float) -> None:
        bounds = self.bounds("bar")
        thumb = bounds.left + self.state.values["bar"] / 100 * (bounds.width - 1)
        far = abs(start.x - end.x) > self.info.density * 8
        if abs(start.x - thumb) <= GRIP and far:
            super().swipe(start, end, seconds)
        else:
            self.touches += [start, end]


@pytest.mark.parametrize("shows", ["number", "percent"])
@pytest.mark.parametrize(("start", "to"), [(0, 73), (40, 41), (41, 40), (100, 0), (62, 7), (50, 51)])
def test_a_thumb_is_taken_where_it_is(kit: Kit, start: int, to: int, shows: str) -> None:
    def printed(level: float) -> str:
        return f"{level:g}%" if shows == "percent" else f"{level:g}"

    build = track(SHAPES["whole numbers"][0], taps=False, shows=printed)
    session, phone = kit(build, kind=ThumbPhone, recover=next_mode, bar=float(start))
    bounds = phone.bounds("bar")
    outcome = session.adjust(resource_id="bar", to=to)
    assert phone.state.values["bar"] == to
    assert outcome.result.details["mode"] == "drag"
    assert all_inside(phone, bounds)


DEAF: dict[str, Any] = {"taps": False, "drags": False}


def test_the_built_in_policies_climb_the_ladder(kit: Kit) -> None:
    session, _ = kit(track(SHAPES["whole numbers"][0], taps=False), recover=builtin, bar=40.0)
    outcome = session.adjust(resource_id="bar", to=73).expect_state(value=73)
    assert outcome.result.recovery is not None
    assert outcome.result.recovery.attempted == ("retry_adjustment",)


@pytest.mark.slow
def test_the_built_in_policies_give_up_in_the_end(kit: Kit) -> None:
    session, phone = kit(track(SHAPES["whole numbers"][0], **DEAF), recover=builtin, bar=40.0)
    with pytest.raises(ActionFailed, match="SEMANTIC_MISMATCH") as failed:
        session.adjust(resource_id="bar", to=73)
    recovery = failed.value.result.recovery
    assert recovery is not None
    assert recovery.is_terminal
    assert set(recovery.attempted) == {"retry_adjustment", "re_resolve"}
    assert all_inside(phone, phone.bounds("bar"))


def test_a_value_that_is_not_there_is_not_tried_again(kit: Kit) -> None:
    session, _ = kit(track(SHAPES["steps of ten"][0]), recover=builtin, bar=40.0)
    with pytest.raises(ActionFailed, match="CONTROL_CONVERGENCE_FAILED") as failed:
        session.adjust(resource_id="bar", to=33)
    recovery = failed.value.result.recovery
    assert recovery is not None
    assert recovery.attempted == ()
