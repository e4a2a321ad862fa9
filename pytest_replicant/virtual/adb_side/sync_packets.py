"""The file sync protocol's packets, all little endian. Pure."""

from __future__ import annotations

import struct
from collections.abc import Iterable

from ..system.files import FileStat

LARGEST_CHUNK = 65536  # bytes of one DATA
CHUNKS_AT_ONCE = 12
LONGEST_PATH = 1024  # bytes
REQUEST = struct.Struct("<4sI")
_STAT1 = struct.Struct("<4sIII")
_STAT2 = struct.Struct("<4sIQQIIIIQqqq")


def number(kind: bytes, value: int) -> bytes:
    return REQUEST.pack(kind, value)


def text(kind: bytes, content: str) -> bytes:
    payload = content.encode("utf-8", "surrogateescape")
    return REQUEST.pack(kind, len(payload)) + payload


def stat1(kind: bytes, facts: FileStat | None) -> bytes:
    """Sixteen bytes; all zeros behind the id if there is no such file."""
    if facts is None:
        return _STAT1.pack(kind, 0, 0, 0)
    return _STAT1.pack(kind, facts.mode, facts.size & 0xFFFFFFFF, facts.mtime & 0xFFFFFFFF)


def stat2(kind: bytes, facts: FileStat | None, error: int = 0) -> bytes:
    """72 bytes; ``error`` is an errno, and all else is zeros then."""
    if facts is None:
        return _STAT2.pack(kind, error, *[0] * 10)
    owner = (2000, 2000)  # the shell's user and group
    times = (facts.mtime,) * 3
    return _STAT2.pack(kind, 0, 1, 0, facts.mode, 1, *owner, facts.size, *times)


def entries(listing: Iterable[tuple[str, FileStat]]) -> bytes:
    """A folder's listing to its end."""
    parts = []
    for name, facts in listing:
        payload = name.encode("utf-8", "surrogateescape")
        parts.append(stat1(b"DENT", facts) + struct.pack("<I", len(payload)) + payload)
    return b"".join([*parts, stat1(b"DONE", None), bytes(4)])


def contents(data: bytes) -> Iterable[bytes]:
    """A file as it travels, in parts of several chunks: over a transport, each part costs a round
    trip."""
    for start in range(0, len(data), CHUNKS_AT_ONCE * LARGEST_CHUNK):
        part = bytearray()
        for at in range(
            start, min(start + CHUNKS_AT_ONCE * LARGEST_CHUNK, len(data)), LARGEST_CHUNK
        ):
            chunk = data[at : at + LARGEST_CHUNK]
            part += number(b"DATA", len(chunk)) + chunk
        yield bytes(part)
    yield number(b"DONE", 0)


def destination(request: str) -> tuple[str, int]:
    """Path and mode out of ``PATH,MODE``, the mode in decimal; 0644 where it says none."""
    path, comma, mode = request.rpartition(",")
    if not comma or not mode.isdecimal() or len(mode) > 10:
        return request, 0o644
    return path, int(mode)
