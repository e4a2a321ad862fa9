"""How phones did: lost, in tool trouble, recovered, and the share without any of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_replicant.kept import PhoneCause, RunRow, phones_of
from pytest_replicant.reporting import in_trouble

ROW = RunRow("t.py::a", 0, "passed", "2026-11-20T10:00:00Z", 900, "Pixel 7", phone="android:one", test="t.py::a")


def rows(number: int) -> list[RunRow]:
    return [replace(ROW, nodeid=f"t.py::{at}", test=f"t.py::{at}") for at in range(number)]


def test_a_sound_phone() -> None:
    (phone,) = phones_of([*rows(3), replace(ROW, outcome="failed")])
    assert (phone.attempts, phone.score, phone.quarantined, phone.duration_ms) == (4, 100, False, 3600)
    assert in_trouble([phone]) == []


def test_a_lost_phone_and_where_its_test_went() -> None:
    lost = replace(ROW, outcome="infra", lost="unplugged\nsomewhere")
    again = replace(ROW, attempt=1, phone="android:two", requeues=1)
    one, two = phones_of([*rows(2), lost, again])
    assert (one.phone, one.lost, one.requeued, one.score, one.reason) == ("android:one", 1, 1, 66, "unplugged")
    assert one.quarantined
    assert (two.phone, two.score, two.lost) == ("android:two", 100, 0)
    assert in_trouble([one, two]) == ["android:one (Pixel 7): lost in 1 of 3 tests; in quarantine: unplugged"]


def test_a_lost_phone_without_another() -> None:
    (phone,) = phones_of([replace(ROW, outcome="infra", lost="unplugged")])
    assert (phone.lost, phone.requeued, phone.score) == (1, 0, 0)


def test_trouble_that_a_phone_survived() -> None:
    (phone,) = phones_of([*rows(2), replace(ROW, outcome="infra"), replace(ROW, test="b", reconnects=2)])
    assert (phone.infra, phone.reconnected, phone.lost, phone.score) == (1, 1, 0, 50)
    assert in_trouble([phone]) == [
        "android:one (Pixel 7): tool trouble in 1, recovered by reconnecting in 1 of 4 tests"
    ]


@pytest.mark.parametrize("exception", ["DeviceBusy", "ResourceUnavailable"])
def test_what_is_of_no_phone_is_no_trouble_of_this_one(exception: str) -> None:
    unable = replace(ROW, outcome="infra", cause=PhoneCause(exception=exception))
    assert [(phone.infra, phone.score) for phone in phones_of([unable])] == [(0, 100)]


def test_recoveries_alone_are_no_trouble() -> None:
    (phone,) = phones_of([replace(ROW, reconnects=1)])
    assert (phone.score, in_trouble([phone])) == (0, [])


def test_the_other_phone_of_a_test_is_not_to_blame() -> None:
    lost = replace(ROW, outcome="infra", lost="unplugged")
    beside = replace(ROW, outcome="infra", phone="android:two", nodeid="t.py::a (phone 2)")
    assert {phone.phone: phone.score for phone in phones_of([lost, beside])} == {
        "android:one": 0,
        "android:two": 100,
    }


def test_a_test_that_never_had_a_phone_is_nobodys() -> None:
    assert phones_of([replace(ROW, phone="")]) == ()


def test_a_phone_that_workers_share_is_one() -> None:
    both = [
        replace(ROW, phone=phone, worker=worker)
        for phone in ("virtual-1", "virtual-2")
        for worker in ("gw0", "gw1")
    ]
    assert [(one.phone, one.attempts) for one in phones_of(both)] == [("virtual-1", 2), ("virtual-2", 2)]
