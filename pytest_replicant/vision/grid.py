"""A grid of numbered cells over a picture: places on a screen that neither the hierarchy nor any text names."""

from __future__ import annotations

from ..errors import UsageError, did_you_mean
from ..model import Point, Rect

COLUMNS, ROWS = 6, 4  # of a portrait and of a landscape picture alike
CELLS = COLUMNS * ROWS
POSITIONS = {
    "top left": (0.25, 0.25),
    "top right": (0.75, 0.25),
    "center": (0.5, 0.5),
    "bottom left": (0.25, 0.75),
    "bottom right": (0.75, 0.75),
}
"""Name of a place in a cell to its share of the cell's width and height."""


def cell_point(cell: int, position: str, size: tuple[int, int]) -> Point:
    """The place in a picture of this size (width, height), in its pixels. Cells count from 1 to 24 in reading
    order. Raises ``UsageError`` for a cell or position that the grid has not."""
    if isinstance(cell, bool) or not isinstance(cell, int) or not 1 <= cell <= CELLS:
        raise UsageError(
            f"cell {cell!r}: the grid has {CELLS} cells, {COLUMNS} in each of {ROWS} rows.\n"
            f"Next: give a number from 1 to {CELLS}"
        )
    if position not in POSITIONS:
        raise UsageError(
            f"position {position!r}: a cell has none of that name.{did_you_mean(str(position), POSITIONS)}\n"
            f"Next: one of {', '.join(POSITIONS)}"
        )
    row, column = divmod(cell - 1, COLUMNS)
    across, down = POSITIONS[position]
    width, height = size
    return Point(int((column + across) * width / COLUMNS), int((row + down) * height / ROWS))


def grid_cells(size: tuple[int, int]) -> list[tuple[str, Rect]]:
    """Number and area of each cell of a picture of this size, as ``marked`` takes them."""
    across, down = size[0] / COLUMNS, size[1] / ROWS
    places = (divmod(at, COLUMNS) for at in range(CELLS))
    return [
        (str(at), Rect(*map(round, (column * across, row * down, (column + 1) * across, (row + 1) * down))))
        for at, (row, column) in enumerate(places, 1)
    ]
