"""Deaths of the app under test: noticed at the end of the test, and shown in a few lines."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from pytest_replicant import ActionFailed, DeviceError, ExpectationFailed, ProtocolError
from pytest_replicant.drivers import Capability, CrashLog, LogMark
from pytest_replicant.logs import Crash, read_crashes
from pytest_replicant.model import TestFacts
from pytest_replicant.session import unexplained_crash
from pytest_replicant.session.device_log.evidence import format_stack
from pytest_replicant.testing import virtual_session
from tests.unit.logs.crashes.test_crash import JAVA, NATIVE
from tests.unit.logs.crashes.test_ios_crash import body, ips
from tests.unit.virtual.frail_app import FRAIL, frail_app

from ..conftest import Logged
from ..logging_phone import LoggingPhone, death_in
from ..scripted_phone import APP, screen

FACTS = TestFacts("tests/test_it.py::test_it", 0, "passed", "", 0)


def die_at(gesture: int, **given: str) -> object:
    return lambda phone: phone.die(**given) if len(phone.gestures) == gesture else None


def test_a_test_in_which_nothing_died_costs_one_command_more(logged: Logged) -> None:
    session, phone = logged()
    session.tap(text="Go").expect_visible(text="Go")
    phone.commands.clear()
    assert unexplained_crash(session) is None
    assert phone.commands == ["crashes"]


def test_a_death_is_found_though_every_check_passed_and_its_action_is_named(logged: Logged) -> None:
    session, phone = logged(die_at(2))
    for _ in range(4):
        session.tap(text="Go").expect_visible(text="Go")
        phone.clock.advance(0.2)
    death = death_in(session)
    assert death.record.after == "a2"
    first, second, third, *_ = death.message.splitlines()
    died = re.escape(
        f'{APP} died: IllegalStateException: no cart (Cart.kt:42) after tap text="Go" (a2, tests/'
    )
    assert re.match(died + r".*test_crashes\.py:\d+\)\Z", first)
    assert second == "The checks of the test saw nothing of it."
    assert "FATAL EXCEPTION: main" in third
    assert 'allow=["crash"]' in death.message
    (attachment,) = session._context.recorder.attachments
    assert b"Cart.pay" in attachment.data


def test_a_test_may_allow_it(logged: Logged) -> None:
    session, _ = logged(die_at(1), allow=frozenset({"crash"}))
    session.tap(text="Go")
    assert unexplained_crash(session) is None
    assert len(session.crashes()) == 1


def test_an_earlier_tests_death_and_another_apps_are_not_this_ones(logged: Logged) -> None:
    session, phone = logged(die_at(1, app="com.vendor.clock"))
    phone.entries.append(
        (phone.now - 5, "11-21 22:24:00.000  1  1 E AndroidRuntime: FATAL EXCEPTION: main")
    )
    phone.entries.append(
        (phone.now - 5, f"11-21 22:24:00.000  1  1 E AndroidRuntime: Process: {APP}, PID: 1")
    )
    session.tap(text="Go")
    assert unexplained_crash(session) is None


def not_answering(phone: LoggingPhone) -> None:
    phone.log(f"ANR in {APP} ({APP}/.Main)", level="E", tag="ActivityManager", pid=1402)
    phone.log("PID: 4058", level="E", tag="ActivityManager", pid=1402)
    phone.log("Reason: Input dispatching timed out", level="E", tag="ActivityManager", pid=1402)


def test_an_app_that_did_not_answer_for_a_while_lives(logged: Logged) -> None:
    session, _ = logged(not_answering)
    session.tap(text="Go")
    assert unexplained_crash(session) is None
    with pytest.raises(ExpectationFailed, match="does not answer"):
        session.expect_no_crash()
    assert unexplained_crash(session) is None
    (anr,) = session._context.recorder.finish(FACTS).anrs  # once, however often it is asked
    assert (anr.kind, anr.app, anr.reason, anr.after) == (
        "anr",
        APP,
        "Input dispatching timed out",
        "a1",
    )
    assert anr.text.startswith(
        f"{APP}: Application Not Responding: Input dispatching timed out after tap"
    )
    assert session._context.recorder.finish(FACTS).deaths == ()


def test_one_that_was_ended_for_it_died(logged: Logged) -> None:
    def end(phone: LoggingPhone) -> None:
        not_answering(phone)
        phone.log(
            f"Killing 4058:{APP}/u0a1 (adj 0): user request after error",
            tag="ActivityManager",
            pid=1402,
        )

    session, _ = logged(end)
    session.tap(text="Go")
    death = death_in(session)
    assert "does not answer: Input dispatching timed out" in death.message
    assert (death.record.kind, death.record.reason) == ("anr", "Input dispatching timed out")
    assert session._context.recorder.finish(FACTS).anrs == ()


def test_a_log_that_cannot_be_read_is_no_proof_of_life(logged: Logged) -> None:
    session, phone = logged()
    session.tap(text="Go")
    phone.trouble = ProtocolError("logcat died")
    with pytest.raises(DeviceError, match="logcat died"):
        unexplained_crash(session)


@pytest.mark.parametrize(("jump", "gesture", "set_before"), [(-3600.0, 3, 1), (3600.0, 1, 2)])
def test_an_action_is_blamed_by_whichever_clock_the_death_was_logged(
    logged: Logged, jump: float, gesture: int, set_before: int
) -> None:
    session, phone = logged(die_at(gesture))
    for number in range(4):
        if number == set_before:
            phone.wrong_by += jump
        session.tap(text="Go").expect_visible(text="Go")
        phone.clock.advance(1.0)
    death = death_in(session)
    assert death.record.after == f"a{gesture}"


def test_a_platform_that_tells_of_no_crashes_is_not_asked(logged: Logged) -> None:
    session, phone = logged(die_at(1))
    phone.capabilities = Capability.TOASTS
    session.home(silent=True)  # no app's affair
    assert unexplained_crash(session) is None
    assert phone.commands == []


def launcher(phone: LoggingPhone) -> None:
    phone.die()
    phone.frames = [screen(title="Launcher")]


def test_a_failed_check_says_who_died_in_its_second_line(logged: Logged) -> None:
    session, _ = logged(launcher)
    outcome = session.tap(text="Go")
    with pytest.raises(ExpectationFailed) as failed:
        outcome.expect_visible(text="Order placed", timeout=0.3)
    assert (
        str(failed.value)
        .splitlines()[1]
        .startswith(f"{APP} died: IllegalStateException: no cart (Cart.kt:42) (at")
    )


def test_so_does_an_action_that_finds_nothing(logged: Logged) -> None:
    session, _ = logged(launcher)
    session.tap(text="Go")
    with pytest.raises(ActionFailed) as failed:
        session.tap(text="Pay", timeout=0.3)
    assert f"{APP} died" in str(failed.value).splitlines()[1]


def test_a_death_that_the_test_got_over_is_no_reason(logged: Logged) -> None:
    session, phone = logged(die_at(1))
    session.tap(text="Go")
    phone.clock.advance(0.3)
    phone.status, phone.running = "foreground", (5000,)
    session.tap(text="Go")
    with pytest.raises(ExpectationFailed) as failed:
        session.expect_visible(text="Pay", timeout=0.3)
    assert "died" not in str(failed.value)


def test_explaining_a_failure_never_ends_in_another(logged: Logged) -> None:
    session, phone = logged()
    session.tap(text="Go")
    phone.trouble = ProtocolError("logcat died")
    with pytest.raises(ExpectationFailed) as failed:
        session.expect_visible(text="Pay", timeout=0.3)
    assert "logcat" not in str(failed.value)


# --- the real thing -------------------------------------------------------------------------------


@pytest.mark.slow
def test_an_app_that_dies_is_told_from_one_that_the_test_stops() -> None:
    with virtual_session(frail_app(), app=FRAIL, expect_timeout=0.3, action_timeout=1) as frail:
        frail.stop().expect_app("stopped").expect_no_crash()
        frail.launch().expect_app("foreground")
        assert unexplained_crash(frail) is None
        outcome = frail.tap(text="Crash")
        outcome.expect_app("stopped")
        with pytest.raises(
            ExpectationFailed, match=f"{FRAIL} died: RuntimeException: ZeroDivisionError"
        ):
            outcome.expect_no_crash()
        with pytest.raises(
            ExpectationFailed, match=f"\n{FRAIL} died: RuntimeException: ZeroDivisionError"
        ):
            outcome.expect_visible(text="2 taps")
        death = death_in(frail)
        assert (death.record.after, death.record.app) == ("a3", FRAIL)


def test_an_iphones_driver_that_gives_crash_reports_is_read_in_its_own_words(
    logged: Logged, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, phone = logged()
    session.tap(text="Go")
    report = ips(body(), {"bundleID": APP}).split("\n")
    monkeypatch.setattr(phone, "info", replace(phone.info, platform="ios"))
    monkeypatch.setattr(
        phone, "crashes", lambda since, app="": CrashLog(tuple(report), LogMark(f"{phone.now:.6f}"))
    )
    death = death_in(session)
    assert f"{APP} died: SIGABRT: abort() called (Cart.swift:42)" in death.message
    assert "#1 CartStore.total() (Cart.swift:42)" in death.message
    assert session.crashes(APP)[0].signal == "SIGABRT"


def crash_of(messages: list[str]) -> Crash:
    head = "07-02 16:00:46.303 28928 28928 E AndroidRuntime: "
    lines = ["FATAL EXCEPTION: main", "Process: com.example.shop, PID: 28928", *messages]
    (crash,) = read_crashes([head + line for line in lines])
    return crash


def test_what_was_thrown_and_why() -> None:
    assert format_stack(read_crashes(JAVA)[0]) == [
        "FATAL EXCEPTION: main",
        "java.lang.RuntimeException: Unable to start activity",
        "    at android.app.ActivityThread.launch (ActivityThread.java:3)",
        "Caused by: java.lang.NullPointerException: cart is null",
        "    at java.util.Objects.requireNonNull (Objects.java:203)",
        "    at com.example.shop.CartStore.total (CartStore.kt:42)",
    ]


def test_the_apps_own_line_is_there_however_deep_it_is() -> None:
    frames = [f"\tat java.lang.Deep.d{at}(Deep.java:{at})" for at in range(50)]
    crash = crash_of(
        ["java.lang.Error: no", *frames, "\tat com.example.shop.Cart.pay(Cart.kt:7)", *frames]
    )
    assert format_stack(crash)[2:] == [
        "    at java.lang.Deep.d0 (Deep.java:0)",
        "    at java.lang.Deep.d1 (Deep.java:1)",
        "    at com.example.shop.Cart.pay (Cart.kt:7)",
    ]


def test_of_very_many_causes_the_first_and_the_roots() -> None:
    lines = format_stack(
        crash_of(["a.Outer: 0", *(f"Caused by: a.Cause: {at}" for at in range(1, 100))])
    )
    assert lines == [
        "FATAL EXCEPTION: main",
        "a.Outer: 0",
        *(f"Caused by: a.Cause: {at}" for at in (97, 98, 99)),
    ]


def test_text_of_the_app_is_on_one_line_and_bounded() -> None:
    lines = format_stack(
        crash_of([f"a.C: \x1b[31m\u202e{'x' * 5000}", "second line", "\tat a.b\x07.c(d:1)"])
    )
    assert all(line.isprintable() and len(line) < 320 for line in lines)
    assert len(lines) == 3


def test_a_signal_shows_the_innermost_frames() -> None:
    assert format_stack(read_crashes(NATIVE)[0]) == [
        "SIGSEGV (SEGV_MAPERR) in thread RenderThread",
        "    #0 abort (libc.so)",
        "    #1 Cart::total() const (libcart.so)",
    ]
