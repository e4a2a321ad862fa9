"""Small drawings as data: lines, discs, rings, arcs, polygons and boxes on a grid of any size.

Angles are degrees, clockwise from three o'clock. ``ink`` names the colour; what the names mean is
up to the one who draws. Drawn four times too large and reduced, because Pillow does not smooth its
edges.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from PIL import Image, ImageDraw

Kind = Literal["line", "disc", "ring", "arc", "poly", "box"]
Ink = int | tuple[int, int, int]

OVERSAMPLING = 4


@dataclass(frozen=True, slots=True)
class Stroke:
    """One mark. ``at`` is corners, or centre and radii, in units of the grid; ``width`` of lines
    likewise."""

    kind: Kind
    at: tuple[float, ...]
    width: float = 0
    ink: str = "main"


def line(*at: float, width: float = 2, ink: str = "main") -> Stroke:
    """Through x, y, x, y …, with round ends and joints."""
    return Stroke("line", at, width, ink)


def disc(x: float, y: float, radius: float, tall: float = 0, ink: str = "main") -> Stroke:
    """A filled ellipse, ``tall`` its vertical radius where it is no circle."""
    return Stroke("disc", (x, y, radius, tall or radius), 0, ink)


def ring(
    x: float, y: float, radius: float, tall: float = 0, width: float = 2, ink: str = "main"
) -> Stroke:
    """An ellipse's outline; the radius is that of its outer edge."""
    return Stroke("ring", (x, y, radius, tall or radius), width, ink)


def arc(
    x: float, y: float, radius: float, start: float, end: float, width: float = 2, ink: str = "main"
) -> Stroke:
    """Part of a ring, from angle to angle."""
    return Stroke("arc", (x, y, radius, radius, start, end), width, ink)


def poly(*at: float, ink: str = "main") -> Stroke:
    """A filled polygon."""
    return Stroke("poly", at, 0, ink)


def box(
    left: float, top: float, right: float, bottom: float, radius: float = 0, ink: str = "main"
) -> Stroke:
    """A filled rectangle with rounded corners."""
    return Stroke("box", (left, top, right, bottom, radius), 0, ink)


def draw_strokes(
    image: Image.Image, strokes: Sequence[Stroke], unit: float, inks: Mapping[str, Ink]
) -> None:
    """``unit`` is pixels per unit of the grid. An ink that is not in ``inks`` is drawn as
    "main"."""
    pen = ImageDraw.Draw(image)
    for stroke in strokes:
        _draw(pen, stroke, unit, inks.get(stroke.ink, inks["main"]))


def _draw(pen: ImageDraw.ImageDraw, stroke: Stroke, unit: float, ink: Ink) -> None:
    at = [value * unit for value in stroke.at[:4]] if stroke.kind not in ("line", "poly") else []
    width = max(1, round(stroke.width * unit))
    if stroke.kind in ("disc", "ring", "arc"):
        x, y, wide, tall = at
        edges = (x - wide, y - tall, x + wide, y + tall)
        if stroke.kind == "disc":
            pen.ellipse(edges, fill=ink)
        elif stroke.kind == "ring":
            pen.ellipse(edges, outline=ink, width=width)
        else:
            pen.arc(edges, stroke.at[4], stroke.at[5], fill=ink, width=width)
    elif stroke.kind == "box":
        pen.rounded_rectangle((at[0], at[1], at[2], at[3]), stroke.at[4] * unit, fill=ink)
    else:
        _draw_path(pen, stroke, unit, ink, width)


def _draw_path(pen: ImageDraw.ImageDraw, stroke: Stroke, unit: float, ink: Ink, width: int) -> None:
    values = [value * unit for value in stroke.at]
    points = list(zip(values[::2], values[1::2], strict=True))
    if stroke.kind == "poly":
        pen.polygon(points, fill=ink)
        return
    pen.line(points, fill=ink, width=width)
    half = width / 2
    for x, y in points:
        pen.ellipse((x - half, y - half, x + half, y + half), fill=ink)


def mask_of(strokes: Sequence[Stroke], size: tuple[int, int], unit: float) -> Image.Image:
    """A smooth coverage mask ("L"); the ink "cut" erases what lies below it."""
    large = Image.new("L", (size[0] * OVERSAMPLING, size[1] * OVERSAMPLING), 0)
    draw_strokes(large, strokes, unit * OVERSAMPLING, {"main": 255, "cut": 0})
    return large.reduce(OVERSAMPLING)
