"""The grid: 24 cells in reading order, and five places in each."""

from __future__ import annotations

from typing import Any

import pytest
from PIL import Image

from pytest_replicant.errors import UsageError
from pytest_replicant.model import Point
from pytest_replicant.vision import POSITIONS, cell_point, with_grid


@pytest.mark.parametrize(
    ("cell", "position", "point"),
    [
        (1, "top left", (25, 50)),
        (1, "center", (50, 100)),
        (6, "top right", (575, 50)),
        (7, "center", (50, 300)),
        (12, "center", (550, 300)),
        (24, "bottom left", (525, 750)),
        (24, "bottom right", (575, 750)),
    ],
)
def test_cells_count_in_reading_order(cell: int, position: str, point: tuple[int, int]) -> None:
    assert cell_point(cell, position, (600, 800)) == Point(*point)


@pytest.mark.parametrize("size", [(461, 1000), (1000, 461), (6, 4), (1, 1)])
def test_each_point_lies_in_its_own_cell(size: tuple[int, int]) -> None:
    for cell in range(1, 25):
        for position in POSITIONS:
            x, y = cell_point(cell, position, size)
            assert (y * 4 // size[1] * 6 + x * 6 // size[0] + 1 == cell) or min(size) < 24
            assert 0 <= x < size[0]
            assert 0 <= y < size[1]


@pytest.mark.parametrize("cell", [0, 25, -1, 1.0, "3", True, None])
def test_a_cell_that_the_grid_has_not_is_refused(cell: Any) -> None:
    with pytest.raises(
        UsageError, match=r"the grid has 24 cells, 6 in each of 4 rows\.\nNext: give a number"
    ):
        cell_point(cell, "center", (600, 800))


def test_a_position_that_a_cell_has_not_is_refused() -> None:
    with pytest.raises(
        UsageError, match=r"Did you mean center\?\nNext: one of top left, top right, center"
    ):
        cell_point(1, "centre", (600, 800))


@pytest.mark.parametrize("ground", ["black", "white", "gray"])
def test_the_grid_is_seen_on_any_ground_and_keeps_the_size(ground: str) -> None:
    drawn = with_grid(Image.new("RGB", (300, 600), ground))
    assert drawn.size == (300, 600)
    for cell in range(1, 25):
        middle = cell_point(cell, "center", drawn.size)
        levels = (
            drawn.crop((middle.x - 8, middle.y - 8, middle.x + 8, middle.y + 8))
            .convert("L")
            .tobytes()
        )
        assert max(levels) - min(levels) > 150  # its number
