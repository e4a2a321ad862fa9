"""The benchmark of pictures knows the truth, and would notice a wrong icon."""

from __future__ import annotations

import pytest

from benchmarks.pictures import CHANGES, GRIDS, Change, used

BY_NAME = {change.name: change for change in CHANGES}


@pytest.mark.slow
@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.name)
def test_no_change_leads_to_another_icon(change: Change) -> None:
    assert [used(change, *grid, seed=0).wrong for grid in GRIDS] == [0] * len(GRIDS)


def test_it_counts_the_wrong_ones_that_are_hit_without_pictures() -> None:
    uses = used(BY_NAME["two were exchanged"], "android", "icons", 0, pictures=False)
    assert (uses.right, uses.abstained, uses.wrong) == (12, 0, 2)


def test_it_counts_the_ones_that_only_pictures_find() -> None:
    change = BY_NAME["one went"]
    seen, unseen = (used(change, "ios", "icons", 0, pictures=pictures) for pictures in (True, False))
    assert (seen.right, seen.there, unseen.right, unseen.abstained) == (13, 13, 0, 14)
