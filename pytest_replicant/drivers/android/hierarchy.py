"""The screen as uiautomator2 prints it."""

from __future__ import annotations

from ...errors import ProtocolError
from .role import Role

DUMP_SECONDS = 20.0
DEEPEST = 120  # levels; uiautomator2 cuts at 50 and says nothing, and web and Compose pages go deeper


class AndroidHierarchy(Role):
    def dump_hierarchy(self) -> bytes:
        """XML in UTF-8. Raises ``ProtocolError`` for a hierarchy without a node: that is a failed read."""
        xml = self._link.read("dumpWindowHierarchy", False, DEEPEST, seconds=DUMP_SECONDS)
        if not isinstance(xml, str) or "<node" not in xml:
            raise ProtocolError(
                f"dump_hierarchy on {self._link.serial}: the phone gave a hierarchy without a node. "
                "It may be changing screens, locked or off; read again.",
                exchange=repr(xml)[:500],
                device=self._link.serial,
            )
        return xml.encode("utf-8", "replace")
