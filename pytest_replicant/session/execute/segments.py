"""One of several that are all shown: the segments of a control, tabs, a group of radio buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...model import Failure, Selector
from ..aiming.reachable import gesture_point
from ..screen_text import format_screen
from ..stabilize.reads import settle
from ..step import StageFailed
from .adjusting.control import again
from .adjusting.numbers import is_inside
from .touch import touch_at

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...model import Element
    from ...snapshots import Snapshot
    from ..step import ActionContext

_LEVELS = 4  # how far above one of a group the group may be


def choose_segment(action: ActionContext, label: str, timeout: float) -> Mapping[str, Any]:
    """Taps the one with that label, unless it is chosen already, and reads back that it is."""
    snapshot = action.target.snapshot
    members = members_of(snapshot, action.target.element)
    segment = _one(action, label, members)
    if is_chosen(segment):
        return {"mode": "none needed", "touches": 0, "option": segment.describe()}
    tells = any(is_chosen(member) for member in members)
    touch_at(action, gesture_point(snapshot, segment))
    action.context.observer.invalidate()
    deadline = action.context.clock.now() + timeout
    while tells:
        snapshot = settle(action.context, snapshot).snapshot
        segment = again(segment, snapshot)
        if is_chosen(segment):
            break
        if action.context.clock.now() >= deadline:
            raise _not_chosen(action, segment, snapshot, timeout)
    return {"mode": "tap", "touches": 1, "option": segment.describe()}


def members_of(snapshot: Snapshot, element: Element) -> list[Element]:
    """What can be chosen: inside the element, or of one of a group all that are like it."""
    inside = _inside(snapshot, element.node.index)
    if inside:
        return inside
    above = element.node.parent
    for _ in range(_LEVELS):
        if above < 0:
            break
        alike = [one for one in _inside(snapshot, above) if one.semantic_role == element.semantic_role]
        if len(alike) > 1:
            return alike
        above = snapshot.nodes[above].parent
    return [element]


def is_chosen(element: Element) -> bool:
    return bool(element.states.checked or element.states.selected)


def _inside(snapshot: Snapshot, above: int) -> list[Element]:
    return [
        element
        for element in snapshot.elements
        if (element.node.clickable or element.node.checkable) and is_inside(snapshot, element.node.index, above)
    ]


def _one(action: ActionContext, label: str, members: list[Element]) -> Element:
    snapshot = action.target.snapshot
    meant = {found.identity for found in snapshot.match(Selector(text=label))}
    found = [member for member in members if member.identity in meant]
    if len(found) == 1:
        return found[0]
    code = "AMBIGUOUS_TARGET" if found else "ELEMENT_NOT_FOUND"
    offered = "   ".join(f'"{member.label}"' for member in members if member.label) or "nothing"
    message = (
        f'{code}  {action.target.element.describe()} on {action.uri} has {len(found) or "no"} "{label}"; '
        f"it offers {offered}. Nothing was touched.\n{format_screen(snapshot)}"
    )
    failure = Failure("AMBIGUOUS_TARGET" if found else "ELEMENT_NOT_FOUND", message, tuple(found or members))
    raise StageFailed(failure, snapshot)


def _not_chosen(action: ActionContext, segment: Element, snapshot: Snapshot, timeout: float) -> StageFailed:
    message = (
        f"SEMANTIC_MISMATCH  {segment.describe()} on {action.uri} is not the chosen one {timeout:g} s after a "
        f"tap on it.\nNext: does the app refuse it?\n{format_screen(snapshot)}"
    )
    return StageFailed(Failure("SEMANTIC_MISMATCH", message, (segment,)), snapshot)
