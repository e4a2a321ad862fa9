"""What a policy answers, taken for what it is: nothing of it breaks the session, or acts while it is asked."""

from __future__ import annotations

import pytest

from pytest_replicant import (
    ActionFailed,
    ExpectationFailed,
    Failure,
    Recovery,
    RecoveryState,
    Remedy,
    UsageError,
    by,
)

from .conftest import Play
from .scripted_phone import ScriptedPhone
from .test_recover import DIALOG, START, Policy


@pytest.mark.parametrize(
    "answer",
    [
        Recovery("re_resolve", before=Remedy.press_key("back")),  # type: ignore[arg-type]  # what is tested
        Recovery("re_resolve", before=("back",)),  # type: ignore[arg-type]
        Recovery("re_resolve", before=(Remedy("pray"),)),  # type: ignore[arg-type]
        Recovery("re_resolve", before=(Remedy.tap(7),)),  # type: ignore[arg-type]
        Recovery("re_resolve", target=[]),  # type: ignore[arg-type]
        Recovery("re_resolve", params=None),  # type: ignore[arg-type]
        Recovery("re_resolve", params={1: 2, "mode": "keys"}),  # type: ignore[dict-item]
        Recovery("re_resolve", reason=None),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_answer_is_said_to_be_none(play: Play, answer: Recovery) -> None:
    session, _ = play([START], recover=Policy(answer))
    with pytest.raises(UsageError, match="pytest_replicant_recover answered"):
        session.tap(text="Nowhere", timeout=0.3)


def test_a_reason_is_one_line_of_bearable_length(play: Play) -> None:
    policy = Policy(Recovery("state_refresh", reason="told at\nlength " * 100_000))
    session, _ = play([START], recover=policy)
    with pytest.raises(ActionFailed, match="told at length") as caught:
        session.tap(text="Nowhere", timeout=0.3)
    assert len(str(caught.value)) < 2000


def test_a_policy_that_looks_is_not_interrupted(play: Play) -> None:
    """What would be done about it is an action, and nothing is done while a policy is asked."""
    seen: list[str] = []

    def looks(failure: Failure, state: RecoveryState) -> Recovery | None:
        phone.frames = [DIALOG]
        phone.clock.advance(1)
        seen.append(session.snapshot().title)
        return None

    def closed(phone: ScriptedPhone) -> None:
        phone.frames = [START]

    session, phone = play([START], recover=Policy(looks), on_gesture=closed)
    with session.on_interrupt(by(text="Not now"), lambda mobile: mobile.tap(text="Not now")) as announced:
        with pytest.raises(ActionFailed):
            session.tap(text="Nowhere", timeout=0.3)
        assert (seen, announced.count) == (["Rate us"], 0)
        session.tap(text="One")
    assert announced.count == 1


@pytest.mark.parametrize("raised", [KeyError("of the policy"), KeyboardInterrupt()])
def test_a_check_whose_policy_raises_is_in_the_trace(play: Play, raised: BaseException) -> None:
    def wrong(failure: Failure, state: RecoveryState) -> Recovery | None:
        raise raised

    session, _ = play([START], recover=Policy(wrong))
    outcome = session.tap(text="One")
    with pytest.raises(type(raised)):
        outcome.expect_visible(text="Nowhere", timeout=0.3)
    check = session._context.recorder.checks[-1]
    assert (check.kind, check.result) == ("expect_visible", "error")
    assert check.trace is not None
    assert [(step.stage, step.result) for step in check.trace.steps] == [("verify", "failure")]
    outcome.expect_visible(text="One")  # and the session is still good for something


def test_what_could_not_be_done_has_mended_nothing(play: Play) -> None:
    def answer(failure: Failure, state: RecoveryState) -> Recovery:
        return Recovery("state_refresh", before=(Remedy.tap(by(text="Two" if state.attempted else "Not there")),))

    def closed(phone: ScriptedPhone) -> None:
        phone.frames = [DIALOG]

    session, _ = play([START], recover=Policy(answer), on_gesture=closed)
    session.tap(text="Not now", timeout=0.3)
    assert [one.mended for one in session._context.recorder.recoveries] == [False, True]


def test_a_check_is_given_no_other_target(play: Play) -> None:
    """It would look for the same as before, and the trace would tell of another."""
    session, _ = play([START], recover=Policy(Recovery("re_resolve", target=by(text="One"))))
    with pytest.raises(ExpectationFailed, match="a check goes on looking for what it was given"):
        session.expect_visible(text="Nowhere", timeout=0.3)


def test_an_action_that_a_check_had_done_again_was_tried_twice(play: Play) -> None:
    def change(phone: ScriptedPhone) -> None:
        phone.frames = [DIALOG] if len(phone.gestures) == 2 else [START]

    session, _ = play([START], recover=Policy(Recovery("step_back")), on_gesture=change)
    outcome = session.tap(text="One")
    assert outcome.expect_visible(text="One").trace.attempts == 1
    outcome.expect_screen("Rate us")
    assert [step.stage for step in outcome.trace.steps].count("execute") == 2
    assert outcome.trace.attempts == 2
