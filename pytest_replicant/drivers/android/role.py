"""What every role of the driver shares: the link to the phone, and what was changed on it."""

from __future__ import annotations

from ..changes import Changes
from .link import Link


class Role:
    def __init__(self, link: Link) -> None:
        self._link = link
        self._changes = Changes()
