"""What phones print that XML forbids, taken out so that the rest can be read."""

from __future__ import annotations

import re

_DECLARATION = re.compile(rb"^\s*<\?xml[^>]*\?>")
_INVALID_BYTES = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_REFERENCE = re.compile(rb"&#(?:x([0-9a-fA-F]{1,8})|([0-9]{1,10}));")
_HALVES = re.compile(rb"\xed[\xa0-\xaf][\x80-\xbf]\xed[\xb0-\xbf][\x80-\xbf]")


def without_declaration(data: bytes) -> bytes:
    """``data`` is UTF-8 by now, whatever the text declares."""
    return _DECLARATION.sub(b"", data)


def mended(data: bytes) -> bytes:
    """Without control characters, half characters and wrong encodings, and without the declaration."""
    data = _INVALID_BYTES.sub(b"", _REFERENCE.sub(_character, without_declaration(data)))
    return _HALVES.sub(_whole, data).decode("utf-8", "replace").encode()


def _whole(halves: re.Match[bytes]) -> bytes:
    """The one character that was written as two surrogates."""
    pair = halves.group().decode("utf-8", "surrogatepass")
    return pair.encode("utf-16", "surrogatepass").decode("utf-16").encode()


def _character(match: re.Match[bytes]) -> bytes:
    code = int(match.group(1), 16) if match.group(1) else int(match.group(2))
    if code in (9, 10, 13) or 0x20 <= code < 0xD800 or 0xE000 <= code < 0xFFFE or 0x10000 <= code < 0x110000:
        return match.group()
    return chr(code).encode("utf-8", "surrogatepass") if 0xD800 <= code < 0xE000 else b""
