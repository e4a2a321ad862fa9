"""What a parser hands over: the nodes of one hierarchy, before anybody asks what they mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from ..model.element import Node

Platform = Literal["android", "ios"]


@dataclass(frozen=True, slots=True)
class Reading:
    """``size`` in pixels, ``(0, 0)`` where the text does not say; ``reports_hints`` is False for dumps of
    an Android that shows a field's hint as its text."""

    platform: Platform
    nodes: tuple[Node, ...]
    size: tuple[int, int]
    reports_hints: bool
