"""A test waits for a phone that others hold, in turn, and never for one that it could not be
given."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from pytest_replicant.errors import DeviceBusy, DeviceOffline
from pytest_replicant.pool import (
    MUTEX,
    DevicePool,
    DeviceRequirements,
    NoMatchingDevice,
    Opened,
    Tickets,
    alone,
    lease_folder,
)

from .rack import ONE, TWO, Clock, Process, uri_of, uris


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return lease_folder()


@pytest.fixture
def waits() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def left_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.name != MUTEX]


def test_a_phone_that_comes_free_is_lent(folder: Path) -> None:
    other = Process(7).pool(ONE)
    theirs = other.acquire()
    clock = Clock([lambda: None, lambda: other.drop(theirs)])
    pool = Process(8).pool(ONE, clock=clock)
    assert uri_of(pool.acquire()) == ONE
    assert clock.slept == 2
    assert pool.last_wait == clock.time
    pool.close()
    assert left_in(folder) == []


def test_in_the_end_it_is_reported_who_holds_which_phone(folder: Path) -> None:
    theirs = Process(7).pool(ONE).acquire(), Process(9).pool(TWO).acquire()
    clock = Clock()
    with pytest.raises(DeviceBusy) as refused:
        Process(8).pool(ONE, TWO, timeout=5, clock=clock).acquire()
    said = str(refused.value)
    assert said.startswith("no phone came free in 5 s. Next: start fewer workers")
    assert "adb://build:5037/one is in use by process 7, since " in said
    assert "adb://build:5037/two is in use by process 9, since " in said
    assert clock.time == pytest.approx(5)
    assert Tickets(folder).waiting() == []
    del theirs


def test_who_holds_a_phone_does_not_wait_for_another() -> None:
    theirs = Process(7).pool(TWO).acquire()
    clock = Clock()
    pool = Process(8).pool(ONE, TWO, clock=clock)
    pool.acquire()
    with pytest.raises(
        DeviceBusy, match=r"one is in use by this test\n.*two is in use by process 7"
    ):
        pool.acquire()
    assert clock.slept == 0
    del theirs


def test_a_phone_of_this_process_is_not_waited_for() -> None:
    """A user outside of the pool waits for no one, and so the phone would never come free."""
    theirs = Process(os.getpid()).pool(ONE).acquire()
    clock = Clock()
    with pytest.raises(DeviceBusy, match="this very process"):
        Process(8).pool(ONE, clock=clock).acquire()
    assert clock.slept == 0
    del theirs


def test_a_warm_phone_goes_to_who_waits_for_it(waits: ExitStack, folder: Path) -> None:
    pool = Process(8).pool(ONE)
    opened = pool.acquire()
    waits.enter_context(Tickets(folder).queue_up([ONE]))
    pool.yield_idle()
    assert pool._places, "what a test uses stays its own"
    pool.release(opened)
    assert pool._places == []
    assert left_in(folder) != [], "the ticket"


def test_one_who_waits_is_given_one_phone_and_not_all(waits: ExitStack, folder: Path) -> None:
    pool = Process(8).pool(ONE, TWO)
    opened = [pool.acquire(), pool.acquire()]
    waits.enter_context(Tickets(folder).queue_up([ONE, TWO]))
    for each in opened:
        pool.release(each)
    assert [place.uri.text for place in pool._places] == [TWO]


def test_who_gave_a_phone_back_queues_like_everybody(folder: Path) -> None:
    """Two workers, one phone: they take turns, however many tests each has."""
    first, clock = Process(7).pool(ONE), Clock()
    opened = first.acquire()
    second = Process(8).pool(ONE, clock=clock)
    turns: list[str] = []

    def end_of_the_first_test() -> None:
        first.release(opened)
        turns.append("given back")
        first.clock = Clock([lambda: turns.append("queues")])
        first.lease_timeout = 0.1
        with pytest.raises(DeviceBusy, match="goes to a test that has waited longer"):
            first.acquire()

    clock.meanwhile = [end_of_the_first_test]
    assert uri_of(second.acquire()) == ONE
    assert turns == ["given back", "queues"]


def test_two_that_wait_for_what_the_other_keeps_warm_both_get_it() -> None:
    """Neither test holds a phone, but each process keeps the one warm that the other wants."""
    seven, eight = Process(7).pool(ONE, TWO), Process(8).pool(ONE, TWO)
    seven.release(seven.acquire(ONE))
    eight.release(eight.acquire(TWO))
    got: list[str] = []

    def eight_goes_on() -> None:
        eight.clock = Clock([seven.yield_idle])  # as it does each time that it looks
        got.append(uri_of(eight.acquire(ONE)))

    seven.clock = Clock([eight_goes_on])
    got.append(uri_of(seven.acquire(TWO)))
    assert got == [ONE, TWO]


def test_a_phone_in_trouble_is_not_waited_for() -> None:
    def refuse(uri: str, timeout: float | None) -> Process:  # never returns
        raise DeviceOffline(f"{uri} does not answer")

    clock = Clock()
    with pytest.raises(DeviceOffline, match="does not answer"):
        DevicePool(uris(ONE), refuse, 60, clock=clock).acquire(wanted=DeviceRequirements(api="34"))  # type: ignore[arg-type]
    assert clock.slept == 0


def test_ctrl_c_leaves_no_ticket(folder: Path) -> None:
    theirs = Process(7).pool(ONE).acquire()

    def interrupt() -> None:
        assert len(Tickets(folder).waiting()) == 1
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Process(8).pool(ONE, clock=Clock([interrupt])).acquire()
    assert Tickets(folder).waiting() == []
    assert not [name for name in left_in(folder) if "ticket" in name]
    del theirs


def test_a_busy_phone_that_is_known_not_to_fit_is_not_waited_for() -> None:
    theirs = Process(7, {ONE: 29}).pool(ONE).acquire()
    clock = Clock()
    with pytest.raises(NoMatchingDevice) as none:
        Process(8).pool(ONE, clock=clock).acquire(wanted=DeviceRequirements(api=">=34"))
    assert clock.slept == 0
    said = (
        'no phone of this run will do for api=">=34": adb://build:5037/one: has API level 29, '
        "not >=34"
    )
    assert none.value.reason == said
    del theirs


def test_a_busy_phone_of_which_no_one_knows_anything_is_waited_for() -> None:
    seven = Process(7, {ONE: 29}).pool(ONE)
    theirs = seven.acquire()
    record = theirs.lease._record  # type: ignore[attr-defined]
    record.write_text('{"pid": 7}')
    clock = Clock([lambda: None, lambda: seven.drop(theirs)])
    with pytest.raises(NoMatchingDevice, match="has API level 29"):
        Process(8, {ONE: 29}).pool(ONE, clock=clock).acquire(wanted=DeviceRequirements(api=">=34"))
    assert clock.slept == 2


def test_a_phone_that_does_not_fit_is_let_go_of_and_not_opened_again() -> None:
    eight = Process(8, {ONE: 29})
    pool = eight.pool(ONE, TWO)
    wanted = DeviceRequirements(api=">=34")
    opened = pool.acquire(wanted=wanted)
    assert uri_of(opened) == TWO
    assert uri_of(Process(7).pool(ONE).acquire()) == ONE
    pool.release(opened)
    pool.acquire(wanted=wanted)
    assert eight.opened == [ONE, TWO]


def test_who_waits_asks_no_more_for_what_does_not_fit(folder: Path) -> None:
    """It would be given back for nothing."""
    seven, nine = Process(7, {ONE: 29}).pool(ONE), Process(9).pool(TWO)
    theirs, others = seven.acquire(), nine.acquire()
    theirs.lease._record.write_text("{}")  # type: ignore[attr-defined]
    seen: list[tuple[str, ...]] = []

    def look() -> None:
        seen.append(Tickets(folder).waiting()[0].wanted)

    steps: list[Callable[[], object]] = [
        look,
        lambda: seven.drop(theirs),
        look,
        lambda: nine.drop(others),
    ]
    clock = Clock(steps)
    assert (
        uri_of(
            Process(8, {ONE: 29})
            .pool(ONE, TWO, clock=clock)
            .acquire(wanted=DeviceRequirements(api="34"))
        )
        == TWO
    )
    assert seen == [(ONE, TWO), (TWO,)]


def test_one_phone_by_two_names_is_one_phone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", "5999")
    pool = Process(8).pool("android:one", "adb://127.0.0.1:5999/one")
    pool.acquire()
    with pytest.raises(DeviceBusy, match="is in use by this test"):
        pool.acquire()


def test_whoever_cannot_be_asked_is_not_asked(folder: Path) -> None:
    """A test that is over does not fail because of who might want its phone."""
    pool = Process(8).pool(ONE)
    opened = pool.acquire()
    with Tickets(folder).queue_up([ONE]), alone(folder):
        pool.release(opened)
    assert pool.acquire() is opened


def test_only_a_phone_that_will_be_used_is_prepared() -> None:
    prepared: list[str] = []
    pool = Process(8, {ONE: 29}).pool(ONE, TWO)
    pool.prepare = lambda opened, timeout: prepared.append(uri_of(opened))
    pool.release(pool.acquire(wanted=DeviceRequirements(api="34")))
    pool.acquire(wanted=DeviceRequirements(api="34"))
    assert prepared == [TWO], "and once"


def test_a_phone_that_cannot_be_prepared_is_not_kept() -> None:
    def refuse(opened: Opened, timeout: float | None) -> None:
        opened.close()
        raise DeviceOffline("it fell off")

    pool = Process(8).pool(ONE)
    pool.prepare = refuse
    with pytest.raises(DeviceOffline):
        pool.acquire()
    assert pool._places == []
    assert uri_of(Process(7).pool(ONE).acquire()) == ONE
