"""What comes late or goes soon: a timeout is no pass, and one look is no proof."""

from __future__ import annotations

from pytest_replicant import by

from .exhibits_shown import Visit, disproved, proves, refused, refutes, shows
from .lab_phone import LabPhone


@shows("late-button")
def test_a_button_is_awaited_until_it_is_enabled(visit: Visit, lab: LabPhone) -> None:
    with refused("ELEMENT_NOT_INTERACTABLE", "disabled"):
        visit("late-button?delay=0").tap(text="Agree")
    visit("late-button?delay=900").tap(text="Agree").expect_visible(text="Agreed 1 times")
    assert lab.events == ["agreed 1"]


@proves("late-content")
def test_late_content_is_awaited(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("late-content?delay=1000")
    mobile.expect_visible(text="Parcel 4711").expect_gone(text="Loading…")
    mobile.tap(text="Track")
    assert lab.events == ["tracked"]


@refutes("late-content")
def test_a_timeout_is_no_pass(visit: Visit) -> None:
    mobile = visit("late-content?delay=5000", recovery="off", read_on=0)
    with disproved():
        mobile.expect_visible(text="Parcel 4711", timeout=0.5)
    with refused("ELEMENT_NOT_FOUND"):
        mobile.tap(text="Track", timeout=0.5)


@shows("flash")
def test_what_vanished_was_seen_and_its_effect_stays(visit: Visit, lab: LabPhone) -> None:
    outcome = visit("flash?lasts=300", allow=frozenset({"step_back"})).tap(text="Save")
    outcome.expect_seen(text="Saved").expect_gone(text="Saved")
    with disproved():
        outcome.expect_visible(text="Saved")
    assert lab.events == [
        "saved 1"
    ]  # the screen says that it was saved, and so nothing is saved twice


@shows("flip-back")
def test_a_switch_that_flips_back_does_not_stay_on(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("flip-back?delay=100", recovery="off")
    mobile.tap(resource_id="push").expect_seen(by(resource_id="push", checked=True)).expect_state(
        checked=False
    )
    with refused("SEMANTIC_MISMATCH", "still off"):
        mobile.adjust(by(resource_id="push"), True)
    assert lab.events[0] == "switched on"


@shows("closing-menu")
def test_a_menu_is_used_while_it_is_open_and_not_where_it_was(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("closing-menu?lasts=400")
    mobile.tap(description="More options").expect_gone(text="By name", timeout=3)
    with refused("ELEMENT_NOT_FOUND"):
        mobile.tap(text="By name")
    mobile.tap(description="More options")
    mobile.tap(text="By name").expect_gone(text="Oldest first")
    assert lab.events == ["order By name"]
