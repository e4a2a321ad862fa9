"""The typed recovery contract (RFC 011.1 §3.2, §3.4, §8, §9), and what a policy answers with."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from .failure import FAILURE_CLASSES, RETRYABLE, FailureClass, FailureCode

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .element import Element
    from .selector import Selector

RecoveryStrategy = Literal["re_resolve", "alternate_candidate", "state_refresh", "retry_adjustment", "step_back"]
RecoveryMode = Literal["off", "report", "allow", "fail"]
"""``report`` asks the policies and records what they would have done; ``fail`` recovers, and fails the test."""

Allowance = Literal["relaunch", "step_back", "crash"]
"""A recovery that only happens where a test allows it."""
PermissionPrompts = Literal["deny", "allow", "leave"]
"""How recovery answers a permission prompt that is in the way."""

MAX_RECOVERY_ATTEMPTS = 3
MAX_RETRY_DEPTH = 3

RESOLVING: frozenset[RecoveryStrategy] = frozenset({"re_resolve", "alternate_candidate", "step_back"})
"""The strategies that resolve a target again, which ``retry_depth`` counts."""


@dataclass(frozen=True)
class RecoveryState:
    """The progress of recovery for one failed action. Field names are the contract's; ``attempted`` becomes
    ``attempted_recovery_strategies`` of a ``TerminalFailure``, and stays out of the contract's record."""

    failure_class: FailureClass
    runtime_code: FailureCode
    recovery_strategy: RecoveryStrategy | None = None
    recovery_attempts: int = 0
    max_recovery_attempts: int = MAX_RECOVERY_ATTEMPTS
    retry_depth: int = 0
    max_retry_depth: int = MAX_RETRY_DEPTH
    is_terminal: bool = False
    retry_allowed: bool | None = None
    attempted: tuple[RecoveryStrategy, ...] = ()

    @classmethod
    def initial(cls, code: FailureCode, *, retry_allowed: bool | None = None) -> RecoveryState:
        allowed = code in RETRYABLE if retry_allowed is None else retry_allowed
        return cls(FAILURE_CLASSES[code], code, retry_allowed=allowed)

    def to_dict(self) -> dict[str, Any]:
        """Returns the set fields only, as the contract marks the others optional."""
        return {name: value for name, value in asdict(self).items() if value is not None and name != "attempted"}


@dataclass(frozen=True)
class TerminalFailure:
    """The final failure, once recovery is spent or had nothing to offer (RFC 011.1 §9)."""

    failure_class: FailureClass
    runtime_code: FailureCode
    recovery_attempts: int
    attempted_recovery_strategies: tuple[RecoveryStrategy, ...] = ()
    resolved_target: str | None = None
    final_state: Literal["failed"] = "failed"

    @classmethod
    def of(cls, state: RecoveryState, resolved_target: str | None = None) -> TerminalFailure:
        return cls(
            state.failure_class, state.runtime_code, state.recovery_attempts, state.attempted, resolved_target
        )

    def to_dict(self) -> dict[str, Any]:
        row = {name: value for name, value in asdict(self).items() if value is not None}
        return {**row, "attempted_recovery_strategies": list(self.attempted_recovery_strategies)}


RemedyKind = Literal["tap", "press_key", "hide_keyboard", "wait_gone", "relaunch", "reconnect"]


@dataclass(frozen=True)
class Remedy:
    """One step that the session takes before it tries again. Make it with the function of the same name. A remedy
    is performed once, in the trace, without recovery of its own."""

    kind: RemedyKind
    target: str | Element | Selector | None = None
    value: str = ""

    @classmethod
    def tap(cls, target: str | Element | Selector) -> Remedy:
        """Taps the obstruction, or the button that closes it."""
        return cls("tap", target)

    @classmethod
    def press_key(cls, key: str) -> Remedy:
        """Presses a key of the phone, such as "back"."""
        return cls("press_key", value=key)

    @classmethod
    def hide_keyboard(cls) -> Remedy:
        """Hides the on-screen keyboard, where it is up."""
        return cls("hide_keyboard")

    @classmethod
    def wait_gone(cls, target: str | Element | Selector) -> Remedy:
        """Waits until it is no longer on the screen, as long as an action waits for its target."""
        return cls("wait_gone", target)

    @classmethod
    def relaunch(cls, app: str = "") -> Remedy:
        """Starts the app again; without a name the one that the test started last."""
        return cls("relaunch", value=app)

    @classmethod
    def reconnect(cls) -> Remedy:
        """Drops the connection to the phone and makes a new one."""
        return cls("reconnect")

    def describe(self) -> str:
        if self.target is not None:
            target = self.target if isinstance(self.target, str) else self.target.describe()
            return f"{self.kind} {target}"
        return f"{self.kind} {self.value}".rstrip()


@dataclass(frozen=True)
class Recovery:
    """A policy's proposal for a failure: do ``before``, then try again as ``strategy`` says.

    ``state_refresh`` looks again, and goes on from the failed stage; ``re_resolve`` resolves the target again, or
    ``target`` in its place where one is given; ``alternate_candidate`` takes ``target``, one of the failure's
    candidates; ``retry_adjustment`` does the same in another way, which ``params`` name (``mode``), and only where
    the failure is retryable; ``step_back`` enters the action again from its beginning. The meaning of ``params``
    is the action's own: ``mode`` ("keys" types one by one, "next" is a control's next way), ``settle`` ("longer"
    gives a moving target more time), ``semantics`` ("raw" leaves derived roles out). ``reason`` is the evidence,
    for the reader of the trace, and ``policy`` the name shown with it."""

    strategy: RecoveryStrategy
    before: tuple[Remedy, ...] = ()
    target: str | Element | Selector | None = None
    params: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""
    policy: str = ""
