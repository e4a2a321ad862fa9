"""The connection to the phone is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import DeviceOffline, DeviceTimeout, ProtocolError
from ..model import Failure, Recovery, RecoveryState, Remedy, one_line
from .evidence import hookimpl

if TYPE_CHECKING:
    from ..session import RecoveryContext

LOST = {
    DeviceOffline: "the connection to the phone was lost",
    DeviceTimeout: "the phone did not answer in time",
    ProtocolError: "the phone's answer could not be used",
}
"""Errors that a new connection may fix. A phone that is busy, absent or unable stays so."""


@hookimpl(trylast=True)
def pytest_replicant_recover(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
    """The phone went offline, did not answer in time or answered nonsense: reconnects, and looks again."""
    trouble = next((words for kind, words in LOST.items() if isinstance(failure.error, kind)), "")
    if not trouble or not getattr(failure.error, "recoverable", True):
        return None
    cause = str(failure.error).partition("\n")[0].partition(". ")[0]  # without the advice, which the failure has
    reason = f"{trouble} ({type(failure.error).__name__}: {one_line(cause)})"
    return Recovery("state_refresh", before=(Remedy.reconnect(),), reason=reason, policy="reconnect")
