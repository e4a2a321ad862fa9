"""Choosing from a list that opens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...errors import is_told
from ...model.failure import Failure
from ..reachable import gesture_point
from ..stabilize import settle
from ..step import StageFailed
from .touch import touch_at

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...model.element import Element
    from ...model.selector import Selector
    from ...snapshots.snapshot import Snapshot
    from ..step import Dispatch, Hands

__tracebackhide__ = is_told


def select(option: Selector, timeout: float) -> Dispatch:
    """Opens the list with a tap, and taps the option in what that opened: what was there before is no option."""

    def send(hands: Hands) -> Mapping[str, Any]:
        before = hands.aim.snapshot
        touch_at(hands, hands.aim.point)
        hands.parts.observer.note_gesture()
        known = {element.identity for element in before.elements}
        deadline = hands.parts.clock.now() + timeout
        while True:
            opened = settle(hands.parts, before).snapshot
            options = [element for element in opened.elements if element.identity not in known]
            found = [element for element in opened.match(option) if element.identity not in known]
            if len(found) == 1:
                touch_at(hands, gesture_point(opened, found[0]))
                return {"option": found[0].describe()}
            if found or hands.parts.clock.now() >= deadline:
                raise _no_option(hands, opened, option, options)

    return send


def _no_option(hands: Hands, opened: Snapshot, option: Selector, options: list[Element]) -> StageFailed:
    """Closes what was opened, where that is a window of its own, and names what it offered."""
    if opened.dialog is not None and hands.aim.snapshot.dialog is None:
        hands.driver.press_key("back")
        hands.parts.observer.note_gesture()
    offered = "   ".join(f'"{element.label}"' for element in options if element.label) or "nothing"
    message = (
        f"ELEMENT_NOT_FOUND  {hands.aim.element.describe()} on {hands.look.uri} opened no list with one "
        f"{option.describe()}; new on the screen: {offered}.\n{opened.outline()}"
    )
    return StageFailed(Failure("ELEMENT_NOT_FOUND", message, tuple(options)), opened)
