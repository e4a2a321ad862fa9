"""What every role of the driver shares: the link to the phone."""

from __future__ import annotations

from .link import Link


class Role:
    def __init__(self, link: Link) -> None:
        self._link = link
