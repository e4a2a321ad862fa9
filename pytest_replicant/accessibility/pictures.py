"""The rules that need a picture of the screen: contrast, and text that is drawn but in no hierarchy."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol

from PIL.Image import Image

from ..model import Node, Rect
from ..vision import Contrast, contrast_in
from .rules import Found, Screen, acts

_SMALL, _LARGE = 4.5, 3.0  # to 1
_LARGE_SIZE, _LARGE_BOLD = 17, 13  # sp or pt, as measured: 18 and 14 are meant, and fonts differ a little
_BOLD = 0.11  # of the size of a font: strokes of a regular one are thinner, those of a bold one wider
_SMALL_LETTERS, _T, _CAPITALS, _BELOW, _COMMA = 0.53, 0.65, 0.72, 0.21, 0.1  # heights, of the size of a font
_TALL, _DEEP = frozenset("bdfhklß()[]{}|/&%#!?$"), frozenset("gjpqyçþ")
_LAST_LETTER = "\u052f"  # of the Latin, Greek and Cyrillic ones, which are alike in this
_TOLERANCE = 0.01  # of a measured ratio
_MOST_SHARE = 3  # an image of a third of the screen or more is a background
_IOS_TEXTS = frozenset({"StaticText", "TextView", "TextField", "SearchField"})
_UNDRAWN = ("Switch", "ToggleButton", "SeekBar", "ProgressBar", "RatingBar")  # their text is their state
_LEAST_CONFIDENCE = 0.9
_LEAST_LETTERS = 3


class Drawn(Protocol):
    """A text that was recognised on a picture: ``box`` in its pixels, ``confidence`` from 0 to 1."""

    @property
    def text(self) -> str: ...
    @property
    def box(self) -> Rect: ...
    @property
    def confidence(self) -> float: ...


def _texts(screen: Screen) -> Iterator[tuple[Node, str]]:
    """The nodes that draw a text of their own and can be seen whole, and that text."""
    for node in screen.nodes:
        if not screen.shows(node) or node.children or node.states.enabled is False:
            continue
        if node.class_name.endswith(_UNDRAWN) or not _is_whole(screen, node):
            continue
        if screen.platform == "ios" and node.class_name not in _IOS_TEXTS:
            continue  # the label of a button may be drawn as an icon
        drawn = node.text or (node.hint if node.states.editable else "")
        if drawn.strip() and not _is_disabled(screen, node):
            yield node, drawn


def _is_whole(screen: Screen, node: Node) -> bool:
    """Whether nothing of it is cut off by what lies around it, nor covered by a keyboard."""
    keyboard = screen.snapshot.keyboard
    if keyboard is not None and not keyboard.intersect(node.bounds).is_empty:
        return False
    around = screen.nodes[node.parent].bounds if node.parent >= 0 else node.bounds
    return around.encloses(node.bounds) and screen.ports[node.index].encloses(node.bounds)


def _is_disabled(screen: Screen, node: Node) -> bool:
    above = node.parent
    while above >= 0 and not acts(screen.nodes[above]):
        above = screen.nodes[above].parent
    return above >= 0 and screen.nodes[above].states.enabled is False


def text_contrast(screen: Screen, image: Image) -> Iterator[Found]:
    for node, text in _texts(screen):
        measured = contrast_in(image, _inner(node.bounds))
        if measured is None or measured.ratio >= _SMALL - _TOLERANCE:
            continue
        shown = text.upper() if node.class_name.endswith("Button") else text  # many are drawn in capitals
        least = _LARGE if _is_large(shown, measured, screen.density) else _SMALL
        if measured.ratio < least - _TOLERANCE:
            yield Found(node, f"{measured}, and at least {least:g} to 1 is needed")


def _is_large(text: str, measured: Contrast, density: float | None) -> bool:
    """Whether a text is large as WCAG means it, 18 sp or pt, or 14 and bold. If the letters do not say how
    large their font is, it counts as large."""
    whole = [text] if measured.lines == 1 else text.split()
    share = max(map(_share_of_size, whole), default=0.0)  # whichever words stand in the tallest line
    if density is None or not share or any(sign.isalpha() and sign > _LAST_LETTER for sign in text):
        return True
    size = measured.height / share
    bold = measured.stroke >= _BOLD * size
    return size >= (_LARGE_BOLD if bold else _LARGE_SIZE) * density


def _share_of_size(word: str) -> float:
    """The height of a word at least, as a share of the size of its font; 0 without letters and digits. The dot of
    an i stands apart."""
    if not any(map(str.isalnum, word)):
        return 0.0
    tall = any(sign.isupper() or sign.isdigit() or sign in _TALL for sign in word)
    above = _CAPITALS if tall else _T if "t" in word else _SMALL_LETTERS
    below = _BELOW if _DEEP.intersection(word) else _COMMA if any(sign in ",;Q" for sign in word) else 0.0
    return above + below


def image_contrast(screen: Screen, image: Image) -> Iterator[Found]:
    for element in screen.acting:
        node = element.node
        drawing = _image_in(screen, node)
        if drawing is None or drawing.bounds.area * _MOST_SHARE >= screen.whole.area:
            continue
        if screen.is_cut(drawing) or not _is_whole(screen, drawing):
            continue
        measured = contrast_in(image, drawing.bounds)
        if measured is not None and measured.ratio < _LARGE - _TOLERANCE:
            yield Found(drawing, f"{measured}, and at least {_LARGE:g} to 1 is needed")


def _image_in(screen: Screen, node: Node) -> Node | None:
    """The picture that an acting element is: itself, or the only thing in it. An iPhone does not say whether a
    button shows its label or an icon, for which less will do."""
    while len(node.children) == 1 and (not node.text or screen.platform == "ios"):
        node = screen.nodes[node.children[0]]
    if screen.platform == "ios":
        return node if node.class_name in ("Button", "Image") and not node.children else None
    is_image = node.class_name.endswith(("ImageView", "ImageButton"))
    return node if is_image and not node.children and not node.text else None


def _inner(bounds: Rect) -> Rect:
    """Without the border and the round corners that a button has."""
    by = min(bounds.width, bounds.height) // 10
    return bounds.inset(by) if by else bounds


def unexposed_text(screen: Screen, texts: Sequence[Drawn]) -> Iterator[Found]:
    """Text that is drawn and of which no element, not even of the system, says a word. What lies in no
    view that draws, but in a box of views, may belong to a window below."""
    nodes = screen.nodes
    own = [node for node in nodes if screen.shows(node) and not node.bounds.is_empty]
    if not own:
        return
    saying = [node for node in nodes if node.words or node.hint or node.value]
    area = screen.app_area
    for drawn in texts:
        words = {word for word in re.findall(r"\w+", drawn.text.casefold()) if len(word) >= _LEAST_LETTERS}
        if drawn.confidence < _LEAST_CONFIDENCE or not words or not area.encloses(drawn.box):
            continue
        under = [node for node in saying if not node.bounds.intersect(drawn.box).is_empty]
        said = " ".join(f"{one.text} {one.description} {one.hint} {one.value or ''}" for one in under).casefold()
        if not any(word in said for word in words):
            around = [node for node in own if node.bounds.contains(drawn.box.center)]
            inner = min(around, key=_area, default=None)
            if inner is not None and not inner.children:
                yield Found(inner, f"{drawn.text!r} is drawn here, and no element says it", drawn.box)


def _area(node: Node) -> tuple[int, int]:
    return node.bounds.area, -node.index


PICTURE: Mapping[str, Callable[[Screen, Image], Iterator[Found]]] = {
    "text-contrast": text_contrast,
    "image-contrast": image_contrast,
}
"""The rules that need a screenshot, by name."""
