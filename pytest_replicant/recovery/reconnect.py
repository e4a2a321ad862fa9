"""The connection to the phone is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import DeviceError, DeviceOffline, DeviceTimeout, ProtocolError, what_happened
from ..model import Failure, Recovery, RecoveryState, Remedy, one_line
from .evidence import hookimpl

if TYPE_CHECKING:
    from ..session import RecoveryContext

LOST: dict[type[DeviceError], str] = {
    DeviceOffline: "the connection to the phone was lost",
    DeviceTimeout: "the phone did not answer in time",
    ProtocolError: "the phone's answer could not be used",
}
"""Errors that a new connection may fix. A phone that is busy, absent or unable stays so."""


@hookimpl(trylast=True)
def pytest_replicant_recover(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
    """The phone went offline, did not answer in time or answered nonsense: reconnects, and looks again."""
    error = failure.error
    trouble = next((words for kind, words in LOST.items() if isinstance(error, kind)), "")
    if not trouble or not getattr(error, "recoverable", True):
        return None
    reason = f"{trouble} ({type(error).__name__}: {one_line(what_happened(error))})"
    return Recovery("state_refresh", before=(Remedy.reconnect(),), reason=reason, policy="reconnect")
