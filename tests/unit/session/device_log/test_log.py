"""The device log: its windows, its filters, and a phone whose clock is set during the test."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_replicant import Unsupported
from pytest_replicant.drivers import Capability
from pytest_replicant.session import DeviceSession

from ..conftest import Logged
from ..scripted_phone import APP


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


def test_a_phone_without_a_log_says_so(logged: Logged) -> None:
    session, phone = logged()
    phone.capabilities = Capability.TOASTS
    with pytest.raises(Unsupported):
        session.logs(level="E")


def test_the_clock_is_asked_before_the_log_is_read(logged: Logged) -> None:
    session, phone = logged()
    outcome = session.tap(text="Go")
    phone.log("paid 9.90")
    phone.commands.clear()
    outcome.expect_log("paid 9")
    assert phone.commands == ["log_mark", "logs"]
