"""RFC 010: two agreeing reads, a window that bounds agreement, and failed reads that prove nothing."""

from __future__ import annotations

import pytest

from pytest_replicant import DeviceError, DeviceOffline, SnapshotError
from pytest_replicant.session.clock import ManualClock
from pytest_replicant.session.stabilize import settle

from .conftest import Play
from .scripted_phone import button, screen

A, B, C = (screen(button(name)) for name in ("One", "Two", "Three"))


def test_two_agreeing_reads_settle(play: Play) -> None:
    session, phone = play([A, B, B, C])
    settled = settle(session._parts, None)
    assert settled.agreed
    assert phone.dumps == 3
    assert settled.snapshot.find(text="Two")


def test_a_screen_that_never_rests_is_not_called_settled(play: Play) -> None:
    session, _ = play([A, B] * 40)
    settled = settle(session._parts, None)
    assert not settled.agreed
    assert settled.waited >= 1.0


def test_two_reads_are_granted_however_slow_a_dump_is(play: Play, clock: ManualClock) -> None:
    session, phone = play([A], dump_seconds=3.0)
    settled = settle(session._parts, None)
    assert settled.agreed
    assert phone.dumps == 2


def test_a_failed_read_between_two_good_ones_resets_agreement(play: Play) -> None:
    session, phone = play([A, SnapshotError("null root node"), A, A])
    assert settle(session._parts, None).agreed
    assert phone.dumps == 4


def test_an_unchanged_screen_is_watched_before_it_is_believed(play: Play) -> None:
    session, _ = play([A, A, A, B, B], quiet=0.3)
    before = session.snapshot()
    assert settle(session._parts, before).snapshot.find(text="Two")


def test_where_every_read_fails_that_is_tool_trouble(play: Play) -> None:
    session, phone = play([SnapshotError("could not get idle state")])
    with pytest.raises(DeviceError, match="failed; the last: could not get idle state"):
        settle(session._parts, None)
    assert phone.dumps > 1


def test_a_phone_that_is_gone_is_not_asked_again(play: Play) -> None:
    session, phone = play([DeviceOffline("gone", device="x")])
    with pytest.raises(DeviceOffline):
        settle(session._parts, None)
    assert phone.dumps == 1
