"""Screenshots."""

from __future__ import annotations

import base64
import binascii

from ..picture import is_whole_png
from .link import Link
from .role import Role

SCREENSHOT_SECONDS = 20.0


class IosScreenImage(Role):
    def screenshot(self) -> bytes:
        """A whole PNG."""
        return read_screenshot(self._link)


def read_screenshot(link: Link) -> bytes:
    said = link.get("screenshot", seconds=SCREENSHOT_SECONDS)
    try:
        png = base64.b64decode(said if isinstance(said, str) else "", validate=False)
    except (binascii.Error, ValueError):
        png = b""
    if is_whole_png(png):
        return png
    told = f"{len(png)} bytes that are no whole PNG: {png[:80]!r}"
    raise link.senseless("screenshot", told, str(said)[:500])
