"""Screenshots."""

from __future__ import annotations

from ...errors import ProtocolError
from ..picture import is_whole_png
from .role import Role

SCREENSHOT_SECONDS = 20.0


class AndroidScreenImage(Role):
    def screenshot(self) -> bytes:
        """A whole PNG. uiautomator2's own picture is a lossy JPEG, so this is ``screencap``; over the shell
        protocol, since phones with two displays print a warning that ``exec:`` would mix into the picture."""
        ended = self._link.run(["screencap", "-p"], SCREENSHOT_SECONDS)
        png = ended.stdout
        if ended.exit_code == 0 and is_whole_png(png):
            return png
        said = ended.error_text.strip() or repr(png[:80])
        raise ProtocolError(
            f"screenshot on {self._link.serial}: {len(png)} bytes that are no whole PNG: {said[:300]}",
            exchange=f"screencap -p → exit {ended.exit_code}, {said[:500]}",
            device=self._link.serial,
        )
