"""The model: frozen values that every room shares, without input or output."""

from __future__ import annotations

from .action import ActionResult, ActionTarget
from .element import (
    Anchor,
    Element,
    Family,
    Node,
    Point,
    Rect,
    ScreenTraits,
    States,
    Twins,
    ValueRange,
    joined,
    leading,
)
from .failure import (
    FAILURE_CLASSES,
    CheckFacts,
    ElementRecord,
    Failure,
    FailureClass,
    FailureCode,
    FailureRecord,
    Hindrance,
    ObstacleRecord,
    Owner,
    Stage,
)
from .quoting import bare, one_line, quoted, shortened
from .recovery import (
    RESOLVING,
    Allowance,
    PermissionPrompts,
    Recovery,
    RecoveryMode,
    RecoveryState,
    RecoveryStrategy,
    Remedy,
    RemedyKind,
    TerminalFailure,
)
from .secret import MASK, Redactor, Secret, compiled
from .selector import SELECTOR_KEYWORDS, Screen, Selector, by, combined
from .test_trace import (
    BROKEN,
    HEALTHY,
    DeathRecord,
    DiffRecord,
    LogRecord,
    Phase,
    RaisedError,
    Screenshot,
    ShownElement,
    SnapshotRecord,
    TestFacts,
    TestOutcome,
    TestTrace,
    TraceEvent,
)
from .trace import (
    TRACE_SCHEMA,
    ActionTrace,
    Attachment,
    CheckOutcome,
    CheckRecord,
    Read,
    RecoveryRecord,
    StepResult,
    TraceStep,
)
