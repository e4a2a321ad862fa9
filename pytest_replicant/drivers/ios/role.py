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
