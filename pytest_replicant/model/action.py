"""The one envelope that every action yields (RFC 005; field names of the action contract)."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .element import Element
    from .failure import ElementRecord, FailureCode
    from .recovery import RecoveryState
    from .trace import ActionTrace

LifecycleState = Literal["pending_verification", "verified", "failed"]


@dataclass(frozen=True)
class ActionTarget:
    """What was asked for, and the element it turned out to be. ``selector`` is for people; ``named`` is the
    element that the test itself gave, None where it gave a selector or a ref."""

    selector: str
    resolved: Element | None = None
    named: ElementRecord | None = None

    def to_dict(self) -> dict[str, Any]:
        return {
            "selector": self.selector,
            "named": asdict(self.named) if self.named is not None else None,
            "resolved": _resolved(self.resolved),
        }


@dataclass(frozen=True)
class ActionResult:
    """One action: what it was, whether it was dispatched, and whether anybody verified it.

    ``success`` means dispatched (plus the postcondition of actions that have one, such as ``fill``);
    only a check moves ``lifecycle_state`` to ``verified``. ``timestamp`` is ISO 8601 in UTC.
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
    device: Mapping[str, Any]
    failure_code: FailureCode | None = None
    retryable: bool | None = None
    recovery: RecoveryState | None = None
    details: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Plain values under the contract's field names, ready for JSON."""
        row: dict[str, Any] = {
            "action_id": self.action_id,
            "timestamp": self.timestamp,
            "action_type": self.action_type,
            "lifecycle_state": self.lifecycle_state,
            "source_module": self.source_module,
            "target": self.target.to_dict(),
            "success": self.success,
            "ui_fingerprint_before": self.ui_fingerprint_before,
            "ui_fingerprint_after": self.ui_fingerprint_after,
            "trace": self.trace.to_dict(),
            "device": dict(self.device),
            "details": dict(self.details),
        }
        if self.failure_code is not None:
            row["failure_code"] = self.failure_code
            row["retryable"] = bool(self.retryable)
        if self.recovery is not None:
            row["recovery"] = self.recovery.to_dict()
        return row


def _resolved(element: Element | None) -> dict[str, Any] | None:
    if element is None:
        return None
    bounds = element.bounds
    return {
        "ref": element.ref,
        "class_name": element.class_name,
        "label": element.label,
        "resource_id": element.resource_id,
        "context": element.context,
        "semantic_role": element.semantic_role,
        "bounds": [bounds.left, bounds.top, bounds.right, bounds.bottom],
    }
