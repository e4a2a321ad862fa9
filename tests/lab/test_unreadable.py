"""What cannot be read is neither there nor gone; and a phone that cannot be read is no failed check."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_replicant import DeviceError, by
from pytest_replicant.drivers import Platform
from pytest_replicant.session import DeviceSession

from .exhibits_shown import Visit, disproved, proves, refused, refutes
from .lab_phone import LabPhone

CHECKS: dict[str, Callable[[DeviceSession], Any]] = {
    "visible": lambda mobile: mobile.expect_visible(text="Tap"),
    "not visible": lambda mobile: mobile.expect_visible(text="Nobody"),
    "gone": lambda mobile: mobile.expect_gone(text="Nobody"),
    "count": lambda mobile: mobile.expect_count(0, text="Nobody"),
    "state": lambda mobile: mobile.expect_state(by(text="Tap"), enabled=True),
    "screen": lambda mobile: mobile.expect_screen("Counter"),
}


@proves("web-page")
def test_a_web_page_is_used_by_its_words(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("web-page")
    mobile.fill(text="Question", value="Where is it").expect_state(text="Where is it")
    mobile.tap(text="Ask").expect_visible(text="You asked: Where is it")
    assert lab.events == ["asked"]


@refutes("web-page")
def test_a_web_page_that_was_asked_nothing_says_nothing(visit: Visit) -> None:
    mobile = visit("web-page")
    with disproved():
        mobile.tap(text="Ask").expect_visible(text="You asked: Where is it")
    with refused("ELEMENT_NOT_FOUND"):
        mobile.tap(resource_id="dev.replicant.lab:id/ask")


@proves("bare-canvas")
def test_a_canvas_is_touched_by_place_and_proven_by_the_line_below(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("bare-canvas")
    outcome = mobile.tap_at(540, 800).expect_visible(text="Touched 1 times")
    assert outcome.result.details.get("degraded")
    assert len(lab.events) == 1


@refutes("bare-canvas")
def test_nothing_is_found_inside_a_canvas(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("bare-canvas")
    with refused("ELEMENT_NOT_FOUND"):
        mobile.tap(within=by(resource_id="board"), text="Circle")
    with disproved():
        mobile.expect_visible(text="Touched 1 times")
    assert lab.events == []


@proves("pinch-map")
def test_two_fingers_enlarge_a_map(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("pinch-map")
    mobile.pinch(resource_id="map", scale=2).expect_changed()
    assert len(lab.events) == 1


@refutes("pinch-map")
def test_one_finger_does_not(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("pinch-map")
    outcome = mobile.swipe("left", by(resource_id="map"))
    with disproved():
        outcome.expect_changed()
    assert lab.events == []


@proves("slow-dump")
@pytest.mark.slow
def test_a_slow_phone_is_waited_for(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("slow-dump?delay=40")
    mobile.tap(text="Tap").expect_visible(text="Tapped 1 times")
    assert lab.events == ["tap 1"]


@refutes("slow-dump")
@pytest.mark.slow
def test_slowness_is_no_proof(visit: Visit) -> None:
    mobile = visit("slow-dump?delay=40")
    outcome = mobile.tap(text="Tap")
    with disproved():
        outcome.expect_gone(text="Tap", timeout=0.2)
    with disproved():
        outcome.expect_visible(text="Tapped 2 times", timeout=0.2)


@proves("stale-dump")
def test_one_late_look_does_not_make_a_tap_lost(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("stale-dump", allow=frozenset({"step_back"}))
    mobile.tap(text="Tap").expect_visible(text="Tapped 1 times")
    assert lab.events == ["tap 1"]


@refutes("stale-dump")
def test_what_a_late_look_shows_is_not_there_any_more(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("stale-dump")
    outcome = mobile.tap(text="Tap")
    with disproved():
        outcome.expect_visible(text="Tapped 0 times")
    with disproved():
        outcome.expect_unchanged()
    assert lab.events == ["tap 1"]


@proves("truncated-dump")
def test_half_a_hierarchy_is_waited_out(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("counter")
    mobile.open_url("lab://truncated-dump?lasts=600")
    mobile.tap(text="Tap").expect_visible(text="Tapped 1 times")
    assert lab.events == ["tap 1"]


@pytest.mark.on_both
@refutes("truncated-dump", "no-dump")
@pytest.mark.parametrize("exhibit", ["truncated-dump?lasts=0", "no-dump?lasts=0"])
@pytest.mark.parametrize("check", CHECKS)
def test_what_cannot_be_read_passes_no_check_and_fails_none(lab: LabPhone, exhibit: str, check: str) -> None:
    with lab.session(expect_timeout=0.5) as mobile:
        mobile.launch("dev.replicant.lab")
        lab.phone.start_app("dev.replicant.lab", url=f"lab://{exhibit}")
        lab.clock.sleep(1)  # what was read before counts no more
        with pytest.raises(DeviceError):
            CHECKS[check](mobile)


@pytest.mark.on_both
@refutes("truncated-dump", "no-dump")
@pytest.mark.parametrize("exhibit", ["truncated-dump?lasts=0", "no-dump?lasts=0"])
def test_nothing_is_tapped_on_what_cannot_be_read(lab: LabPhone, exhibit: str) -> None:
    with lab.session() as mobile:
        mobile.launch("dev.replicant.lab")
        lab.phone.start_app("dev.replicant.lab", url=f"lab://{exhibit}")
        lab.clock.sleep(1)
        with pytest.raises(DeviceError):
            mobile.tap(text="Tap")
    assert lab.events == []


@proves("no-dump")
def test_a_screen_that_comes_back_is_read_again(lab: LabPhone) -> None:
    with lab.session() as mobile:
        mobile.launch("dev.replicant.lab")
        lab.phone.start_app("dev.replicant.lab", url="lab://no-dump?lasts=600")
        mobile.expect_visible(text="Tapped 0 times")
        mobile.tap(text="Tap").expect_visible(text="Tapped 1 times")
    assert lab.events == ["tap 1"]


# --- deeper than the phone gives ----------------------------------------------------------------------------
DEPTHS = {"android": 61, "ios": 62}


@pytest.mark.on_both
@proves("deep-screen")
def test_what_a_cut_screen_shows_is_proven_and_tapped_by_its_ref(
    visit: Visit, lab: LabPhone, platform: Platform
) -> None:
    mobile = visit("deep-screen")
    screen = mobile.snapshot()
    assert screen.cut == DEPTHS[platform]
    assert f"(cut at {screen.cut} levels)" in screen.outline()
    mobile.tap(screen.find_all(text="Tap")[0]).expect_visible(text="Tapped 1 times")
    assert lab.events == ["tap 1"]


@pytest.mark.on_both
@refutes("deep-screen")
def test_what_is_not_shown_is_neither_gone_nor_counted_nor_the_only_one(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("deep-screen")
    with disproved("cannot be decided"):
        mobile.expect_gone(text="At the bottom")
    with disproved("cannot be decided"):
        mobile.expect_count(1, text="Tap")
    with disproved("cannot be decided", code="EXPECT_STATE_MISMATCH"):
        mobile.expect_state(by(text="Tap"), enabled=True)
    with refused("AMBIGUOUS_TARGET", "perhaps more"):
        mobile.tap(text="Tap")
    assert lab.events == []


@pytest.mark.on_both
@proves("deep-screen")
def test_a_box_that_the_phone_gives_whole_is_a_screen_as_any(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("deep-screen?levels=20")
    assert mobile.snapshot().cut == 0
    mobile.expect_count(2, text="Tap").expect_visible(text="At the bottom").expect_gone(text="Nobody")
    mobile.tap(resource_id="tap_inside").expect_visible(text="Tapped 1 times")
    assert lab.events == ["tap 1"]


@proves("accessibility-defects")
def test_a_form_that_all_can_use_has_no_findings(visit: Visit) -> None:
    mobile = visit("accessibility-defects")
    mobile.expect_no_accessibility_findings()
    mobile.tap(resource_id="search").expect_visible(text="Searched").expect_no_accessibility_findings()


@refutes("accessibility-defects")
def test_a_form_with_a_defect_does_not_pass_for_one_without(visit: Visit) -> None:
    for defect, rule in ((1, "missing-label"), (4, "touch-target")):
        mobile = visit(f"accessibility-defects?defect={defect}")
        with disproved(rule):
            mobile.expect_no_accessibility_findings()
        mobile.expect_no_accessibility_findings(ignore=[rule])
