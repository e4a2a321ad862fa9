"""iOS hierarchies as XML: XCUITest's elements, as WebDriverAgent and Appium print them."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.parsers import expat

from .detect import damaged, document_type
from .mending import mended, without_declaration
from .xcui_tree import PREFIX, Tree

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .reading import Reading

_ROOTS = ("AppiumAUT", "hierarchy")
_OPEN, _CLOSE = b"<AppiumAUT>", b"</AppiumAUT>"


def read(data: bytes, scale: float = 1.0) -> Reading:
    """The nodes of a hierarchy that starts at ``data``'s first byte, or of any part of one: a single cell, or
    several elements side by side. Raises ``SnapshotError``."""
    if b"<!DOCTYPE" in data:
        raise document_type()
    walk = _Walk(scale)
    try:
        return walk.over(without_declaration(data))
    except expat.ExpatError as first:
        try:
            return _Walk(scale).over(mended(data))
        except expat.ExpatError:
            raise damaged(data, expat.ErrorString(first.code), cut_off=walk.at_the_end) from first


class _Walk:
    """Expat rather than a tree of XML: its depth has no limit, and this form needs no second pass."""

    def __init__(self, scale: float) -> None:
        self._tree = Tree(scale)
        self._path = [-1]
        self.at_the_end = False  # everything was read, but not everything was closed

    def over(self, data: bytes) -> Reading:
        parser = expat.ParserCreate("utf-8")
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.Parse(_OPEN, False)  # parts of a hierarchy may have several roots
        parser.Parse(data, False)
        self.at_the_end = True
        parser.Parse(_CLOSE, True)
        return self._tree.reading()

    def _start(self, tag: str, attributes: Mapping[str, str]) -> None:
        parent = self._path[-1]
        if tag in _ROOTS and parent < 0:
            self._path.append(-1)
            return
        kind = attributes.get("type", "")
        self._path.append(self._tree.add(kind if kind.startswith(PREFIX) else tag, attributes, parent))

    def _end(self, tag: str) -> None:
        self._path.pop()
