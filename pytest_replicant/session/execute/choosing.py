"""Choosing an option: of a list that opens, of segments, tabs and radio buttons, and of a switch."""

from __future__ import annotations

from collections.abc import Callable

from ...errors import DeviceError, UsageError
from ...model import Element, Point, Selector
from ...snapshots import Snapshot
from ..actionability import await_still
from ..element_state import checked_of, elements_in
from ..reachability import gesture_point
from ..stabilize.reads import settle
from ..step import ActionContext, Details, Dispatch, StageFailed
from .control import again
from .groups import may_offer, members_of, only_member
from .opened import Opened


def choose_segment(action: ActionContext, label: str, *, tapped: bool) -> Details:
    """Taps the one with that label, unless it is chosen already, and reads back that it is. ``tapped``: an earlier
    attempt did, and what the app makes of that may only be late."""
    segment, members, again_on = only_member(action, label)
    if is_chosen(segment):
        return {"mode": "none needed", "touches": 0, "option": segment.describe()}
    if tapped:
        wrong = f"{segment.describe()} on {action.phone} is still not the chosen one and was tapped before."
        raise StageFailed.on(action.target.snapshot, "SEMANTIC_MISMATCH", wrong, (segment,))
    reports = any(is_chosen(member) for member in members)
    find = again_on or (lambda now: [again(segment, now)])
    snapshot, (segment, *_) = await_still(action.context, find, action.step.timeout)
    action.driver.tap(gesture_point(snapshot, segment))
    if reports:
        snapshot, segment, chosen = _watched(action, segment, lambda _, element: is_chosen(element))
        if not chosen:
            wrong = f"{segment.describe()} is not the chosen one {action.step.timeout:g} s after a tap on it."
            advice = ("does the app refuse it?",)
            raise StageFailed.on(snapshot, "SEMANTIC_MISMATCH", wrong, (segment,), advice=advice)
    return {"mode": "tap", "touches": 1, "option": segment.describe()}


def _watched(
    action: ActionContext, element: Element, holds: Callable[[Snapshot, Element], bool]
) -> tuple[Snapshot, Element, bool]:
    """The screen and the element on it, once that holds after a tap on it, or the time is over."""
    action.observer.invalidate()
    snapshot, expired = action.target.snapshot, action.timer()
    while True:
        snapshot = settle(action.context, snapshot).snapshot
        element = again(element, snapshot)
        held = holds(snapshot, element)
        if held or expired():
            return snapshot, element, held


def is_chosen(element: Element) -> bool:
    return bool(element.states.checked or element.states.selected)


_END = 0.93  # of a control's width: where a list opens by an arrow at the end


def select(label: str) -> Dispatch:
    """Chooses the option; where a role proved wrong, by what the control holds and not by what it is called."""

    def send(action: ActionContext) -> Details:
        raw = action.params.get("semantics") == "raw"
        element = action.target.element
        segmented = element.semantic_role == "segmented_control" or _is_one_of(action, label)
        if segmented or (raw and _holds(action, label)):
            return choose_segment(action, label, tapped=raw and segmented)
        return choose_option(action, label)

    return send


def _is_one_of(action: ActionContext, label: str) -> bool:
    """Whether the control is itself one of several to choose from, and opens nothing."""
    snapshot, element = action.target.snapshot, action.target.element
    if element.semantic_role == "radio":
        return True
    one_of_several = element.value is None and checked_of(snapshot, element) is not None
    return one_of_several and may_offer(snapshot, element, label)


def choose_option(action: ActionContext, label: str) -> Details:
    """Opens the list with a tap, and taps the option in what that opened: what was there before is no option."""
    action.driver.tap(_opener(action))
    action.observer.invalidate()
    try:
        return _choose_in_list(action, label)
    except DeviceError:
        action.sends.count_unsent()  # to begin again is no way: the list that is open lies over its control
        raise


def _choose_in_list(action: ActionContext, label: str) -> Details:
    before = action.target.snapshot
    list_ = Opened(action, label)
    expired = action.timer()
    while True:
        list_.look(settle(action.context, before).snapshot)
        found = list_.found()
        if len(found) > 1:
            raise list_.several(found)
        if found:
            return list_.choose()
        if list_.swipes or expired():
            raise list_.no_option()


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


def switch(action: ActionContext, to: bool, *, tapped: bool = False) -> Details:
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
    action.driver.tap(gesture_point(snapshot, element))
    snapshot, element, held = _watched(action, element, lambda *now: checked_of(*now) is to)
    if not held:
        raise _mismatch(action, element, snapshot, f"{still} {action.step.timeout:g} s after a tap")
    return {"mode": "tap", "touches": 1, "value": to}


def _mismatch(action: ActionContext, element: Element, snapshot: Snapshot, why: str) -> StageFailed:
    wrong = f"{element.describe()}, which can be checked, {why}."
    advice = ("did the app ask something first, or refuse it, or does another element take the tap?",)
    return StageFailed.on(snapshot, "SEMANTIC_MISMATCH", wrong, (element,), advice=advice)
