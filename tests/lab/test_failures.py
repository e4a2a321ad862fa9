"""Backends that fail, apps that hang and die: each fails as what it is."""

from __future__ import annotations

import pytest

from pytest_replicant.session import unexplained_crash

from .exhibits_shown import DIED, Visit, disproved, proves, refused, refutes, shows
from .lab_phone import PACKAGE, LabPhone
from .needed import CRASH_REPORTS, LOG, QUESTION_OF_A_HANG, needs

REQUEST = "--> GET https://api.lab.replicant.dev/v1/parcels"
STEP_BACK = frozenset({"step_back"})


@shows("backend")
def test_the_content_is_the_proof(visit: Visit) -> None:
    outcome = (
        visit("backend?delay=500")
        .tap(text="Load")
        .expect_visible(text="Two parcels are on their way")
    )
    with disproved():
        outcome.expect_visible(text="Three parcels are on their way", timeout=0.3)


@shows("failing-backend")
@needs(LOG)
def test_a_failing_backend_is_asked_once_and_is_what_failed_the_check(
    visit: Visit, lab: LabPhone
) -> None:
    outcome = visit("failing-backend?delay=300", allow=STEP_BACK).tap(text="Load")
    outcome.expect_log("HTTP 500").expect_visible(text="Could not load")
    with disproved():
        outcome.expect_visible(text="Two parcels are on their way")
    guess = outcome.classify()
    assert (guess.outcome, "500" in guess.reason) == ("backend_failure", True)
    assert lab.log.count(REQUEST) == 1


@refutes("silent-backend")
@needs(LOG)
def test_a_silent_failure_is_no_lost_tap(visit: Visit, lab: LabPhone) -> None:
    outcome = visit("silent-backend?delay=300", allow=STEP_BACK).tap(text="Load")
    with disproved("step_back was refused"):
        outcome.expect_visible(text="Two parcels are on their way")
    assert lab.log.count(REQUEST) == 1


@proves("hang")
@needs(QUESTION_OF_A_HANG)
def test_an_app_that_hangs_is_waited_for_and_the_tap_counts_once(lab: LabPhone) -> None:
    with lab.recorded(action_timeout=6.0) as (mobile, recorder):
        mobile.open_url("lab://hang?lasts=8000")
        mobile.tap(text="Sort")
        mobile.tap(text="Tap").expect_visible(text="Tapped 1 times", timeout=6)
        assert [one.policy for one in recorder.recoveries if one.recovered] == ["anr_dialog"]
    assert lab.events == ["sorting", "tap 1"]


@refutes("hang")
def test_an_app_that_hangs_has_not_counted_yet(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("hang?lasts=30000")
    mobile.tap(text="Sort")
    outcome = mobile.tap(text="Tap")
    with disproved():
        outcome.expect_visible(text="Tapped 1 times", timeout=1)
    lab.clock.sleep(40)
    assert lab.events.count("tap 1") <= 1
    assert "tap 2" not in lab.events


@pytest.mark.on_both
@refutes("crash")
def test_what_a_crash_took_along_is_missed_and_the_death_is_reported(
    visit: Visit, lab: LabPhone
) -> None:
    mobile = visit("crash", allow=STEP_BACK)
    outcome = mobile.tap(text="Weigh")
    with disproved(DIED):
        outcome.expect_visible(text="Do not press")
    with refused("ELEMENT_NOT_FOUND", DIED):
        mobile.tap(text="Apples", timeout=0.3)
    assert lab.log.count("FATAL EXCEPTION") == 1


@shows("crash")
@needs(CRASH_REPORTS)
def test_a_crash_fails_as_a_crash(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("crash", allow=STEP_BACK | {"relaunch"})
    outcome = mobile.tap(text="Weigh").expect_app("stopped", PACKAGE)
    with disproved("NullPointerException"):
        outcome.expect_no_crash()
    with disproved("NullPointerException"):
        outcome.expect_visible(text="Do not press")
    death = unexplained_crash(mobile)
    assert death is not None
    assert "NullPointerException" in death.message
    assert lab.log.count("FATAL EXCEPTION") == 1


@pytest.mark.on_both
@refutes("background-crash")
def test_an_app_that_died_in_the_background_does_not_go_on(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("background-crash?delay=300")
    mobile.tap(text="Synchronise").expect_visible(text="Synchronising")
    lab.clock.sleep(1)
    with disproved(DIED):
        mobile.expect_visible(text="Synchronising")
    with disproved():
        mobile.expect_app("background", PACKAGE)


@proves("background-crash")
@needs(CRASH_REPORTS)
def test_a_screen_that_looks_as_it_should_does_not_hide_a_death(visit: Visit) -> None:
    mobile = visit("background-crash?delay=500")
    mobile.tap(text="Synchronise").expect_no_crash()
    mobile.home()
    mobile.expect_app("stopped", PACKAGE)
    mobile.open_url("lab://background-crash").expect_screen("Crash in the background")
    assert unexplained_crash(mobile) is not None
