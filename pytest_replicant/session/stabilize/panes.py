"""Panes: the lists, pagers and other parts of a screen whose content moves in them, also while all of it fits.

By nodes, as a list with room for everything is no element: nothing of it could be touched or scrolled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from ...model import Node, Rect, ancestors
from ...snapshots import Snapshot, is_pane, mask_progress

Sign = tuple[str, ...]

_SHARED = 5  # two reads show parts of one list where they share more than one in so many texts


def panes_around(snapshot: Snapshot, node: Node) -> list[Node]:
    """Every pane around a node, the nearest first."""
    return [one for one in ancestors(snapshot.nodes, node) if is_pane(one)]


def same_pane(then: Snapshot, pane: Node, now: Snapshot) -> Node | None:
    """The same pane on another read; None where it is not there, or is one of several that look alike."""
    was = next((one for one in then.elements if one.index == pane.index), None)
    found = now.locate(was).element if was is not None else None
    if found is not None and found.class_name == pane.class_name:
        return found.node
    name = (pane.class_name, pane.resource_id)
    alike = [one for one in now.nodes if (one.class_name, one.resource_id) == name and _is_there(one)]
    once = sum((one.class_name, one.resource_id) == name for one in then.nodes if _is_there(one)) == 1
    if len(alike) > 1 or not once:
        alike = [one for one in alike if one.bounds == pane.bounds]
    return alike[0] if len(alike) == 1 else None


_SIDEWAYS = ("HorizontalScrollView", "ViewPager", "ViewPager2")


def lies_sideways(snapshot: Snapshot, pane: Node) -> bool | None:
    """Whether its content lies side by side, by its class, else by how its children lie. None where neither tells,
    as where a single card shows."""
    if pane.class_name.endswith(_SIDEWAYS):
        return True
    children = [snapshot.nodes[index].bounds for index in pane.children]
    if len(children) < 2:
        is_upright = pane.class_name in ("ScrollView", "NestedScrollView") and snapshot.platform != "ios"
        return False if is_upright else None  # an iPhone's scroll views go any way
    return all(one.right <= other.left for one, other in pairwise(children))


def _is_there(node: Node) -> bool:
    return node.visible and not node.bounds.is_empty


def content_in(snapshot: Snapshot, pane: Node) -> Iterator[tuple[Node, Sign]]:
    """Every node in a pane that takes up room, with what it looks like; clocks and progress masked."""
    for node in snapshot.below(pane):
        if not node.bounds.is_empty:
            texts = mask_progress(node.text), mask_progress(node.description)
            yield node, (node.class_name, node.resource_id, *texts)


def viewport(snapshot: Snapshot, node: Node) -> Rect:
    """Where the content of a pane shows: its own bounds, as far as they are on the screen, in the panes around it,
    and no keyboard lies over them."""
    area = node.bounds
    for around in panes_around(snapshot, node):
        if not around.bounds.is_empty:
            area = area.intersect(around.bounds)
    return in_view(snapshot, area)


def in_view(snapshot: Snapshot, area: Rect) -> Rect:
    """The part of an area that is on the screen and above the keyboard."""
    width, height = snapshot.size
    area = area.intersect(Rect(0, 0, width, height)) if width and height else area
    keyboard = snapshot.keyboard
    if keyboard is not None and keyboard.top > area.top:
        area = Rect(area.left, area.top, area.right, min(area.bottom, keyboard.top))
    return area


def named_once(snapshot: Snapshot, pane: Node) -> dict[Sign, Node]:
    """The texts in sight in a pane that are in it just once, by their look; not those in a pane within it, which
    moves by itself."""
    area, inner = viewport(snapshot, pane), set[int]()
    found: list[tuple[Sign, Node]] = []
    for node, sign in content_in(snapshot, pane):
        if node.parent in inner or (is_pane(snapshot.nodes[node.parent]) and node.parent != pane.index):
            inner.add(node.index)
        elif node.words and area.contains(node.bounds.center):
            found.append((sign, node))
    often = Counter(sign for sign, _ in found)
    return {sign: node for sign, node in found if often[sign] == 1}


def share_a_pane(one: Snapshot, other: Snapshot) -> bool:
    """Whether two reads show parts of one list in the same place, by any name of the screen around it."""
    if one.app != other.app or one.traits.differ_on_top(other.traits):
        return False
    there = {(node.class_name, node.resource_id, node.bounds): node for node in other.nodes if is_pane(node)}
    for node in one.nodes:
        again = there.get((node.class_name, node.resource_id, node.bounds)) if is_pane(node) else None
        if again is not None and share_texts(one, node, other, again):
            return True
    return False


def share_texts(one: Snapshot, pane: Node, other: Snapshot, again: Node) -> bool:
    """Whether enough of what a pane shows is on both reads for these to show parts of the same."""
    before, after = named_once(one, pane).keys(), named_once(other, again).keys()
    return len(before & after) * _SHARED > min(len(before), len(after))
