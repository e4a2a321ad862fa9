"""``connect`` without pytest: what a script is told at the end of its session."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

from pytest_replicant import ExpectationFailed, SoftFailures, UsageError, connect

SHOP = "virtual?latency=0&app=dev.replicant.shop"
QUICK: dict[str, Any] = {"expect_timeout": 0.1, "read_on": 0.0, "screenshots": False}
pytestmark = pytest.mark.slow


def test_soft_checks_that_hold_raise_nothing() -> None:
    with connect(SHOP, **QUICK) as mobile:
        mobile.launch("dev.replicant.shop").soft.expect_visible(text="Email", timeout=2)


def collect(*labels: str, ends: Callable[[], object] = int) -> None:
    with connect(SHOP, **QUICK) as mobile:
        for label in labels:
            mobile.soft.expect_visible(text=label)
        ends()


def test_a_soft_check_that_failed_is_raised_at_the_end_of_the_session() -> None:
    reached: list[str] = []
    with pytest.raises(ExpectationFailed, match='text="Nope"'):
        collect("Nope", ends=lambda: reached.append("the end"))
    assert reached


def test_several_are_raised_together() -> None:
    with pytest.raises(SoftFailures) as caught:
        collect("Nope", "Neither")
    assert len(caught.value.exceptions) == 2


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 has no notes")
def test_another_error_stays_itself_and_tells_them_too() -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        collect("Nope", ends=lambda: 1 // 0)
    assert any('text="Nope"' in note for note in caught.value.__dict__["__notes__"])


@pytest.mark.parametrize(
    "given", [{"uri": None}, {"timeout": "soon"}, {"recovery": "on"}, {"action_timeout": "5"}]
)
def test_a_wrong_call_is_told_so(given: dict[str, Any]) -> None:
    with pytest.raises(UsageError), connect(**{"uri": SHOP, **given}):
        pass
