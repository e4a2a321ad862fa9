"""What becomes JSON, and as what."""

from __future__ import annotations

from pytest_replicant.model import Point, Rect
from pytest_replicant.reporting.artifacts.document import plain


def test_a_place_tells_its_fields() -> None:
    recorded = plain({"at": Point(1, 2), "area": [Rect(0, 0, 9, 9)], "pair": (1, 2)})
    assert recorded == {
        "at": {"x": 1, "y": 2},
        "area": [{"left": 0, "top": 0, "right": 9, "bottom": 9}],
        "pair": [1, 2],
    }
