"""Painting over what a screenshot must not show."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...model import Rect, Redactor
    from ...snapshots import Snapshot


def blank(png: bytes, snapshot: Snapshot, redactor: Redactor) -> bytes:
    """The picture with every node that shows a secret painted over; as it came where there is none."""
    areas = secret_areas(snapshot, redactor)
    return _painted(png, areas) if areas else png


def secret_areas(snapshot: Snapshot, redactor: Redactor) -> list[Rect]:
    if not redactor:
        return []
    return [
        node.bounds
        for node in snapshot.nodes
        if not node.bounds.is_empty
        and any(text and redactor.text(text) != text for text in (node.text, node.description, node.hint))
    ]


def _painted(png: bytes, areas: list[Rect]) -> bytes:
    from PIL import Image, ImageDraw  # heavy, and needed only by tests that type secrets in the open

    with Image.open(io.BytesIO(png)) as picture:
        image = picture.convert("RGB")
    draw = ImageDraw.Draw(image)
    for area in areas:
        draw.rectangle((area.left, area.top, max(area.right - 1, 0), max(area.bottom - 1, 0)), fill="#303030")
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=1)
    return out.getvalue()
