"""Another look: a dump of a session is read by the tags in which it differs from the one before."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import compress, count
from operator import ne

from ...model import Node
from .dump import Dump, Platform
from .hierarchy import read_hierarchy, to_bytes

_MOST = 4  # of so many tags one may differ; with more, a whole parse takes no longer
_LARGEST = 100_000  # bytes of a tag
_NAME = re.compile(rb"[A-Za-z_][\w.$-]*(?=[\s/>])")
_OTHER_ENCODING = re.compile(rb"encoding\s*=\s*[\"'](?!utf-8[\"'])", re.IGNORECASE)
_OF_IOS = (b"XCUIElementType", b"AppiumAUT")


class LastRead:
    """The last dump that a session read. The next one of as many pieces, that differs in a few tags which are
    well-formed alone, has the same structure: only those are parsed. All else, and all of iOS, is parsed whole."""

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
        old, new = [_Tag(before[at]) for at in differ], [_Tag(pieces[at]) for at in differ]
        known, found = _nodes(old, then), _nodes(new, then)
        if known is None or found is None or [tag.form for tag in old] != [tag.form for tag in new]:
            return None
        if found[1] not in (known[1], dump.reports_hints):
            return None
        if not dump.dotted and any(b".." in tag.text for tag in new):
            return None
        nodes = list(dump.nodes)
        for at, node in zip(differ, found[0], strict=True):
            nodes[node.index] = self._places[at] = node
        dotted = dump.dotted and any(b".." in piece for piece in pieces)
        return replace(dump, nodes=tuple(nodes), dotted=dotted)


class _Tag:
    """A piece as a document of its own: ``form`` is its name, and whether it ends itself; "" for none."""

    def __init__(self, piece: bytes) -> None:
        name, end = _NAME.match(piece), piece.rstrip()[-2:]
        self.form, self.text = b"", b""
        if name is not None and end[-1:] == b">" and len(piece) < _LARGEST and b"xmlns" not in piece:
            self.form = name[0] + (b"/" if end == b"/>" else b"")
            self.text = b"<" + piece + (b"" if end == b"/>" else b"</" + name[0] + b">")


def _nodes(tags: Sequence[_Tag], places: Sequence[Node]) -> tuple[list[Node], bool] | None:
    from .uiautomator import nodes_alone  # lxml is loaded by the first screen

    if not all(tag.form for tag in tags):
        return None
    return nodes_alone([tag.text for tag in tags], places)


def _places(dump: Dump, pieces: Sequence[bytes]) -> dict[int, Node]:
    """Returns the node of each piece, roots apart; none of a text in which a piece may be something else."""
    special = [piece for piece in pieces if piece[:1] in (b"?", b"!")]
    plain = all(piece[:1] == b"?" and piece.rstrip()[-2:] == b"?>" for piece in special)
    if not (dump.platform == "android" and dump.well_formed and plain) or pieces[0].strip():
        return {}
    if any(b"xmlns" in piece or piece.startswith(_OF_IOS) for piece in pieces) or any(
        map(_OTHER_ENCODING.search, special)
    ):
        return {}
    tags = [at for at, piece in enumerate(pieces) if piece and piece[:1] not in b"/?"]
    if tags and pieces[tags[0]].startswith(b"hierarchy"):
        tags = tags[1:]
    if len(tags) != len(dump.nodes):
        return {}
    return {at: node for at, node in zip(tags, dump.nodes, strict=True) if node.parent >= 0}
