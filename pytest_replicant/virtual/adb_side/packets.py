"""The packets between an adb server and adbd: six u32 little endian, then the payload. Pure."""

from __future__ import annotations

import struct
from dataclasses import dataclass

SYNC, CNXN, AUTH, OPEN, OKAY, CLSE, WRTE, STLS = (
    int.from_bytes(name, "little")
    for name in (b"SYNC", b"CNXN", b"AUTH", b"OPEN", b"OKAY", b"CLSE", b"WRTE", b"STLS")
)
COMMANDS = frozenset((SYNC, CNXN, AUTH, OPEN, OKAY, CLSE, WRTE, STLS))
TOKEN, SIGNATURE, PUBLIC_KEY = 1, 2, 3  # what an AUTH packet carries

VERSION_CHECKSUM = 0x01000000  # every payload carries its byte sum
VERSION = 0x01000001  # no side computes checksums any more
FIRST_PAYLOAD = 4096  # bytes; the limit until both have said theirs
LARGEST_PAYLOAD = 1 << 20  # bytes

HEADER = struct.Struct("<6I")


class PacketError(ValueError):
    """The bytes are no packet that may come here; the connection is of no use any more."""


@dataclass(frozen=True)
class Header:
    command: int
    arg0: int
    arg1: int
    length: int
    checksum: int

    @property
    def name(self) -> str:
        return self.command.to_bytes(4, "little").decode("ascii")


def checksum(payload: bytes) -> int:
    """The sum of all bytes, 32 bits of it."""
    return sum(payload) & 0xFFFFFFFF


def pack(command: int, arg0: int, arg1: int, payload: bytes = b"", *, summed: bool = True) -> bytes:
    total = checksum(payload) if summed else 0
    return HEADER.pack(command, arg0, arg1, len(payload), total, command ^ 0xFFFFFFFF) + payload


def unpack_header(data: bytes, limit: int = LARGEST_PAYLOAD) -> Header:
    """Raises ``PacketError`` for an unknown command, a wrong magic or a payload above ``limit``
    bytes."""
    command, arg0, arg1, length, total, magic = HEADER.unpack(data)
    if command not in COMMANDS or magic != command ^ 0xFFFFFFFF:
        raise PacketError(f"no adb packet: {data[:4]!r} with magic {magic:#010x}")
    if length > limit:
        raise PacketError(f"a payload of {length} bytes where {limit} may be sent")
    return Header(command, arg0, arg1, length, total)


def verify(header: Header, payload: bytes) -> None:
    """Raises ``PacketError`` if the byte sum is another than the header's."""
    if checksum(payload) != header.checksum:
        raise PacketError(
            f"{header.name} payload sums to {checksum(payload):#x}, not {header.checksum:#x}"
        )
