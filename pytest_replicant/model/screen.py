"""``Screen``: a screen named by what it shows, for apps whose screens carry no title."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .selector import Selector


@dataclass(frozen=True)
class Screen:
    """Holds when every selector in ``has`` matches and none in ``lacks`` does; ``name`` is for messages. Where
    nothing is in ``has``, ``name`` is the title or activity that the screen has."""

    name: str
    has: Sequence[Selector] = ()
    lacks: Sequence[Selector] = ()
