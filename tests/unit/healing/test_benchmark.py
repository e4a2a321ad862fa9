"""The benchmark of healing counts wrong patches: it is given healers that guess."""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks import heal
from pytest_replicant.healing import Refound
from pytest_replicant.model import Element, Selector
from pytest_replicant.snapshots import Snapshot

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def screens() -> list[heal.Screen]:
    """Those of the demo shop."""
    return list(heal.of_demo_app("tune"))


def cases(screens: list[heal.Screen]) -> list[heal.Case]:
    return [case for screen in screens for case in heal.cases(screen)]


def outcomes(found: list[heal.Case]) -> Counter[tuple[str, str]]:
    return Counter((case.way.truth, case.outcome) for case in found)


def test_ours_never_finds_another_element(screens: list[heal.Screen]) -> None:
    assert screens[0].name == "replicant-shop://sign-in"
    found = cases(screens)
    count = outcomes(found)
    assert count["patch", "right"] > 20
    assert count["gone", "gone"] > 20
    assert not any(count[truth, "wrong"] for truth in ("patch", "gone", "refuse"))


def test_one_that_takes_any_element_is_wrong(screens: list[heal.Screen], monkeypatch: pytest.MonkeyPatch) -> None:
    def guess(was: Element, selector: Selector, then: Snapshot, now: Snapshot) -> Refound:
        return Refound(now.elements[-1], "renamed", "a guess")

    monkeypatch.setattr(heal, "refind", guess)
    count = outcomes(cases(screens))
    assert count["patch", "wrong"] > 0
    assert count["gone", "wrong"] > 0
