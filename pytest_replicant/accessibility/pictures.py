"""The rules that need a picture of the screen: contrast, and text that is drawn but in no hierarchy."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from ..model import Node, Rect
from ..vision import contrast_in
from .rules import Found, Screen, acts

if TYPE_CHECKING:
    from PIL.Image import Image


_SMALL, _LARGE = 4.5, 3.0  # to 1
_CAPITALS = 0.72  # of the size of a font: the least height of a line of it
_LARGE_SIZE = 14  # sp or pt: from here on bold text counts as large, and a hierarchy says nothing of that
_TOLERANCE = 0.05  # of a measured ratio
_MOST_SHARE = 3  # an image of a third of the screen or more is a background
_IOS_TEXTS = frozenset({"StaticText", "TextView", "TextField", "SearchField"})
_UNDRAWN = ("Switch", "ToggleButton", "SeekBar", "ProgressBar", "RatingBar")  # their text is their state
_WORDS = re.compile(r"\w+")
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


def _texts(screen: Screen) -> Iterator[Node]:
    """The nodes that draw a text of their own and can be seen whole."""
    for node in screen.nodes:
        if not screen.shows(node) or node.children or node.states.enabled is False:
            continue
        if node.class_name.endswith(_UNDRAWN) or not _is_whole(screen, node):
            continue
        if screen.platform == "ios" and node.class_name not in _IOS_TEXTS:
            continue  # the label of a button may be drawn as an icon
        drawn = node.text or (node.hint if node.states.editable else "")
        if drawn.strip() and not _is_disabled(screen, node):
            yield node


def _is_whole(screen: Screen, node: Node) -> bool:
    """Whether nothing of it is cut off by what lies around it."""
    around = screen.nodes[node.parent].bounds if node.parent >= 0 else node.bounds
    return around.encloses(node.bounds) and screen.ports[node.index].encloses(node.bounds)


def _is_disabled(screen: Screen, node: Node) -> bool:
    above = node.parent
    while above >= 0 and not acts(screen.nodes[above]):
        above = screen.nodes[above].parent
    return above >= 0 and screen.nodes[above].states.enabled is False


def text_contrast(screen: Screen, image: Image) -> Iterator[Found]:
    for node in _texts(screen):
        measured = contrast_in(image, _inner(node.bounds))
        if measured is None or measured.ratio >= _SMALL - _TOLERANCE:
            continue
        size = measured.height / _CAPITALS / screen.density if screen.density else None
        least = _SMALL if size is not None and size < _LARGE_SIZE else _LARGE
        if measured.ratio < least - _TOLERANCE:
            yield Found(node, f"{measured}, and at least {least:g} to 1 is needed")


def image_contrast(screen: Screen, image: Image) -> Iterator[Found]:
    whole = screen.size[0] * screen.size[1]
    for element in screen.acting:
        node = element.node
        drawing = _image_in(screen, node)
        if drawing is None or drawing.bounds.area * _MOST_SHARE >= whole or screen.is_cut(drawing):
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
    """Text that is drawn where nothing on the screen, not even of the system, says a word of it. What lies in no
    view that draws, but in a box of views, may belong to a window below."""
    nodes = screen.nodes
    own = [node for node in nodes if screen.shows(node) and not node.bounds.is_empty]
    if not own:
        return
    saying = [node for node in nodes if node.text or node.description or node.hint or node.value]
    area = screen.app_area
    for drawn in texts:
        words = {word for word in _WORDS.findall(drawn.text.casefold()) if len(word) >= _LEAST_LETTERS}
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
