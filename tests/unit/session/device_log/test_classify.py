"""What an action came to: sorted by the evidence, and never a check."""

from __future__ import annotations

import pytest

from pytest_replicant import ExpectationFailed, UsageError
from pytest_replicant.logs import Request
from pytest_replicant.session.device_log.evidence import Evidence, Outcome, classify

from ..conftest import Logged
from ..logging_phone import LoggingPhone
from ..scripted_phone import APP, button, screen

BROKE = (Request("POST", "https://a.dev/orders", 500),)
WENT = (Request("POST", "https://a.dev/orders", 201),)
NEXT = screen(button("Done"), title="Next")


@pytest.mark.parametrize(
    ("known", "outcome"),
    [
        (Evidence(changed="Home → Next"), "success"),
        (Evidence(changed=""), "no_op"),
        (Evidence(changed=None), "unknown"),
        (Evidence(changed="", held=("expect_log",)), "success"),
        (Evidence(changed="1 changed", failed=("expect_screen",)), "ui_failure"),
        (Evidence(changed="1 changed", failed=("expect_screen",), held=("expect_log",)), "ui_failure"),
        (Evidence(changed="", failed=("expect_state",)), "no_op"),
        (Evidence(changed="", requests=BROKE), "backend_failure"),
        (Evidence(changed="1 changed", requests=BROKE), "unknown"),
        (Evidence(changed="1 changed", failed=("expect_visible",), requests=BROKE), "backend_failure"),
        (Evidence(changed="", requests=WENT), "ui_failure"),
        (Evidence(changed="Home → Launcher", death="dev.shop died: Error"), "ui_failure"),
    ],
)
def test_the_first_rule_that_applies(known: Evidence, outcome: Outcome) -> None:
    assert classify(known).outcome == outcome


def test_the_reason_names_the_request_and_the_evidence_holds_all() -> None:
    shown = classify(Evidence(changed="", requests=BROKE))
    assert shown.reason == "nothing changed, and a request failed: POST https://a.dev/orders: 500"
    assert shown.evidence == ("the screen: no change", "request: POST https://a.dev/orders: 500")


def fail_to_order(phone: LoggingPhone) -> None:
    phone.log("--> POST https://a.dev/orders", tag="OkHttp")
    phone.log("<-- 500 https://a.dev/orders (12ms)", tag="OkHttp")


def test_a_request_of_the_app_that_failed(logged: Logged) -> None:
    session, _ = logged(fail_to_order)
    outcome = session.tap(text="Go")
    checks = len(session._context.recorder.checks)
    shown = outcome.classify()
    assert (shown.outcome, shown.evidence[-1]) == ("backend_failure", "request: POST https://a.dev/orders: 500")
    assert len(session._context.recorder.checks) == checks
    assert outcome.result.lifecycle_state == "pending_verification"


def test_another_apps_request_and_an_earlier_one_are_no_evidence(logged: Logged) -> None:
    def send(phone: LoggingPhone) -> None:
        phone.log("<-- 500 https://ads.dev/a (1ms)", pid=77)

    session, phone = logged(send)
    fail_to_order(phone)
    phone.clock.advance(0.3)
    assert session.tap(text="Go").classify().outcome == "no_op"


def test_a_request_counts_though_the_app_was_started_again(logged: Logged) -> None:
    def send(phone: LoggingPhone) -> None:
        phone.log("GET /orders 503", pid=4058)
        phone.log(f"Process {APP} (pid 4058) has died: cch", tag="ActivityManager", pid=1402)
        phone.running = (5000,)

    session, _ = logged(send)
    assert session.tap(text="Go").classify().outcome == "backend_failure"


def test_a_check_that_failed_stays_false_whatever_else_changed(logged: Logged) -> None:
    session, _ = logged(lambda phone: phone.frames.__setitem__(0, NEXT))
    outcome = session.tap(text="Go")
    with pytest.raises(ExpectationFailed):
        outcome.expect_screen("Third", timeout=0.2)
    shown = outcome.classify()
    assert (shown.outcome, shown.evidence[0]) == ("ui_failure", "failed: expect_screen Third")


def test_a_request_says_nothing_about_a_key(logged: Logged) -> None:
    session, phone = logged(fail_to_order)
    assert session.press_key("enter").classify().outcome == "no_op"
    assert phone.gestures


def test_an_old_outcome_is_not_classified(logged: Logged) -> None:
    session, _ = logged()
    first = session.tap(text="Go")
    session.tap(text="Go")
    with pytest.raises(UsageError, match="a newer action followed"):
        first.classify()
