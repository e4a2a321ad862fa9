"""The adb server protocol's framing: four hexadecimal digits of length, then that many bytes.
Pure."""

from __future__ import annotations

OKAY = b"OKAY"
FAIL = b"FAIL"
LARGEST_BLOCK = 0xFFFF  # bytes; all that four digits can say
LONGEST_REASON = 1000  # characters; a reason may quote what a client sent
_DIGITS = frozenset(b"0123456789abcdefABCDEF")


class FramingError(ValueError):
    """The bytes are no frame; the sender speaks another protocol."""


def block(content: str | bytes) -> bytes:
    """``content`` behind its length. Raises ``FramingError`` above ``LARGEST_BLOCK`` bytes."""
    payload = content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content
    if len(payload) > LARGEST_BLOCK:
        raise FramingError(f"a block holds {LARGEST_BLOCK} bytes at most, not {len(payload)}")
    return b"%04x" % len(payload) + payload


def okay(content: str | bytes | None = None) -> bytes:
    return OKAY if content is None else OKAY + block(content)


def fail(reason: str) -> bytes:
    return FAIL + block(reason[:LONGEST_REASON])


def length(digits: bytes) -> int:
    """The length that four hexadecimal digits say, 0 to 65535. Raises ``FramingError`` for anything
    else."""
    if len(digits) != 4 or not _DIGITS.issuperset(digits):
        raise FramingError(f"not a length of four hexadecimal digits: {digits!r}")
    return int(digits, 16)
