"""The idempotence guard: what may have taken effect is not sent twice, unless that does no harm or everything that
can be asked says that nothing has changed.

No phone can prove it: an app may act without a trace on the screen or in the log. What is asked is the screen, for
as long as an effect is waited for anywhere else, the toasts, and what the app wrote to the log. On a phone that
gives no log the screen alone is asked, and only where the test allows to step back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..drivers import Capability
from ..errors import DeviceError, SnapshotError
from .device_log.lines import logged_since
from .stabilize.reads import settle

if TYPE_CHECKING:
    from ..snapshots import Snapshot
    from .step import SessionContext, Step


def why_not_retry(context: SessionContext, step: Step, before: Snapshot | None, watch: float) -> str:
    """Why the action may not be sent a second time, for the trace; "" where it may. ``watch`` is how many seconds
    an effect is given to show; 0 where it had its time already."""
    why = "" if step.idempotent else _effect(context, before, watch)
    return f"{step.verb} may have taken effect: {why}" if why else ""


def _effect(context: SessionContext, before: Snapshot | None, watch: float) -> str:
    """What speaks for an effect, or why that cannot be told; "" where nothing does."""
    if before is None:
        return "what was on the screen before is not known"
    deadline = context.clock.now() + watch
    while True:
        why = _changed(context, before)
        if why:
            return why
        if Capability.LOGS not in context.driver.capabilities and "step_back" not in context.settings.allow:
            return "this phone gives no log that could tell"
        if context.clock.now() >= deadline:
            return logged_since(context)


def _changed(context: SessionContext, before: Snapshot) -> str:
    try:
        settled = settle(context, before)
    except (DeviceError, SnapshotError) as error:
        return f"the screen cannot be read: {str(error).splitlines()[0]}"
    if not settled.agreed:
        return "the screen does not rest"
    context.observer.poll_toast()
    if context.observer.toasts:
        return f'a toast was shown: "{context.observer.toasts[-1]}"'
    for seen in (*context.observer.seen, settled.snapshot):  # there and back again is an effect too
        if seen.app != before.app or seen.screen_key != before.screen_key:
            return f"the screen is another one: {seen.screen or seen.id}"
        diff = seen.diff(before)
        if not diff.empty:
            return diff.summary
    return ""
