"""The on-screen keyboard in the way of an action: whether it is, and hiding it."""

from __future__ import annotations

from contextlib import suppress

from ..clock import come_true
from ..errors import DeviceError, DeviceTimeout, ProtocolError, SnapshotError, UsageError
from .actionability import lists
from .arguments import Target
from .reachability import not_interactable
from .step import ActionContext, ResolvedTarget, SessionContext

FAR_DOWN = 0.5  # of the screen's height; an on-screen keyboard never reaches higher


def is_pushed_out(context: SessionContext, target: Target) -> bool:
    """Whether the target was on this screen until the keyboard came. Apps make room for a keyboard; what no longer
    fits on a small screen is in no hierarchy, and a title of the same words is not what was meant."""
    observer = context.observer
    now, before = observer.latest, observer.before_keyboard()
    if now is None or now.keyboard is None or before is None or before.traits.differ(now.traits):
        return False
    if not lists(observer, before, target) or lists(observer, now, target):
        return False
    with suppress(DeviceTimeout, ProtocolError, SnapshotError):  # the search for the target will meet them
        now = observer.fresh().snapshot
        return now.keyboard is not None and not lists(observer, now, target)
    return False


def covers(context: SessionContext, resolved: tuple[ResolvedTarget, ...]) -> bool:
    """Whether an on-screen keyboard lies over a target. Where the hierarchy does not show it, it is asked for
    only where one may be up (a field has the focus) and may matter (the point is low): that costs a command."""
    snapshot = resolved[0].snapshot
    if snapshot.keyboard is not None:
        return any(snapshot.keyboard.contains(one.point) for one in resolved)
    typing = [item for item in snapshot.elements if item.states.focused and item.states.editable]
    if not typing or all(one.element.identity == typing[0].identity for one in resolved):
        return False
    low = any(one.point.y > snapshot.size[1] * FAR_DOWN for one in resolved)
    return low and context.driver.keyboard_shown()


def press_away(action: ActionContext) -> None:
    """Hides the keyboard. Where the answer to that was lost before it is only waited for: a second back key would
    leave the screen."""
    lost = action.sends.hiding
    if lost is None:
        try:
            action.query.hide_keyboard()
        except DeviceError as error:
            action.sends.note_hiding(error)
            raise
    elif not come_true(
        action.context.clock,
        lambda: not action.query.keyboard_shown(),
        action.context.settings.action_timeout,
        action.context.settings.pause,
    ):
        raise lost.give_up()
    action.sends.note_hiding(None)


def hide(action: ActionContext, target: ResolvedTarget) -> None:
    """Hides it where the phone says that it is still up: without a keyboard the back key leaves the screen.
    Raises ``StageFailed`` for one that cannot be hidden."""
    try:
        press_away(action)
    except UsageError as refused:
        why = f"the keyboard lies over it, and stays: {refused}"
        raise not_interactable(target.snapshot, target.element, why, short="under the keyboard") from None
