"""An app "isn't responding", and the system asks whether to wait for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import Failure, Recovery, RecoveryState, Remedy
from .evidence import first_of, hookimpl, is_about, of_packages, says, screen_of

if TYPE_CHECKING:
    from ..session import RecoveryContext


@hookimpl(trylast=True)
def pytest_replicant_recover(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
    """The system asks whether to wait for an app that does not respond: waits, and looks again."""
    snapshot = screen_of(failure)
    if snapshot is None:
        return None
    known = session.system_dialogs
    dialog = of_packages(known, snapshot, known.packages, failure)
    wait = first_of(snapshot, known.wait_buttons, dialog)
    if wait is None or is_about(failure, snapshot, dialog):
        return None
    reason = f"the system said that an app does not respond ({says(snapshot, dialog)}); given more time"
    return Recovery("state_refresh", before=(Remedy.tap(wait),), reason=reason, policy="anr_dialog")
