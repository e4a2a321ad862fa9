"""The packets of adbd's transport, the shell protocol and the sync protocol: bytes against golden
bytes."""

from __future__ import annotations

import pytest

from pytest_replicant.virtual.adb_side import device_list, packets

READY = device_list.Listed(
    "127.0.0.1:45199", "device", "replicant_virtual", "Virtual Phone", "virtual", 1
)
OFFLINE = device_list.Listed("virtual-2", "offline", "p", "m", "d", 2)


def test_a_connect_packet() -> None:
    packed = packets.pack(packets.CNXN, 0x01000001, 0x00100000, b"host::\0")
    assert packed == (
        b"CNXN" + bytes.fromhex("01000001 00001000 07000000 32020000 bcb1a7b1") + b"host::\0"
    )
    header = packets.unpack_header(packed[:24])
    assert (header.name, header.arg0, header.arg1, header.length) == (
        "CNXN",
        0x01000001,
        0x00100000,
        7,
    )
    packets.verify(header, packed[24:])


@pytest.mark.parametrize("at", range(4))
def test_every_byte_of_the_magic_counts(at: int) -> None:
    packed = bytearray(packets.pack(packets.OKAY, 1, 2))
    packed[20 + at] ^= 0x40
    with pytest.raises(packets.PacketError, match="no adb packet"):
        packets.unpack_header(bytes(packed))


def test_device_lists() -> None:
    assert device_list.short([READY, OFFLINE]) == b"127.0.0.1:45199\tdevice\nvirtual-2\toffline\n"
    assert device_list.long([READY]) == (
        b"127.0.0.1:45199        device product:replicant_virtual model:Virtual_Phone device:virtual "
        b"transport_id:1\n"
    )
    assert device_list.long([OFFLINE]) == b"virtual-2              offline transport_id:2\n"
