"""From bytes to nodes: which of the parsers reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...errors import SnapshotError, UsageError
from .detect import is_web_page, markup, markup_start, platform_of, to_bytes

if TYPE_CHECKING:
    from .reading import Platform, Reading


def read(source: bytes | str, platform: Platform | None) -> Reading:
    """The nodes of a dump as a phone or tool printed it; ``platform`` None detects. Raises ``SnapshotError``
    for what is no screen, or none of ``platform``."""
    if not isinstance(source, (bytes, str)):
        kind = type(source).__name__
        raise UsageError(
            f"Snapshot.parse() reads a hierarchy, as bytes or str, not a {kind}; of a file give read_bytes()"
        )
    reading = _read(to_bytes(source), wrapped=False)
    if platform is not None and platform != reading.platform:
        raise SnapshotError(f"this is a screen of {reading.platform}, not of {platform}")
    return reading


def _read(data: bytes, *, wrapped: bool) -> Reading:
    start = markup_start(data)
    if b"{" in data[:start] and not wrapped and not is_web_page(data):
        from . import wda_json

        answer = wda_json.answer_in(data, start)
        inside = wda_json.markup_in(answer) if answer is not None else None
        if inside is not None:
            return _read(to_bytes(inside), wrapped=True)
        if answer is not None:
            return wda_json.read(answer)
    data = markup(data)
    if platform_of(data) == "ios":
        from . import xcuitest

        return xcuitest.read(data)
    from . import uiautomator  # lxml is loaded by the first screen, not by whoever names this module

    return uiautomator.read(data)
