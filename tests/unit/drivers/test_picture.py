"""Half a screenshot is none."""

from __future__ import annotations

import struct
import zlib

import pytest

from pytest_replicant.drivers.checks import is_whole_png, png_size


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


PNG = (
    b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1179, 2556, 8, 0, 0, 0, 0)) + chunk(b"IEND", b"")
)


def test_a_whole_one_and_its_size() -> None:
    assert is_whole_png(PNG)
    assert png_size(PNG) == (1179, 2556)


@pytest.mark.parametrize("data", [b"", PNG[:-1], PNG[1:], b"GIF89a", PNG[:8]], ids=len)
def test_all_else_is_none(data: bytes) -> None:
    assert not is_whole_png(data)
