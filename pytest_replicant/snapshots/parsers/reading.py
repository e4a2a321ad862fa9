"""What a parser hands over: the nodes of one hierarchy, before anybody asks what they mean."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal

from ...model import Rect, States

if TYPE_CHECKING:
    from ...model import Node

Platform = Literal["android", "ios"]
NOWHERE = Rect(0, 0, 0, 0)
"""The bounds of what does not say where it is."""
states_of = cache(States)  # of a few yes and no, so there are few


@dataclass(frozen=True, slots=True)
class Reading:
    """``size`` in pixels, ``(0, 0)`` where the text does not say; ``reports_hints`` is False for dumps of
    an Android that shows a field's hint as its text. ``scale`` is how many pixels a point has, where the text
    counts in points and ``nodes`` in pixels; 1 where both count alike."""

    platform: Platform
    nodes: tuple[Node, ...]
    size: tuple[int, int]
    reports_hints: bool
    scale: float = 1.0
