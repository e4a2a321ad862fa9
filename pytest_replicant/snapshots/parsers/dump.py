"""The ``Dump`` that every parser returns, and the repair of markup that XML forbids."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal

from ...errors import SnapshotError
from ...model import Rect, States, shortened

if TYPE_CHECKING:
    from ...model import Node

Platform = Literal["android", "ios"]
NOWHERE = Rect(0, 0, 0, 0)
"""The bounds of what does not say where it is."""
states_of = cache(States)  # of a few yes and no, so there are few


@dataclass(frozen=True, slots=True)
class Dump:
    """``size`` in pixels, ``(0, 0)`` where the text does not say; ``reports_hints`` is False for dumps of
    an Android that shows a field's hint as its text. ``scale`` is how many pixels a point has, where the text
    counts in points and ``nodes`` in pixels; 1 where both count alike."""

    platform: Platform
    nodes: tuple[Node, ...]
    size: tuple[int, int]
    reports_hints: bool
    scale: float = 1.0


_LONGEST = 120  # characters of a quotation in a message
_DECLARATION = re.compile(rb"^\s*<\?xml[^>]*\?>")
_INVALID_BYTES = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_REFERENCE = re.compile(rb"&#(?:x([0-9a-fA-F]{1,8})|([0-9]{1,10}));")
_HALVES = re.compile(rb"\xed[\xa0-\xaf][\x80-\xbf]\xed[\xb0-\xbf][\x80-\xbf]")


def without_declaration(data: bytes) -> bytes:
    """``data`` is UTF-8 by now, whatever the text declares."""
    return _DECLARATION.sub(b"", data)


def mended(data: bytes) -> bytes:
    """Without control characters, half characters and wrong encodings, and without the declaration."""
    data = _INVALID_BYTES.sub(b"", _REFERENCE.sub(_character, without_declaration(data)))
    return _HALVES.sub(_whole, data).decode("utf-8", "replace").encode()


def _whole(halves: re.Match[bytes]) -> bytes:
    """The one character that was written as two surrogates."""
    pair = halves.group().decode("utf-8", "surrogatepass")
    return pair.encode("utf-16", "surrogatepass").decode("utf-16").encode()


def _character(match: re.Match[bytes]) -> bytes:
    code = int(match.group(1), 16) if match.group(1) else int(match.group(2))
    if code in (9, 10, 13) or 0x20 <= code < 0xD800 or 0xE000 <= code < 0xFFFE or 0x10000 <= code < 0x110000:
        return match.group()
    return chr(code).encode("utf-8", "surrogatepass") if 0xD800 <= code < 0xE000 else b""


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
