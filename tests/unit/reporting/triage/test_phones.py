"""How phones did: lost, in tool trouble, recovered, and the share without any of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_replicant.kept_runs import PhoneCause, RunRow, phones_of
from pytest_replicant.reporting import in_trouble

ROW = RunRow(
    "t.py::a",
    0,
    "passed",
    "2026-11-20T10:00:00Z",
    900,
    "Pixel 7",
    phone="android:one",
    test="t.py::a",
)


def rows(number: int) -> list[RunRow]:
    return [replace(ROW, nodeid=f"t.py::{at}", test=f"t.py::{at}") for at in range(number)]


LOST_IN = "android:one (Pixel 7): lost in"
LOST = replace(ROW, outcome="infra", lost="unplugged\nsomewhere")
UNABLE = [
    replace(ROW, outcome="infra", cause=PhoneCause(exception=name))
    for name in ("DeviceBusy", "ResourceUnavailable")
]


@pytest.mark.parametrize(
    ("attempts", "known", "said"),
    [
        ([*rows(3), replace(ROW, outcome="failed")], (4, 0, 0, 0, 0, 100, False), ""),
        (
            [*rows(2), LOST, replace(ROW, attempt=1, phone="android:two", requeues=1)],
            (3, 1, 0, 0, 1, 66, True),
            f"{LOST_IN} 1 of 3 tests; in quarantine: unplugged",
        ),
        (
            [LOST],
            (1, 1, 0, 0, 0, 0, True),
            "android:one (Pixel 7): lost in 1 of 1 tests; in quarantine: unplugged",
        ),
        (
            [*rows(2), replace(ROW, outcome="infra"), replace(ROW, test="b", reconnects=2)],
            (4, 0, 1, 1, 0, 50, False),
            "android:one (Pixel 7): tool trouble in 1, recovered by reconnecting in 1 of 4 tests",
        ),
        (UNABLE[:1], (1, 0, 0, 0, 0, 100, False), ""),
        ([replace(ROW, reconnects=1)], (1, 0, 0, 1, 0, 0, False), ""),
    ],
)
def test_how_a_phone_did(attempts: list[RunRow], known: tuple[object, ...], said: str) -> None:
    one, *others = phones_of(attempts)
    counts = (
        one.attempts,
        one.lost,
        one.infra,
        one.reconnected,
        one.requeued,
        one.score,
        one.quarantined,
    )
    assert counts == known
    assert in_trouble([one, *others]) == [said] * bool(said)
    assert {other.score for other in others} <= {100}


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
    assert [(one.phone, one.attempts) for one in phones_of(both)] == [
        ("virtual-1", 2),
        ("virtual-2", 2),
    ]
