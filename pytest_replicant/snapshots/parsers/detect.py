"""What a piece of text is: which platform's hierarchy, or which failure in place of one."""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING

from ...errors import SnapshotError
from ...model import shortened

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
    (b"no devices/emulators found", "adb found no phone"),
    (b"more than one device", "adb found several phones: name one by -s SERIAL"),
    (b"device unauthorized", "the phone has not accepted this computer's key yet"),
    (b"device offline", "the phone does not answer adb"),
    (b"dumped to:", "uiautomator wrote the dump into a file on the phone: read that, or dump to /dev/tty"),
)
_FORMATS = (
    (b"\x1f\x8b", "this is compressed with gzip: unpack it first"),
    (b"PK\x03\x04", "this is a zip archive: unpack it first"),
    (b"\x89PNG", "this is a picture, not a hierarchy"),
    (b"\xff\xd8\xff", "this is a picture, not a hierarchy"),
)
_LONGEST = 120  # characters of what is quoted in a message
_START = re.compile(rb"<\?xml\b|<hierarchy\b|<node\b|<AppiumAUT\b|<XCUIElementType\w+")

_WEB_PAGE = re.compile(rb"<!doctype\s+html|<html\b", re.IGNORECASE)
_IOS = re.compile(rb"<(?:AppiumAUT|XCUIElementType\w+)[\s/>]")  # no label can hold an opening bracket


def to_bytes(source: bytes | str) -> bytes:
    """UTF-8 without a byte order mark, whatever came in."""
    if isinstance(source, str):
        return source.lstrip("\ufeff").encode("utf-8", "surrogatepass")
    for mark, encoding in ((codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16")):
        if source.startswith(mark):
            return source.decode(encoding, "replace").encode("utf-8")
    return source.removeprefix(codecs.BOM_UTF8)


def markup_start(data: bytes) -> int:
    """Where the XML begins within the noise around it; the length of ``data`` where there is none."""
    start = _START.search(data)
    return start.start() if start else len(data)


def markup(data: bytes) -> bytes:
    """The XML within the noise around it. Raises ``SnapshotError`` where there is none."""
    start = markup_start(data)
    if start == len(data):
        raise SnapshotError(f"no screen: {_reason(data)}")
    return data[start : data.rfind(b">") + 1]


def platform_of(data: bytes) -> Platform:
    """By the first tags of what ``markup`` returned."""
    return "ios" if _IOS.search(data[:4096]) else "android"


def is_web_page(data: bytes) -> bool:
    return _WEB_PAGE.match(data[:400].lstrip()) is not None


def _reason(data: bytes) -> str:
    if not data.strip():
        return "the dump is empty"
    if is_web_page(data):
        return f"this is a web page, perhaps a server's error: {excerpt(data)}"
    for start, meaning in _FORMATS:
        if data.startswith(start):
            return meaning
    for sign, meaning in _FAILURES:
        if sign in data:
            return f"{meaning} ({excerpt(data)})"
    if data.lstrip()[:1] == b"{" and b'"' in data:
        return f"this JSON is cut off or damaged: {excerpt(data)}"
    return f"this is no hierarchy: {excerpt(data)}"


def damaged(data: bytes, why: str, *, cut_off: bool) -> SnapshotError:
    """For markup that cannot be read; ``why`` as the parser says it."""
    kind = "cut off" if cut_off else "damaged"
    return SnapshotError(
        f"no screen: the dump is {kind} ({brief(why)}); it ends with {excerpt(data.rstrip()[-40:])}"
    )


def document_type() -> SnapshotError:
    """For markup that declares one: no phone writes one, and entities are how XML is attacked."""
    return SnapshotError("no screen: the text declares a document type, which no hierarchy has")


def brief(text: str) -> str:
    """What another library or a dump says, for a message: printable, on one line, of bearable length."""
    plain = " ".join("".join(sign if sign.isprintable() else " " for sign in text[: 4 * _LONGEST]).split())
    return shortened(plain, _LONGEST)


def excerpt(data: bytes) -> str:
    """The first words, for a message."""
    return repr(brief(data[: 4 * _LONGEST].decode("utf-8", "replace")))
