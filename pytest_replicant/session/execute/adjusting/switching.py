"""A switch or check box: touched only where it is not as wanted, and read back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....errors import UsageError
from ....model import Failure
from ...aiming.reachable import gesture_point
from ...element_state import checked_of
from ...screen_text import format_screen
from ...stabilize.reads import settle
from ...step import StageFailed
from .control import again

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ....model import Element
    from ....snapshots import Snapshot
    from ...step import ActionContext


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
