"""Choosing an option: of a list that opens, of segments, tabs and radio buttons, and of a switch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any

from ...drivers import traits_of
from ...errors import UsageError
from ...model import Element, FailureCode, Node, Point, Selector, ancestors
from ...snapshots import DISMISSES, Snapshot, same_text
from ..arguments import inside
from ..element_state import checked_of, elements_in
from ..reachability import gesture_point
from ..stabilize.reads import settle
from ..step import ActionContext, Dispatch, StageFailed
from .collecting import Collecting
from .control import again
from .scrolling import Seek, Way, located, sweep
from .touch import touch_at

_LEVELS = 4  # how far above one of a group the group may be


def choose_segment(action: ActionContext, label: str) -> Mapping[str, Any]:
    """Taps the one with that label, unless it is chosen already, and reads back that it is."""
    snapshot = action.target.snapshot
    members = members_of(snapshot, action.target.element)
    segment = _one(action, label, members)
    if is_chosen(segment):
        return {"mode": "none needed", "touches": 0, "option": segment.describe()}
    reports = any(is_chosen(member) for member in members)
    touch_at(action, gesture_point(snapshot, segment))
    if reports:
        snapshot, segment, chosen = _watched(action, segment, lambda _, element: is_chosen(element))
        if not chosen:
            wrong = (
                f"{segment.describe()} on {action.uri} is not the chosen one {action.step.timeout:g} s after a "
                "tap on it.\nNext: does the app refuse it?"
            )
            raise StageFailed.on(snapshot, "SEMANTIC_MISMATCH", wrong, (segment,))
    return {"mode": "tap", "touches": 1, "option": segment.describe()}


def _watched(
    action: ActionContext, element: Element, holds: Callable[[Snapshot, Element], bool]
) -> tuple[Snapshot, Element, bool]:
    """The screen and the element on it, once that holds after a tap on it, or the time is over."""
    action.context.observer.invalidate()
    snapshot, expired = action.target.snapshot, action.timer()
    while True:
        snapshot = settle(action.context, snapshot).snapshot
        element = again(element, snapshot)
        held = holds(snapshot, element)
        if held or expired():
            return snapshot, element, held


def members_of(snapshot: Snapshot, element: Element) -> list[Element]:
    """What can be chosen: inside the element, or of one of a group all that are like it."""
    inside = _inside(snapshot, element.node)
    if inside:
        return inside
    for above in islice(ancestors(snapshot.nodes, element.node), _LEVELS):
        alike = [one for one in _inside(snapshot, above) if one.semantic_role == element.semantic_role]
        if len(alike) > 1:
            return alike
    return [element]


def is_chosen(element: Element) -> bool:
    return bool(element.states.checked or element.states.selected)


def _inside(snapshot: Snapshot, above: Node) -> list[Element]:
    return [one for one in elements_in(snapshot, above) if one.node.clickable or one.node.checkable]


def _one(action: ActionContext, label: str, members: list[Element]) -> Element:
    snapshot = action.target.snapshot
    meant = {found.identity for found in snapshot.match(Selector(text=label))}
    found = [member for member in members if member.identity in meant]
    if len(found) == 1:
        return found[0]
    offered = "   ".join(f'"{member.label}"' for member in members if member.label) or "nothing"
    wrong = (
        f'{action.target.element.describe()} on {action.uri} has {len(found) or "no"} "{label}"; it offers '
        f"{offered}. Nothing was touched."
    )
    code: FailureCode = "AMBIGUOUS_TARGET" if found else "ELEMENT_NOT_FOUND"
    raise StageFailed.on(snapshot, code, wrong, found or members)


MOST_SWIPES = 200  # each way, through a list that is longer than its visible part
_END = 0.93  # of a control's width: where a list opens by an arrow at the end


def select(label: str) -> Dispatch:
    """Chooses the option; where a role proved wrong, by what the control holds and not by what it is called."""

    def send(action: ActionContext) -> Mapping[str, Any]:
        raw = action.params.get("semantics") == "raw"
        element = action.target.element
        if element.semantic_role == "segmented_control" or (raw and _holds(action, label)):
            return choose_segment(action, label)
        return choose_option(action, label)

    return send


def choose_option(action: ActionContext, label: str) -> Mapping[str, Any]:
    """Opens the list with a tap, and taps the option in what that opened: what was there before is no option."""
    before = action.target.snapshot
    touch_at(action, _opener(action))
    action.context.observer.invalidate()
    list_ = _Opened(action, label)
    expired = action.timer()
    while True:
        list_.look(settle(action.context, before).snapshot)
        found = list_.found()
        if len(found) > 1:
            wrong = (
                f"{action.target.element.describe()} on {action.uri} opened a list with {len(found)} options "
                f'"{label}". None was chosen.'
            )
            raise StageFailed.on(list_.snapshot, "AMBIGUOUS_TARGET", wrong, found)
        if found:
            touch_at(action, gesture_point(list_.snapshot, found[0]))
            return {"mode": "list", "option": found[0].describe(), "swipes": list_.swipes}
        if list_.swipes or expired():
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

    def found(self) -> list[Element]:
        """The options with that label: of a list that scrolls, all from its beginning to its end, as another one
        may be out of sight. A single one is in sight then. Raises ``StageFailed`` where the end is not known."""
        box = max(
            (element for element in self.new if element.states.scrollable),
            key=lambda element: element.bounds.area,
            default=None,
        )
        if box is None:
            return self._found()
        self._sweep_to_start(box)
        every = Collecting(Selector(text_matches=r"\S"), Way(box, "down", MOST_SWIPES))
        self.swipes += every.send(self._action)["swipes"]
        self.offered.update(dict.fromkeys(element.label for element in every.found))
        found = [
            one for one in every.found if any(same_text(self._label, text) for text in (one.label, *one.folded))
        ]
        if len(found) == 1:
            wanted = inside(box, self._selector)
            self.swipes += Seek(wanted, Way(box, "up", MOST_SWIPES)).send(self._action)["swipes"]
            self.look(settle(self._action.context, None).snapshot)
            return self._found()
        return found

    def _sweep_to_start(self, box: Element) -> None:
        for _ in range(MOST_SWIPES):
            swept = sweep(self._action, self.snapshot, located(self.snapshot, box) or box, "up")
            self.swipes += swept.swipes
            self.look(swept.snapshot)
            if not swept.moved:
                return

    def _found(self) -> list[Element]:
        return [element for element in self.snapshot.match(self._selector) if element.identity not in self._known]

    def no_option(self) -> StageFailed:
        """Nothing opened; or closes what did, where that is a window of its own, and names what it offered."""
        element = self._action.target.element
        control = f"{element.describe()} on {self._action.uri}"
        if not self.offered and not self.new:
            wrong = (
                f"{control} opened no list: a tap on it brought nothing new up.\n"
                "Next: is it the control that opens the list? adjust() sets what has its options in itself."
            )
            return StageFailed.on(self.snapshot, "SEMANTIC_MISMATCH", wrong, (element,))
        self._close()
        offered = "   ".join(f'"{label}"' for label in self.offered) or "nothing with a label"
        wrong = f'{control} opened no list with one "{self._label}"; new on the screen: {offered}'
        return StageFailed.on(self.snapshot, "ELEMENT_NOT_FOUND", wrong, self.new)

    def _close(self) -> None:
        """Closes only a window of its own: by the back key, or where that leaves the screen by a touch outside."""
        action, before = self._action, self._action.target.snapshot
        if not traits_of(action.context.driver).back_closes:
            outside = self.snapshot.match(Selector(resource_id=DISMISSES))
            if len(outside) == 1:
                touch_at(action, gesture_point(self.snapshot, outside[0]))
                action.context.observer.invalidate()
        elif (self.snapshot.dialog is not None and before.dialog is None) or self._apart():
            action.driver.press_key("back")
            action.context.observer.invalidate()

    def _apart(self) -> bool:
        """Whether the new is in windows of its own, in which nothing was before."""
        known = {one.window for one in self.snapshot.elements if one.identity in self._known}
        return bool(known) and any(one.window not in known for one in self.new)


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
    inside = elements_in(snapshot, element.node)
    held = any(found in inside for found in snapshot.match(Selector(text=label)))
    return held and members_of(snapshot, element) != [element]


def switch(action: ActionContext, to: bool, *, tapped: bool = False) -> Mapping[str, Any]:
    """``tapped``: an earlier attempt did, and a second tap might undo what the first one did late."""
    element, snapshot = action.target.element, action.target.snapshot
    now = checked_of(snapshot, element)
    if now is None:
        raise _mismatch(action, element, snapshot, "reports no state to read back. Nothing was touched")
    if now is to:
        return {"mode": "none needed", "touches": 0, "value": to}
    if (element.semantic_role == "radio" or element.states.checked is None) and not to:
        raise UsageError(f"adjust(to=False): {element.describe()} is a radio button: choose another of its group")
    still = f"is still {'off' if to else 'on'}"
    if tapped:
        raise _mismatch(action, element, snapshot, f"{still} and was tapped before")
    touch_at(action, gesture_point(snapshot, element))
    snapshot, element, held = _watched(action, element, lambda *now: checked_of(*now) is to)
    if not held:
        raise _mismatch(action, element, snapshot, f"{still} {action.step.timeout:g} s after a tap")
    return {"mode": "tap", "touches": 1, "value": to}


def _mismatch(action: ActionContext, element: Element, snapshot: Snapshot, why: str) -> StageFailed:
    wrong = (
        f"{element.describe()} on {action.uri}, which can be checked, {why}.\n"
        "Next: does the app refuse it, or is another element the one that takes the tap?"
    )
    return StageFailed.on(snapshot, "SEMANTIC_MISMATCH", wrong, (element,))
