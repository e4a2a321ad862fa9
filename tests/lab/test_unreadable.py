"""What cannot be read is neither there nor gone; and a phone that cannot be read is no failed
check."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_replicant import DeviceError, by
from pytest_replicant.drivers import Platform
from pytest_replicant.session import DeviceSession

from .exhibits_shown import Visit, disproved, proves, refused, refutes, shows
from .lab_phone import LabPhone

CHECKS: list[Callable[[DeviceSession], Any]] = [
    lambda mobile: mobile.expect_visible(text="Tap"),
    lambda mobile: mobile.expect_gone(text="Nobody"),
    lambda mobile: mobile.expect_count(0, text="Nobody"),
    lambda mobile: mobile.expect_state(by(text="Tap"), enabled=True),
    lambda mobile: mobile.expect_screen("Counter"),
    lambda mobile: mobile.tap(text="Tap"),
]


@shows("web-page")
def test_a_web_page_is_used_by_its_words(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("web-page")
    with refused("ELEMENT_NOT_FOUND"):
        mobile.tap(resource_id="dev.replicant.lab:id/ask")
    mobile.fill(text="Question", value="Where is it").expect_state(text="Where is it")
    mobile.tap(text="Ask").expect_visible(text="You asked: Where is it")
    assert lab.events == ["asked"]


@shows("bare-canvas")
def test_a_canvas_is_touched_by_place_and_proven_by_the_line_below(
    visit: Visit, lab: LabPhone
) -> None:
    mobile = visit("bare-canvas")
    with refused("ELEMENT_NOT_FOUND"):
        mobile.tap(within=by(resource_id="board"), text="Circle")
    outcome = mobile.tap_at(540, 800).expect_visible(text="Touched 1 times")
    assert outcome.result.details.get("degraded")
    assert len(lab.events) == 1


@shows("pinch-map")
def test_two_fingers_enlarge_a_map_and_one_does_not(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("pinch-map")
    with disproved():
        mobile.swipe("left", by(resource_id="map")).expect_changed()
    mobile.pinch(resource_id="map", scale=2).expect_changed()
    assert len(lab.events) == 1


@shows("slow-dump")
@pytest.mark.slow
def test_a_slow_phone_is_waited_for_and_slowness_is_no_proof(visit: Visit, lab: LabPhone) -> None:
    outcome = visit("slow-dump?delay=40").tap(text="Tap")
    with disproved():
        outcome.expect_gone(text="Tap", timeout=0.2)
    outcome.expect_visible(text="Tapped 1 times")
    assert lab.events == ["tap 1"]


@shows("stale-dump")
def test_one_late_look_does_not_make_a_tap_lost(visit: Visit, lab: LabPhone) -> None:
    outcome = visit("stale-dump", allow=frozenset({"step_back"})).tap(text="Tap")
    outcome.expect_visible(text="Tapped 1 times")
    with disproved():
        outcome.expect_unchanged()
    assert lab.events == ["tap 1"]


@pytest.mark.on_both
@refutes("truncated-dump", "no-dump")
@pytest.mark.parametrize("exhibit", ["truncated-dump?lasts=0", "no-dump?lasts=0"])
def test_what_cannot_be_read_passes_no_check_and_fails_none(lab: LabPhone, exhibit: str) -> None:
    with lab.session(expect_timeout=0.5) as mobile:
        mobile.launch("dev.replicant.lab")
        lab.phone.start_app("dev.replicant.lab", url=f"lab://{exhibit}")
        lab.clock.sleep(1)  # what was read before counts no more
        for check in CHECKS:
            with pytest.raises(DeviceError):
                check(mobile)
    assert lab.events == []


@proves("truncated-dump", "no-dump")
@pytest.mark.parametrize("exhibit", ["truncated-dump?lasts=600", "no-dump?lasts=600"])
def test_a_screen_that_comes_back_is_read_again(lab: LabPhone, exhibit: str) -> None:
    with lab.session() as mobile:
        mobile.launch("dev.replicant.lab")
        lab.phone.start_app("dev.replicant.lab", url=f"lab://{exhibit}")
        mobile.tap(text="Tap").expect_visible(text="Tapped 1 times")
    assert lab.events == ["tap 1"]


# --- deeper than the phone gives ------------------------------------------------------------------
DEPTHS = {"android": 61, "ios": 62}


@pytest.mark.on_both
@shows("deep-screen")
def test_what_a_cut_screen_shows_is_tapped_by_its_ref_and_proves_nothing_more(
    visit: Visit, lab: LabPhone, platform: Platform
) -> None:
    mobile = visit("deep-screen")
    screen = mobile.snapshot()
    assert screen.cut == DEPTHS[platform]
    assert f"(cut at {screen.cut} levels)" in screen.outline()
    with disproved("cannot be decided"):
        mobile.expect_gone(text="At the bottom")
    with refused("AMBIGUOUS_TARGET", "perhaps more"):
        mobile.tap(text="Tap")
    mobile.tap(screen.find_all(text="Tap")[0]).expect_visible(text="Tapped 1 times")
    assert lab.events == ["tap 1"]


@pytest.mark.on_both
@proves("deep-screen")
def test_a_box_that_the_phone_gives_whole_is_a_screen_as_any(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("deep-screen?levels=20")
    assert mobile.snapshot().cut == 0
    mobile.expect_count(2, text="Tap").expect_visible(text="At the bottom").expect_gone(
        text="Nobody"
    )
    mobile.tap(resource_id="tap_inside").expect_visible(text="Tapped 1 times")
    assert lab.events == ["tap 1"]


@shows("accessibility-defects")
def test_a_form_with_a_defect_does_not_pass_for_one_without(visit: Visit) -> None:
    visit("accessibility-defects").expect_no_accessibility_findings()
    mobile = visit("accessibility-defects?defect=1")
    with disproved("missing-label"):
        mobile.expect_no_accessibility_findings()
