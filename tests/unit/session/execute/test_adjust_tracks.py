"""Setting a value along a track, by touches on it or drags of its thumb."""

from __future__ import annotations

import math
from typing import Any

import pytest

from pytest_replicant import ActionFailed
from pytest_replicant.model import Point, Recovery, Rect
from pytest_replicant.recovery import builtin
from pytest_replicant.virtual import Button, RunningApp, Stack, Text, Widget
from tests.lab.exhibits_shown import refused

from ..conftest import Kit
from ..kit_controls import Shape, Track, into
from ..kit_phone import Build, Held, KitPhone


def track(of: Shape, **options: Any) -> Build:
    def build(app: RunningApp[Held]) -> list[Widget]:
        level = app.state.values["bar"]
        bar = Track(id="bar", level=level, of=of, set_to=into(app, "bar"), **options)
        return [Text("A line above"), bar, Text("A line below")]

    return build


def next_mode(session: object, failure: object, state: object) -> Recovery:
    return Recovery(
        "retry_adjustment", params={"mode": "next"}, reason="another mode is left", policy="test"
    )


def all_inside(phone: KitPhone, bounds: Rect) -> bool:
    return bool(phone.touches) and all(bounds.contains(point) for point in phone.touches)


SHAPES: dict[str, tuple[Shape, list[float]]] = {
    "continuous": (lambda share: round(share * 100, 2), [0.5, 99.5]),
    "whole numbers": (lambda share: float(int(share * 100 + 0.5)), [0, 37, 100]),
    "floor": (lambda share: float(int(share * 100)), [0, 37, 100]),
    "steps of ten": (lambda share: float(int(share * 10 + 0.5) * 10), [10, 100]),
    "from right to left": (lambda share: float(int((1 - share) * 100 + 0.5)), [3, 100]),
    "square": (lambda share: float(int(share * share * 100 + 0.5)), [1, 90]),
    "around zero": (lambda share: float(int(share * 100 + 0.5) - 50), [0, 49]),
}


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize(
    ("start", "height", "width"), [(0, 40, "fill"), (100, 120, 60), (100, 300, 48)]
)
def test_a_track_is_set_from_both_sides(
    kit: Kit, name: str, start: int, height: int, width: object
) -> None:
    of, wanted = SHAPES[name]
    for to in wanted:
        session, phone = kit(track(of, height=height, width=width), bar=float(start))
        bounds = phone.bounds("bar")
        outcome = session.adjust(resource_id="bar", to=to, tolerance=1)
        assert math.isclose(phone.state.values["bar"], to, abs_tol=1)
        assert outcome.result.details["touches"] <= 8
        assert all_inside(phone, bounds) is (abs(start - to) > 1)


@pytest.mark.parametrize("stars", [0, 1, 3, 5])
def test_stars_are_given_exactly(kit: Kit, stars: int) -> None:
    rating = track(
        lambda share: float(math.ceil(share * 5)), class_name="android.widget.RatingBar", width=240
    )
    session, phone = kit(rating, bar=2.0)
    session.adjust(resource_id="bar", to=stars).expect_state(value=stars)
    assert all_inside(phone, phone.bounds("bar"))


def test_a_value_between_two_steps_is_told_with_its_neighbours(kit: Kit) -> None:
    session, phone = kit(track(SHAPES["steps of ten"][0]), bar=40.0)
    with refused("CONTROL_CONVERGENCE_FAILED", r"no value between 30 and 40") as failed:
        session.adjust(resource_id="bar", to=33)
    assert "to=30 is the nearest that it showed" in str(failed.value)
    assert failed.value.result.retryable is False
    assert all_inside(phone, phone.bounds("bar"))
    session.adjust(resource_id="bar", to=33, tolerance=3).expect_state(value=30)


def test_a_value_beyond_the_last_is_told_with_the_last(kit: Kit) -> None:
    session, phone = kit(track(SHAPES["whole numbers"][0]), bar=40.0)
    with pytest.raises(ActionFailed, match="it goes no further than 100"):
        session.adjust(resource_id="bar", to=130)
    assert len(phone.touches) <= 4


def test_what_is_there_already_is_not_touched(kit: Kit) -> None:
    session, phone = kit(track(SHAPES["whole numbers"][0]), bar=40.0)
    outcome = session.adjust(resource_id="bar", to=41, tolerance=1)
    assert outcome.result.details["touches"] == 0
    assert phone.touches == []


def test_without_a_recovery_the_next_mode_is_left(kit: Kit) -> None:
    session, phone = kit(track(SHAPES["whole numbers"][0], taps=False), bar=40.0)
    with refused("CONTROL_CONVERGENCE_FAILED", "Left to try: drags of its thumb") as failed:
        session.adjust(resource_id="bar", to=73)
    assert failed.value.result.retryable is True
    assert phone.state.values["bar"] == 40


@pytest.mark.slow
def test_what_reacts_to_nothing_breaks_its_promise(kit: Kit) -> None:
    session, phone = kit(
        track(SHAPES["whole numbers"][0], taps=False, drags=False), recover=next_mode, bar=40.0
    )
    with refused("SEMANTIC_MISMATCH", "does not react: as a slider it promises"):
        session.adjust(resource_id="bar", to=73)
    assert all_inside(phone, phone.bounds("bar"))


def test_a_slider_that_says_nothing_is_not_touched_and_says_what_to_do(kit: Kit) -> None:
    def build(app: RunningApp[Held]) -> list[Widget]:
        level = app.state.values["bar"]
        bar = Track(
            id="bar", level=level, description="Volume", set_to=into(app, "bar"), shows=lambda _: ""
        )
        return [bar, Text(f"Volume: {level:g}")]

    session, phone = kit(build, bar=40.0)
    with refused("SEMANTIC_MISMATCH", "reports no number") as failed:
        session.adjust(resource_id="bar", to=73)
    assert "touch a place of it by tap_at, y " in str(failed.value)
    assert phone.touches == []


def test_what_lies_over_a_track_is_not_touched(kit: Kit) -> None:
    """A button over the left half: values on the right are reached, one under it is told."""

    def build(app: RunningApp[Held]) -> list[Widget]:
        bar = Track(
            id="bar", level=app.state.values["bar"], of=SHAPES["whole numbers"][0],
            set_to=into(app, "bar"), height=48,
        )  # fmt: skip
        over = Button(
            "Over",
            id="over",
            width=200,
            height=48,
            on_click=lambda: app.state.events.append("over"),
        )
        return [Stack([bar, over], height=60)]

    session, phone = kit(build, bar=100.0)
    session.adjust(resource_id="bar", to=83)
    assert phone.state.values["bar"] == 83
    with pytest.raises(ActionFailed, match="the part of it that would have this value is covered"):
        session.adjust(resource_id="bar", to=20)
    assert "over" not in phone.state.events


@pytest.mark.parametrize("inset", [0, 30])
def test_the_edges_of_the_screen_are_touched_only_where_it_takes_them(kit: Kit, inset: int) -> None:
    build = track(SHAPES["whole numbers"][0], margin=(inset, 0))
    edge = 24 * 2.625
    session, phone = kit(build, bar=50.0)
    session.adjust(resource_id="bar", to=90)
    session.adjust(resource_id="bar", to=10)
    assert all(edge <= point.x < phone.info.width - edge for point in phone.touches)
    session.adjust(resource_id="bar", to=100)
    assert phone.state.values["bar"] == 100
    assert (phone.touches[-1].x >= phone.info.width - edge) is (inset == 0)


def test_values_that_jump_about_end_it(kit: Kit) -> None:
    jumps: list[float] = [float(value) for value in (3, 90, 1, 95, 2, 99) * 5]
    session, phone = kit(track(lambda share: jumps.pop(0)), bar=50.0)
    with pytest.raises(ActionFailed, match="not to be pinned down"):
        session.adjust(resource_id="bar", to=37)
    assert len(phone.touches) < 24


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
@pytest.mark.parametrize(("start", "to"), [(0, 73), (41, 40), (100, 0)])
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


def test_the_built_in_policies_climb_the_ladder(kit: Kit) -> None:
    session, _ = kit(track(SHAPES["whole numbers"][0], taps=False), recover=builtin, bar=40.0)
    outcome = session.adjust(resource_id="bar", to=73).expect_state(value=73)
    assert outcome.result.recovery is not None
    assert outcome.result.recovery.attempted == ("retry_adjustment",)
