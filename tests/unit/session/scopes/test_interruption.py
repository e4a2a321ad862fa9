"""What a test announced is closed when it comes up, and leaves no mark on what was going on."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pytest_replicant import ActionFailed, ExpectationFailed, UsageError, by
from pytest_replicant.model import ManualClock
from pytest_replicant.session import DeviceSession

from ..conftest import Play
from ..scripted_phone import HOME, ScriptedPhone, button, node, screen

NEXT = screen(button("Stay"), title="Next")
RATE = by(text="Rate us")
LATER = by(text="Later")


def rating(under: str = "") -> bytes:
    """A request that covers the app."""
    inside = node("TextView", (100, 900, 900, 1000), text="Rate us")
    return screen(under, node("FrameLayout", (0, 800, 1000, 1300), inside, button("Later", 1100)))


def later(mobile: DeviceSession) -> None:
    mobile.tap(LATER)


def closes(phone: ScriptedPhone, then: bytes = HOME) -> Callable[[ScriptedPhone], None]:
    """A tap on "Later" closes the request, any other shows the next screen."""

    def touched(phone: ScriptedPhone) -> None:
        _, point = phone.gestures[-1]
        phone.frames = [then] if point.y > 1000 else [NEXT]

    return touched


def titles(session: DeviceSession) -> list[tuple[str, tuple[str, ...]]]:
    return [(event.title, event.group) for event in session._context.recorder._events.values()]


def test_an_action_that_waits_is_let_through(play: Play) -> None:
    session, phone = play([rating()])
    phone.on_gesture = closes(phone)
    with session.on_interrupt(RATE, later) as announced:
        session.tap(text="Go").expect_visible(text="Stay")
    assert announced.count == 1
    assert [point.y for _, point in phone.gestures] == [1150, 250]
    assert ('tap text="Later"', ('interrupt: text="Rate us"',)) in titles(session)
    assert ('tap text="Go"', ()) in titles(session)


def test_so_is_a_check_and_the_outcome_can_be_checked_on(play: Play) -> None:
    session, phone = play([HOME])
    outcome = session.tap(text="Go")
    phone.on_gesture = closes(phone, NEXT)
    with session.on_interrupt(RATE, later):
        phone.frames = [rating()]
        outcome.expect_visible(text="Stay").expect_gone(text="Go")
    assert outcome.result.lifecycle_state == "verified"
    assert [result.action_type for result in session._context.recorder.results] == ["tap", "tap"]


def test_what_it_showed_is_no_evidence(play: Play) -> None:
    """ "Go" is seen only beneath the request, and "Later" only on it: neither counts."""
    session, phone = play([NEXT])
    outcome = session.press_key("enter")
    phone.on_gesture = closes(phone, NEXT)
    with session.on_interrupt(RATE, later):
        phone.frames = [rating(button("Go"))]
        with pytest.raises(ExpectationFailed) as failed:
            outcome.expect_visible(text="Go", timeout=0.5)
        assert 'interrupt: text="Rate us"' in str(failed.value)
        for unseen in ("Go", "Later"):
            with pytest.raises(ExpectationFailed):
                outcome.expect_seen(text=unseen, timeout=0.5)
        outcome.expect_unchanged()


def test_agreement_starts_anew(play: Play) -> None:
    """One read before it and one after it are not two in a row."""
    session, phone = play([HOME])
    session.press_key("enter")
    phone.frames = [screen(button("Blink")), rating()]

    def touched(phone: ScriptedPhone) -> None:
        phone.frames = [screen(button("Blink")), screen(button("Blink", 300)), NEXT]

    phone.on_gesture = touched
    with session.on_interrupt(RATE, later), pytest.raises(ExpectationFailed):
        session.expect_visible(text="Blink", timeout=0.2)


def test_its_time_is_not_taken_from_the_waiting(play: Play, clock: ManualClock) -> None:
    session, phone = play([rating()])
    phone.on_gesture = closes(phone, screen(button("Wait")))

    def slowly(mobile: DeviceSession) -> None:
        clock.advance(60)
        mobile.tap(LATER)
        phone.frames = [*[screen(button("Wait"))] * 12, HOME]

    with session.on_interrupt(RATE, slowly):
        session.expect_visible(text="Go", timeout=3)


def test_only_so_many_times(play: Play) -> None:
    session, phone = play([rating()])
    phone.on_gesture = closes(phone)
    with session.on_interrupt(RATE, later, times=2) as announced:
        for _ in range(2):
            session.expect_visible(text="Go")
            phone.frames = [rating()]
            session._context.observer.invalidate()
        with pytest.raises(ExpectationFailed):
            session.expect_visible(text="Go", timeout=0.5)
    assert announced.count == 2


def test_what_does_not_close_it_is_said(play: Play) -> None:
    session, _ = play([rating()])
    with (
        session.on_interrupt(RATE, lambda mobile: mobile.press_key("tab")),
        pytest.raises(UsageError, match="it is still on the screen 5 s after"),
    ):
        session.tap(text="Go")
    assert [result.action_type for result in session._context.recorder.results] == [
        "press_key",
        "tap",
    ]
    assert session._context.interrupts == []


def test_nothing_interrupts_it_in_turn(play: Play) -> None:
    session, phone = play([rating()])
    phone.on_gesture = closes(phone)
    depth: list[int] = []

    def do(mobile: DeviceSession) -> None:
        depth.append(1)
        mobile.expect_visible(RATE)
        later(mobile)

    with session.on_interrupt(RATE, do, times=5):
        session.tap(text="Go")
    assert depth == [1]


def test_what_it_raises_is_not_hidden(play: Play) -> None:
    session, _ = play([rating()])
    with session.on_interrupt(RATE, lambda mobile: 1 // 0), pytest.raises(ZeroDivisionError):
        session.expect_visible(text="Go")
    assert session._context.recorder.groups == []


def test_afterwards_it_is_as_any_other_screen(play: Play, clock: ManualClock) -> None:
    session, phone = play([HOME])
    with session.on_interrupt(RATE, later) as announced:
        session.tap(text="Go")
    phone.frames = [rating()]
    clock.advance(1)
    with pytest.raises(ActionFailed):
        session.tap(text="Go", timeout=0.5)
    assert announced.count == 0
