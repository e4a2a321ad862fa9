"""Choosing an option: of a list that opens, of segments, tabs and radio buttons, and of a switch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...drivers import traits_of
from ...errors import UsageError
from ...model import Failure, Selector
from ...snapshots import DISMISSES
from ..element_state import checked_of
from ..reachability import gesture_point
from ..screen_text import format_screen
from ..stabilize.observer import agree
from ..stabilize.reads import settle
from ..step import StageFailed
from .control import again, is_inside
from .swiping import SWIPE_SECONDS, scroll_path
from .touch import touch_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ...model import Element, Point
    from ...snapshots import Snapshot
    from ..step import ActionContext, Dispatch
    from .swiping import Direction

_LEVELS = 4  # how far above one of a group the group may be


def choose_segment(action: ActionContext, label: str, timeout: float) -> Mapping[str, Any]:
    """Taps the one with that label, unless it is chosen already, and reads back that it is."""
    snapshot = action.target.snapshot
    members = members_of(snapshot, action.target.element)
    segment = _one(action, label, members)
    if is_chosen(segment):
        return {"mode": "none needed", "touches": 0, "option": segment.describe()}
    reports = any(is_chosen(member) for member in members)
    touch_at(action, gesture_point(snapshot, segment))
    action.context.observer.invalidate()
    deadline = action.context.clock.now() + timeout
    while reports:
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


MOST_SWIPES = 20  # each way, through a list that is longer than its visible part
_END = 0.93  # of a control's width: where a list opens by an arrow at the end


def select(label: str, timeout: float) -> Dispatch:
    """Chooses the option; where a role proved wrong, by what the control holds and not by what it is called."""

    def send(action: ActionContext) -> Mapping[str, Any]:
        raw = action.params.get("semantics") == "raw"
        element = action.target.element
        if element.semantic_role == "segmented_control" or (raw and _holds(action, label)):
            return choose_segment(action, label, timeout)
        return choose_option(action, label, timeout)

    return send


def choose_option(action: ActionContext, label: str, timeout: float) -> Mapping[str, Any]:
    """Opens the list with a tap, and taps the option in what that opened: what was there before is no option."""
    before = action.target.snapshot
    touch_at(action, _opener(action))
    action.context.observer.invalidate()
    list_ = _Opened(action, label)
    deadline = action.context.clock.now() + timeout
    while True:
        list_.look(settle(action.context, before).snapshot)
        for found in list_.found_while_scrolling():
            if len(found) > 1:
                raise _ambiguous(action, list_.snapshot, label, found)
            if found:
                touch_at(action, gesture_point(list_.snapshot, found[0]))
                return {"mode": "list", "option": found[0].describe(), "swipes": list_.swipes}
        if list_.swipes or action.context.clock.now() >= deadline:
            raise list_.no_option()


class _Opened:
    """What a tap brought up, and all that was seen of it."""

    def __init__(self, action: ActionContext, label: str) -> None:
        self._action = action
        self._known = {element.identity for element in action.target.snapshot.elements}
        self._selector = Selector(text=label)
        self._label = label
        self.offered: dict[str, None] = {}  # labels, in the order in which they were seen
        self.new: list[Element] = []
        self.swipes = 0
        self.snapshot: Snapshot = action.target.snapshot

    def look(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.new = [
            element
            for element in snapshot.elements
            if element.identity not in self._known and element.resource_id != DISMISSES
        ]
        self.offered.update(dict.fromkeys(element.label for element in self.new if element.label))

    def found_while_scrolling(self) -> Iterator[list[Element]]:
        """The options with that label on the screen, then on each further stretch of a list that scrolls."""
        yield self._found()
        yield from self._found_towards("down")
        yield from self._found_towards("up")

    def _found_towards(self, direction: Direction) -> Iterator[list[Element]]:
        for _ in range(MOST_SWIPES):
            box = max(
                (element for element in self.new if element.states.scrollable),
                key=lambda element: element.bounds.area,
                default=None,
            )
            if box is None:
                return
            start, end = scroll_path(box.bounds, direction)
            self._action.touched += [start, end]
            self._action.driver.swipe(start, end, SWIPE_SECONDS)
            self._action.context.observer.invalidate()
            self.swipes += 1
            before, after = self.snapshot, settle(self._action.context, self.snapshot).snapshot
            if agree(before, after):
                return
            self.look(after)
            yield self._found()

    def _found(self) -> list[Element]:
        return [element for element in self.snapshot.match(self._selector) if element.identity not in self._known]

    def no_option(self) -> StageFailed:
        """Nothing opened; or closes what did, where that is a window of its own, and names what it offered."""
        control = f"{self._action.target.element.describe()} on {self._action.uri}"
        if not self.offered and not self.new:
            message = (
                f"SEMANTIC_MISMATCH  {control} opened no list: a tap on it brought nothing new up.\n"
                "Next: is it the control that opens the list? adjust() sets what has its options in itself.\n"
                f"{format_screen(self.snapshot)}"
            )
            failure = Failure("SEMANTIC_MISMATCH", message, (self._action.target.element,))
            return StageFailed(failure, self.snapshot)
        outline = format_screen(self.snapshot)
        self._close()
        offered = "   ".join(f'"{label}"' for label in self.offered) or "nothing with a label"
        message = (
            f'ELEMENT_NOT_FOUND  {control} opened no list with one "{self._label}"; new on the screen: {offered}\n'
            f"{outline}"
        )
        return StageFailed(Failure("ELEMENT_NOT_FOUND", message, tuple(self.new)), self.snapshot)

    def _close(self) -> None:
        """Closes only a window of its own: by the back key, or where that leaves the screen by a touch outside."""
        action, before = self._action, self._action.target.snapshot
        if not traits_of(action.context.driver).back_closes:
            outside = self.snapshot.match(Selector(resource_id=DISMISSES))
            if len(outside) == 1:
                touch_at(action, gesture_point(self.snapshot, outside[0]))
                action.context.observer.invalidate()
        elif self.snapshot.dialog is not None and before.dialog is None:
            action.driver.press_key("back")
            action.context.observer.invalidate()


def _opener(action: ActionContext) -> Point:
    """Where to touch it: a free point, or where its role proved wrong the end of it, where arrows are."""
    element, snapshot = action.target.element, action.target.snapshot
    point = gesture_point(snapshot, element)
    if action.params.get("semantics") == "raw":
        seen = min(element.bounds.right, snapshot.size[0] or element.bounds.right)
        return point._replace(x=element.bounds.left + int((seen - element.bounds.left) * _END))
    return point


def _holds(action: ActionContext, label: str) -> bool:
    snapshot, element = action.target.snapshot, action.target.element
    inside = [
        found
        for found in snapshot.match(Selector(text=label))
        if is_inside(snapshot, found.node.index, element.node.index)
    ]
    return bool(inside) and members_of(snapshot, element) != [element]


def _ambiguous(action: ActionContext, opened: Snapshot, label: str, found: list[Element]) -> StageFailed:
    message = (
        f"AMBIGUOUS_TARGET  {action.target.element.describe()} on {action.uri} opened a list with {len(found)} "
        f'options "{label}". None was chosen.\n{format_screen(opened)}'
    )
    return StageFailed(Failure("AMBIGUOUS_TARGET", message, tuple(found)), opened)


def switch(action: ActionContext, to: bool, timeout: float, *, tapped: bool = False) -> Mapping[str, Any]:
    """``tapped``: an earlier attempt did, and a second tap might undo what the first one did late."""
    element, snapshot = action.target.element, action.target.snapshot
    if checked_of(snapshot, element) is None:
        raise _mismatch(action, element, snapshot, "reports no state to read back. Nothing was touched")
    if checked_of(snapshot, element) is to:
        return {"mode": "none needed", "touches": 0, "value": to}
    if (element.semantic_role == "radio" or element.states.checked is None) and not to:
        raise UsageError(f"adjust(to=False): {element.describe()} is a radio button: choose another of its group")
    if tapped:
        raise _mismatch(action, element, snapshot, f"is still {'on' if not to else 'off'} and was tapped before")
    point = gesture_point(snapshot, element)
    action.touched.append(point)
    action.driver.tap(point)
    action.context.observer.invalidate()
    deadline = action.context.clock.now() + timeout
    while True:
        snapshot = settle(action.context, snapshot).snapshot
        element = again(element, snapshot)
        if checked_of(snapshot, element) is to:
            return {"mode": "tap", "touches": 1, "value": to}
        if action.context.clock.now() >= deadline:
            why = f"is still {'on' if not to else 'off'} {timeout:g} s after a tap"
            raise _mismatch(action, element, snapshot, why)


def _mismatch(action: ActionContext, element: Element, snapshot: Snapshot, why: str) -> StageFailed:
    message = (
        f"SEMANTIC_MISMATCH  {element.describe()} on {action.uri}, which can be checked, {why}.\n"
        "Next: does the app refuse it, or is another element the one that takes the tap?\n"
        f"{format_screen(snapshot)}"
    )
    return StageFailed(Failure("SEMANTIC_MISMATCH", message, (element,)), snapshot)
