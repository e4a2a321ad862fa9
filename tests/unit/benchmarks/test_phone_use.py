"""Two tests on one phone at once are found, whatever lies between them."""

from __future__ import annotations

from benchmarks.phone_use import Use, overlaps


def use(phone: str, begin: float, end: float) -> Use:
    return Use(phone, begin, end, f"{phone} from {begin}")


def test_one_after_the_other_is_no_overlap() -> None:
    assert overlaps([use("a", 2, 3), use("a", 0, 2), use("b", 0, 5)]) == []


def test_two_at_once_are_found() -> None:
    first, second = use("a", 0, 3), use("a", 2, 4)
    assert overlaps([second, use("b", 2, 4), first]) == [(first, second)]


def test_a_long_one_overlaps_what_comes_after_a_short_one_within_it() -> None:
    long, short, late = use("a", 0, 9), use("a", 1, 2), use("a", 3, 4)
    assert overlaps([long, short, late]) == [(long, short), (long, late)]
