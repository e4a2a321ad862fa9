"""The packets of adbd's transport, the shell protocol and the sync protocol: bytes against golden bytes."""

from __future__ import annotations

import struct

import pytest

from pytest_replicant.virtual.adb_side import packets, shell_v2, sync_packets
from pytest_replicant.virtual.adb_side.device_list import Listed, long, proto_binary, proto_text, short
from pytest_replicant.virtual.system.files import FileStat

FILE = FileStat(0o100644, 5, 1700000000, False)
READY = Listed("127.0.0.1:45199", "device", "replicant_virtual", "Virtual Phone", "virtual", 1)
OFFLINE = Listed("virtual-2", "offline", "p", "m", "d", 2)


def test_a_connect_packet() -> None:
    packed = packets.pack(packets.CNXN, 0x01000001, 0x00100000, b"host::\0")
    assert packed == (b"CNXN" + bytes.fromhex("01000001 00001000 07000000 32020000 bcb1a7b1") + b"host::\0")
    header = packets.unpack_header(packed[:24])
    assert (header.name, header.arg0, header.arg1, header.length) == ("CNXN", 0x01000001, 0x00100000, 7)
    packets.verify(header, packed[24:])


def test_the_sum_is_left_out_for_those_who_skip_it() -> None:
    assert packets.pack(packets.WRTE, 1, 2, b"abc", summed=False)[16:20] == bytes(4)
    assert packets.pack(packets.WRTE, 1, 2, b"abc")[16:20] == struct.pack("<I", 97 + 98 + 99)


def test_a_payload_that_does_not_sum_up_is_refused() -> None:
    packed = packets.pack(packets.WRTE, 1, 2, b"abc")
    with pytest.raises(packets.PacketError, match="WRTE payload sums to 0x127"):
        packets.verify(packets.unpack_header(packed[:24]), b"abd")


@pytest.mark.parametrize("at", range(4))
def test_every_byte_of_the_magic_counts(at: int) -> None:
    packed = bytearray(packets.pack(packets.OKAY, 1, 2))
    packed[20 + at] ^= 0x40
    with pytest.raises(packets.PacketError, match="no adb packet"):
        packets.unpack_header(bytes(packed))


def test_an_unknown_command_is_no_packet() -> None:
    command = int.from_bytes(b"GET ", "little")
    with pytest.raises(packets.PacketError, match="GET"):
        packets.unpack_header(struct.pack("<6I", command, 0, 0, 0, 0, command ^ 0xFFFFFFFF))


@pytest.mark.parametrize("length", [4097, 0x100000, 0xFFFFFFFF])
def test_a_length_beyond_the_limit_is_refused(length: int) -> None:
    command = packets.WRTE
    header = struct.pack("<6I", command, 1, 2, length, 0, command ^ 0xFFFFFFFF)
    with pytest.raises(packets.PacketError, match=f"{length} bytes where 4096"):
        packets.unpack_header(header, 4096)


def test_shell_packets() -> None:
    assert shell_v2.pack(shell_v2.STDOUT, b"hi\n") == b"\x01\x03\0\0\0hi\n"
    assert shell_v2.exit_code(0) == b"\x03\x01\0\0\0\0"
    assert shell_v2.exit_code(-1) == b"\x03\x01\0\0\0\xff"
    assert shell_v2.unpack_header(b"\x04\0\0\0\0") == (shell_v2.CLOSE_STDIN, 0)
    with pytest.raises(ValueError, match="at most"):
        shell_v2.unpack_header(b"\0\xff\xff\xff\xff")


def test_sync_stats() -> None:
    assert sync_packets.stat1(b"STAT", FILE) == b"STAT" + struct.pack("<III", 0o100644, 5, 1700000000)
    assert sync_packets.stat1(b"STAT", None) == b"STAT" + bytes(12)
    assert sync_packets.stat2(b"STA2", None, 2) == b"STA2\x02\0\0\0" + bytes(64)
    found = sync_packets.stat2(b"STA2", FILE)
    assert len(found) == 72
    assert struct.unpack_from("<I", found, 24) == (0o100644,)
    assert struct.unpack_from("<Qqqq", found, 40) == (5, *[1700000000] * 3)


def test_a_huge_file_keeps_the_low_bits_of_its_size_in_the_old_stat() -> None:
    assert sync_packets.stat1(b"STAT", FileStat(0o100644, 1 << 33 | 7, 0, False))[8:12] == b"\x07\0\0\0"


def test_sync_listings() -> None:
    listing = sync_packets.entries([("a", FILE)], v2=False)
    assert listing == (b"DENT" + struct.pack("<IIII", 0o100644, 5, 1700000000, 1) + b"a" + b"DONE" + bytes(16))
    assert sync_packets.entries([], v2=True) == b"DONE" + bytes(72)
    assert len(sync_packets.entries([("ab", FILE)], v2=True)) == 72 + 4 + 2 + 76


@pytest.mark.parametrize("size", [0, 1, 65535, 65536, 65537, 12 * 65536, 12 * 65536 + 1])
def test_contents_travel_in_chunks_that_every_client_takes(size: int) -> None:
    data = bytes(range(256)) * (size // 256 + 1)
    travelled = b"".join(sync_packets.contents(data[:size]))
    rebuilt = b""
    at = 0
    while travelled[at : at + 4] == b"DATA":
        (length,) = struct.unpack_from("<I", travelled, at + 4)
        assert 0 < length <= 65536
        rebuilt += travelled[at + 8 : at + 8 + length]
        at += 8 + length
    assert travelled[at:] == b"DONE" + bytes(4)
    assert rebuilt == data[:size]


@pytest.mark.parametrize(
    ("request_text", "expected"),
    [
        ("/sdcard/a,33188", ("/sdcard/a", 33188)),
        ("/sdcard/a,b,420", ("/sdcard/a,b", 420)),
        ("/sdcard/a", ("/sdcard/a", 0o644)),
        ("/sdcard/a,b", ("/sdcard/a,b", 0o644)),
        ("/sdcard/a,-1", ("/sdcard/a,-1", 0o644)),
    ],
)
def test_the_mode_follows_the_last_comma(request_text: str, expected: tuple[str, int]) -> None:
    assert sync_packets.destination(request_text) == expected


def test_device_lists() -> None:
    assert short([READY, OFFLINE]) == b"127.0.0.1:45199\tdevice\nvirtual-2\toffline\n"
    assert long([READY]) == (
        b"127.0.0.1:45199        device product:replicant_virtual model:Virtual_Phone device:virtual "
        b"transport_id:1\n"
    )
    assert long([OFFLINE]) == b"virtual-2              offline transport_id:2\n"


def test_device_lists_as_a_real_adb_36_server_sends_them() -> None:
    assert proto_binary([READY]) == (
        b'\nB\n\x0f127.0.0.1:45199\x10\x08"\x11replicant_virtual*\rVirtual_Phone2\x07virtual8\x02P\x01'
    )
    assert proto_text([READY]) == (
        b'device {\n  serial: "127.0.0.1:45199"\n  state: DEVICE\n  product: "replicant_virtual"\n'
        b'  model: "Virtual_Phone"\n  device: "virtual"\n  connection_type: SOCKET\n  transport_id: 1\n}\n'
    )


def test_numbers_above_seven_bits_in_a_device_list() -> None:
    assert proto_binary([Listed("s", "device", "", "", "", 300)]).endswith(b"P\xac\x02")
