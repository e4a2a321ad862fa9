"""Format detection: which parser reads the bytes, or why they are no screen."""

from __future__ import annotations

import codecs
import re
from math import isfinite

from ...errors import SnapshotError, UsageError
from .dump import Dump, Platform, excerpt


def read_hierarchy(source: bytes | str, platform: Platform | None, scale: float = 1.0) -> Dump:
    """Parses a dump as a phone or a tool printed it. ``platform`` None detects; ``scale`` is the pixels per unit
    of the dump. Raises ``SnapshotError`` for bytes that are no screen, or no screen of ``platform``."""
    if not isinstance(source, (bytes, str)):
        kind = type(source).__name__
        raise UsageError(
            f"Snapshot.parse() reads a hierarchy, as bytes or str, not a {kind}; of a file give read_bytes()"
        )
    if not (isinstance(scale, (int, float)) and isfinite(scale) and scale > 0):
        raise UsageError(f"scale={scale!r}: give the pixels a point, such as 3.0 for most iPhones")
    reading = _read(to_bytes(source), scale, wrapped=False)
    if platform is not None and platform != reading.platform:
        raise SnapshotError(f"this is a screen of {reading.platform}, not of {platform}")
    return reading


def _read(data: bytes, scale: float, *, wrapped: bool) -> Dump:
    start = markup_start(data)
    if b"{" in data[:start] and not wrapped and not is_web_page(data):
        from . import xcuitest

        answer = xcuitest.answer_in(data, start)
        inside = xcuitest.markup_in(answer) if answer is not None else None
        if inside is not None:
            return _read(to_bytes(inside), scale, wrapped=True)
        if answer is not None:
            return xcuitest.read_json(answer, scale)
    data = markup(data)
    if platform_of(data) == "ios":
        from . import xcuitest

        return xcuitest.read_xml(data, scale)
    if scale != 1:
        raise UsageError(f"scale={scale!r}: only iOS counts in points, a screen of Android is in pixels already")
    from . import uiautomator  # lxml is loaded by the first screen, not by whoever names this module

    return uiautomator.read(data)


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
_START = re.compile(rb"<\?xml\b|<hierarchy\b|<node\b|<AppiumAUT\b|<XCUIElementType\w+")

_WEB_PAGE = re.compile(rb"<!doctype\s+html|<html\b", re.IGNORECASE)
_IOS = re.compile(rb"<(?:AppiumAUT|XCUIElementType\w+)[\s/>]")  # no label can hold an opening bracket


def to_bytes(source: bytes | str) -> bytes:
    """Encodes the source as UTF-8 without a byte order mark."""
    if isinstance(source, str):
        return source.lstrip("\ufeff").encode("utf-8", "surrogatepass")
    if source.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return source.decode("utf-16", "replace").encode("utf-8")
    return source.removeprefix(codecs.BOM_UTF8)


def markup_start(data: bytes) -> int:
    """Returns the offset of the XML within the noise around it; the length of ``data`` where there is none."""
    start = _START.search(data)
    return start.start() if start else len(data)


def markup(data: bytes) -> bytes:
    """Returns the XML without the noise around it. Raises ``SnapshotError`` where there is none."""
    start = markup_start(data)
    if start == len(data):
        raise SnapshotError(f"no screen: {_reason(data)}")
    return data[start : data.rfind(b">") + 1]


def platform_of(data: bytes) -> Platform:
    """Detects the platform by the first tags of the ``markup``."""
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
