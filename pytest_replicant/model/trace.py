"""``ActionTrace`` and its steps (RFC 012), and further records of a test's trace."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .failure import CheckFacts, FailureCode, Stage
    from .recovery import RecoveryState, RecoveryStrategy

StepResult = Literal["success", "failure", "retry"]

TRACE_SCHEMA = "replicant.trace/2"


@dataclass(frozen=True)
class TraceStep:
    """One decided outcome. ``timestamp`` is epoch ms at the start of the stage, ``duration_ms`` its length."""

    stage: Stage
    timestamp: int
    result: StepResult
    metadata: Mapping[str, Any] = field(default_factory=dict)
    attempt_index: int = 0
    duration_ms: int = 0
    cycle_id: str | None = None
    policy: str | None = None

    def to_dict(self) -> dict[str, Any]:
        row: dict[str, Any] = {
            "stage": self.stage,
            "timestamp": self.timestamp,
            "result": self.result,
            "attempt_index": self.attempt_index,
            "duration_ms": self.duration_ms,
        }
        if self.metadata:
            row["metadata"] = dict(self.metadata)
        if self.cycle_id is not None:
            row["cycle_id"] = self.cycle_id
        if self.policy is not None:
            row["policy"] = self.policy
        return row


@dataclass(frozen=True)
class ActionTrace:
    """Every step of one action or check, in the order in which outcomes were decided."""

    action_id: str
    steps: tuple[TraceStep, ...] = ()
    final_outcome: Literal["success", "failure"] = "success"
    attempts: int = 1

    def to_dict(self) -> dict[str, Any]:
        return {
            "action_id": self.action_id,
            "steps": [step.to_dict() for step in self.steps],
            "final_outcome": self.final_outcome,
            "attempts": self.attempts,
        }


@dataclass(frozen=True)
class Read:
    """One line of a check's history: seconds since the check began, and what was seen."""

    at: float
    observed: str
    held: bool

    def to_dict(self) -> dict[str, Any]:
        return {"at": round(self.at, 3), "observed": self.observed, "held": self.held}


@dataclass(frozen=True)
class RecoveryRecord:
    """One answer of a policy: for which action or check, what it proposed and why. ``done`` is False where it was
    only reported; ``recovered`` says that the action or check succeeded in the end."""

    action_id: str
    kind: str
    code: FailureCode
    strategy: RecoveryStrategy
    policy: str = ""
    reason: str = ""
    before: tuple[str, ...] = ()
    done: bool = True
    recovered: bool = False

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "before": list(self.before)}


CheckOutcome = Literal["passed", "failed", "error"]


@dataclass(frozen=True)
class CheckRecord:
    """One ``expect_*``, linked to the action it verifies ("" where it looked at the screen alone)."""

    action_id: str
    kind: str
    expected: str
    observed: str
    result: CheckOutcome
    reads: tuple[Read, ...] = ()
    vacuous: bool = False
    soft: bool = False
    trace: ActionTrace | None = None
    recovery: RecoveryState | None = None
    facts: CheckFacts | None = None

    def to_dict(self) -> dict[str, Any]:
        return {
            "action_id": self.action_id,
            "kind": self.kind,
            "expected": self.expected,
            "observed": self.observed,
            "reads": [read.to_dict() for read in self.reads],
            "vacuous": self.vacuous,
            "soft": self.soft,
            "result": self.result,
            "trace": self.trace.to_dict() if self.trace else None,
            **({"recovery": self.recovery.to_dict()} if self.recovery else {}),
        }


@dataclass(frozen=True)
class Attachment:
    """A named piece of evidence, ready for any report."""

    name: str
    media_type: str
    data: bytes
