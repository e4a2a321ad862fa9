"""What a piece of text is: which platform's hierarchy, or which failure in place of one."""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING

from ..errors import SnapshotError

if TYPE_CHECKING:
    from .reading import Platform

# What a phone prints, with exit status 0, where it should have printed a hierarchy.
_FAILURES = (
    (b"could not get idle state", "the screen never came to rest, so uiautomator gave up"),
    (b"null root node", "uiautomator had no window to read; the screen may be off or just changing"),
    (b"Illegal character", "a character on the screen cannot be written as XML by this Android version"),
    (b"Killed", "the dump was killed on the phone"),
    (b"Permission denied", "the phone refused to write or read the dump"),
    (b"No such file or directory", "the dump's file is not there"),
)
_START = re.compile(rb"<\?xml\b|<hierarchy\b|<node\b|<AppiumAUT\b|<XCUIElementType\w+")


def to_bytes(source: bytes | str) -> bytes:
    """UTF-8 without a byte order mark, whatever came in."""
    if isinstance(source, str):
        return source.lstrip("\ufeff").encode("utf-8", "surrogatepass")
    for mark, encoding in ((codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16")):
        if source.startswith(mark):
            return source.decode(encoding, "replace").encode("utf-8")
    return source.removeprefix(codecs.BOM_UTF8)


def markup(data: bytes) -> bytes:
    """The XML within the noise around it. Raises ``SnapshotError`` where there is none."""
    start = _START.search(data)
    if start is None:
        raise SnapshotError(f"no screen: {_reason(data)}")
    end = data.rfind(b">")
    return data[start.start() : end + 1]


def platform_of(data: bytes) -> Platform:
    """By the first tags of what ``markup`` returned."""
    head = data[:4096]
    return "ios" if b"XCUIElementType" in head or b"<AppiumAUT" in head else "android"


def _reason(data: bytes) -> str:
    if not data.strip():
        return "the dump is empty"
    for sign, meaning in _FAILURES:
        if sign in data:
            return f"{meaning} ({excerpt(data)})"
    if data.lstrip()[:1] == b"{" and b'"' in data:
        return f"WebDriverAgent's JSON is not read yet: {excerpt(data)}"
    return f"this is no hierarchy: {excerpt(data)}"


def excerpt(data: bytes) -> str:
    """The first words, for a message."""
    text = " ".join(data[:400].decode("utf-8", "replace").split())
    return repr(text if len(text) <= 120 else text[:119] + "…")
