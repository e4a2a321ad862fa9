"""Checks are bounded and never raise; what hangs hides nothing else."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from pytest_replicant.pool import Check, Finding, Subject, bounded, examine

FINE = Finding("ok", "one", "fine")


@pytest.fixture
def hanging() -> Iterator[Check]:
    """Until the test is over."""
    over = threading.Event()
    yield Check("hangs", 0.02, lambda: [FINE] if over.wait(60) else [])
    over.set()


def test_an_error_is_a_failure_with_its_words_behind_what_was_found_before() -> None:
    def look() -> Iterator[Finding]:
        yield FINE
        raise RuntimeError("odd")

    fine, broken = bounded(Check("one", 5, look))
    assert (fine, broken.status, broken.found) == (FINE, "fail", "RuntimeError: odd")
    assert broken.next


def test_what_hangs_is_left_behind_and_reported(hanging: Check) -> None:
    (found,) = bounded(hanging)
    assert (found.status, found.found) == ("fail", "no answer within 0.02 s")


def test_one_that_hangs_does_not_hide_the_others(hanging: Check) -> None:
    slow = Subject("slow", lambda: iter([hanging, Check("one", 5, lambda: [FINE])]))
    quick = Subject("quick", lambda: iter([Check("one", 5, lambda: [FINE])]))
    found = list(examine([slow, quick], 5))
    assert [[(each.group, each.status) for each in findings] for findings in found] == [
        [("slow", "fail"), ("slow", "ok")],
        [("quick", "ok")],
    ]


def test_all_of_it_is_bounded(hanging: Check) -> None:
    patient = Check("patient", 60, hanging.look)
    (found,) = examine(
        [Subject("slow", lambda: iter([Check("one", 5, lambda: [FINE]), patient]))], 0.2
    )
    assert [(each.name, each.status) for each in found] == [("one", "ok"), ("checks", "fail")]
    assert "not done within 0.2 s" in found[1].found


def test_checks_that_cannot_even_be_listed_are_reported() -> None:
    def broken() -> Iterator[Check]:
        yield Check("one", 5, lambda: [FINE])
        raise LookupError("none")

    (found,) = examine([Subject("odd", broken)], 5)
    assert [each.found for each in found] == ["fine", "LookupError: none"]
