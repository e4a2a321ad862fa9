"""What counts as worse."""

from __future__ import annotations

from benchmarks.figures import worse


def test_a_share_that_should_grow_may_not_shrink() -> None:
    assert worse({"tune layout retention": 0.95}, {"tune layout retention": 0.951}) == []
    assert worse({"tune layout retention": 0.94}, {"tune layout retention": 0.951}) == [
        "tune layout retention was 0.9510, now 0.9400"
    ]


def test_a_share_that_should_shrink_may_not_grow() -> None:
    assert worse({"tune bait mistaken": 0.0105}, {"tune bait mistaken": 0.01}) == []
    assert worse({"tune bait mistaken": 0.02}, {"tune bait mistaken": 0.01})


def test_counts_of_hijacks_and_the_share_listed_allow_nothing() -> None:
    assert worse({"test layout hijacked": 1}, {"test layout hijacked": 0})
    assert worse({"test android listed": 0.9999}, {"test android listed": 1.0})


def test_what_is_no_longer_measured_is_worse() -> None:
    assert worse({}, {"test android listed": 1.0})


def test_abstaining_may_not_be_demanded_more_often() -> None:
    assert worse({"tune layout demanded": 0.05}, {"tune layout demanded": 0.04})
    assert worse({"tune layout demanded": 0.03}, {"tune layout demanded": 0.04}) == []
