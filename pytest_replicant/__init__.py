"""Agent-style mobile tests for pytest.

Everything a test or an extension imports is here; ``Snapshot`` and ``connect`` load their libraries when they
are first named, so that a run without phones stays light.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .apps import AppPackage
from .errors import (
    ActionFailed,
    DeviceBusy,
    DeviceError,
    DeviceNotFound,
    DeviceOffline,
    DeviceTimeout,
    ExpectationFailed,
    ProtocolError,
    ReplicantError,
    SnapshotError,
    SoftFailures,
    TargetError,
    Unsupported,
    UsageError,
)
from .model import (
    ActionResult,
    ActionTarget,
    ActionTrace,
    Attachment,
    CheckRecord,
    Element,
    Failure,
    Node,
    Point,
    Recovery,
    RecoveryState,
    Rect,
    Remedy,
    Screen,
    Secret,
    Selector,
    States,
    TerminalFailure,
    TraceStep,
    ValueRange,
    by,
)

if TYPE_CHECKING:
    from .connecting import connect
    from .session import DeviceSession, Expectation
    from .snapshots import Snapshot

__all__ = [
    "ActionFailed",
    "ActionResult",
    "ActionTarget",
    "ActionTrace",
    "AppPackage",
    "Attachment",
    "CheckRecord",
    "DeviceBusy",
    "DeviceError",
    "DeviceNotFound",
    "DeviceOffline",
    "DeviceSession",
    "DeviceTimeout",
    "Element",
    "Expectation",
    "ExpectationFailed",
    "Failure",
    "Node",
    "Point",
    "ProtocolError",
    "Recovery",
    "RecoveryState",
    "Rect",
    "Remedy",
    "ReplicantError",
    "Screen",
    "Secret",
    "Selector",
    "Snapshot",
    "SnapshotError",
    "SoftFailures",
    "States",
    "TargetError",
    "TerminalFailure",
    "TraceStep",
    "Unsupported",
    "UsageError",
    "ValueRange",
    "by",
    "connect",
]

_LATER = {
    "DeviceSession": "session.device_session",
    "Expectation": "session.expectation",
    "Snapshot": "snapshots.snapshot",
    "connect": "connecting",  # not of its own name: importing it would put the module in its place
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f".{_LATER[name]}", __name__), name)
