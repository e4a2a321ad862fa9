"""Tabs, segments and radio buttons: the members of a group, those that lie out of sight as well."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

from ...model import Element, FailureCode, Node, Selector, ancestors
from ...snapshots import Snapshot
from ..element_state import elements_in
from ..step import ActionContext, StageFailed
from .collecting import SLACK, Collecting
from .opened import MOST_SWIPES, fits_label, offered
from .scrollers import OPPOSITE, Direction, Way, goes_sideways, located, viewport
from .scrolling import sweep

_LEVELS = 4  # how far above one of a group the group may be


def members_of(snapshot: Snapshot, element: Element) -> list[Element]:
    """What can be chosen: inside the element, or of one of a group all that are like it."""
    return _group_of(snapshot, element)[1]


def may_offer(snapshot: Snapshot, element: Element, label: str) -> bool:
    """Whether one of its group has that label, in sight or perhaps out of it."""
    node, members, _ = _group_of(snapshot, element)
    return any(fits_label(one, label) for one in members) or _goes_on_in(snapshot, node) is not None


def _group_of(snapshot: Snapshot, element: Element) -> tuple[Node, list[Element], str | None]:
    """The node around the group, its members in sight, and their role where only that makes them members."""
    inside = _inside(snapshot, element.node)
    if inside:
        return element.node, inside, None
    role = element.semantic_role
    for above in islice(ancestors(snapshot.nodes, element.node), _LEVELS):
        alike = [one for one in _inside(snapshot, above) if one.semantic_role == role]
        if len(alike) > 1:
            return above, alike, role
    return element.node, [element], role


def _inside(snapshot: Snapshot, above: Node) -> list[Element]:
    return [one for one in elements_in(snapshot, above) if one.node.clickable or one.node.checkable]


def only_member(
    action: ActionContext, label: str
) -> tuple[Element, list[Element], Callable[[Snapshot], list[Element]] | None]:
    """The one member with that label, all members, and how to find it on a later screen, where that is not by
    itself. A group that may go on out of sight is gone through first, as there may be another; the member is in
    sight then. Raises ``StageFailed`` for none and for several."""
    snapshot, element = action.target.snapshot, action.target.element
    node, members, role = _group_of(snapshot, element)
    box = _goes_on_in(snapshot, node) if members != [element] else None
    if box is not None:
        group = _Group(action, snapshot, node, members, role, box)
        every = group.every()
        wanted = [one for one in every if fits_label(one, label)]
        if len(wanted) != 1:
            raise _not_one(action, group.snapshot, label, wanted, every)
        return group.bring(label), every, lambda now: group.with_label(now, label)
    meant = {found.identity for found in snapshot.match(Selector(text=label))}
    found = [member for member in members if member.identity in meant]
    if len(found) != 1:
        raise _not_one(action, snapshot, label, found, members)
    return found[0], members, None


def _not_one(
    action: ActionContext, snapshot: Snapshot, label: str, found: list[Element], members: list[Element]
) -> StageFailed:
    there_are = offered(label, (member.label for member in members)) or "nothing"
    wrong = (
        f'{action.target.element.describe()} on {action.phone} has {len(found) or "no"} "{label}"; it offers '
        f"{there_are}. Nothing was touched."
    )
    code: FailureCode = "AMBIGUOUS_TARGET" if found else "ELEMENT_NOT_FOUND"
    return StageFailed.on(snapshot, code, wrong, found or members, target=Selector(text=label))


def _goes_on_in(snapshot: Snapshot, node: Node) -> Element | None:
    """The scroller at whose edge the group ends, or which it is: there may be more of it than shows."""
    scrolling = {one.index: one for one in snapshot.elements if one.states.scrollable}
    for around in (node, *ancestors(snapshot.nodes, node)):
        box = scrolling.get(around.index)
        if box is not None and (box.index == node.index or any(_reaches(snapshot, node, box))):
            return box
    return None


def _reaches(snapshot: Snapshot, node: Node, box: Element) -> tuple[bool, bool]:
    """Whether what shows of a group ends at the beginning and at the end of its scroller."""
    area, rect = viewport(snapshot, box), node.bounds
    if goes_sideways(snapshot, box):
        return rect.left <= area.left + SLACK, rect.right >= area.right - SLACK
    return rect.top <= area.top + SLACK, rect.bottom >= area.bottom - SLACK


class _Group:
    """A group in a scroller: known again on each screen by the members that it shares with the one before."""

    def __init__(
        self,
        action: ActionContext,
        snapshot: Snapshot,
        node: Node,
        members: list[Element],
        role: str | None,
        box: Element,
    ) -> None:
        self.snapshot = snapshot
        self._action = action
        self._kind = (node.class_name, node.resource_id)
        self._role = role
        self._box = box
        self._onward: Direction = "right" if goes_sideways(snapshot, box) else "down"
        self._known = _with_steps(snapshot, node, members)

    def every(self) -> list[Element]:
        """Its members from the first to the last."""
        self._sweep_until(lambda now: not _reaches(now, self._node_on(now), self._now(now))[0])
        way = Way(self._box, self._onward, MOST_SWIPES)
        collecting = Collecting(Selector(text_matches=r"\S"), way, only=self._members, ends=self._ends)
        collecting.send(self._action)
        latest = self._action.observer.latest
        assert latest is not None
        self.snapshot = latest
        return collecting.found

    def bring(self, label: str) -> Element:
        """The member, scrolled into sight."""
        self._sweep_until(lambda now: bool(self.with_label(now, label)))
        return self.with_label(self.snapshot, label)[0]

    def with_label(self, snapshot: Snapshot, label: str) -> list[Element]:
        return [one for one in self._members(snapshot) if fits_label(one, label)]

    def _sweep_until(self, reached: Callable[[Snapshot], bool]) -> None:
        """Backwards, as far as it goes."""
        for _ in range(MOST_SWIPES):
            if reached(self.snapshot):
                return
            box, before = self._now(self.snapshot), self.snapshot
            swept = sweep(self._action, before, box, OPPOSITE[self._onward], reach=0.5)
            self.snapshot = swept.snapshot
            if not swept.moved:
                return

    def _now(self, snapshot: Snapshot) -> Element:
        return located(snapshot, self._box) or self._box

    def _ends(self, snapshot: Snapshot) -> bool:
        node, box = self._node_on(snapshot), self._now(snapshot)
        return node.index != box.index and not _reaches(snapshot, node, box)[1]

    def _members(self, snapshot: Snapshot) -> list[Element]:
        return self._alike(snapshot, self._node_on(snapshot))

    def _alike(self, snapshot: Snapshot, node: Node) -> list[Element]:
        return [one for one in _inside(snapshot, node) if self._role in (None, one.semantic_role)]

    def _node_on(self, snapshot: Snapshot) -> Node:
        node = self._around_known(snapshot)
        self._known = _with_steps(snapshot, node, self._alike(snapshot, node)) or self._known
        return node

    def _around_known(self, snapshot: Snapshot) -> Node:
        for member, steps in self._known:
            found = snapshot.locate(member).element
            above = None if found is None else list(islice(ancestors(snapshot.nodes, found.node), steps))[-1:]
            if above and (above[0].class_name, above[0].resource_id) == self._kind:
                return above[0]
        wrong = (
            f"the group of {self._action.target.element.describe()} on {self._action.phone} was lost while it was "
            "gone through. Nothing was touched."
        )
        raise StageFailed.on(snapshot, "STALE_REFERENCE", wrong)


def _with_steps(snapshot: Snapshot, group: Node, members: list[Element]) -> list[tuple[Element, int]]:
    """Each member, and how many levels above it the group is."""
    level = _depth(snapshot, group)
    return [(one, _depth(snapshot, one.node) - level) for one in members]


def _depth(snapshot: Snapshot, node: Node) -> int:
    return sum(1 for _ in ancestors(snapshot.nodes, node))
