"""Choosing from a list that opens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...drivers import traits_of
from ...model import Failure, Selector
from ...snapshots import DISMISSES
from ..aiming.reachable import gesture_point
from ..screen_text import format_screen
from ..stabilize.observer import agree
from ..stabilize.reads import settle
from ..step import StageFailed
from .adjusting.numbers import is_inside
from .segments import choose_segment, members_of
from .sweeping import SWIPE_SECONDS, scroll_path
from .touch import touch_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ...model import Element, Point
    from ...snapshots import Snapshot
    from ..step import ActionContext, Dispatch
    from .sweeping import Direction

MOST_SWIPES = 20  # each way, through a list that is longer than what is shown of it
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
            beside = self.snapshot.match(Selector(resource_id=DISMISSES))
            if len(beside) == 1:
                touch_at(action, gesture_point(self.snapshot, beside[0]))
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
