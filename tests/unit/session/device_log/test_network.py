"""A check that fails tells of a request that failed meanwhile; of nobody else's, and of none before."""

from __future__ import annotations

import pytest

from pytest_replicant import DeviceOffline, ExpectationFailed

from ..checks.test_expect_log import Logged, logged
from ..logging_phone import LoggingPhone

__all__ = ["logged"]  # a fixture

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
    phone.log("<-- HTTP FAILED: java.net.UnknownHostException: Unable to resolve host", tag="OkHttp")
    assert f"GET {URL}: java.net.UnknownHostException" in failure(session)


def test_of_several_the_last_is_named(logged: Logged) -> None:
    session, phone = logged()
    session.tap(text="Go")
    asks(phone)
    asks(phone, status="503 Unavailable")
    assert f"GET {URL}: 503 (and 1 before it)\n" in failure(session)


def test_what_was_answered_is_no_news(logged: Logged) -> None:
    session, phone = logged()
    session.tap(text="Go")
    asks(phone, status="200 OK")
    assert "meanwhile" not in failure(session)


def test_what_failed_before_the_action_is_not_its_own(logged: Logged) -> None:
    session, phone = logged()
    session.tap(text="Go")
    asks(phone)
    phone.clock.advance(1.0)
    session.tap(text="Go")
    assert "meanwhile" not in failure(session)


def test_another_apps_request_is_nobodys_fault_here(logged: Logged) -> None:
    session, phone = logged()
    session.tap(text="Go")
    asks(phone, pid=77)
    assert "meanwhile" not in failure(session)


def test_a_log_that_cannot_be_read_is_no_second_trouble(logged: Logged) -> None:
    session, phone = logged(asks)
    session.tap(text="Go")
    phone.trouble = DeviceOffline("gone")
    assert "meanwhile" not in failure(session)
