"""Backends that fail, apps that hang and die: each fails as what it is."""

from __future__ import annotations

import pytest

from pytest_replicant.session import unexplained_crash
from pytest_replicant.virtual.demo_apps.lab import PACKAGE

from .exhibits_shown import DIED, Visit, disproved, proves, refused, refutes
from .lab_phone import LabPhone
from .needed import CRASH_REPORTS, LOG, QUESTION_OF_A_HANG, needs

REQUEST = "--> GET https://api.lab.replicant.dev/v1/parcels"
STEP_BACK = frozenset({"step_back"})


@proves("backend")
def test_the_content_is_the_proof(visit: Visit) -> None:
    outcome = visit("backend?delay=500").tap(text="Load").expect_visible(text="Two parcels are on their way")
    assert outcome.classify().outcome == "success"


@proves("backend")
@needs(LOG)
def test_the_log_is_evidence_besides(visit: Visit) -> None:
    outcome = visit("backend?delay=500").tap(text="Load")
    outcome.expect_visible(text="Two parcels are on their way").expect_log("200 OK")
    assert outcome.classify().outcome == "success"


@refutes("backend")
def test_a_request_that_succeeded_is_no_content(visit: Visit) -> None:
    outcome = visit("backend?delay=500").tap(text="Load")
    with disproved():
        outcome.expect_visible(text="Three parcels are on their way")


@refutes("backend")
@needs(LOG)
def test_a_request_that_succeeded_is_none_that_failed(visit: Visit) -> None:
    outcome = visit("backend?delay=500").tap(text="Load")
    with disproved():
        outcome.expect_log("HTTP 500")


@proves("failing-backend")
def test_a_backend_that_fails_shows_on_the_screen(visit: Visit, lab: LabPhone) -> None:
    visit("failing-backend?delay=300").tap(text="Load").expect_visible(text="Could not load")
    assert lab.log.count(REQUEST) == 1


@proves("failing-backend")
@needs(LOG)
def test_a_backend_that_fails_is_told_with_its_status(visit: Visit) -> None:
    outcome = visit("failing-backend?delay=300").tap(text="Load").expect_log("HTTP 500")
    outcome.expect_visible(text="Could not load")


@refutes("failing-backend")
def test_a_failing_backend_is_asked_once(visit: Visit, lab: LabPhone) -> None:
    outcome = visit("failing-backend?delay=300", allow=STEP_BACK).tap(text="Load")
    with disproved():
        outcome.expect_visible(text="Two parcels are on their way")
    assert lab.log.count(REQUEST) == 1


@refutes("failing-backend")
@needs(LOG)
def test_a_failing_backend_is_what_failed_the_check(visit: Visit, lab: LabPhone) -> None:
    outcome = visit("failing-backend?delay=300", allow=STEP_BACK).tap(text="Load")
    with disproved():
        outcome.expect_visible(text="Two parcels are on their way")
    told = outcome.classify()
    assert told.outcome == "backend_failure"
    assert "500" in told.reason
    assert lab.log.count(REQUEST) == 1


@proves("silent-backend")
@needs(LOG)
def test_what_the_screen_does_not_say_the_log_does(visit: Visit, lab: LabPhone) -> None:
    outcome = visit("silent-backend?delay=300").tap(text="Load")
    lab.clock.sleep(0.5)
    assert outcome.classify().outcome == "backend_failure"
    outcome.expect_log("HTTP 500")


@refutes("silent-backend")
@needs(LOG)
def test_a_silent_failure_is_no_lost_tap(visit: Visit, lab: LabPhone) -> None:
    outcome = visit("silent-backend?delay=300", allow=STEP_BACK).tap(text="Load")
    with disproved("step_back was refused"):
        outcome.expect_visible(text="Two parcels are on their way")
    assert lab.log.count(REQUEST) == 1


@refutes("silent-backend")
def test_a_silent_failure_brings_no_content(visit: Visit, lab: LabPhone) -> None:
    outcome = visit("silent-backend?delay=300").tap(text="Load")
    with disproved():
        outcome.expect_visible(text="Two parcels are on their way")
    assert lab.log.count(REQUEST) == 1


@proves("hang")
def test_an_app_that_hangs_for_a_while_is_waited_for_and_the_tap_counts_once(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("hang?lasts=2000")
    mobile.tap(text="Sort")
    mobile.tap(text="Tap").expect_visible(text="Tapped 1 times", timeout=4)
    assert lab.events == ["sorting", "tap 1"]


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
@pytest.mark.parametrize("settings", [{"recovery": "off"}, {}])
def test_an_app_that_hangs_has_not_counted_yet(visit: Visit, lab: LabPhone, settings: dict[str, object]) -> None:
    mobile = visit("hang?lasts=30000", **settings)
    mobile.tap(text="Sort")
    outcome = mobile.tap(text="Tap")
    with disproved():
        outcome.expect_visible(text="Tapped 1 times", timeout=1)
    lab.clock.sleep(40)
    assert lab.events.count("tap 1") <= 1
    assert "tap 2" not in lab.events


@proves("crash")
def test_an_app_that_crashed_runs_no_more(visit: Visit, lab: LabPhone) -> None:
    visit("crash").tap(text="Weigh").expect_app("stopped", PACKAGE).expect_gone(text="Weigh")
    assert lab.log.count("FATAL EXCEPTION") == 1


@proves("crash")
@needs(CRASH_REPORTS)
def test_a_crash_is_known_as_one(visit: Visit) -> None:
    mobile = visit("crash")
    mobile.tap(text="Weigh").expect_app("stopped", PACKAGE)
    assert [crash.app for crash in mobile.crashes()] == [PACKAGE]
    death = unexplained_crash(mobile)
    assert death is not None
    assert "NullPointerException" in death.message


@pytest.mark.on_both
@refutes("crash")
def test_what_a_crash_took_along_is_missed_and_the_death_is_told(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("crash", allow=frozenset({"step_back"}))
    outcome = mobile.tap(text="Weigh")
    with disproved(DIED):
        outcome.expect_visible(text="Do not press")
    with refused("ELEMENT_NOT_FOUND", DIED):
        mobile.tap(text="Apples", timeout=0.3)
    assert lab.log.count("FATAL EXCEPTION") == 1


@refutes("crash")
@needs(CRASH_REPORTS)
def test_a_crash_fails_as_a_crash(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("crash", allow=frozenset({"step_back", "relaunch"}))
    outcome = mobile.tap(text="Weigh")
    with disproved("NullPointerException"):
        outcome.expect_no_crash()
    with disproved("NullPointerException"):
        outcome.expect_visible(text="Do not press")
    with refused("ELEMENT_NOT_FOUND", "NullPointerException"):
        mobile.tap(text="Apples", timeout=0.3)
    assert lab.log.count("FATAL EXCEPTION") == 1


@proves("background-crash")
def test_an_app_that_died_in_the_background_is_stopped(visit: Visit) -> None:
    mobile = visit("background-crash?delay=500")
    mobile.tap(text="Synchronise").expect_visible(text="Synchronising")
    mobile.home()
    mobile.expect_app("stopped", PACKAGE)


@proves("background-crash")
@needs(CRASH_REPORTS)
def test_a_death_in_the_background_is_noticed(visit: Visit) -> None:
    mobile = visit("background-crash?delay=500")
    mobile.tap(text="Synchronise").expect_no_crash()
    mobile.home()
    mobile.expect_app("stopped", PACKAGE)
    assert unexplained_crash(mobile) is not None


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
    mobile.open_url("lab://background-crash").expect_screen("Crash in the background")
    with disproved():
        mobile.expect_visible(text="Synchronising")


@refutes("background-crash")
@needs(CRASH_REPORTS)
def test_a_screen_that_looks_as_it_should_does_not_hide_a_death(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("background-crash?delay=300")
    outcome = mobile.tap(text="Synchronise").expect_visible(text="Synchronising")
    lab.clock.sleep(1)
    with disproved("NullPointerException"):
        outcome.expect_no_crash()
    mobile.open_url("lab://background-crash").expect_screen("Crash in the background")
    with disproved():
        mobile.expect_visible(text="Synchronising")
    assert unexplained_crash(mobile) is not None
