"""Controls are set to what was asked for, or it is said what they were set to instead."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_replicant import by
from pytest_replicant.model import Point

from .exhibits_shown import Visit, disproved, proves, refused, refutes, shows
from .lab_phone import LabPhone
from .needed import CHECKED_APART, needs


@pytest.mark.parametrize(
    ("link", "target", "to", "event"),
    [
        ("stepped-slider", "slider", 30, "stepped-slider set to 30"),
        ("stepped-slider", "slider", 100, "stepped-slider set to 100"),
        ("vertical-slider", "slider", 7, "vertical-slider set to 7"),
        ("vertical-slider", "slider", 93, "vertical-slider set to 93"),
        ("stepper", "guests", 9, "stepper set to 9"),
        ("stepper", "guests", 1, "stepper set to 1"),
        ("halves", "heating", 27, "halves set to 27"),
        ("halves", "heating", 5, "halves set to 5"),
        ("spoken-control", "brightness", 60, "spoken-control set to 60"),
        ("spoken-control", "brightness", 47, "spoken-control set to 47"),
        ("dropdown", "size", "Extra large", "size Extra large"),
        ("segments", "day", "Month", "span Month"),
        ("segments", "month", "Day", "span Day"),
    ],
)
@proves(
    "stepped-slider",
    "vertical-slider",
    "stepper",
    "halves",
    "spoken-control",
    "dropdown",
    "segments",
)
def test_what_can_be_set_is_set(
    visit: Visit, lab: LabPhone, link: str, target: str, to: Any, event: str
) -> None:
    visit(link).adjust(by(resource_id=target), to)
    assert lab.events[-1] == event


@pytest.mark.parametrize(
    ("link", "target", "to", "code", "why"),
    [
        (
            "stepped-slider",
            "slider",
            33,
            "CONTROL_CONVERGENCE_FAILED",
            "no value between 30 and 40",
        ),
        ("vertical-slider", "slider", 140, "CONTROL_CONVERGENCE_FAILED", "no further than 100"),
        ("stepper?most=4", "guests", 9, "CONTROL_CONVERGENCE_FAILED", "no further than 4"),
        ("halves", "heating", 40, "CONTROL_CONVERGENCE_FAILED", "no further than 30"),
        ("spoken-control", "brightness", 170, "CONTROL_CONVERGENCE_FAILED", "no further than 100"),
        ("silent-slider", "slider", 50, "SEMANTIC_MISMATCH", "reports no number"),
        ("segments", "day", "Year", "ELEMENT_NOT_FOUND", "it offers"),
        ("dropdown", "size", "Huge", "ELEMENT_NOT_FOUND", "Extra large"),
    ],
)
@refutes(
    "stepped-slider",
    "vertical-slider",
    "stepper",
    "halves",
    "spoken-control",
    "segments",
    "dropdown",
)
def test_what_cannot_be_set_says_why(
    visit: Visit, link: str, target: str, to: Any, code: str, why: str
) -> None:
    with refused(code, why):
        visit(link).adjust(by(resource_id=target), to, timeout=0.5)


@refutes("stepped-slider")
def test_what_is_set_again_is_compared_with_what_was_before_the_first_time(visit: Visit) -> None:
    outcome = visit("stepped-slider", allow=frozenset({"step_back"})).adjust(
        by(resource_id="slider"), 70
    )
    with disproved("tried step_back"):
        outcome.expect_visible(text="Up to £90")
    outcome.expect_changed()


@shows("silent-slider")
def test_the_line_that_shows_the_effect_is_what_is_checked(visit: Visit) -> None:
    mobile = visit("silent-slider")
    with disproved(code="EXPECT_STATE_MISMATCH", match="not reported"):
        mobile.expect_state(by(resource_id="slider"), value=40)
    mobile.swipe("right", by(resource_id="slider")).expect_changed().expect_visible(
        text="Text is large"
    )


@refutes("segments")
@needs(CHECKED_APART)
def test_what_is_selected_is_not_checked(visit: Visit) -> None:
    outcome = visit("segments").tap(text="Month").expect_state(selected=True)
    with disproved(code="EXPECT_STATE_MISMATCH"):
        outcome.expect_state(checked=True)


@refutes("dropdown")
def test_a_list_that_stays_open_since_its_tap_was_lost_chose_nothing(
    visit: Visit, lab: LabPhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    mobile = visit("dropdown", recovery="off")
    driver, taps = mobile._context.driver, []
    real = driver.tap

    def second_is_lost(point: Point) -> None:
        taps.append(point)
        if len(taps) != 2:
            real(point)

    monkeypatch.setattr(driver, "tap", second_is_lost)
    with refused("ACTION_REJECTED", "still open"):
        mobile.select(by(resource_id="size"), "Large")
    assert (len(taps), lab.events) == (2, [])
