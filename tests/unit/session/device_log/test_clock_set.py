"""Somebody sets the phone's clock in mid-test: what was logged when stays right, by whichever clock."""

from __future__ import annotations

import pytest

from pytest_replicant import ExpectationFailed
from pytest_replicant.session import keep_log, unexplained_crash

from ..checks.test_expect_log import Logged, logged

__all__ = ["logged"]  # a fixture

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
    assert unexplained_crash(session) is None  # it is looked for first, and tells of the clock
    keep_log(session)
    told = [(line.message, line.at_ms) for line in session._context.recorder.logs]
    assert [message for message, _ in told] == ["before it", "after it"]
    assert told[1][1] - told[0][1] == pytest.approx(1000, abs=20)


def test_a_clock_that_nobody_sets_is_asked_once(logged: Logged) -> None:
    session, phone = logged()
    outcome = session.tap(text="Go")
    phone.log("paid 9.90")
    phone.commands.clear()
    outcome.expect_log("paid 9")
    assert phone.commands == ["logs"]
