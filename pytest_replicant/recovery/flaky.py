"""Retry in another way, for an action that did not take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..model import Failure, Recovery, RecoveryState
from .evidence import hookimpl, never_stood_still

if TYPE_CHECKING:
    from ..session import RecoveryContext


@hookimpl(trylast=True)
def pytest_replicant_recover(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
    """An action did not take, and there is another way. It types a text with missing characters key by key, sets a
    control in its next mode, or waits once more for a moving target."""
    if not failure.retryable:
        return None
    found = _another_way(failure, state.attempted.count("retry_adjustment"))
    if found is None:
        return None
    params, reason = found
    return Recovery("retry_adjustment", params=params, reason=reason, policy="flaky")


def _another_way(failure: Failure, tried: int) -> tuple[dict[str, Any], str] | None:
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
