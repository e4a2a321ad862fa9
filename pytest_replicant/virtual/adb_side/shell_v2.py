"""The shell protocol's packets: one byte of kind, the length as u32 little endian, the data.
Pure."""

from __future__ import annotations

import struct

STDIN, STDOUT, STDERR, EXIT, CLOSE_STDIN, WINDOW_SIZE = range(6)
HEADER = struct.Struct("<BI")
LARGEST_PACKET = 1 << 20  # bytes; clients send 64 KiB at most


def pack(kind: int, data: bytes) -> bytes:
    return HEADER.pack(kind, len(data)) + data


def exit_code(code: int) -> bytes:
    """The last packet; only the low eight bits of a code travel."""
    return pack(EXIT, bytes([code & 0xFF]))


def unpack_header(header: bytes) -> tuple[int, int]:
    """Kind and length of the data that follow. Raises ``ValueError`` beyond ``LARGEST_PACKET``."""
    kind, size = HEADER.unpack(header)
    if size > LARGEST_PACKET:
        raise ValueError(f"a shell packet of {size} bytes; at most {LARGEST_PACKET} are taken")
    return kind, size
