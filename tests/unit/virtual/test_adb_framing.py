"""Four hexadecimal digits and what they announce."""

from __future__ import annotations

import pytest

from pytest_replicant.virtual.adb_side import framing


def test_golden_bytes() -> None:
    assert framing.block("host:version") == b"000chost:version"
    assert framing.block("é") == b"0002\xc3\xa9"
    assert framing.block("") == b"0000"
    assert framing.okay() == b"OKAY"
    assert framing.okay("0029") == b"OKAY00040029"
    assert framing.fail("closed") == b"FAIL0006closed"


def test_a_block_is_found_at_every_split_point() -> None:
    whole = framing.block("host:transport:virtual-1") + framing.block("shell:ls")
    for cut in range(len(whole) + 1):
        received, blocks = whole[:cut], []
        for more in (b"", whole[cut:]):
            received += more
            while (found := framing.unpack(received)) is not None:
                content, received = found[0], found[1]
                blocks.append(content)
        assert blocks == [b"host:transport:virtual-1", b"shell:ls"]
        assert received == b""


@pytest.mark.parametrize("digits", [b"12g4", b"-001", b"+0a1", b" 123", b"0x12", b"\xff\xff\xff\xff", b"GET "])
def test_what_is_no_length_is_refused(digits: bytes) -> None:
    with pytest.raises(framing.FramingError, match="four hexadecimal digits"):
        framing.length(digits)
    with pytest.raises(framing.FramingError):
        framing.unpack(digits + b"anything")


def test_a_wrong_digit_is_seen_before_all_four_are_there() -> None:
    assert framing.unpack(b"00") is None
    with pytest.raises(framing.FramingError):
        framing.unpack(b"0z")


@pytest.mark.parametrize("digits", [b"", b"000", b"00000"])
def test_a_length_has_four_digits(digits: bytes) -> None:
    with pytest.raises(framing.FramingError):
        framing.length(digits)


def test_the_largest_block() -> None:
    assert framing.length(b"ffff") == framing.length(b"FFFF") == 65535
    assert framing.block(b"x" * 65535).startswith(b"ffff")
    with pytest.raises(framing.FramingError, match="65535"):
        framing.block(b"x" * 65536)


def test_a_reason_that_quotes_a_huge_request_still_fits() -> None:
    assert len(framing.fail("é" * 70000)) < 65535


def test_text_that_is_no_unicode_survives() -> None:
    assert framing.block(b"\xff\xfe".decode("utf-8", "surrogateescape")) == b"0002\xff\xfe"
