"""An error of something else, as a test's time-out or Ctrl-C, ends a step: it failed, and none
passed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_replicant import ReplicantError, by
from pytest_replicant.model import ManualClock, RaisedError, TestFacts, TraceEvent
from pytest_replicant.session import DeviceSession, Recorder, build_session

from ..conftest import Play
from ..scripted_phone import ScriptedPhone, button, screen

HOME = screen(button("Go"), title="Home")
FACTS = TestFacts("tests/test_it.py::test_it", 0, "failed", "", 0)
GO = by(text="Go")

Step = Callable[[DeviceSession], object]
ENDING: dict[str, Step] = {
    "wait_for": lambda mobile: mobile.wait_for(text="Never"),
    "wait_for_any": lambda mobile: mobile.wait_for_any(
        one=by(text="Never"), two=by(text="Nor this")
    ),
    "wait_for_change": lambda mobile: mobile.wait_for_change(),
    "expect_visible": lambda mobile: mobile.expect_visible(text="Never"),
    "expect_gone": lambda mobile: mobile.soft.expect_gone(text="Never"),
    "tap": lambda mobile: mobile.tap(text="Never"),
    "scroll_to": lambda mobile: mobile.scroll_to(text="Never"),
    "collect": lambda mobile: mobile.collect(text="Never"),
    "drag": lambda mobile: mobile.drag(GO, by(text="Never")),
}
ERRORS = (RuntimeError("watchdog"), KeyboardInterrupt(), pytest.fail.Exception("Timeout (>3.0s)"))


def linked(
    recorder: Recorder, error: BaseException, message: str
) -> tuple[RaisedError, dict[str, TraceEvent]]:
    raised = RaisedError(message, type(error).__name__, failure=recorder.record_of(error))
    trace = recorder.finish(FACTS, (raised,))
    return trace.failures[0], {event.id: event for event in trace.events}


@pytest.mark.parametrize("verb", ENDING)
@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_the_interrupted_step_is_the_failed_one_and_never_met(
    play: Play, verb: str, error: BaseException
) -> None:
    frames: list[Any] = [HOME, error]
    session, _ = play(frames)
    with pytest.raises(type(error)) as raised:
        ENDING[verb](session)
    assert raised.value is error
    failure, events = linked(session._context.recorder, error, "masked: ~~~")
    event = events[failure.step]
    assert event.title.startswith(verb)
    assert event.failure is not None
    assert event.failure.exception == type(error).__name__
    assert event.error == (str(error) or type(error).__name__)
    if event.kind == "wait":
        assert event.details["result"] == "interrupted"
        assert event.failure.screen == "Home"
    if event.check is not None:
        assert event.check.result == "error"
    if event.result is not None:
        assert event.result.lifecycle_state == "failed"
        assert not event.result.success


def test_two_errors_of_one_text_each_have_their_own_step(play: Play) -> None:
    session, phone = play([HOME])
    first, second = RuntimeError("again"), RuntimeError("again")
    for error in (first, second):
        phone.frames = [error]
        with pytest.raises(RuntimeError):
            session.wait_for(text="Never")
    recorder = session._context.recorder
    assert [linked(recorder, error, "again")[0].step for error in (first, second)] == [
        "wait-0",
        "wait-1",
    ]
    assert linked(recorder, RuntimeError("again"), "again")[0].step == ""


def test_a_handler_that_fails_interrupts_the_wait_that_called_it(play: Play) -> None:
    session, _ = play([HOME])

    def close(mobile: DeviceSession) -> None:
        pytest.fail("the handler's own")

    with session.on_interrupt(GO, close), pytest.raises(pytest.fail.Exception) as raised:
        session.wait_for(text="Never")
    failure, events = linked(session._context.recorder, raised.value, "the handler's own")
    assert events[failure.step].details["result"] == "interrupted"


def test_a_usage_error_in_a_handler_is_no_time_out_of_the_wait(play: Play) -> None:
    session, _ = play([HOME])
    with (
        session.on_interrupt(GO, lambda mobile: mobile.tap("no ref")),
        pytest.raises(ReplicantError),
    ):
        session.wait_for(text="Never")
    *_, event = session._context.recorder._events.values()
    assert event.details["result"] == "interrupted"


@pytest.mark.parametrize("verb", ["wait_for", "expect_visible", "tap"])
def test_an_error_while_the_picture_is_taken_costs_no_step(clock: ManualClock, verb: str) -> None:
    phone = ScriptedPhone(clock, [HOME])
    taken: list[int] = []

    def interrupted() -> bytes:
        taken.append(1)
        raise RuntimeError("watchdog")

    phone.screenshot = interrupted  # type: ignore[method-assign]
    session, recorder = build_session(phone, clock=clock)
    with pytest.raises(RuntimeError) as raised:
        getattr(session, verb)(text="Go")
    failure, _ = linked(recorder, raised.value, "watchdog")
    assert taken
    assert failure.step
    recorder.close()
