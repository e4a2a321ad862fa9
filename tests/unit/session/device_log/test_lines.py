"""Lines of the device log: kept in the trace, as evidence of an effect, and of failed requests."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from pytest_replicant import DeviceError, DeviceOffline, ExpectationFailed, Recovery
from pytest_replicant.model import TestFacts
from pytest_replicant.session import DeviceSession, keep_log, unexplained_crash

from ..conftest import Logged
from ..logging_phone import PID, LoggingPhone
from ..scripted_phone import APP

FACTS = TestFacts("test_x.py::test_x", 0, "passed", "2026-01-01T00:00:00.000+00:00", 1)
NEW_YEAR = 1_798_761_600.0  # 2027-01-01 00:00:00 UTC


@pytest.mark.parametrize(("wrong_by", "east"), [(86_400.0, 7200.0), (NEW_YEAR - 1003.0, -36_000.0)])
def test_a_line_stands_where_it_was_logged_whatever_the_phone_thinks_the_time_is(
    logged: Logged, wrong_by: float, east: float
) -> None:
    session, phone = logged()
    phone.wrong_by, phone.east = wrong_by, east
    clock = phone.clock
    began = clock.now()
    clock.advance(1.5)
    phone.log("as the first action is sent")
    first = clock.now() - began
    session.tap(text="Go")
    clock.advance(4.0)
    phone.log("late", level="E", tag="Pay", pid=7)
    late = clock.now() - began
    keep_log(session)
    assert [line.message for line in session._context.recorder.logs] == [
        "as the first action is sent",
        "late",
    ]
    assert [line.at_ms / 1000 for line in session._context.recorder.logs] == pytest.approx(
        [first, late], abs=0.002
    )
    assert (
        session._context.recorder.logs[1].level,
        session._context.recorder.logs[1].tag,
        session._context.recorder.logs[1].pid,
    ) == ("E", "Pay", 7)


def test_a_phone_in_trouble_leaves_no_log_and_raises_nothing(logged: Logged) -> None:
    session, phone = logged()
    session.tap(text="Go")
    phone.log("lost")
    phone.trouble = DeviceOffline("gone", device="scripted")
    keep_log(session)
    assert session._context.recorder.logs == ()


def test_a_test_that_did_nothing_costs_nothing(logged: Logged) -> None:
    session, phone = logged()
    keep_log(session)
    assert phone.commands == []


def test_a_long_line_is_cut(logged: Logged) -> None:
    session, phone = logged()
    session.tap(text="Go")
    phone.log("x" * 100_000)
    keep_log(session)
    assert len(session._context.recorder.logs[0].message) == 2_000


def test_what_is_newest_is_kept_of_very_many(logged: Logged) -> None:
    session, phone = logged()
    session.tap(text="Go")
    for number in range(2_500):
        phone.log(f"line {number}")
    keep_log(session)
    first, *kept = [line.message for line in session._context.recorder.logs]
    assert first == "501 lines of the log are left out; the newest are kept"
    assert kept == [f"line {number}" for number in range(501, 2_500)]


def restart(phone: LoggingPhone, old: int, new: int) -> None:
    phone.log("last words", pid=old)
    phone.log(f"Killing {old}:{APP}/u0a1 (adj 0): stop {APP}", tag="ActivityManager", pid=1402)
    phone.log(f"Start proc {new}:{APP}/u0a1 for top-activity", tag="ActivityManager", pid=1402)
    phone.log("first words", pid=new)
    phone.running = (new,)


def test_lines_of_each_process_that_the_app_had_bear_its_name(logged: Logged) -> None:
    session, phone = logged()
    session.tap(text="Go")
    phone.log("another's", pid=77)
    restart(phone, PID, 5000)
    restart(phone, 5000, 6000)
    keep_log(session)
    own = [(line.message, line.pid) for line in session._context.recorder.logs if line.app == APP]
    assert own == [
        ("last words", PID),
        ("first words", 5000),
        ("last words", 5000),
        ("first words", 6000),
    ]
    assert {line.pid for line in session._context.recorder.logs if not line.app} == {77, 1402}


def test_a_process_that_ran_all_the_while_is_known_from_the_look_for_deaths(
    logged: Logged, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, phone = logged()
    session.tap(text="Go")
    phone.log("as ever")
    unexplained_crash(session)
    monkeypatch.setattr(phone, "pids", None)  # is not asked again
    keep_log(session)
    assert [line.app for line in session._context.recorder.logs] == [APP]


def test_a_log_of_which_the_beginning_was_written_over_says_so(logged: Logged) -> None:
    session, phone = logged()
    sent = phone.now
    session.tap(text="Go")
    phone.clock.advance(60)
    phone.log("the rest")
    phone.oldest = sent + 12.34
    assert unexplained_crash(session) is None
    keep_log(session)
    shown, rest = session._context.recorder.logs
    assert (shown.at_ms, shown.level, shown.tag) == (0, "W", "replicant")
    assert re.match(
        r"the phone keeps no log of the first 12\.\d s after the test's first action", shown.message
    )
    assert rest.message == "the rest"
    (loss,) = session._context.recorder.finish(FACTS).losses
    assert "Whether an app died in them is not known" in loss


Make = Callable[..., tuple[DeviceSession, LoggingPhone]]


@pytest.fixture
def tapped_again(logged: Logged) -> Make:
    """``tapped_again(on_gesture)``: a policy has a tap repeated there, if nothing speaks against
    it."""
    return partial(
        logged,
        recover=lambda session, failure, state: Recovery("step_back", reason="by rote"),
        allow=frozenset({"step_back"}),
    )


def pay(session: DeviceSession) -> str:
    with pytest.raises(ExpectationFailed) as caught:
        session.tap(text="Go").expect_visible(text="Paid", timeout=0.5)
    return str(caught.value)


def test_a_silent_app_is_tapped_again_whatever_others_log(tapped_again: Make) -> None:
    session, phone = tapped_again(lambda phone: phone.log("battery low", pid=77))
    phone.log("started", tag="Shop")  # before the tap, which it says nothing about
    pay(session)
    assert len(phone.gestures) == 2


def test_an_app_that_logged_something_is_not(tapped_again: Make) -> None:
    session, phone = tapped_again(lambda phone: phone.log("charged the card"))
    shown = pay(session)
    assert (
        'step_back was refused: tap may have taken effect: the app logged "charged the card" since'
        in shown
    )
    assert len(phone.gestures) == 1


def test_a_log_that_cannot_be_read_proves_nothing(tapped_again: Make) -> None:
    session, phone = tapped_again()
    outcome = session.tap(text="Go")
    phone.trouble = DeviceError("logcat: unexpected end")
    with pytest.raises(ExpectationFailed, match="the log cannot be read: logcat: unexpected end"):
        outcome.expect_visible(text="Paid", timeout=0.5)
    assert len(phone.gestures) == 1


URL = "https://api.shop.dev/cart"


def asks(phone: LoggingPhone, pid: int = 4058, status: str = "500 Server Error") -> None:
    phone.log(f"--> GET {URL}", tag="OkHttp", pid=pid)
    phone.log(f"<-- {status} {URL} (12ms)", tag="OkHttp", pid=pid)


def failure(session: object) -> str:
    with pytest.raises(ExpectationFailed) as raised:
        session.expect_visible(text="Paid", timeout=0.1)  # type: ignore[attr-defined]
    return str(raised.value)


def test_the_request_is_named_with_its_status(logged: Logged) -> None:
    session, _ = logged(asks)
    session.tap(text="Go")
    assert f"\nA request failed meanwhile: GET {URL}: 500\n" in failure(session)


def test_one_that_never_came_is_named_with_its_reason(logged: Logged) -> None:
    session, phone = logged()
    session.tap(text="Go")
    phone.log(f"--> GET {URL}", tag="OkHttp")
    phone.log(
        "<-- HTTP FAILED: java.net.UnknownHostException: Unable to resolve host", tag="OkHttp"
    )
    assert f"GET {URL}: java.net.UnknownHostException" in failure(session)


def test_of_several_the_last_is_named(logged: Logged) -> None:
    session, phone = logged()
    session.tap(text="Go")
    asks(phone)
    asks(phone, status="503 Unavailable")
    assert f"GET {URL}: 503\n" in failure(session)


@pytest.mark.parametrize("request_", [{"status": "200 OK"}, {"pid": 77}])
def test_what_was_answered_is_no_news_nor_what_another_app_asked(
    logged: Logged, request_: dict[str, Any]
) -> None:
    session, phone = logged()
    session.tap(text="Go")
    asks(phone, **request_)
    assert "meanwhile" not in failure(session)


def test_what_failed_before_the_action_is_not_its_own(logged: Logged) -> None:
    session, phone = logged()
    session.tap(text="Go")
    asks(phone)
    phone.clock.advance(1.0)
    session.tap(text="Go")
    assert "meanwhile" not in failure(session)


def test_a_log_that_cannot_be_read_is_no_second_trouble(logged: Logged) -> None:
    session, phone = logged(asks)
    session.tap(text="Go")
    phone.trouble = DeviceOffline("gone")
    assert "meanwhile" not in failure(session)
