"""The typed recovery contract (RFC 011.1 §3.2, §3.4, §8)."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from .failure import FAILURE_CLASSES, RETRYABLE, FailureClass, FailureCode

RecoveryStrategy = Literal["re_resolve", "alternate_candidate", "state_refresh", "retry_adjustment", "step_back"]

MAX_RECOVERY_ATTEMPTS = 3
MAX_RETRY_DEPTH = 3


@dataclass(frozen=True)
class RecoveryState:
    """How far recovery has come for one failed action. Field names are the contract's."""

    failure_class: FailureClass
    runtime_code: FailureCode
    recovery_strategy: RecoveryStrategy | None = None
    recovery_attempts: int = 0
    max_recovery_attempts: int = MAX_RECOVERY_ATTEMPTS
    retry_depth: int = 0
    max_retry_depth: int = MAX_RETRY_DEPTH
    is_terminal: bool = False
    retry_allowed: bool | None = None

    @classmethod
    def initial(cls, code: FailureCode) -> RecoveryState:
        return cls(FAILURE_CLASSES[code], code, retry_allowed=code in RETRYABLE)

    def to_dict(self) -> dict[str, Any]:
        """Without the fields that carry nothing, as the contract marks them optional."""
        return {name: value for name, value in asdict(self).items() if value is not None}
