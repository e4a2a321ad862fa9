"""Content taller than its scroller: the hierarchy gives the bounds of the part that shows, the same wherever it is
scrolled to, so that only pictures tell whether it moved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ... import vision  # whose modules wait until a picture is looked at
from ...errors import DeviceError
from ...model import Element, Node, Rect, descendants
from ...snapshots import Snapshot
from ..step import ActionContext
from .scrollers import Direction, is_upright, located, viewport

if TYPE_CHECKING:
    from PIL.Image import Image

_FULL = 0.12  # of a scroller at its edges: what reaches into both fills it
_BAR = 1 / 16  # of its width at each side, where scroll bars come and go
_LISTS = ("RecyclerView", "ListView", "GridView", "Table", "CollectionView", "Outline", "Browser")


def shows_no_edge(snapshot: Snapshot, box: Element, direction: Direction) -> bool:
    """Whether its content may have moved although all bounds are as before: on Android where something fills it
    from edge to edge, and may be cut at both; anywhere where nothing in it is listed, unless it is a list without
    rows. An iPhone's bounds reach beyond what shows, and move with it."""
    now = located(snapshot, box)
    if now is None:
        return False
    upright, area = is_upright(direction), viewport(snapshot, now)
    leaves = [node for node in _leaves(snapshot, now) if _shows(node, area)]
    if not leaves:
        return bool(now.node.children) or not now.class_name.endswith(_LISTS)
    return snapshot.platform == "android" and any(_fills(node, area, upright) for node in leaves)


def _leaves(snapshot: Snapshot, box: Element) -> Iterator[Node]:
    for node in descendants(snapshot.nodes, box.node):
        if node.visible and not node.children and not node.bounds.is_empty:
            yield node


def _shows(node: Node, area: Rect) -> bool:
    return not node.bounds.intersect(area).is_empty


def _fills(node: Node, area: Rect, upright: bool) -> bool:
    first, last = span(area, upright)
    low, high = span(node.bounds, upright)
    slack = (last - first) * _FULL
    return low <= first + slack and high >= last - slack


def span(rect: Rect, upright: bool) -> tuple[int, int]:
    """From where to where it reaches along the way that is scrolled."""
    return (rect.top, rect.bottom) if upright else (rect.left, rect.right)


@dataclass(frozen=True)
class Sight:
    """A picture of what a scroller shows, and what in it is no part of what fills it: a heading that sticks, a
    button that floats, a ticker."""

    image: Image
    covers: tuple[Rect, ...]


def sight_of(action: ActionContext, snapshot: Snapshot, box: Element, direction: Direction) -> Sight | None:
    """None where the phone gives no picture, or none of this."""
    now = located(snapshot, box)
    area = viewport(snapshot, now) if now is not None else None
    if now is None or area is None or area.is_empty:
        return None
    try:
        picture = action.context.picture(snapshot)
    except DeviceError:
        return None
    upright = is_upright(direction)
    bar = int((area.width if upright else area.height) * _BAR)
    margin = (bar, 0) if upright else (0, bar)
    seen = Rect(area.left + margin[0], area.top + margin[1], area.right - margin[0], area.bottom - margin[1])
    image = vision.opened(picture)
    scale = image.width / max(snapshot.size[0], 1)
    covers = [node.bounds.shifted(-seen.left, -seen.top) for node in _over(snapshot, now, area, upright)]
    return Sight(image.crop(seen.scaled(scale)), tuple(cover.scaled(scale) for cover in covers))


def _over(snapshot: Snapshot, box: Element, area: Rect, upright: bool) -> Iterator[Node]:
    """What lies in a scroller besides what fills it, or over it; a view over all of it is a clear one."""
    inside = {node.index for node in descendants(snapshot.nodes, box.node)}
    for node in snapshot.nodes:
        if node.children or not node.visible or not _shows(node, area):
            continue
        if node.index in inside:
            if not _fills(node, area, upright):
                yield node
        elif (node.index > box.index or node.window != box.node.window) and not node.bounds.encloses(area):
            yield node


def is_same(one: Sight, other: Sight) -> bool:
    """Whether both show the same, apart from what was no part of it in either."""
    from PIL import ImageChops, ImageDraw

    if one.image.size != other.image.size:
        return False
    difference = ImageChops.difference(one.image, other.image)
    pen = ImageDraw.Draw(difference)
    for left, top, right, bottom in one.covers + other.covers:
        pen.rectangle((left - 1, top - 1, right, bottom), fill=0)
    return difference.getbbox() is None
