"""A control contradicts the role derived for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import Failure, Recovery, RecoveryState
from .evidence import hookimpl

if TYPE_CHECKING:
    from ..session import RecoveryContext


@hookimpl(trylast=True)
def pytest_replicant_recover(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
    """A control contradicts the role derived for it: resolves it once more by the platform's own report alone."""
    if failure.code != "SEMANTIC_MISMATCH" or "re_resolve" in state.attempted:
        return None
    reason = "the control did not behave as its role promises; resolved by the platform's own report"
    return Recovery("re_resolve", params={"semantics": "raw"}, reason=reason, policy="semantics")
