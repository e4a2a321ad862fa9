"""What a session says of the pictures that it takes, to whoever records them, or has them recorded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from ..model import Picture, Rect


class Camera(Protocol):
    def screenshot(self) -> bytes: ...


class PictureListener:
    """Keeps nothing. A recording derives its own, and so does a replay, which has no pictures but what was made of
    them."""

    def __init__(self, camera: Camera) -> None:
        self._camera = camera

    def report_picture(self) -> bytes:
        """A screenshot for the report alone: it is a part of no recording."""
        return self._camera.screenshot()

    def note_picture(self, png: bytes) -> None:
        """The screenshot that was taken last, with secrets painted over."""

    def note_looks(self, pictures: Mapping[Rect, Picture] | None) -> None:
        """What was made of the screenshot that was taken last; None where it was of no use."""

    def recorded_looks(self) -> Mapping[Rect, Picture] | None:
        """What a recording has in place of the next screenshot; None where one is to be taken. Raises
        ``DeviceError`` where it has nothing."""
        return None
