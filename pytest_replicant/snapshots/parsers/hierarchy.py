"""From bytes to nodes: which of the parsers reads them."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from ...errors import SnapshotError, UsageError
from .detect import is_web_page, markup, markup_start, platform_of, to_bytes

if TYPE_CHECKING:
    from .reading import Platform, Reading


def read(source: bytes | str, platform: Platform | None, scale: float = 1.0) -> Reading:
    """The nodes of a dump as a phone or tool printed it; ``platform`` None detects, ``scale`` is how many pixels
    its unit has. Raises ``SnapshotError`` for what is no screen, or none of ``platform``."""
    if not isinstance(source, (bytes, str)):
        kind = type(source).__name__
        raise UsageError(
            f"Snapshot.parse() reads a hierarchy, as bytes or str, not a {kind}; of a file give read_bytes()"
        )
    if not (isinstance(scale, (int, float)) and isfinite(scale) and scale > 0):
        raise UsageError(f"scale={scale!r}: give the pixels a point, such as 3.0 for most iPhones")
    reading = _read(to_bytes(source), scale, wrapped=False)
    if platform is not None and platform != reading.platform:
        raise SnapshotError(f"this is a screen of {reading.platform}, not of {platform}")
    return reading


def _read(data: bytes, scale: float, *, wrapped: bool) -> Reading:
    start = markup_start(data)
    if b"{" in data[:start] and not wrapped and not is_web_page(data):
        from . import wda_json

        answer = wda_json.answer_in(data, start)
        inside = wda_json.markup_in(answer) if answer is not None else None
        if inside is not None:
            return _read(to_bytes(inside), scale, wrapped=True)
        if answer is not None:
            return wda_json.read(answer, scale)
    data = markup(data)
    if platform_of(data) == "ios":
        from . import xcuitest

        return xcuitest.read(data, scale)
    if scale != 1:
        raise UsageError(f"scale={scale!r}: only iOS counts in points, a screen of Android is in pixels already")
    from . import uiautomator  # lxml is loaded by the first screen, not by whoever names this module

    return uiautomator.read(data)
