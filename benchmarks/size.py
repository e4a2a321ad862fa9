"""Is everything in the outline? What should be listed is found twice: as the product sees it, its addressable
elements, and from the XML alone, with rules of this file."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_replicant.snapshots import Snapshot

from .tree import box, is_field, is_scroller, is_touched, words_of

if TYPE_CHECKING:
    from pytest_replicant.model import Rect

    from .captures import Capture
    from .tree import Node, Tree

_CUT = 100  # characters; the outline cuts longer texts at some point
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_LISTED = re.compile(r"\[([a-z]\d{3,15})\]")
_ICON = re.compile("[\ue000-\uf8ff\U000f0000-\U0010fffd\\s]+")  # a text of such signs is a picture
_KEYBOARD = re.compile(r"inputmethod|keyboard")
_BARS = "com.android.systemui"


@dataclass
class Sizes:
    """Counts of one split and platform."""

    elements: int = 0
    listed: int = 0
    parts: int = 0
    found: int = 0
    missing: list[tuple[str, str]] = field(default_factory=list)  # capture and part


def weigh(sample: list[Capture]) -> dict[str, Sizes]:
    """By platform."""
    sizes: dict[str, Sizes] = {}
    for capture in sample:
        _weigh_one(capture, sizes.setdefault(capture.tree.platform, Sizes()))
    return sizes


def _weigh_one(capture: Capture, sizes: Sizes) -> None:
    snapshot = Snapshot.parse(capture.data)
    text = snapshot.outline()
    refs, full = ({*_LISTED.findall(_QUOTED.sub("", shown))} for shown in (text, snapshot.outline(full=True)))
    sizes.elements += len(snapshot.elements)
    sizes.listed += sum(element.ref in full for element in snapshot.elements)
    listed = {element.node.index for element in snapshot.elements if element.ref in refs}
    plain = _plain(text)
    for node, index in _context(capture.tree):
        sizes.parts += 1
        texts = list(words_of(node).values())
        if index in listed or any(_said(one, text, plain) for one in texts):
            sizes.found += 1
        else:
            sizes.missing.append((capture.name, f"{node.get('class') or node.tag} {texts} {box(node)}"))


def _context(tree: Tree) -> list[tuple[Node, int]]:
    """What someone who looks at the screen could touch or read, with its index."""
    nodes = tree.nodes()
    number = {node: index for index, node in enumerate(nodes)}
    windows = [top for top in tree.tops() if top.get("package") != _BARS and len(top)]
    windows = [top for top in windows if not _KEYBOARD.search(top.get("package", ""))]
    if len(windows) != 1:
        return []
    shown = [node for node in windows[0].iter() if _is_seen(node, tree.screen)]
    covers = [node for node in shown if is_touched(node) or not all(map(_ICON.fullmatch, words_of(node).values()))]
    others = [node for node in shown if _scrolls(node) or is_field(node)]
    parts = {number[node]: node for node in (*covers, *others)}
    return [(node, index) for index, node in parts.items() if not _is_covered(node, index, covers, number)]


def _scrolls(node: Node) -> bool:
    return is_scroller(node) and node.get("scrollable") != "false"


def _is_seen(node: Node, screen: Rect) -> bool:
    flags = ("visible-to-user", "displayed", "visible")
    hidden = any(one.get(flag) == "false" for one in (node, *node.iterancestors()) for flag in flags)
    return not (hidden or box(node).is_empty or box(node).intersect(screen).is_empty)


def _is_covered(node: Node, index: int, covers: list[Node], number: dict[Node, int]) -> bool:
    at = box(node)
    return any(
        number[other] > index and box(other).encloses(at) and node not in other.iterancestors() for other in covers
    )


def _said(text: str, outline: str, plain: str) -> bool:
    """Quoting, white space and the cut of long texts are the outline's own."""
    letters = _plain(text)
    return letters[:_CUT] in plain if letters else text.strip() in outline


def _plain(text: str) -> str:
    return "".join(character for character in unicodedata.normalize("NFC", text) if character.isalnum())
