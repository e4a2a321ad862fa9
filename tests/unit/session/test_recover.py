"""Recovery in a session: the contract of policies, its budget, remedies and refusals."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pytest_replicant import (
    ActionFailed,
    DeviceOffline,
    DeviceTimeout,
    ExpectationFailed,
    Failure,
    Recovery,
    RecoveryState,
    Remedy,
    UsageError,
    by,
)
from pytest_replicant.model import Point

from .conftest import Play
from .scripted_phone import ScriptedPhone, button, screen

ALLOWED = frozenset({"step_back"})
START = screen(button("One", 200), button("Two", 400), title="Start")
NEXT = screen(button("Three", 200), title="Next")
DIALOG = screen(button("Not now", 200), title="Rate us")

Answer = Callable[[Failure, RecoveryState], "Recovery | None"]


class Policy:
    """Answers what it is told to, and remembers what it was asked."""

    def __init__(self, answer: Answer | Recovery | None) -> None:
        self._answer = answer
        self.asked: list[tuple[Failure, RecoveryState]] = []

    def __call__(self, session: object, failure: Failure, state: RecoveryState) -> Recovery | None:
        self.asked.append((failure, state))
        return self._answer(failure, state) if callable(self._answer) else self._answer

    @property
    def counts(self) -> list[tuple[int, int]]:
        return [(state.recovery_attempts, state.retry_depth) for _, state in self.asked]


def another_each_time(strategy: str = "re_resolve") -> Answer:
    """Never the same input twice."""
    return lambda failure, state: Recovery(
        strategy,  # type: ignore[arg-type]
        target=by(text=f"Other {state.recovery_attempts}"),
    )


def test_the_budget_is_three_and_no_more(play: Play) -> None:
    policy = Policy(another_each_time())
    session, phone = play([START], recover=policy)
    with pytest.raises(ActionFailed, match="all 3 recoveries are spent") as caught:
        session.tap(text="Nowhere")
    assert policy.counts == [(0, 0), (1, 1), (2, 2)]
    assert phone.gestures == []
    state, terminal = caught.value.result.recovery, caught.value.terminal
    assert state is not None
    assert terminal is not None
    assert (state.is_terminal, state.recovery_attempts, state.retry_depth) == (True, 3, 3)
    assert terminal.attempted_recovery_strategies == ("re_resolve",) * 3
    assert terminal.to_dict()["final_state"] == "failed"


def test_the_same_is_never_tried_twice(play: Play) -> None:
    policy = Policy(Recovery("state_refresh", reason="by rote"))
    session, _ = play([START], recover=policy)
    with pytest.raises(ActionFailed, match="the same was tried on this screen already"):
        session.tap(text="Nowhere")
    assert policy.counts == [(0, 0), (1, 0)]


def test_another_screen_is_another_input(play: Play) -> None:
    policy = Policy(Recovery("state_refresh", before=(Remedy.tap(by(class_name="Button", nth=0)),)))

    def change(phone: ScriptedPhone) -> None:
        phone.frames = [DIALOG] if len(phone.gestures) == 1 else [NEXT]

    session, phone = play([START], recover=policy, on_gesture=change)
    with pytest.raises(ActionFailed):
        session.tap(text="Nowhere")
    assert policy.counts == [(0, 0), (1, 0), (2, 0)]
    assert len(phone.gestures) == 3


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (Recovery("retry_adjustment"), "AMBIGUOUS_TARGET is not retryable"),
        (Recovery("alternate_candidate"), "its target is none of the candidates"),
        (
            Recovery("alternate_candidate", target=by(text="One")),
            "its target is none of the candidates",
        ),
        (Recovery("state_refresh", target=by(text="One")), "it takes no target"),
        (Recovery("step_back", target=by(text="One")), "it takes no target"),
        (Recovery("guess"), "there is no strategy 'guess'"),  # type: ignore[arg-type]  # what is tested
    ],
)
def test_what_the_contract_forbids_is_refused(play: Play, answer: Recovery, why: str) -> None:
    session, phone = play([START], recover=Policy(answer))
    with pytest.raises(ActionFailed, match=why):
        session.tap(class_name="Button")
    assert phone.gestures == []


def test_a_candidate_is_taken_where_a_policy_names_it(play: Play) -> None:
    policy = Policy(
        lambda failure, _: Recovery("alternate_candidate", target=failure.candidates[1])
    )
    session, phone = play([START], recover=policy)
    outcome = session.tap(class_name="Button")
    assert phone.gestures == [("tap", Point(300, 450))]
    assert outcome.result.recovery is not None
    assert outcome.result.recovery.recovery_strategy == "alternate_candidate"


@pytest.mark.parametrize("remedy", [Remedy.tap(by(text="Not now")), Remedy.press_key("back")])
def test_what_comes_first_is_done_and_told(play: Play, remedy: Remedy) -> None:
    def change(phone: ScriptedPhone) -> None:
        phone.frames = [START]

    policy = Policy(Recovery("state_refresh", before=(remedy,), reason="a survey"))
    session, phone = play([DIALOG], recover=policy, on_gesture=change)
    outcome = session.tap(text="Two")
    assert [kind for kind, _ in phone.gestures] in (["tap", "tap"], ["key back", "tap"])
    recover = next(step for step in outcome.trace.steps if step.stage == "recover")
    assert recover.metadata["before"] == [remedy.describe()]
    assert recover.metadata["evidence"] == "a survey"
    assert recover.result == "success"
    assert outcome.trace.attempts == 2


def test_a_remedy_that_fails_counts_and_is_told(play: Play) -> None:
    policy = Policy(
        lambda _, state: Recovery(
            "state_refresh", (Remedy.tap(by(text=f"{state.recovery_attempts}")),)
        )
    )
    session, phone = play([START], recover=policy)
    with pytest.raises(ActionFailed) as caught:
        session.tap(text="Nowhere")
    recovers = [step for step in caught.value.result.trace.steps if step.stage == "recover"]
    assert [step.result for step in recovers] == ["failure"] * 3
    assert phone.gestures == []
    event = session._context.recorder.event_of("a1")
    assert event is not None
    assert "Recovery: tried state_refresh" in event.error, (
        "its step in the trace says what the user was told"
    )
    assert str(caught.value).startswith(event.error)


def test_a_lost_connection_is_made_anew_before_anything_was_sent(play: Play) -> None:
    policy = Policy(Recovery("state_refresh", before=(Remedy.reconnect(),)))
    session, phone = play([DeviceOffline("gone"), START], recover=policy)
    session.tap(text="One")
    assert len(phone.gestures) == 1
    assert policy.asked[0][0].code == "UNKNOWN"
    assert not policy.asked[0][0].sent


def _breaks_once(error: Exception, frames: list[bytes]) -> Callable[[ScriptedPhone], None]:
    def send(phone: ScriptedPhone) -> None:
        if len(phone.gestures) == 1:
            phone.frames = list(frames)
            raise error

    return send


@pytest.mark.parametrize("proof", ["allowed", "never left", "none"])
def test_a_tap_that_may_have_arrived_is_repeated_only_with_proof(play: Play, proof: str) -> None:
    """That nothing changed proves nothing."""
    policy = Policy(Recovery("state_refresh", before=(Remedy.reconnect(),)))
    lost = DeviceTimeout("no answer")
    lost.never_sent = proof == "never left"
    allow = ALLOWED if proof == "allowed" else frozenset()
    session, phone = play(
        [START], recover=policy, on_gesture=_breaks_once(lost, [START]), allow=allow
    )
    if proof == "none":
        with pytest.raises(
            DeviceTimeout, match="tap may have taken effect: nothing proves that it had none"
        ):
            session.tap(text="One")
        assert len(phone.gestures) == 1
        return
    session.tap(text="One")
    assert [kind for kind, _ in phone.gestures] == ["tap", "tap"]
    assert policy.asked[0][0].code == "TIMEOUT"
    assert policy.asked[0][0].sent is (proof == "allowed")


@pytest.mark.parametrize(
    "strategy", ["state_refresh", "re_resolve", "step_back", "retry_adjustment"]
)
def test_a_tap_that_may_have_arrived_is_never_repeated_where_something_changed(
    play: Play, strategy: str
) -> None:
    changed = screen(button("One", 200), button("Three", 400), title="Start")
    policy = Policy(Recovery(strategy))  # type: ignore[arg-type]  # a parameter is any string
    session, phone = play(
        [START], recover=policy, on_gesture=_breaks_once(DeviceTimeout("no answer"), [changed])
    )
    with pytest.raises(DeviceTimeout, match=r"no answer\nRecovery: .*was refused") as caught:
        session.tap(text="One")
    assert len(phone.gestures) == 1
    assert caught.value.terminal is not None
    assert caught.value.terminal.runtime_code == "TIMEOUT"


def test_a_toast_is_an_effect(play: Play) -> None:
    def send(phone: ScriptedPhone) -> None:
        phone.toast = "Ordered"
        raise DeviceTimeout("no answer")

    session, phone = play([START], recover=Policy(Recovery("state_refresh")), on_gesture=send)
    with pytest.raises(DeviceTimeout):
        session.tap(text="One")
    assert len(phone.gestures) == 1


def test_what_does_no_harm_twice_is_repeated_without_proof(play: Play) -> None:
    def send(phone: ScriptedPhone) -> None:
        phone.frames = [NEXT]
        if len(phone.gestures) == 1:
            raise DeviceTimeout("no answer")

    session, phone = play([START], recover=Policy(Recovery("state_refresh")), on_gesture=send)
    outcome = session.launch("dev.example.app")
    assert len(phone.gestures) == 2
    assert outcome.before is not None
    assert outcome.before.title == "Start"  # what the first try did belongs to the effect
    assert outcome.summary.startswith("Start → Next")


def test_a_dump_that_fails_after_the_gesture_repeats_the_dump_alone(play: Play) -> None:
    def send(phone: ScriptedPhone) -> None:
        phone.frames = [DeviceOffline("gone"), NEXT]

    policy = Policy(Recovery("state_refresh", before=(Remedy.reconnect(),)))
    session, phone = play([START], recover=policy, on_gesture=send)
    outcome = session.tap(text="One")
    assert len(phone.gestures) == 1
    assert outcome.snapshot.title == "Next"
    assert policy.asked[0][0].stage == "stabilize"


def test_a_check_looks_again_after_what_was_in_its_way_is_gone(play: Play) -> None:
    def change(phone: ScriptedPhone) -> None:
        phone.frames = [DIALOG] if len(phone.gestures) == 1 else [NEXT]

    policy = Policy(Recovery("state_refresh", before=(Remedy.tap(by(text="Not now")),)))
    session, phone = play([START], recover=policy, on_gesture=change)
    outcome = session.tap(text="One").expect_screen("Next")
    assert len(phone.gestures) == 2
    assert outcome.result.lifecycle_state == "verified"
    failure, state = policy.asked[0]
    assert (failure.code, failure.stage, state.failure_class) == (
        "VERIFICATION_FAILED",
        "verify",
        "VerificationFailure",
    )


@pytest.mark.parametrize("toast", ["", "Ordered"])
def test_stepping_back_does_nothing_twice_that_had_an_effect(play: Play, toast: str) -> None:
    def change(phone: ScriptedPhone) -> None:
        phone.toast = toast
        phone.frames = phone.frames if toast else [DIALOG]

    session, phone = play(
        [START], recover=Policy(Recovery("step_back")), on_gesture=change, allow=ALLOWED
    )
    with pytest.raises(
        ExpectationFailed, match=r"step_back was refused: tap may have taken effect"
    ):
        session.tap(text="One").expect_screen("Next")
    assert len(phone.gestures) == 1


def test_a_check_of_the_session_has_nothing_to_step_back_to(play: Play) -> None:
    session, phone = play([START], recover=Policy(Recovery("step_back")))
    with pytest.raises(ExpectationFailed, match="no action of this check"):
        session.expect_screen("Next")
    assert phone.gestures == []


@pytest.mark.parametrize("remedy", [Remedy.press_key("back"), Remedy.tap(by(text="Not now"))])
def test_what_a_remedy_takes_away_was_an_effect(play: Play, remedy: Remedy) -> None:
    """The tap opened something. With that closed the screen is as it was, and proves nothing."""

    def send(phone: ScriptedPhone) -> None:
        phone.frames = [DIALOG if len(phone.gestures) == 1 else START]
        if len(phone.gestures) == 1:
            raise DeviceTimeout("no answer")

    session, phone = play(
        [START], recover=Policy(Recovery("re_resolve", before=(remedy,))), on_gesture=send
    )
    with pytest.raises(DeviceTimeout, match="no answer"):
        session.tap(text="Two")
    assert phone.gestures == [("tap", Point(300, 450))]


@pytest.mark.parametrize(
    ("remedy", "told"),
    [
        (Remedy.relaunch(), "the test has launched no app yet"),
        (Remedy.tap("No, thanks"), 'Did you mean by(text="No, thanks")?'),
        (Remedy.tap(by(text="No, thanks")), "no match among"),
    ],
)
def test_why_a_remedy_could_not_be_done_is_in_the_message(
    play: Play, remedy: Remedy, told: str
) -> None:
    policy = Policy(Recovery("state_refresh", before=(remedy,), reason="a survey"))
    session, _ = play([START], recover=policy)
    with pytest.raises(
        ActionFailed, match=r"tried state_refresh \(a survey\), which failed: "
    ) as failed:
        session.tap(text="Three", timeout=0.2)
    assert told in str(failed.value)


@pytest.mark.parametrize(
    "answer",
    [
        Recovery("re_resolve", before=Remedy.press_key("back")),  # type: ignore[arg-type]  # what is tested
        Recovery("re_resolve", before=("back",)),  # type: ignore[arg-type]
        Recovery("re_resolve", before=(Remedy("pray"),)),  # type: ignore[arg-type]
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
    with session.on_interrupt(
        by(text="Not now"), lambda mobile: mobile.tap(text="Not now")
    ) as announced:
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
        return Recovery(
            "state_refresh",
            before=(Remedy.tap(by(text="Two" if state.attempted else "Not there")),),
        )

    def closed(phone: ScriptedPhone) -> None:
        phone.frames = [DIALOG]

    session, _ = play([START], recover=Policy(answer), on_gesture=closed)
    session.tap(text="Not now", timeout=0.3)
    assert [one.recovered for one in session._context.recorder.recoveries] == [False, True]


def test_a_check_is_given_no_other_target(play: Play) -> None:
    """It would look for the same as before, and the trace would tell of another."""
    session, _ = play([START], recover=Policy(Recovery("re_resolve", target=by(text="One"))))
    with pytest.raises(ExpectationFailed, match="a check goes on looking for what it was given"):
        session.expect_visible(text="Nowhere", timeout=0.3)


def test_an_action_that_a_check_had_done_again_was_tried_twice(play: Play) -> None:
    def change(phone: ScriptedPhone) -> None:
        phone.frames = [DIALOG] if len(phone.gestures) == 2 else [START]

    session, _ = play(
        [START], recover=Policy(Recovery("step_back")), on_gesture=change, allow=ALLOWED
    )
    outcome = session.tap(text="One")
    assert outcome.expect_visible(text="One").trace.attempts == 1
    outcome.expect_screen("Rate us")
    assert [step.stage for step in outcome.trace.steps].count("execute") == 2
    assert outcome.trace.attempts == 2
