"""A phone that is ready, as pools and tests hold it. Light: it is named before any phone is used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ..drivers import Driver


class Opened(Protocol):
    """Its driver, and how to let go of it."""

    @property
    def driver(self) -> Driver: ...

    def close(self) -> None: ...
