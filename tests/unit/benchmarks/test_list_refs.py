"""Refs of lists whose rows begin with a rank, a time or a sign never touch another row."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, get_args

import pytest

from benchmarks.list_refs import KINDS, USES, walk
from pytest_replicant.drivers import Platform
from pytest_replicant.model import Element
from pytest_replicant.session import DeviceSession
from pytest_replicant.snapshots import Snapshot

FEWEST_KEPT = 0.8  # of the refs whose item says what it said; the rest are out of sight, or cut by the list's edge


def touches_no_other_row(kind: str, platform: Platform, uses: int) -> None:
    tally = walk(kind, platform, uses)
    counts = tally.counts
    assert counts["another"] == 0, "\n".join(tally.findings)
    kept, refused = (counts[f"{ended} though unchanged"] for ended in ("kept", "refused"))
    assert kept >= FEWEST_KEPT * (kept + refused), counts


@pytest.mark.slow
@pytest.mark.parametrize("platform", get_args(Platform))
@pytest.mark.parametrize("kind", ["rank", pytest.param("symbol", marks=pytest.mark.ci)])
def test_a_ref_touches_its_own_row_or_none(kind: str, platform: Platform) -> None:
    touches_no_other_row(kind, platform, 60)


@pytest.mark.slow
@pytest.mark.thorough
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("platform", get_args(Platform))
@pytest.mark.parametrize("kind", KINDS)
def test_no_ref_of_thousands_touches_another_row(kind: str, platform: Platform) -> None:
    touches_no_other_row(kind, platform, USES)


@pytest.mark.slow
@pytest.mark.parametrize("platform", get_args(Platform))
def test_refs_by_the_first_label_of_a_row_touch_other_rows(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged = Snapshot.locate

    def by_first_label(now: Snapshot, was: Element) -> Any:
        first = was.label.partition(" ")[0]
        found = next((one for one in now.elements if first and one.label.partition(" ")[0] == first), None)
        return replace(judged(now, was), verdict="same" if found else "gone", element=found)

    def careless(_: DeviceSession) -> None:
        monkeypatch.setattr(Snapshot, "locate", by_first_label)

    tally = walk("rank", platform, 60, careless)
    assert tally.counts["another"] > 5
    assert any("was touched" in line for line in tally.findings)
