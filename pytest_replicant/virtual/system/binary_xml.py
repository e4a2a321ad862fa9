"""Reads Android's binary XML: a header, a pool of strings, and a run of chunks for elements."""

from __future__ import annotations

import struct
from dataclasses import dataclass

_XML, _STRINGS, _START, _END = 0x0003, 0x0001, 0x0102, 0x0103
_UTF8 = 0x100
_TYPE_REFERENCE, _TYPE_STRING, _TYPE_BOOLEAN = 0x01, 0x03, 0x12
_NOTHING = 0xFFFFFFFF


@dataclass(frozen=True)
class XmlElement:
    """``path`` is the names from the root down to this element; attributes are without namespaces, numbers
    as decimal text, references to resources as ``@0x7f0a0001``."""

    path: tuple[str, ...]
    attributes: dict[str, str]


def read_binary_xml(data: bytes) -> list[XmlElement]:
    """The elements in document order. Raises ``ValueError`` for anything that is not binary XML."""
    try:
        return _elements(data)
    except (struct.error, IndexError) as error:
        raise ValueError(f"binary XML ends or points outside itself: {error}") from None


def _elements(data: bytes) -> list[XmlElement]:
    kind, header, total = struct.unpack_from("<HHI", data, 0)
    if kind != _XML:
        raise ValueError(f"binary XML starts with chunk type {kind:#06x}, not {_XML:#06x}")
    strings: _StringPool | None = None
    open_names: list[str] = []
    found: list[XmlElement] = []
    at = header
    while at + 8 <= min(total, len(data)):
        kind, header, size = struct.unpack_from("<HHI", data, at)
        if size < 8 or at + size > len(data):
            raise ValueError(f"chunk at {at} claims {size} bytes")
        chunk = data[at : at + size]
        if kind == _STRINGS:
            strings = _StringPool(chunk, header)
        elif kind == _START and strings:
            name, attributes = _start_element(chunk, header, strings)
            open_names.append(name)
            found.append(XmlElement(tuple(open_names), attributes))
        elif kind == _END and open_names:
            open_names.pop()
        at += size
    return found


class _StringPool:
    """Reads a string when it is asked for: damaged pools may claim any number of long ones."""

    def __init__(self, chunk: bytes, header: int) -> None:
        count, _, flags, self._start, _ = struct.unpack_from("<IIIII", chunk, 8)
        if count > len(chunk) // 4:
            raise ValueError(f"pool claims {count} strings in {len(chunk)} bytes")
        self._offsets = struct.unpack_from(f"<{count}I", chunk, header)
        self._chunk = chunk
        self._read = _utf8_string if flags & _UTF8 else _utf16_string

    def __getitem__(self, number: int) -> str:
        return self._read(self._chunk, self._start + self._offsets[number])


def _utf8_string(chunk: bytes, at: int) -> str:
    _, at = _length(chunk, at, 1)  # in UTF-16 units first, in bytes second
    size, at = _length(chunk, at, 1)
    return chunk[at : at + size].decode("utf-8", "replace")


def _utf16_string(chunk: bytes, at: int) -> str:
    size, at = _length(chunk, at, 2)
    return chunk[at : at + size * 2].decode("utf-16-le", "replace")


def _length(chunk: bytes, at: int, width: int) -> tuple[int, int]:
    """A length of one or two units, the high bit of the first telling which; and where it ends."""
    high = 0x80 if width == 1 else 0x8000
    first = int.from_bytes(chunk[at : at + width], "little")
    if not first & high:
        return first, at + width
    second = int.from_bytes(chunk[at + width : at + 2 * width], "little")
    return (first & (high - 1)) << (8 * width) | second, at + 2 * width


def _start_element(chunk: bytes, header: int, strings: _StringPool) -> tuple[str, dict[str, str]]:
    _, name, start, size, count = struct.unpack_from("<IIHHH", chunk, header)
    if size < 20:
        raise ValueError(f"an attribute of {size} bytes")
    attributes = {}
    for index in range(count):
        at = header + start + index * size
        _, key, raw, _, kind, value = struct.unpack_from("<IIIHxBI", chunk, at)
        attributes[strings[key]] = _value(raw, kind, value, strings)
    return strings[name], attributes


def _value(raw: int, kind: int, value: int, strings: _StringPool) -> str:
    if raw != _NOTHING:
        return strings[raw]
    if kind == _TYPE_STRING:
        return strings[value]
    if kind == _TYPE_REFERENCE:
        return f"@{value:#x}"
    if kind == _TYPE_BOOLEAN:
        return "true" if value else "false"
    return str(value)
