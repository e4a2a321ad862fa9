"""An action without an effect that the check can see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import Failure, Recovery, RecoveryState
from .evidence import hookimpl, screen_of

if TYPE_CHECKING:
    from ..session import RecoveryContext


@hookimpl(trylast=True)
def pytest_replicant_recover(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
    """A check does not hold on a steady screen, and the test allows ``step_back``: repeats its action, once.
    The session then makes sure that nothing has changed, or that doing it twice does no harm."""
    if failure.failure_class != "VerificationFailure" or "step_back" in state.attempted:
        return None
    if failure.check is not None and failure.check.denies_effect:
        return None
    snapshot = screen_of(failure)
    if snapshot is None or not failure.steady or snapshot.loading or failure.error is not None:
        return None
    if "step_back" not in session.settings.allow:
        return None
    reason = "the check did not hold, and this test allows its action to be repeated"
    return Recovery("step_back", reason=reason, policy="mismatch")
