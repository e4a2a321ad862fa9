"""The screen was still on its way when it was judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import Failure, Recovery, RecoveryState
from .evidence import hookimpl, never_stood_still, screen_of

if TYPE_CHECKING:
    from ..session import RecoveryContext


@hookimpl(trylast=True)
def pytest_replicant_recover(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
    """The screen was not steady, was loading, or could not be read now and then: looks again, once."""
    if "state_refresh" in state.attempted or failure.error is not None or never_stood_still(failure):
        return None
    reason = _drifted(failure)
    return Recovery("state_refresh", reason=reason, policy="drift") if reason else None


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
