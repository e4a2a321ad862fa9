"""A control does not behave as what it was taken for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pluggy import HookimplMarker

from ..model import Recovery

if TYPE_CHECKING:
    from ..model import Failure, RecoveryState
    from ..session import RecoveryContext

hookimpl = HookimplMarker("pytest")


@hookimpl(trylast=True)
def pytest_replicant_recover(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
    """A control contradicts the role derived for it: resolves it by what the platform reports alone, once."""
    if failure.code != "SEMANTIC_MISMATCH" or "re_resolve" in state.attempted:
        return None
    reason = "the control did not behave as its role promises; taken for what the platform itself reports"
    return Recovery("re_resolve", params={"semantics": "raw"}, reason=reason, policy="semantics")
