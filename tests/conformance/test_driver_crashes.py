"""What the driver reads of deaths on the virtual phone: each kind is reported once, and none before
the mark."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pytest_replicant.drivers import AndroidDriver, LogMark
from pytest_replicant.errors import UsageError
from pytest_replicant.logs import Crash, read_crashes
from pytest_replicant.virtual import VirtualPhone, start_server
from tests.unit.virtual.frail_app import FRAIL, FrailHand, frail_phone
from tests.unit.virtual.toy_app import ManualClock


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def hand(clock: ManualClock) -> FrailHand:
    return frail_phone(clock)[1]


@pytest.fixture
def phone(hand: FrailHand) -> VirtualPhone:
    return hand.phone


@pytest.fixture
def driver(phone: VirtualPhone) -> Iterator[AndroidDriver]:
    with start_server(phone) as server:
        connected = AndroidDriver.connect(server.host, server.port, phone.profile.serial)
        yield connected
        connected.close()


def deaths(driver: AndroidDriver, since: LogMark | None = None) -> list[Crash]:
    return [crash for crash in read_crashes(driver.crashes(since).lines) if crash.is_of(FRAIL)]


def test_an_uncaught_exception(driver: AndroidDriver, hand: FrailHand) -> None:
    mark = driver.log_mark()
    (pid,) = driver.pids(FRAIL)
    hand.tap(id="crash")
    found = driver.crashes(mark, FRAIL)
    (crash,) = read_crashes(found.lines)
    assert (crash.kind, crash.app, crash.pid) == ("java", FRAIL, pid)
    assert crash.summary.startswith("RuntimeException: ZeroDivisionError: ")
    assert "frail_app.py" in crash.summary
    assert found.pids == ()


def test_a_death_before_the_mark_is_another_tests(driver: AndroidDriver, hand: FrailHand) -> None:
    hand.tap(id="crash")
    mark = driver.log_mark()
    assert deaths(driver, mark) == []
    assert len(deaths(driver)) == 1


def test_where_a_reading_ends_the_next_begins(driver: AndroidDriver, hand: FrailHand) -> None:
    mark = driver.log_mark()
    hand.tap(id="crash")
    first = driver.crashes(mark)
    assert len(read_crashes(first.lines)) == 1
    assert read_crashes(driver.crashes(first.until).lines) == []
    driver.launch(FRAIL, None, ())
    hand.tap(id="crash")
    assert len(deaths(driver, first.until)) == 1
    assert len(deaths(driver, mark)) == 2


def test_an_app_that_hangs(driver: AndroidDriver, hand: FrailHand, clock: ManualClock) -> None:
    hand.tap(id="hang")
    hand.tap(id="add")
    clock.now += 6
    hand.phone.windows()
    (crash,) = deaths(driver)
    assert crash.kind == "anr"
    assert crash.pid in driver.pids(FRAIL)
    assert crash.summary.startswith("does not answer: Input dispatching timed out")
    close = driver.system_dialogs.close_buttons[0].resource_id
    hand.tap(resource_id=close)
    assert [crash.kind for crash in deaths(driver)] == ["anr"]
    assert driver.pids(FRAIL) == ()


def test_deaths_and_processes_are_asked_in_one_command(driver: AndroidDriver) -> None:
    before = driver._link.calls
    driver.crashes(None, FRAIL)
    assert driver._link.calls == before + 1


def test_a_buffer_that_there_is_not(driver: AndroidDriver) -> None:
    with pytest.raises(UsageError, match="There are: main, system, crash"):
        driver.logs(buffers=["mian"])
