"""Failure codes and classes, and the fixed mapping between them (RFC 011.1 §3.1, §3.3, §6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from .element import Element

FailureClass = Literal[
    "TargetResolutionFailure",
    "ExecutionFailure",
    "VerificationFailure",
    "ControlConvergenceFailure",
    "SemanticMismatchFailure",
]

FailureCode = Literal[
    "ELEMENT_NOT_FOUND",
    "STALE_REFERENCE",
    "AMBIGUOUS_TARGET",
    "TIMEOUT",
    "ACTION_REJECTED",
    "VERIFICATION_FAILED",
    "EXPECT_STATE_MISMATCH",
    "CONTROL_CONVERGENCE_FAILED",
    "SEMANTIC_MISMATCH",
    "UNKNOWN",
    "ELEMENT_NOT_INTERACTABLE",
    "NAVIGATION_NO_CHANGE",
]

FAILURE_CLASSES: dict[FailureCode, FailureClass] = {
    "ELEMENT_NOT_FOUND": "TargetResolutionFailure",
    "STALE_REFERENCE": "TargetResolutionFailure",
    "AMBIGUOUS_TARGET": "TargetResolutionFailure",
    "TIMEOUT": "ExecutionFailure",
    "ACTION_REJECTED": "ExecutionFailure",
    "UNKNOWN": "ExecutionFailure",
    "ELEMENT_NOT_INTERACTABLE": "ExecutionFailure",
    "NAVIGATION_NO_CHANGE": "ExecutionFailure",
    "VERIFICATION_FAILED": "VerificationFailure",
    "EXPECT_STATE_MISMATCH": "VerificationFailure",
    "CONTROL_CONVERGENCE_FAILED": "ControlConvergenceFailure",
    "SEMANTIC_MISMATCH": "SemanticMismatchFailure",
}

RETRYABLE: frozenset[FailureCode] = frozenset(
    {"ELEMENT_NOT_FOUND", "STALE_REFERENCE", "TIMEOUT", "ELEMENT_NOT_INTERACTABLE", "NAVIGATION_NO_CHANGE"}
)


@dataclass(frozen=True)
class Failure:
    """What went wrong in one attempt, before anybody tried to mend it."""

    code: FailureCode
    message: str
    candidates: tuple[Element, ...] = ()

    @property
    def failure_class(self) -> FailureClass:
        return FAILURE_CLASSES[self.code]

    @property
    def retryable(self) -> bool:
        return self.code in RETRYABLE
