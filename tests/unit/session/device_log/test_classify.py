"""What an action came to: sorted by the evidence, and never a check."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pytest_replicant import ExpectationFailed, UsageError

from ..conftest import Logged
from ..logging_phone import LoggingPhone
from ..scripted_phone import APP, button, screen

NEXT = screen(button("Done"), title="Next")


def ordered(status: int, pid: int = 4058) -> Callable[[LoggingPhone], None]:
    def send(phone: LoggingPhone) -> None:
        phone.log("--> POST https://a.dev/orders", tag="OkHttp", pid=pid)
        phone.log(f"<-- {status} https://a.dev/orders (12ms)", tag="OkHttp", pid=pid)

    return send


def goes_on(phone: LoggingPhone) -> None:
    phone.frames = [NEXT]


def restarts(phone: LoggingPhone) -> None:
    ordered(503)(phone)
    phone.log(f"Process {APP} (pid 4058) has died: cch", tag="ActivityManager", pid=1402)
    phone.running = (5000,)


@pytest.mark.parametrize(
    ("does", "outcome"),
    [
        ([goes_on], "success"),
        ([], "no_op"),
        ([ordered(500)], "backend_failure"),
        ([ordered(500), goes_on], "unknown"),
        ([ordered(201)], "ui_failure"),
        ([ordered(500, pid=77)], "no_op"),  # another app's
        ([restarts], "backend_failure"),
    ],
)
def test_the_first_rule_that_applies(
    logged: Logged, does: list[Callable[[LoggingPhone], None]], outcome: str
) -> None:
    session, phone = logged(lambda phone: [one(phone) for one in does])
    ordered(500)(phone)  # of before
    phone.clock.advance(0.3)
    assert session.tap(text="Go").classify().outcome == outcome


def test_the_reason_names_the_request_and_the_evidence_holds_all(logged: Logged) -> None:
    session, _ = logged(ordered(500))
    outcome = session.tap(text="Go")
    shown = outcome.classify()
    assert shown.reason == "nothing changed, and a request failed: POST https://a.dev/orders: 500"
    assert shown.evidence == ("the screen: no change", "request: POST https://a.dev/orders: 500")
    assert session._context.recorder.checks == []
    assert outcome.result.lifecycle_state == "pending_verification"


def test_a_check_that_failed_stays_false_whatever_else_changed(logged: Logged) -> None:
    session, _ = logged(goes_on)
    outcome = session.tap(text="Go").expect_visible(text="Done")
    assert outcome.classify().reason == "a check of it held"
    with pytest.raises(ExpectationFailed):
        outcome.expect_screen("Third", timeout=0.2)
    shown = outcome.classify()
    assert (shown.outcome, shown.evidence[0]) == ("ui_failure", "failed: expect_screen Third")


def test_a_death_comes_first(logged: Logged) -> None:
    session, _ = logged(lambda phone: phone.die())
    shown = session.tap(text="Go").classify()
    assert (shown.outcome, shown.reason) == ("ui_failure", "the app died")


def test_a_request_says_nothing_about_a_key(logged: Logged) -> None:
    session, _ = logged(ordered(500))
    assert session.press_key("enter").classify().outcome == "no_op"


def test_an_old_outcome_is_not_classified(logged: Logged) -> None:
    session, _ = logged()
    first = session.tap(text="Go")
    session.tap(text="Go")
    with pytest.raises(UsageError, match="a newer action followed"):
        first.classify()
