"""Windows that nobody asked for: a policy gets past them and says so, and what lies below is not
gone."""

from __future__ import annotations

import pytest

from pytest_replicant import Failure, Recovery, RecoveryState, Remedy, by
from pytest_replicant.recovery import builtin
from pytest_replicant.session import RecoveryContext

from .exhibits_shown import NOT_GONE, Visit, disproved, proves, refused, refutes, shows
from .lab_phone import LabPhone


@pytest.mark.on_both
@proves("permission-question")
def test_a_question_that_nobody_expected_is_denied_and_told(lab: LabPhone) -> None:
    with lab.recorded() as (mobile, recorder):
        mobile.open_url("lab://permission-question")
        mobile.tap(text="Where am I?").expect_visible(text="We may not know")
        assert [(one.policy, one.recovered) for one in recorder.recoveries] == [
            ("permission_prompt", True)
        ]
    assert lab.events == ["location refused"]


@refutes("permission-question")
@pytest.mark.slow
def test_a_question_that_is_to_be_left_stays_and_what_it_covers_is_not_gone(
    visit: Visit, lab: LabPhone
) -> None:
    mobile = visit("permission-question", permission_prompts="leave")
    outcome = mobile.tap(text="Where am I?")
    with disproved():
        outcome.expect_visible(text="We may not know")
    with disproved(NOT_GONE):
        outcome.expect_gone(text="Where am I?")
    with disproved(NOT_GONE):
        outcome.expect_count(0, text="Where am I?")
    with refused("ELEMENT_NOT_INTERACTABLE", "covered"):
        mobile.tap(text="Where am I?")
    mobile.answer_permission("deny").expect_visible(text="Where am I?")
    assert lab.events == ["location refused"]


@proves("system-notice")
def test_a_notice_is_closed_by_a_policy_and_the_tap_counts_once(lab: LabPhone) -> None:
    with lab.recorded() as (mobile, recorder):
        mobile.open_url("lab://system-notice?delay=300")
        mobile.wait_for(text="Battery low")
        outcome = mobile.tap(text="Tap").expect_visible(text="Tapped 1 times")
        assert outcome.result.recovery is not None
        assert [(one.policy, one.recovered) for one in recorder.recoveries] == [
            ("system_dialog", True)
        ]
    assert lab.events == ["tap 1"]


@pytest.mark.on_both
@refutes("system-notice")
def test_a_notice_is_in_the_way_where_nothing_may_be_recovered(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("system-notice?delay=300", recovery="off")
    mobile.wait_for(text="Battery low")
    with refused("ELEMENT_NOT_INTERACTABLE", "Battery low"):
        mobile.tap(text="Tap")
    with disproved(NOT_GONE):
        mobile.expect_gone(text="Tap")
    assert lab.events == []


MOST = 12  # taps, in which time all three dialogs come


def no_rating(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
    """What only the app's own tests can know."""
    if failure.snapshot is not None and failure.snapshot.find_all(text="Do you like the lab?"):
        return Recovery(
            "state_refresh",
            before=(Remedy.tap(by(text="Not now")),),
            reason="a rating",
            policy="own",
        )
    return builtin(session, failure, state)


@proves("surprise-dialogs")
@pytest.mark.slow
def test_past_dialogs_at_random_each_tap_counts_once(lab: LabPhone) -> None:
    with lab.recorded(recover=no_rating) as (mobile, recorder):
        mobile.open_url("lab://surprise-dialogs?seed=1")
        for number in range(1, MOST + 1):
            mobile.tap(text="Work").expect_visible(text=f"Worked {number} times")
            lab.clock.sleep(0.6)  # what was read before counts no more
        assert [one for one in lab.events if one.startswith("worked")] == [
            f"worked {number}" for number in range(1, MOST + 1)
        ]
        assert all(one.recovered for one in recorder.recoveries)
        assert recorder.recoveries
    assert "rated" not in lab.events


@refutes("surprise-dialogs")
def test_a_dialog_of_the_apps_own_is_nothing_that_a_policy_decides(
    visit: Visit, lab: LabPhone
) -> None:
    mobile = visit("surprise-dialogs?seed=4&most=1")  # which is a rating
    lab.clock.sleep(1.5)
    with refused("ELEMENT_NOT_INTERACTABLE", "Do you like the lab"):
        mobile.tap(text="Work")
    with disproved():
        mobile.expect_visible(text="Worked 1 times")
    assert lab.events == []


def no_thanks(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
    if failure.snapshot is not None and failure.snapshot.find_all(resource_id="no_thanks"):
        close = Remedy.tap(by(resource_id="no_thanks"))
        return Recovery("state_refresh", before=(close,), reason="a survey", policy="own")
    return None


@proves("survey")
def test_a_survey_is_declined_by_a_policy_and_no_step_is_taken_twice(
    visit: Visit, lab: LabPhone
) -> None:
    mobile = visit("survey?tap=1", recover=no_thanks)
    for _ in range(3):
        mobile.tap(text="Continue")
        lab.clock.sleep(0.5)
    mobile.expect_visible(text="Done")
    assert lab.events == ["step 1 done", "did not take part", "step 2 done", "step 3 done"]


@pytest.mark.on_both
@refutes("survey")
def test_under_a_survey_a_ref_of_the_step_before_is_not_gone(visit: Visit) -> None:
    mobile = visit("place-order", recover=None)
    mobile.snapshot()  # whose title has the same id
    mobile.open_url("lab://survey?tap=1")
    ref = mobile.snapshot().one(by(resource_id="step")).ref
    mobile.tap(text="Continue")
    with disproved("not gone|cannot be decided"):
        mobile.expect_gone(ref)
    with refused("ELEMENT_NOT_INTERACTABLE"):
        mobile.tap(text="Continue")
    mobile.tap(text="No, thanks").expect_gone(text="No, thanks")


@pytest.mark.on_both
@shows("same-label")
def test_a_label_of_two_windows_is_no_choice_until_the_notice_is_closed(
    visit: Visit, lab: LabPhone
) -> None:
    mobile = visit("same-label?delay=300")
    mobile.wait_for(text="Storage almost full")
    with refused("AMBIGUOUS_TARGET"):
        mobile.tap(text="OK", timeout=0.3)
    mobile.tap(by(text="OK", near=by(text="May we send you a letter?"))).expect_visible(
        text="Agreed 1 times"
    )
    assert lab.events == ["notice closed", "agreed 1"]
