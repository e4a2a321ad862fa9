"""Actions, checks and their steps as a trace has them (RFC 005, RFC 012; field names of the action
contract)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from .aliases import AnyDict, AnyMapping, Strings
from .element import Element, Rect
from .failure import CheckFacts, ElementRecord, FailureCode, RecoveryState, RecoveryStrategy, Stage
from .json_values import OPTIONAL, plain

StepResult = Literal["success", "failure", "retry"]


@dataclass(frozen=True)
class TraceStep:
    """One decided outcome. ``timestamp`` is epoch ms at the start of the stage, ``duration_ms`` its
    length."""

    stage: Stage
    timestamp: int
    result: StepResult
    metadata: AnyMapping = field(default_factory=dict, metadata=OPTIONAL)
    attempt_index: int = 0
    duration_ms: int = 0
    cycle_id: str | None = field(default=None, metadata=OPTIONAL)
    policy: str | None = field(default=None, metadata=OPTIONAL)


@dataclass(frozen=True)
class ActionTrace:
    """Every step of one action or check, in the order in which outcomes were decided."""

    action_id: str
    steps: tuple[TraceStep, ...] = ()
    final_outcome: Literal["success", "failure"] = "success"
    attempts: int = 1


@dataclass(frozen=True)
class Read:
    """One line of a check's history: seconds since the check began, and what was seen.
    ``failed``: nothing could be read."""

    at: float
    observed: str
    held: bool
    failed: bool = field(default=False, repr=False)


@dataclass(frozen=True)
class RecoveryRecord:
    """One answer of a policy: for which action or check, what it proposed and why. ``done`` is
    False if it was only reported; ``recovered`` says that the action or check succeeded in the
    end."""

    action_id: str
    kind: str
    code: FailureCode
    strategy: RecoveryStrategy
    policy: str = ""
    reason: str = ""
    before: Strings = ()
    done: bool = True
    recovered: bool = False


CheckOutcome = Literal["passed", "failed", "error", "not compared"]
"""``not compared``: there was nothing to compare with, so that it is neither a pass nor a
difference."""


LOOK_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?=[A-Za-z0-9_-])){0,79}")
"""The name of a picture, which becomes a folder."""
LOOK = re.compile(
    r"(?:android|ios)-\d{1,5}x\d{1,5}-\d{1,4}(?:\.\d{1,4})?(?:dpi|"
    r"x)-[A-Za-z0-9]+(?:-[A-Za-z0-9]+){0,3}"
    r"-(?:light|dark|unknown)"
)
"""The name of a look, which becomes a file: platform, size, density, language, dark mode."""


@dataclass(frozen=True)
class MaskRecord:
    """An area that was not compared, in pixels of the compared picture, and why."""

    box: Rect
    why: str


@dataclass(frozen=True)
class LooksRecord:
    """What ``expect_looks_like`` compared. ``look`` names the kind of phone, and ``looks`` are
    those that have a baseline; ``path`` is that of this one, as seen from the root of the project.
    ``area`` is the compared part of the screen, in pixels; ``masked`` is the share of it that was
    not compared, from 0 to 1. Of the ``compared`` pixels so many were ``differing``, in ``boxes``
    of that area, the largest first. ``expected``, ``actual`` and ``difference`` are pictures, by
    their places among the attachments of the trace; None if there is none."""

    name: str
    look: str
    path: str
    area: Rect
    masked: float = 0.0
    masks: tuple[MaskRecord, ...] = ()
    looks: Strings = ()
    tolerance: float = 0.0
    compared: int = 0
    differing: int = 0
    boxes: tuple[Rect, ...] = ()
    expected: int | None = None
    actual: int | None = None
    difference: int | None = None


@dataclass(frozen=True)
class CheckRecord:
    """One ``expect_*``, linked to the action it verifies ("" if it looked at the screen alone).
    ``undone`` says that a later read, before any other gesture, showed the screen as before the
    action; "" if none did."""

    action_id: str
    kind: str
    expected: str
    observed: str
    result: CheckOutcome
    reads: tuple[Read, ...] = ()
    vacuous: bool = False
    soft: bool = False
    trace: ActionTrace | None = None
    recovery: RecoveryState | None = field(default=None, metadata=OPTIONAL)
    facts: CheckFacts | None = field(default=None, repr=False)
    undone: str = ""
    looks: LooksRecord | None = field(default=None, metadata=OPTIONAL)


@dataclass(frozen=True)
class Attachment:
    """A named piece of evidence, ready for any report."""

    name: str
    media_type: str
    data: bytes


LifecycleState = Literal["pending_verification", "verified", "failed"]


@dataclass(frozen=True)
class ResolvedRecord(ElementRecord):
    """The element that an action was sent to, with its ``bounds`` then."""

    semantic_role: str | None = None
    bounds: Rect = field(kw_only=True)

    @classmethod
    def of(cls, element: Element) -> ResolvedRecord:
        known = vars(ElementRecord.of(element))
        return cls(**known, semantic_role=element.semantic_role, bounds=element.bounds)


@dataclass(frozen=True)
class ActionTarget:
    """What was asked for, and the element it turned out to be. ``selector`` is for people;
    ``named`` is the element that the test itself gave, None if it gave a selector or a ref."""

    selector: str
    resolved: Element | None = field(default=None, metadata={"stored": ResolvedRecord})
    named: ElementRecord | None = None


@dataclass(frozen=True)
class ActionResult:
    """One action: what it was, whether it was dispatched, and whether anybody verified it.

    ``success`` means dispatched (plus the postcondition of actions that have one, such as
    ``fill``); only a check moves ``lifecycle_state`` to ``verified``. ``timestamp`` is ISO 8601 in
    UTC.
    """

    action_id: str
    timestamp: str
    action_type: str
    lifecycle_state: LifecycleState
    source_module: str
    target: ActionTarget
    success: bool
    ui_fingerprint_before: str | None
    ui_fingerprint_after: str | None
    trace: ActionTrace
    device: AnyMapping
    failure_code: FailureCode | None = field(default=None, metadata=OPTIONAL)
    retryable: bool | None = field(default=None, metadata=OPTIONAL)
    recovery: RecoveryState | None = field(default=None, metadata=OPTIONAL)
    details: AnyMapping = field(default_factory=dict)

    def to_dict(self) -> AnyDict:
        """Plain values under the contract's field names, ready for JSON."""
        return dict(plain(self))
