"""Agent-style mobile tests for pytest.

Everything that a test, a policy or a driver imports is here, and in ``pytest_replicant.testing``
what checks one. Each name is loaded when it is first used. For pytest: PYTEST_DONT_REWRITE.
"""

from __future__ import annotations

from .model import lazy_names

TYPE_CHECKING = (
    False  # as type checkers read it; the module typing would be half of what this import costs
)
if TYPE_CHECKING:
    from .connecting import (
        connect,
    )  # not of its own name: importing it would put the module in its place
    from .drivers import (
        AndroidDriver,
        Appearance,
        AppInFront,
        AppStatus,
        BaseDriver,
        Capability,
        CrashLog,
        DeviceInfo,
        Driver,
        FocusedField,
        IosDriver,
        Key,
        LogMark,
        Orientation,
        PermissionAnswer,
        Platform,
        ShellOutput,
        SystemDialogs,
        Traits,
    )
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
    from .logs import parse_log, read_crashes
    from .model import (
        AuditIssue,
        Element,
        Failure,
        NodeText,
        Point,
        Recovery,
        RecoveryState,
        Rect,
        Remedy,
        Screen,
        Secret,
        Selector,
        TestTrace,
        by,
    )
    from .plugin.fixtures import NewMobile
    from .plugin.hookspecs import hookimpl
    from .plugin.states import mobile_state
    from .pool import AppPackage, Resource, open_device
    from .reporting import RunFiles, RunRecord, RunRow, TraceFiles
    from .running import recorded
    from .session import (
        DeviceSession,
        DrawnElement,
        Expectation,
        Locator,
        Mobile,
        RecoveryContext,
        Shot,
        by_image,
        check,
    )
    from .snapshots import Snapshot

__all__ = [
    "ActionFailed",
    "AndroidDriver",
    "AppInFront",
    "AppPackage",
    "AppStatus",
    "Appearance",
    "AuditIssue",
    "BaseDriver",
    "Capability",
    "CrashLog",
    "DeviceBusy",
    "DeviceError",
    "DeviceInfo",
    "DeviceNotFound",
    "DeviceOffline",
    "DeviceSession",
    "DeviceTimeout",
    "DrawnElement",
    "Driver",
    "Element",
    "Expectation",
    "ExpectationFailed",
    "Failure",
    "FocusedField",
    "IosDriver",
    "Key",
    "Locator",
    "LogMark",
    "Mobile",
    "NewMobile",
    "NodeText",
    "Orientation",
    "PermissionAnswer",
    "Platform",
    "Point",
    "ProtocolError",
    "Recovery",
    "RecoveryContext",
    "RecoveryState",
    "Rect",
    "Remedy",
    "ReplicantError",
    "Resource",
    "RunFiles",
    "RunRecord",
    "RunRow",
    "Screen",
    "Secret",
    "Selector",
    "ShellOutput",
    "Shot",
    "Snapshot",
    "SnapshotError",
    "SoftFailures",
    "SystemDialogs",
    "TargetError",
    "TestTrace",
    "TraceFiles",
    "Traits",
    "Unsupported",
    "UsageError",
    "by",
    "by_image",
    "check",
    "connect",
    "hookimpl",
    "mobile_state",
    "open_device",
    "parse_log",
    "read_crashes",
    "recorded",
]

if __spec__ and hasattr(
    __spec__.loader, "mark_rewrite"
):  # pytest's, which would rewrite all that follow
    from .pytest_private import load_plainly

    load_plainly(__spec__.loader)

_OF_MODEL = (
    "ActionResult",
    "ActionTarget",
    "ActionTrace",
    "Attachment",
    "CheckRecord",
    "Node",
    "States",
    "TerminalFailure",
    "TraceStep",
    "ValueRange",
)
__getattr__, __dir__ = lazy_names(__name__, dict.fromkeys(_OF_MODEL, ".model"))
