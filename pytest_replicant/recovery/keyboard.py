"""The on-screen keyboard covers the target."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import Failure, Recovery, RecoveryState, Remedy
from .evidence import hookimpl, meant, screen_of

if TYPE_CHECKING:
    from ..session import RecoveryContext


@hookimpl(trylast=True)
def pytest_replicant_recover(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
    """The on-screen keyboard covers the target: hides it, and looks again."""
    snapshot = screen_of(failure)
    if snapshot is None or snapshot.keyboard is None or failure.check is not None:
        return None  # a check need not be about the element of its action
    if failure.blocker is not None and not snapshot.keyboard.contains(failure.blocker.center):
        return None  # something else covers it
    element = meant(failure)
    if element is None or not snapshot.keyboard.contains(element.center):
        return None
    reason = f"the on-screen keyboard lay over {element.describe()}"
    return Recovery("state_refresh", before=(Remedy.hide_keyboard(),), reason=reason, policy="keyboard")
