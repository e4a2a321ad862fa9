"""Choosing from a list that opens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...model import Failure, Selector
from ...snapshots import DISMISSES
from ..aiming.reachable import gesture_point
from ..settling.restless import agree
from ..settling.stabilize import settle
from ..step import StageFailed
from ..told_screen import told_screen
from .adjusting.numbers import is_inside
from .segments import choose_segment, members_of
from .sweeping import SWIPE_SECONDS, scroll_path
from .touch import touch_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ...model import Element, Point
    from ...snapshots import Snapshot
    from ..step import Dispatch, Hands
    from .sweeping import Direction

MOST_SWIPES = 20  # each way, through a list that is longer than what is shown of it
_END = 0.93  # of a control's width: where a list opens by an arrow at the end


def select(label: str, timeout: float) -> Dispatch:
    """Chooses the option; where a role proved wrong, by what the control holds and not by what it is called."""

    def send(hands: Hands) -> Mapping[str, Any]:
        raw = hands.params.get("semantics") == "raw"
        element = hands.aim.element
        if element.semantic_role == "segmented_control" or (raw and _holds(hands, label)):
            return choose_segment(hands, label, timeout)
        return choose_option(hands, label, timeout)

    return send


def choose_option(hands: Hands, label: str, timeout: float) -> Mapping[str, Any]:
    """Opens the list with a tap, and taps the option in what that opened: what was there before is no option."""
    before = hands.aim.snapshot
    touch_at(hands, _opener(hands))
    hands.parts.observer.note_gesture()
    list_ = _Opened(hands, label)
    deadline = hands.parts.clock.now() + timeout
    while True:
        list_.look(settle(hands.parts, before).snapshot)
        for found in list_.found_while_scrolling():
            if len(found) > 1:
                raise _ambiguous(hands, list_.snapshot, label, found)
            if found:
                touch_at(hands, gesture_point(list_.snapshot, found[0]))
                return {"mode": "list", "option": found[0].describe(), "swipes": list_.swipes}
        if list_.swipes or hands.parts.clock.now() >= deadline:
            raise list_.no_option()


class _Opened:
    """What a tap brought up, and all that was seen of it."""

    def __init__(self, hands: Hands, label: str) -> None:
        self._hands = hands
        self._known = {element.identity for element in hands.aim.snapshot.elements}
        self._selector = Selector(text=label)
        self._label = label
        self.offered: dict[str, None] = {}  # labels, in the order in which they were seen
        self.new: list[Element] = []
        self.swipes = 0
        self.snapshot: Snapshot = hands.aim.snapshot

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
            self._hands.touched += [start, end]
            self._hands.driver.swipe(start, end, SWIPE_SECONDS)
            self._hands.parts.observer.note_gesture()
            self.swipes += 1
            before, after = self.snapshot, settle(self._hands.parts, self.snapshot).snapshot
            if agree(before, after):
                return
            self.look(after)
            yield self._found()

    def _found(self) -> list[Element]:
        return [element for element in self.snapshot.match(self._selector) if element.identity not in self._known]

    def no_option(self) -> StageFailed:
        """Nothing opened; or closes what did, where that is a window of its own, and names what it offered."""
        control = f"{self._hands.aim.element.describe()} on {self._hands.look.uri}"
        if not self.offered and not self.new:
            message = (
                f"SEMANTIC_MISMATCH  {control} opened no list: a tap on it brought nothing new up.\n"
                "Next: is it the control that opens the list? adjust() sets what has its options in itself.\n"
                f"{told_screen(self.snapshot)}"
            )
            failure = Failure("SEMANTIC_MISMATCH", message, (self._hands.aim.element,))
            return StageFailed(failure, self.snapshot)
        outline = told_screen(self.snapshot)
        self._close()
        offered = "   ".join(f'"{label}"' for label in self.offered) or "nothing with a label"
        message = (
            f'ELEMENT_NOT_FOUND  {control} opened no list with one "{self._label}"; new on the screen: {offered}\n'
            f"{outline}"
        )
        return StageFailed(Failure("ELEMENT_NOT_FOUND", message, tuple(self.new)), self.snapshot)

    def _close(self) -> None:
        """Only what is a window of its own. Android's back key closes it, on iOS a touch beside it."""
        hands, before = self._hands, self._hands.aim.snapshot
        if before.platform == "ios":
            beside = self.snapshot.match(Selector(resource_id=DISMISSES))
            if len(beside) == 1:
                touch_at(hands, gesture_point(self.snapshot, beside[0]))
                hands.parts.observer.note_gesture()
        elif self.snapshot.dialog is not None and before.dialog is None:
            hands.driver.press_key("back")
            hands.parts.observer.note_gesture()


def _opener(hands: Hands) -> Point:
    """Where to touch it: a free point, or where its role proved wrong the end of it, where arrows are."""
    element, snapshot = hands.aim.element, hands.aim.snapshot
    point = gesture_point(snapshot, element)
    if hands.params.get("semantics") == "raw":
        seen = min(element.bounds.right, snapshot.size[0] or element.bounds.right)
        return point._replace(x=element.bounds.left + int((seen - element.bounds.left) * _END))
    return point


def _holds(hands: Hands, label: str) -> bool:
    snapshot, element = hands.aim.snapshot, hands.aim.element
    inside = [
        found
        for found in snapshot.match(Selector(text=label))
        if is_inside(snapshot, found.node.index, element.node.index)
    ]
    return bool(inside) and members_of(snapshot, element) != [element]


def _ambiguous(hands: Hands, opened: Snapshot, label: str, found: list[Element]) -> StageFailed:
    message = (
        f"AMBIGUOUS_TARGET  {hands.aim.element.describe()} on {hands.look.uri} opened a list with {len(found)} "
        f'options "{label}". None was chosen.\n{told_screen(opened)}'
    )
    return StageFailed(Failure("AMBIGUOUS_TARGET", message, tuple(found)), opened)
