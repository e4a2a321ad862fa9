"""What comes late or goes soon: a timeout is no pass, and one look is no proof."""

from __future__ import annotations

from pytest_replicant import by

from .exhibits_shown import Visit, disproved, proves, refused, refutes
from .lab_phone import LabPhone
from .needed import LOG, needs


@proves("late-button")
def test_a_button_is_awaited_until_it_is_enabled(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("late-button?delay=900")
    mobile.tap(text="Agree").expect_visible(text="Agreed 1 times")
    assert lab.events == ["agreed 1"]


@refutes("late-button")
def test_a_disabled_button_is_not_tapped(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("late-button?delay=0")
    with refused("ELEMENT_NOT_INTERACTABLE", "disabled"):
        mobile.tap(text="Agree")
    with disproved(code="EXPECT_STATE_MISMATCH"):
        mobile.expect_state(by(text="Agree"), enabled=True)
    assert lab.events == []


@proves("late-content")
def test_late_content_is_awaited(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("late-content?delay=1000")
    mobile.expect_visible(text="Parcel 4711").expect_gone(text="Loading…")
    mobile.tap(text="Track")
    assert lab.events == ["tracked"]


@proves("late-content")
@needs(LOG)
def test_what_late_content_was_used_for_is_in_the_log(visit: Visit) -> None:
    visit("late-content?delay=300").tap(text="Track").expect_log("tracked")


@refutes("late-content")
def test_a_timeout_is_no_pass(visit: Visit) -> None:
    mobile = visit("late-content?delay=5000", recovery="off", read_on=0)
    with disproved():
        mobile.expect_visible(text="Parcel 4711", timeout=0.5)
    with disproved():
        mobile.expect_gone(text="Loading…", timeout=0.5)
    with refused("ELEMENT_NOT_FOUND"):
        mobile.tap(text="Track", timeout=0.5)


@proves("flash")
def test_what_vanished_was_seen_and_its_effect_stays(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("flash?lasts=300")
    mobile.tap(text="Save").expect_seen(text="Saved").expect_gone(text="Saved").expect_visible(text="Saves: 1")
    assert lab.events == ["saved 1"]


@refutes("flash")
def test_what_vanished_is_not_there(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("flash?lasts=300", allow=frozenset({"step_back"}))
    outcome = mobile.tap(text="Save").expect_gone(text="Saved")
    with disproved():
        outcome.expect_visible(text="Saved")
    with disproved():
        outcome.expect_seen(text="Failed")
    assert lab.events == ["saved 1"]  # the screen says that it was saved, and so nothing is saved twice


@proves("flip-back")
def test_a_switch_that_is_refused_is_off_in_the_end(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("flip-back?delay=1000")
    mobile.tap(resource_id="push").expect_seen(by(resource_id="push", checked=True))
    mobile.expect_state(by(resource_id="push"), checked=False, timeout=3)
    assert lab.events == ["switched on"]


@refutes("flip-back")
def test_a_switch_that_flips_back_does_not_stay_on(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("flip-back?delay=100", recovery="off")
    outcome = mobile.tap(resource_id="push")
    with disproved(code="EXPECT_STATE_MISMATCH"):
        outcome.expect_state(checked=True)
    with refused("SEMANTIC_MISMATCH", "still off"):
        mobile.adjust(by(resource_id="push"), True)
    assert lab.events[0] == "switched on"


@proves("closing-menu")
def test_a_menu_is_used_while_it_is_open(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("closing-menu?lasts=5000")
    mobile.tap(description="More options").expect_visible(text="By name")
    mobile.tap(text="By name").expect_visible(text="By name").expect_gone(text="Oldest first")
    assert lab.events == ["order By name"]


@refutes("closing-menu")
def test_nothing_is_tapped_where_an_entry_was(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("closing-menu?lasts=400")
    mobile.tap(description="More options").expect_gone(text="By name", timeout=3)
    with refused("ELEMENT_NOT_FOUND"):
        mobile.tap(text="By name")
    with disproved():
        mobile.expect_visible(text="Oldest first")
    assert lab.events == []
