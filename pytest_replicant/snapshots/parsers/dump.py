"""The ``Dump`` that every parser returns, and the repair of markup that XML forbids."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from ...errors import SnapshotError
from ...model import Node, Rect, States, shortened

Platform = Literal["android", "ios"]
NOWHERE = Rect(0, 0, 0, 0)
"""The bounds of what does not say where it is."""
states_of = cache(States)  # of a few yes and no, so there are few


@dataclass(frozen=True, slots=True)
class Dump:
    """The nodes that a parser read. ``size`` is in pixels, ``(0, 0)`` where the dump does not say.
    ``reports_hints`` is False for Android versions that show a field's hint as its text. ``scale``
    is the pixels per point where the dump counts in points (``nodes`` are in pixels), else 1.
    ``levels`` is how many the phone was asked for, 0 if that is not known. ``over`` is the app that
    is in front all the same, of a window of the system. ``dotted``: its texts have two dots for
    each emoji, one for each half of any character that UTF-16 has two units for. ``keyboard`` is
    the package of the input method, where the phone named it. ``well_formed``: it is XML as it was
    printed. ``attributes`` are those that were printed of each node, by their names in XML; a
    snapshot lets go of them."""

    platform: Platform
    nodes: tuple[Node, ...]
    size: tuple[int, int]
    reports_hints: bool
    scale: float = 1.0
    levels: int = 0
    over: str = ""
    dotted: bool = False
    keyboard: str = ""
    well_formed: bool = False
    attributes: Sequence[Mapping[str, str]] = ()

    @property
    def ends(self) -> frozenset[int]:
        """The nodes without children on the last of the levels that were asked for: whether they
        have some is not known. None if the hierarchy ends before."""
        level: list[int] = []
        for node in self.nodes if self.levels else ():
            level.append(level[node.parent] + 1 if node.parent >= 0 else 1)
        deep = (index for index, depth in enumerate(level) if depth >= self.levels)
        return frozenset(index for index in deep if not self.nodes[index].children)


def children_of(parents: list[int]) -> list[tuple[int, ...]]:
    found: list[list[int]] = [[] for _ in parents]
    for index, parent in enumerate(parents):
        if parent >= 0:
            found[parent].append(index)
    return list(map(tuple, found))


_FACT = re.compile(r'\b(levels|over)="([\w.-]{1,200})"', re.ASCII)


def facts_in(target: str, data: str) -> dict[str, str]:
    """Returns what a driver says in ``<?replicant levels="62" over="dev.shop"?>``: how many levels
    it asked a phone for, and over which app lies what it read. Nothing for any other processing
    instruction. Apps cannot write one: their texts stand in attributes."""
    return dict(_FACT.findall(data or "")) if target == "replicant" else {}


def number_in(value: str | None) -> int:
    """Returns a whole number of up to six digits; 0 for anything else."""
    return int(value) if value and value.isdecimal() and len(value) < 7 else 0


_LONGEST = 120  # characters of a quotation in a message
_DECLARATION = re.compile(rb"^\s*<\?xml[^>]*\?>")
_INVALID_BYTES = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_REFERENCE = re.compile(rb"&#(?:x([0-9a-fA-F]{1,8})|([0-9]{1,10}));")
_HALVES = re.compile(rb"\xed[\xa0-\xaf][\x80-\xbf]\xed[\xb0-\xbf][\x80-\xbf]")


def without_declaration(data: bytes) -> bytes:
    """Removes the XML declaration: ``data`` is UTF-8 by now, also if it declares another."""
    return _DECLARATION.sub(b"", data)


def repaired(data: bytes) -> bytes:
    """Removes the declaration and the control characters, half characters and wrong encodings that
    XML forbids."""
    data = _INVALID_BYTES.sub(b"", _REFERENCE.sub(_character, without_declaration(data)))
    return _HALVES.sub(_whole, data).decode("utf-8", "replace").encode()


def _whole(halves: re.Match[bytes]) -> bytes:
    """Returns the one character that was written as two surrogates."""
    pair = halves.group().decode("utf-8", "surrogatepass")
    return pair.encode("utf-16", "surrogatepass").decode("utf-16").encode()


def _character(match: re.Match[bytes]) -> bytes:
    code = int(match[1], 16) if match[1] else int(match[2])
    if 0xD800 <= code < 0xE000:
        return chr(code).encode("utf-8", "surrogatepass")
    control = code < 0x20 and code not in (9, 10, 13)
    return b"" if control or code in (0xFFFE, 0xFFFF) or code >= 0x110000 else match[0]


def damaged(data: bytes, why: str, *, cut_off: bool) -> SnapshotError:
    """Returns the error for markup that cannot be parsed; ``why`` is the parser's message."""
    kind = "cut off" if cut_off else "damaged"
    return SnapshotError(
        f"no screen: the dump is {kind} ({brief(why)}); it ends with {excerpt(data.rstrip()[-40:])}"
    )


def document_type() -> SnapshotError:
    """Returns the error for markup that declares a document type: no phone writes one, and attacks
    use entities."""
    return SnapshotError("no screen: the text declares a document type, which no hierarchy has")


def brief(text: str) -> str:
    """Shortens the text of a library or a dump for a message: printable, on one line."""
    plain = "".join(sign if sign.isprintable() else " " for sign in text[: 4 * _LONGEST])
    return shortened(" ".join(plain.split()), _LONGEST)


def excerpt(data: bytes) -> str:
    """Quotes the first words, for a message."""
    return repr(brief(data[: 4 * _LONGEST].decode("utf-8", "replace")))
