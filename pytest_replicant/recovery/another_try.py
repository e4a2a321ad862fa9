"""Another look, another way, and the same once more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import AnyDict, Failure, Recovery, RecoveryState
from .evidence import never_stood_still, screen_of

if TYPE_CHECKING:
    from ..session import RecoveryContext


def drift(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
    """The screen was not steady, was loading, or could not be read now and then: looks again, once."""
    if "state_refresh" in state.attempted or failure.error is not None or never_stood_still(failure):
        return None
    reason = _drifted(failure)
    return Recovery("state_refresh", reason=reason) if reason else None


def _drifted(failure: Failure) -> str:
    snapshot = screen_of(failure)
    if snapshot is not None and snapshot.loading:
        return "the screen was still loading"
    if not failure.steady:
        return "the screen was still changing: no two reads in a row agreed on it"
    if failure.failed_reads:
        reads = "1 read" if failure.failed_reads == 1 else f"{failure.failed_reads} reads"
        return f"the screen could not be read all of the time ({reads} failed)"
    return ""


def flaky(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
    """An action did not take, and there is another way. It types a text with missing characters key by key, sets a
    control in its next mode, or waits once more for a moving target."""
    if not failure.retryable:
        return None
    found = _another_way(failure, state.attempted.count("retry_adjustment"))
    if found is None:
        return None
    params, reason = found
    return Recovery("retry_adjustment", params=params, reason=reason)


def _another_way(failure: Failure, tried: int) -> tuple[AnyDict, str] | None:
    if failure.code == "CONTROL_CONVERGENCE_FAILED":  # the failure says whether a further mode is left
        params = {"mode": "next", "turn": tried + 1}
        return params, "the control did not reach its value in this mode; another one is left"
    if tried:
        return None
    if failure.code == "ACTION_REJECTED" and failure.other_way:
        return dict(failure.other_way), "the text did not arrive whole; typed key by key instead"
    if never_stood_still(failure):
        return {"settle": "longer"}, "the target never stood still; given another chance to"
    return None


def semantics(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
    """A control contradicts the role derived for it: resolves it once more by the platform's own report alone."""
    if failure.code != "SEMANTIC_MISMATCH" or "re_resolve" in state.attempted:
        return None
    reason = "the control did not behave as its role promises; resolved by the platform's own report"
    return Recovery("re_resolve", params={"semantics": "raw"}, reason=reason)


def mismatch(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
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
    return Recovery("step_back", reason=reason)
