"""The device log: its windows, its filters, and a phone whose clock is set during the test."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from pytest_replicant import ExpectationFailed, Unsupported, UsageError, connect
from pytest_replicant.drivers import Capability
from pytest_replicant.pool import open_device
from pytest_replicant.session import DeviceSession, build_session, keep_log, unexplained_crash
from tests.conformance.phones import SHOP

from ..checks.test_expect_log import Logged, logged
from ..scripted_phone import APP

__all__ = ["logged"]  # a fixture


def messages(session: DeviceSession, **given: Any) -> list[str]:
    return [line.message for line in session.logs(**given)]


def test_all_that_the_phone_keeps_or_since_then(logged: Logged) -> None:
    session, phone = logged(lambda phone: phone.log("of the action"))
    phone.entries.append((phone.now - 60, "11-21 22:23:00.000  1  1 I Shop: of an earlier test"))
    phone.log("of the test")
    phone.clock.advance(0.2)
    session.tap(text="Go")
    assert messages(session) == ["of an earlier test", "of the test", "of the action"]
    assert messages(session, since="test") == ["of the test", "of the action"]
    assert messages(session, since="action") == ["of the action"]


def test_by_level_and_tag(logged: Logged) -> None:
    session, phone = logged()
    for level in "VDIWEF":
        phone.log(level, level=level, tag="Pay" if level == "E" else "Shop")
    assert messages(session, level="W") == ["W", "E", "F"]
    assert messages(session, tag="Pay") == ["E"]
    assert messages(session, level="F", tag="Pay") == []


def test_those_of_an_app_whatever_processes_it_had(logged: Logged) -> None:
    session, phone = logged()
    phone.log("first life", pid=4058)
    phone.log(f"Process {APP} (pid 4058) has died: fg  TOP", tag="ActivityManager", pid=1402)
    phone.log(f"Start proc 5000:{APP} for top-activity", tag="ActivityManager", pid=1402)
    phone.log("second life", pid=5000)
    phone.log("another app", pid=77)
    phone.clock.advance(0.2)
    session.tap(text="Go")
    phone.running = (6000,)
    phone.log("third life", pid=6000)
    assert messages(session, app=APP) == ["first life", "second life", "third life"]
    assert messages(session, app=APP, since="action") == ["third life"]
    assert messages(session, app="dev.other") == []


@pytest.mark.parametrize(
    "given", [{"level": "error"}, {"level": ""}, {"tag": ""}, {"app": 3}, {"app": ""}, {"since": "yesterday"}]
)
def test_what_no_log_has_is_a_wrong_call(logged: Logged, given: dict[str, Any]) -> None:
    session, phone = logged()
    with pytest.raises(UsageError, match=r"logs\("):
        session.logs(**given)
    assert phone.commands == []


def test_a_phone_without_a_log_says_so(logged: Logged) -> None:
    session, phone = logged()
    phone.capabilities = Capability.TOASTS
    with pytest.raises(Unsupported):
        session.logs(level="E")


@pytest.fixture(scope="module")
def mobile() -> Iterator[DeviceSession]:
    with connect("virtual?latency=0") as session:
        yield session


@pytest.mark.slow
def test_the_virtual_phone_tells_an_apps_lives_apart_from_others(mobile: DeviceSession) -> None:
    pids = set()
    for _ in range(3):
        mobile.launch(SHOP)
        mobile.fill(text="Email", value="nobody@example.com", silent=True)
        mobile.fill(text="Password", value="wrong", silent=True)
        mobile.tap(text="Sign in", silent=True)
        pids |= set(mobile._context.driver.pids(SHOP))
        mobile.stop(SHOP)
    own = mobile.logs(app=SHOP)
    assert [line.message for line in own] == ["sign-in refused"] * 3
    assert {line.pid for line in own} == pids
    assert len(pids) == 3
    assert {line.pid for line in mobile.logs(since="test")} > pids
    assert mobile.logs(app=SHOP, level="E") == []


def test_it_keeps_its_log_from_the_start(mobile: DeviceSession) -> None:
    oldest = mobile._context.driver.crashes(None).oldest
    assert oldest is not None
    assert float(oldest.moment) <= float(mobile._context.driver.log_mark().moment)


@pytest.mark.slow
def test_a_log_that_was_written_over_is_noticed() -> None:
    with open_device("virtual?latency=0") as device:
        assert device.phone is not None
        session, recorder = build_session(device.driver, screenshots=False, app=SHOP)
        session.launch(SHOP)
        assert unexplained_crash(session) is None
        assert recorder.unseen == []
        time.sleep(0.002)  # the phone prints milliseconds
        for number in range(20_001):
            device.phone.log.append("I", "Busy", f"line {number}", 77)
        assert unexplained_crash(session) is None
        assert "keeps no log of the first" in recorder.unseen[0]
        recorder.close()


@pytest.mark.parametrize("jump", [1.5, -1.5, 0.8, -0.8])
def test_a_line_belongs_to_its_action_though_the_clock_was_corrected(logged: Logged, jump: float) -> None:
    session, phone = logged()
    session.tap(text="Go")
    phone.log("paid 9.90")
    phone.clock.advance(0.3)
    phone.wrong_by += jump
    outcome = session.tap(text="Go")
    with pytest.raises(ExpectationFailed):
        outcome.expect_log("paid 9", timeout=0.2)
    phone.log("paid 4.50")
    outcome.expect_log("paid 4")
    phone.wrong_by -= jump / 2
    session.tap(text="Go").expect_no_crash()
    phone.log("paid 1.00")
    session.expect_log("paid 1")
    with pytest.raises(ExpectationFailed):
        session.expect_log("paid 4", timeout=0.2)


JUMPS = pytest.mark.parametrize("jump", [3600.0, -3600.0])


@JUMPS
def test_a_line_after_it_is_found(logged: Logged, jump: float) -> None:
    session, phone = logged()
    outcome = session.tap(text="Go")
    phone.wrong_by += jump
    phone.log("paid 9.90")
    outcome.expect_log("paid 9")


@JUMPS
def test_so_is_one_before_it(logged: Logged, jump: float) -> None:
    session, phone = logged()
    outcome = session.tap(text="Go")
    phone.log("paid 9.90")
    phone.wrong_by += jump
    outcome.expect_log("paid 9")


@JUMPS
def test_a_line_before_the_action_is_not(logged: Logged, jump: float) -> None:
    session, phone = logged()
    session.tap(text="Go")
    phone.log("paid 9.90")
    phone.wrong_by += jump
    phone.log("paid 9.90")
    phone.clock.advance(1.0)
    outcome = session.tap(text="Go")
    phone.log("nothing was paid")
    with pytest.raises(ExpectationFailed):
        outcome.expect_log("paid 9", timeout=0.1)


@JUMPS
def test_each_line_of_the_trace_stands_where_it_was_logged(logged: Logged, jump: float) -> None:
    session, phone = logged()
    session.tap(text="Go")
    phone.clock.advance(1.0)
    phone.log("before it")
    phone.clock.advance(1.0)
    phone.wrong_by += jump
    phone.log("after it")
    assert unexplained_crash(session) is None  # it is looked for first, and reports the clock
    keep_log(session)
    shown = [(line.message, line.at_ms) for line in session._context.recorder.logs]
    assert [message for message, _ in shown] == ["before it", "after it"]
    assert shown[1][1] - shown[0][1] == pytest.approx(1000, abs=20)


def test_the_clock_is_asked_before_the_log_is_read(logged: Logged) -> None:
    session, phone = logged()
    outcome = session.tap(text="Go")
    phone.log("paid 9.90")
    phone.commands.clear()
    outcome.expect_log("paid 9")
    assert phone.commands == ["log_mark", "logs"]
