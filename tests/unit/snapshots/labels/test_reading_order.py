"""The order in which a person reads."""

from __future__ import annotations

import pytest

from pytest_replicant.snapshots.labels.labels import in_reading_order

from ..ios_screens import parse, static


@pytest.mark.parametrize(
    ("places", "order"),
    [
        ([(0, 0, 50, 20), (100, 0, 50, 20)], "01"),
        ([(100, 0, 50, 20), (0, 0, 50, 20)], "10"),
        ([(100, 0, 50, 54), (0, 6, 50, 21), (60, 52, 50, 15)], "102"),  # large beside small, then below
        ([(0, 40, 50, 20), (0, 20, 50, 20), (0, 0, 50, 20)], "210"),
        ([(0, 0, 50, 20), (60, 9, 50, 20)], "01"),  # hardly beside
        ([], ""),
    ],
)
def test_lines_go_down_and_each_from_the_left(places: list[tuple[int, int, int, int]], order: str) -> None:
    source = "".join(static(str(number), at=at) for number, at in enumerate(places))
    nodes = parse(source).nodes if source else ()
    assert "".join(node.text for node in in_reading_order(nodes)) == order


def test_a_line_of_hebrew_goes_from_the_right() -> None:
    source = static("9.90", at=(0, 0, 50, 20)) + static("ספל כחול", at=(100, 0, 50, 20))
    assert [node.text for node in in_reading_order(parse(source).nodes)] == ["ספל כחול", "9.90"]
