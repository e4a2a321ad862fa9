"""What counts as worse."""

from __future__ import annotations

import pytest

from benchmarks.figures import worse


@pytest.mark.parametrize(
    ("name", "was", "as_good", "is_worse"),
    [
        ("tune layout retention", 0.951, 0.95, 0.94),
        ("tune bait mistaken", 0.01, 0.0105, 0.02),
        ("test layout hijacked", 0, 0, 1),
        ("tune layout demanded", 0.04, 0.03, 0.05),
    ],
)
def test_a_share_may_not_get_worse_by_more_than_is_allowed(
    name: str, was: float, as_good: float, is_worse: float
) -> None:
    assert worse({name: as_good}, {name: was}) == []
    assert worse({name: is_worse}, {name: was}) == [f"{name} was {was:.4f}, now {is_worse:.4f}"]


def test_what_is_no_longer_measured_is_worse() -> None:
    assert worse({}, {"test bait retention": 1.0})
