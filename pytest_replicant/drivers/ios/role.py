"""What every role of the driver shares: the link to the phone, its screen, and what was changed on it."""

from __future__ import annotations

from ..changes import Changes
from .link import Link
from .screen import Screen


class Role:
    def __init__(self, link: Link, screen: Screen) -> None:
        self._link = link
        self._screen = screen
        self._changes = Changes()

    def _look_how_large(self) -> None:
        """The screen's sides change places when it is turned."""
        size = self._link.get("window/size")
        if not isinstance(size, dict):
            raise self._link.odd("window/size", size)
        self._screen.learn(float(size.get("width") or 0), float(size.get("height") or 0))
