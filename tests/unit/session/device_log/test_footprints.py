"""An app that shows nothing may have written to the log: then nothing is sent twice."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pytest_replicant import DeviceError, ExpectationFailed, Recovery
from pytest_replicant.clock import ManualClock
from pytest_replicant.session import DeviceSession, build_session

from ..logging_phone import LoggingPhone
from ..scripted_phone import APP, button, screen

STILL = screen(button("Pay"), title="Cart")


@pytest.fixture
def phone() -> LoggingPhone:
    return LoggingPhone(ManualClock(), [STILL])


@pytest.fixture
def session(phone: LoggingPhone) -> Iterator[DeviceSession]:
    session, recorder = build_session(
        phone,
        app=APP,
        clock=phone.clock,
        screenshots=False,
        recover=lambda session, failure, state: Recovery("step_back", reason="by rote"),
    )
    yield session
    recorder.close()


def pay(session: DeviceSession) -> str:
    with pytest.raises(ExpectationFailed) as caught:
        session.tap(text="Pay").expect_visible(text="Paid", timeout=0.5)
    return str(caught.value)


def test_a_silent_app_is_tapped_again(session: DeviceSession, phone: LoggingPhone) -> None:
    phone.log("started", tag="Shop")  # before the tap, which it says nothing about
    pay(session)
    assert len(phone.gestures) == 2


def test_an_app_that_logged_something_is_not(session: DeviceSession, phone: LoggingPhone) -> None:
    phone.on_gesture = lambda phone: phone.log("charged the card")  # type: ignore[attr-defined]  # it is one
    told = pay(session)
    assert 'step_back was refused: tap may have taken effect: the app logged "charged the card" since' in told
    assert len(phone.gestures) == 1


def test_what_others_logged_says_nothing(session: DeviceSession, phone: LoggingPhone) -> None:
    phone.on_gesture = lambda phone: phone.log("battery low", pid=77)  # type: ignore[attr-defined]
    pay(session)
    assert len(phone.gestures) == 2


def test_a_log_that_cannot_be_read_proves_nothing(session: DeviceSession, phone: LoggingPhone) -> None:
    outcome = session.tap(text="Pay")
    phone.trouble = DeviceError("logcat: unexpected end")
    with pytest.raises(ExpectationFailed, match="the log cannot be read: logcat: unexpected end"):
        outcome.expect_visible(text="Paid", timeout=0.5)
    assert len(phone.gestures) == 1
