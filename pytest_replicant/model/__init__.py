"""The room model."""

from __future__ import annotations

from .action import ActionResult, ActionTarget
from .element import Anchor, Element, Family, Node, ScreenTraits, States, Twins, ValueRange, joined, leading
from .failure import FAILURE_CLASSES, Failure, FailureClass, FailureCode, Stage
from .geometry import Point, Rect
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
from .redact_pattern import compiled
from .screen import Screen
from .secret import MASK, Redactor, Secret
from .selector import SELECTOR_KEYWORDS, Selector, by, combined
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
