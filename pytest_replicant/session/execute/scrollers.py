"""What to scroll: the list that was named, the one that a selector is confined to, or the largest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ...drivers import Platform
from ...errors import TargetError
from ...model import Element, Node, Rect, Selector, ancestors
from ...snapshots import Snapshot, for_platform, scrolls
from ..actionability import resolve
from ..arguments import Target, describe
from ..reachability import not_interactable
from ..stabilize.panes import in_view, lies_sideways
from ..step import ActionContext, StageFailed

Direction = Literal["up", "down", "left", "right"]

OPPOSITE: dict[Direction, Direction] = {"up": "down", "down": "up", "left": "right", "right": "left"}
_EQUAL = 0.8  # of the area of the largest scroller: one nearly as large may be meant as well
_MOSTLY = 0.6  # of its area: a scroller so full of another one is only its frame


class Still(StageFailed):
    """What was to be scrolled is there, and does not scroll."""


@dataclass(frozen=True)
class Way:
    """Where to scroll, which way, and how often at most. Without a ``container`` what the ``part`` that the target
    is confined to lies in or consists of, where that is there; else the largest that scrolls so."""

    container: Target | None
    direction: Direction
    max_swipes: int
    part: Target | None = None

    def box(self, action: ActionContext, snapshot: Snapshot, last: Element | None = None) -> Element | None:
        """What to swipe on this screen; None where it does not scroll. A part may have left the screen since it
        was swiped in ``last``."""
        try:
            if self.container is None and self.part is not None:
                known = located(snapshot, last) if last is not None else None
                found = known or scroller_of(action, snapshot, self.part, self.direction)
                if found is not None:
                    return found
            return scroller(action, snapshot, self.container, self.direction)
        except Still:
            return None

    @property
    def no_way(self) -> str:
        """How far one gets if nothing scrolls."""
        whole = self.container is None and self.part is None
        return f"the edge of a {'screen' if whole else 'list'} that does not scroll"


# --- what to move --------------------------------------------------------------------------------------------


def scroller(action: ActionContext, snapshot: Snapshot, container: Target | None, direction: Direction) -> Element:
    """The container that was named, or the largest that scrolls that way; a named one that does not scroll
    stands for the largest inside it. Raises ``StageFailed``."""
    if container is None:
        found = largest(snapshot, [e for e in snapshot.elements if e.states.scrollable], direction)
        if found is not None:
            return found
        raise Still.on(snapshot, "ELEMENT_NOT_FOUND", f"nothing on this screen of {action.phone} scrolls.")
    try:
        return scrolling_part(snapshot, resolve(action.observer, snapshot, container), direction)
    except StageFailed as failed:
        if isinstance(failed, Still):
            raise
        if not _is_listed(snapshot, container):
            failed.failure = replace(failed.failure, target=container)
            raise
    raise Still.on(snapshot, "ELEMENT_NOT_FOUND", f"{describe(container)} on {action.phone} does not scroll.")


def _is_listed(snapshot: Snapshot, container: Target) -> bool:
    """Whether it is there at all: a list with room for all that is in it is nothing that anybody could touch."""
    try:
        return bool(snapshot.outline(within=container))
    except TargetError:
        return False


def scrolling_part(snapshot: Snapshot, element: Element, direction: Direction) -> Element:
    """The element, or the largest in it that scrolls. Raises ``StageFailed`` if nothing does."""
    if element.states.scrollable is not False:
        return element
    inner = [e for e in snapshot.elements_in(element) if e.states.scrollable]
    found = largest(snapshot, inner, direction)
    if found is None:
        why = "it does not scroll; name a list, or none for the largest"
        raise Still(not_interactable(snapshot, element, why).failure, snapshot)
    return found


def largest(snapshot: Snapshot, choice: Sequence[Element], direction: Direction) -> Element | None:
    """By area, among those that scroll that way where that is known; inside one that is only a frame, the one
    that fills it."""
    fitting = [e for e in choice if goes_sideways(snapshot, e) is not is_upright(direction)] or list(choice)
    if not fitting:
        return None
    best = max(fitting, key=lambda e: e.bounds.area)
    inside = snapshot.inside(best.node)
    around = {node.index for node in ancestors(snapshot.nodes, best.node)}
    rivals = [e for e in fitting if e is not best and e.index not in (*inside, *around)]
    equal = [e for e in rivals if e.bounds.area >= _EQUAL * best.bounds.area]
    if equal:
        wrong = f"{len(equal) + 1} of about the same size scroll {direction} here, and nothing was moved."
        advice = ("name the one that is meant, by container=",)
        raise StageFailed.on(snapshot, "AMBIGUOUS_TARGET", wrong, (best, *equal), final=True, advice=advice)
    inner = [e for e in fitting if e.index in inside and e.bounds.area >= _MOSTLY * best.bounds.area]
    return largest(snapshot, inner, direction) if inner else best


def part_of(target: Target, platform: Platform) -> Target | None:
    """The part of the screen that a selector is confined to."""
    meant = for_platform(target, platform) if isinstance(target, Selector) else None
    return meant.within if meant is not None else None


def scroller_of(action: ActionContext, snapshot: Snapshot, part: Target, direction: Direction) -> Element | None:
    """The scroller in which a part of the screen shows its content: the largest in it that goes that way, else the
    nearest around it; None where the part is not there. Raises ``Still`` where it does not scroll."""
    node = _node_of(action, snapshot, part)
    if node is None:
        return None
    own = [element for element in snapshot.elements if element.index == node.index]
    inside = [e for e in (*own, *snapshot.elements_in(node)) if e.states.scrollable]
    fitting = [e for e in inside if goes_sideways(snapshot, e) is not is_upright(direction)]
    found = (
        largest(snapshot, fitting, direction)
        or scroller_around(snapshot, node, direction)
        or largest(snapshot, inside, direction)
    )
    if found is None:
        raise Still.on(snapshot, "ELEMENT_NOT_FOUND", f"{describe(part)} on {action.phone} does not scroll.")
    return found


def scroller_around(snapshot: Snapshot, node: Node, direction: Direction) -> Element | None:
    """The nearest scroller around a node that goes that way."""
    by_index = {e.index: e for e in snapshot.elements if e.states.scrollable}
    around = [by_index[one.index] for one in ancestors(snapshot.nodes, node) if one.index in by_index]
    return next((e for e in around if goes_sideways(snapshot, e) is not is_upright(direction)), None)


def _node_of(action: ActionContext, snapshot: Snapshot, part: Target) -> Node | None:
    if not isinstance(part, str):
        return snapshot.part(part)
    try:
        return resolve(action.observer, snapshot, part).node
    except StageFailed:
        return None


def is_upright(direction: Direction) -> bool:
    return direction in ("up", "down")


def goes_sideways(snapshot: Snapshot, element: Element) -> bool:
    """Whether it is known to."""
    return lies_sideways(snapshot, element.node) is True


def viewport(snapshot: Snapshot, element: Element) -> Rect:
    """Where the content of a scroller shows: its own bounds, as far as they are on the screen and no keyboard
    lies over them."""
    return in_view(snapshot, element.bounds)


def views_of(snapshot: Snapshot, element: Element) -> list[Rect]:
    """The viewports that an element is seen through: of every scroller around it, and the screen."""
    by_index = {e.index: e for e in snapshot.elements}
    around = [node for node in ancestors(snapshot.nodes, element.node) if scrolls(node) and node.index in by_index]
    return [*(viewport(snapshot, by_index[node.index]) for node in around), Rect(0, 0, *snapshot.size)]


def located(snapshot: Snapshot, box: Element) -> Element | None:
    """The same scroller on another screen."""
    found = snapshot.locate(box).element
    if found is not None:
        return found
    alike = [e for e in snapshot.elements if e.class_name == box.class_name and e.bounds == box.bounds]
    return alike[0] if len(alike) == 1 else None
