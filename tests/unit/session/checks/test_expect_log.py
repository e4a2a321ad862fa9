"""What the log says, and where the apps are: no screen is read for it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from pytest_replicant import DeviceError, ExpectationFailed, ProtocolError, by
from pytest_replicant.drivers import Capability
from pytest_replicant.errors import Unsupported

from ..conftest import Logged
from ..logging_phone import LoggingPhone
from ..scripted_phone import APP, button, screen

HOME = screen(button("Go"), title="Home")


def pay(phone: LoggingPhone) -> None:
    phone.log("paid 9.90", tag="Pay")


def test_a_line_since_the_action_was_sent(logged: Logged) -> None:
    session, phone = logged(pay)
    outcome = session.tap(text="Go")
    dumps = phone.dumps
    outcome.expect_log("paid 9").expect_log(re.compile(r"^paid \d\.\d\d$"))
    assert phone.dumps == dumps, "no screen is read for the log"
    assert outcome.result.lifecycle_state == "verified"
    with pytest.raises(
        ExpectationFailed, match=r'expect_log "refunded" on scripted: no such line '
    ):
        outcome.expect_log("refunded", timeout=0.3)


def test_a_line_from_before_the_action_does_not_count(logged: Logged) -> None:
    session, phone = logged()
    phone.log("paid 9.90")
    phone.clock.advance(0.2)
    with pytest.raises(ExpectationFailed, match="Nothing was logged since the action was sent"):
        session.tap(text="Go").expect_log("paid", timeout=0.3)


def test_a_line_that_comes_later_is_waited_for(
    logged: Logged, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, phone = logged()
    session.tap(text="Go")
    begun = phone.clock.now()
    original = phone.logs

    def later(*args: Any, **options: Any) -> list[str]:
        if phone.clock.now() > begun + 1 and not phone.entries:
            phone.log("paid at last")
        return original(*args, **options)

    monkeypatch.setattr(phone, "logs", later)
    session.expect_log("at last")


def test_without_an_action_the_test_is_the_window(logged: Logged) -> None:
    session, phone = logged()
    phone.entries.append((phone.now - 60, "11-21 22:23:00.000  1  1 I Shop: of an earlier test"))
    phone.log("hello")
    phone.clock.advance(3)
    session.expect_log("hello")
    with pytest.raises(ExpectationFailed):
        session.expect_log("earlier", timeout=0.3)


def test_level_tag_and_app(logged: Logged) -> None:
    def send(phone: LoggingPhone) -> None:
        phone.log("slow answer", level="W", tag="Net")
        phone.log("slow answer of another", level="E", tag="Other", pid=77)

    session, _ = logged(send)
    outcome = session.tap(text="Go")
    outcome.expect_log("slow", level="W").expect_log("slow", tag="Net").expect_log("slow", app=APP)
    given: dict[str, Any]
    for given in ({"level": "F"}, {"tag": "Ne"}, {"app": "dev.other"}):
        with pytest.raises(
            ExpectationFailed, match="not at that level, under that tag or by that app"
        ):
            outcome.expect_log("slow answer", timeout=0.2, **given)


def test_the_window_holds_what_an_app_logged_before_it_was_started_again(logged: Logged) -> None:
    def restart(phone: LoggingPhone) -> None:
        phone.log("last words", pid=4058)
        phone.log(f"Process {APP} (pid 4058) has died: fg  TOP", tag="ActivityManager", pid=1402)
        phone.log(f"Start proc 5000:{APP} for top-activity", tag="ActivityManager", pid=1402)
        phone.log("first words", pid=5000)
        phone.running = (5000,)

    session, _ = logged(restart)
    session.tap(text="Go").expect_log("last words", app=APP).expect_log("first words", app=APP)


def test_hostile_lines_are_quoted(logged: Logged) -> None:
    session, _ = logged(lambda phone: phone.log('Paid \x1b[31m "9.90" \u202e'))
    with pytest.raises(
        ExpectationFailed, match=re.escape(r'I Shop: "Paid \x1b[31m \"9.90\" \u202e"')
    ):
        session.tap(text="Go").expect_log("paid", timeout=0.2)


def test_a_log_that_cannot_be_read_is_no_evidence(logged: Logged) -> None:
    session, phone = logged()
    session.tap(text="Go")
    phone.trouble = ProtocolError("logcat died")
    with pytest.raises(DeviceError, match="logcat died"):
        session.expect_log("paid", timeout=0.5)
    with pytest.raises(DeviceError, match="logcat died"):
        session.expect_no_crash(timeout=0.5)
    assert [check.result for check in session._context.recorder.checks] == ["error", "error"]


def test_an_action_is_sent_though_the_phone_does_not_tell_its_time(logged: Logged) -> None:
    session, phone = logged(pay)
    phone.trouble = ProtocolError("no date")
    outcome = session.tap(text="Go")
    assert outcome.result.success
    with pytest.raises(DeviceError, match="no date"):
        outcome.expect_log("paid", timeout=0.3)


def test_a_platform_without_a_log_says_so_at_once(logged: Logged) -> None:
    session, phone = logged()
    phone.capabilities = Capability.TOASTS
    begun = phone.clock.now()
    with pytest.raises(Unsupported, match="the logs of scripted cannot be read") as failed:
        session.expect_log("x")
    assert failed.value.capability == "LOGS"
    with pytest.raises(Unsupported) as failed:
        session.expect_no_crash()
    assert failed.value.capability == "CRASHES"
    with pytest.raises(Unsupported):
        session.crashes()
    assert phone.clock.now() == begun


def test_the_clock_and_the_newest_line_are_asked_once_an_action(logged: Logged) -> None:
    session, phone = logged()
    for _ in range(3):
        session.tap(text="Go")
        session.tap(text="Go", silent=True)
    assert phone.commands == ["log_mark"] * 6


# --- where an app is ------------------------------------------------------------------------------


@pytest.mark.parametrize("status", ["foreground", "background", "stopped"])
def test_an_app_is_where_it_is(logged: Logged, status: Any) -> None:
    session, phone = logged()
    phone.status = status
    outcome = session.tap(text="Go")
    dumps = phone.dumps
    outcome.expect_app(status).expect_app("stopped", "dev.other")
    assert phone.dumps == dumps
    assert outcome.result.lifecycle_state == "verified"
    other = "stopped" if status != "stopped" else "foreground"
    with pytest.raises(ExpectationFailed, match=f"expect_app {APP} {other} on scripted: {status}"):
        outcome.expect_app(other, timeout=0.3)  # type: ignore[arg-type]  # one of the three


def test_one_glimpse_of_an_app_is_not_enough(
    logged: Logged, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, phone = logged()
    answers = iter(["stopped", "foreground"])
    monkeypatch.setattr(phone, "app_status", lambda app: next(answers, "foreground"))
    with pytest.raises(ExpectationFailed, match=r"0\.0 stopped   0\.1 foreground"):
        session.expect_app("stopped", timeout=0.5)


# --- deaths ---------------------------------------------------------------------------------------


def test_no_crash_reads_the_log_twice_and_no_screen(logged: Logged) -> None:
    session, phone = logged()
    outcome = session.tap(text="Go")
    dumps, phone.commands = phone.dumps, []
    outcome.expect_no_crash()
    assert (phone.dumps, phone.commands) == (dumps, ["crashes", "crashes"])
    assert outcome.result.lifecycle_state == "pending_verification", (
        "what does not crash need not work"
    )


def test_a_crash_fails_at_once_and_is_reported(logged: Logged) -> None:
    session, phone = logged(lambda phone: phone.die())
    outcome = session.tap(text="Go")
    begun = phone.clock.now()
    with pytest.raises(ExpectationFailed) as failed:
        outcome.expect_no_crash()
    assert (
        f"{APP} died: IllegalStateException: no cart (Cart.kt:42)"
        in str(failed.value).splitlines()[0]
    )
    assert "FATAL EXCEPTION: main" in str(failed.value)
    assert phone.clock.now() - begun < 1


def test_another_apps_crash_is_not_this_ones(logged: Logged) -> None:
    session, _ = logged(lambda phone: phone.die(app="com.vendor.clock", pid=99))
    outcome = session.tap(text="Go").expect_no_crash()
    with pytest.raises(ExpectationFailed, match="clock died"):
        outcome.expect_no_crash("com.vendor.clock")
    assert [crash.app for crash in session.crashes()] == ["com.vendor.clock"]
    assert session.crashes(APP) == []


def test_what_was_done_about_an_interruption_does_not_shift_the_window(logged: Logged) -> None:
    """The app dies by the tap, and what comes up then is closed by another."""
    asked = screen(button("Go"), button("Later", 1100), title="Home")

    def touched(phone: LoggingPhone) -> None:
        if len(phone.gestures) == 1:
            pay(phone)
            phone.die()
            phone.toast = "Paid"
        else:
            phone.toast = "Later, then"
        phone.frames = [HOME, asked] if len(phone.gestures) == 1 else [HOME]

    session, phone = logged(touched)
    with session.on_interrupt(by(text="Later"), lambda mobile: mobile.tap(text="Later")):
        outcome = session.tap(text="Go")
    assert len(phone.gestures) == 2
    session.expect_log("paid").expect_seen(text="Paid")
    with pytest.raises(ExpectationFailed):
        outcome.expect_seen(text="Later, then", timeout=0.3)
    with pytest.raises(ExpectationFailed, match="no cart"):
        outcome.expect_no_crash()


@pytest.mark.parametrize("says_last", [True, False])
def test_one_that_was_written_over_is_none(logged: Logged, says_last: bool) -> None:
    session, phone = logged()
    phone.says_last = says_last
    phone.log("before")
    outcome = session.tap(text="Go")
    phone.entries.clear()
    phone.oldest = phone.now + 5
    phone.clock.advance(10)
    with pytest.raises(
        ExpectationFailed, match="cannot be decided: the phone keeps no log of the first 5"
    ):
        outcome.expect_no_crash(timeout=0.3)


def test_a_buffer_that_began_late_is_none_that_was_written_over(logged: Logged) -> None:
    session, phone = logged()
    phone.log("the newest line then is still there")
    outcome = session.tap(text="Go")
    phone.oldest = phone.now + 5  # of the other buffer, which somebody cleared
    phone.clock.advance(10)
    outcome.expect_no_crash()


def test_a_line_that_may_have_been_written_over_cannot_be_decided(logged: Logged) -> None:
    session, phone = logged(pay)
    phone.log("before")
    outcome = session.tap(text="Go")
    phone.entries.clear()
    phone.log("of later")
    why = "cannot be decided: the phone keeps no log of the first time after the action"
    with pytest.raises(ExpectationFailed, match=why):
        outcome.expect_log("paid", timeout=0.3)
    outcome.expect_log("of later")


@pytest.mark.parametrize(
    ("pattern", "said", "holds"),
    [
        ("paid 9 ", "paid 99", False),
        ("paid 9 ", "paid 9 today", True),
        (" 9", "paid19", False),
        ("paid  9", "paid 9", True),
        ("cafe", "cafe\u0301", False),
        ("caf\u00e9", "cafe\u0301", True),
        (re.compile("e\u0301$"), "cafe\u0301", True),
        (re.compile("\u00e9$"), "cafe\u0301", True),
    ],
)
def test_what_a_part_of_a_line_is(logged: Logged, pattern: Any, said: str, holds: bool) -> None:
    session, _ = logged(lambda phone: phone.log(said))
    outcome = session.tap(text="Go")
    if holds:
        outcome.expect_log(pattern)
    else:
        with pytest.raises(ExpectationFailed):
            outcome.expect_log(pattern, timeout=0.2)
