"""Format detection: which parser reads the bytes, or why they are no screen. ``LastRead`` reads
another dump of a session by what differs from the last one."""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import compress, count
from math import isfinite
from operator import ne

from ...errors import SnapshotError, UsageError
from ...model import Node
from . import xcuitest
from .dump import Dump, Platform, excerpt


def read_hierarchy(source: bytes | str, platform: Platform | None, scale: float = 1.0) -> Dump:
    """Parses a dump as a phone or a tool printed it. ``platform`` None detects; ``scale`` is the
    pixels per unit of the dump. Raises ``SnapshotError`` for bytes that are no screen, or no screen
    of ``platform``."""
    if not isinstance(source, (bytes, str)):
        kind = type(source).__name__
        raise UsageError(
            f"Snapshot.parse() reads a hierarchy, as bytes or str, not a {kind}; of a file give "
            "read_bytes()"
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
        answer = xcuitest.answer_in(data, start)
        inside = xcuitest.markup_in(answer) if answer is not None else None
        if inside is not None:
            return _read(to_bytes(inside), scale, wrapped=True)
        if answer is not None:
            return xcuitest.read_json(answer, scale)
    data = markup(data)
    if platform_of(data) == "ios":
        return xcuitest.read_xml(data, scale)
    if scale != 1:
        raise UsageError(
            f"scale={scale!r}: only iOS counts in points, a screen of Android is in pixels already"
        )
    from . import (
        uiautomator,
    )  # lxml is loaded by the first screen, not by whoever names this module

    return uiautomator.read(data)


# What a phone prints, with exit status 0, where it should have printed a hierarchy.
_FAILURES = (
    (b"could not get idle state", "the screen never came to rest, so uiautomator gave up"),
    (
        b"null root node",
        "uiautomator had no window to read; the screen may be off or just changing",
    ),
    (
        b"Illegal character",
        "a character on the screen cannot be written as XML by this Android version",
    ),
    (b"Killed", "the dump was killed on the phone"),
    (b"Permission denied", "the phone refused to write or read the dump"),
    (b"No such file or directory", "the dump's file is not there"),
    (b"no devices/emulators found", "adb found no phone"),
    (b"more than one device", "adb found several phones: name one by -s SERIAL"),
    (b"device unauthorized", "the phone has not accepted this computer's key yet"),
    (b"device offline", "the phone does not answer adb"),
    (
        b"dumped to:",
        "uiautomator wrote the dump into a file on the phone: read that, or dump to /dev/tty",
    ),
)
_FORMATS = (
    (b"\x1f\x8b", "this is compressed with gzip: unpack it first"),
    (b"PK\x03\x04", "this is a zip archive: unpack it first"),
    (b"\x89PNG", "this is a picture, not a hierarchy"),
    (b"\xff\xd8\xff", "this is a picture, not a hierarchy"),
)
_START = re.compile(rb"<\?xml\b|<hierarchy\b|<node\b|<AppiumAUT\b|<XCUIElementType\w+")

_WEB_PAGE = re.compile(rb"<!doctype\s+html|<html\b", re.IGNORECASE)
_IOS = re.compile(
    rb"<(?:AppiumAUT|XCUIElementType\w+)[\s/>]"
)  # no label can hold an opening bracket


def to_bytes(source: bytes | str) -> bytes:
    """Encodes the source as UTF-8 without a byte order mark."""
    if isinstance(source, str):
        return source.lstrip("\ufeff").encode("utf-8", "surrogatepass")
    if source.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return source.decode("utf-16", "replace").encode("utf-8")
    return source.removeprefix(codecs.BOM_UTF8)


def markup_start(data: bytes) -> int:
    """Returns the offset of the XML within the noise around it; the length of ``data`` if there is
    none."""
    start = _START.search(data)
    return start.start() if start else len(data)


def markup(data: bytes) -> bytes:
    """Returns the XML without the noise around it. Raises ``SnapshotError`` if there is none."""
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
    is_json = data.lstrip()[:1] == b"{" and b'"' in data
    what = "JSON is cut off or damaged" if is_json else "is no hierarchy"
    return f"this {what}: {excerpt(data)}"


_MOST = 4  # of so many tags one may differ; with more, a whole parse takes no longer
_LARGEST = 100_000  # bytes of a tag
_NAME = re.compile(rb"[A-Za-z_][\w.$-]*(?=[\s/>])")
_OTHER_ENCODING = re.compile(rb"encoding\s*=\s*[\"'](?!utf-8[\"'])", re.IGNORECASE)
_OF_IOS = (b"XCUIElementType", b"AppiumAUT")


class LastRead:
    """The last dump that a session read. The next one of as many pieces, that differs in a few tags
    which are well-formed alone, has the same structure: only those are parsed. All else, and all of
    iOS, is parsed whole."""

    def __init__(self) -> None:
        self._dump: Dump | None = None
        self._pieces: list[bytes] = []  # from one opening bracket to the next
        self._places: dict[int, Node] | None = (
            None  # the node of each piece that may differ, once it was asked for
        )

    def read(self, source: bytes | str, platform: Platform | None, scale: float) -> Dump:
        """Parses as ``read_hierarchy`` does, without the attributes."""
        pieces = to_bytes(source).split(b"<") if isinstance(source, (bytes, str)) else []
        dump = self._reread(pieces) if platform != "ios" and scale == 1 else None
        if dump is None:
            self._dump = self._places = None  # also where the parser raises
            dump = replace(read_hierarchy(source, platform, scale), attributes=())
        self._dump, self._pieces = dump, pieces
        return dump

    def _reread(self, pieces: list[bytes]) -> Dump | None:
        dump, before = self._dump, self._pieces
        if dump is None or len(pieces) != len(before):
            return None
        differ = list(compress(count(), map(ne, pieces, before)))
        if len(differ) * _MOST > len(dump.nodes):
            return None
        if self._places is None:
            self._places = _places(dump, before)
        if not self._places.keys() >= set(differ):
            return None
        then = [self._places[at] for at in differ]
        old, new = [_tag(before[at]) for at in differ], [_tag(pieces[at]) for at in differ]
        if any(not form or form != other for (form, _), (other, _) in zip(old, new, strict=True)):
            return None
        from .uiautomator import nodes_alone  # lxml is loaded by the first screen

        known, found = (nodes_alone([text for _, text in tags], then) for tags in (old, new))
        if known is None or found is None or found[1] not in (known[1], dump.reports_hints):
            return None
        if not dump.dotted and any(b".." in text for _, text in new):
            return None
        nodes = list(dump.nodes)
        for at, node in zip(differ, found[0], strict=True):
            nodes[node.index] = self._places[at] = node
        dotted = dump.dotted and any(b".." in piece for piece in pieces)
        return replace(dump, nodes=tuple(nodes), dotted=dotted)


def _tag(piece: bytes) -> tuple[bytes, bytes]:
    """A piece as a document of its own, after its form: its name, and whether it ends itself; ""
    for none."""
    name, end = _NAME.match(piece), piece.rstrip()[-2:]
    if name is None or end[-1:] != b">" or len(piece) >= _LARGEST or b"xmlns" in piece:
        return b"", b""
    if end == b"/>":
        return name[0] + b"/", b"<" + piece
    return name[0], b"<" + piece + b"</" + name[0] + b">"


def _places(dump: Dump, pieces: Sequence[bytes]) -> dict[int, Node]:
    """Returns the node of each piece, roots apart; none of a text in which a piece may be something
    else."""
    special = [piece for piece in pieces if piece[:1] in (b"?", b"!")]
    plain = all(piece[:1] == b"?" and piece.rstrip()[-2:] == b"?>" for piece in special)
    if not (dump.platform == "android" and dump.well_formed and plain) or pieces[0].strip():
        return {}
    if any(map(_OTHER_ENCODING.search, special)):
        return {}
    if any(b"xmlns" in piece or piece.startswith(_OF_IOS) for piece in pieces):
        return {}
    tags = [at for at, piece in enumerate(pieces) if piece and piece[:1] not in b"/?"]
    if tags and pieces[tags[0]].startswith(b"hierarchy"):
        tags = tags[1:]
    if len(tags) != len(dump.nodes):
        return {}
    return {at: node for at, node in zip(tags, dump.nodes, strict=True) if node.parent >= 0}
