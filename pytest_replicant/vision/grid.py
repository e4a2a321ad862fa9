"""A grid of numbered cells over a picture: places on a screen that neither the hierarchy nor any text names."""

from __future__ import annotations

from PIL import ImageDraw, ImageFont
from PIL.Image import Image

from ..errors import UsageError, did_you_mean
from ..model import Point

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
    name = str(position).replace("-", " ").replace("_", " ")
    if name not in POSITIONS:
        raise UsageError(
            f"position {position!r}: a cell has none of that name.{did_you_mean(name, POSITIONS)}\n"
            f"Next: one of {', '.join(POSITIONS)}"
        )
    row, column = divmod(cell - 1, COLUMNS)
    across, down = POSITIONS[name]
    width, height = size
    return Point(int((column + across) * width / COLUMNS), int((row + down) * height / ROWS))


def with_grid(picture: Image) -> Image:
    """The picture with the grid drawn over it, the number of each cell in its middle. Light lines lie next to dark
    ones, so that one of them is seen on any ground."""
    image = picture.convert("RGB")
    draw, (width, height) = ImageDraw.Draw(image), image.size
    font = ImageFont.load_default(max(min(width // (4 * COLUMNS), height // (4 * ROWS)), 8))
    for at in range(1, COLUMNS):
        x = round(at * width / COLUMNS)
        draw.line((x, 0, x, height), "black")
        draw.line((x + 1, 0, x + 1, height), "white")
    for at in range(1, ROWS):
        y = round(at * height / ROWS)
        draw.line((0, y, width, y), "black")
        draw.line((0, y + 1, width, y + 1), "white")
    for cell in range(1, CELLS + 1):
        middle = cell_point(cell, "center", image.size)
        draw.text(middle, str(cell), "black", font, anchor="mm", stroke_width=2, stroke_fill="white")
    return image
