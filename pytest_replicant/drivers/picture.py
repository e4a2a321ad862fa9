"""Whether a screenshot is a picture. Pure."""

from __future__ import annotations

import struct

_PNG_START = b"\x89PNG\r\n\x1a\n"
_PNG_END = b"IEND\xaeB`\x82"
_SIZE = struct.Struct(">II")
_SIZE_AT = 16


def is_whole_png(data: bytes) -> bool:
    return data.startswith(_PNG_START) and data.endswith(_PNG_END)


def png_size(data: bytes) -> tuple[int, int]:
    """Width and height in pixels of a whole PNG."""
    width, height = _SIZE.unpack_from(data, _SIZE_AT)
    return width, height
