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
"""What recovery does only where a test allows it."""
PermissionPrompts = Literal["deny", "allow", "leave"]
"""How recovery answers a permission prompt that is in the way."""

MAX_RECOVERY_ATTEMPTS = 3
MAX_RETRY_DEPTH = 3

RESOLVING: frozenset[RecoveryStrategy] = frozenset({"re_resolve", "alternate_candidate", "step_back"})
"""The strategies that resolve a target anew, which ``retry_depth`` counts."""


@dataclass(frozen=True)
class RecoveryState:
    """How far recovery has come for one failed action. Field names are the contract's; ``attempted`` is what
    becomes ``attempted_recovery_strategies`` of a ``TerminalFailure``, and stays out of the contract's record."""

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
        """Without the fields that carry nothing, as the contract marks them optional."""
        return {name: value for name, value in asdict(self).items() if value is not None and name != "attempted"}


@dataclass(frozen=True)
class TerminalFailure:
    """What is left when recovery is spent, or had nothing to offer (RFC 011.1 §9)."""

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
    """One thing that the session is to do before it tries again. Make it with the functions that are named after
    what they do. A remedy is performed once, in the trace, without recovery of its own."""

    kind: RemedyKind
    target: str | Element | Selector | None = None
    value: str = ""

    @classmethod
    def tap(cls, target: str | Element | Selector) -> Remedy:
        """Taps what is in the way, or the button that makes it go."""
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
        """Waits, as long as an action waits for its target, until it is not on the screen any more."""
        return cls("wait_gone", target)

    @classmethod
    def relaunch(cls, app: str = "") -> Remedy:
        """Starts the app again; the one that the test started last where none is named."""
        return cls("relaunch", value=app)

    @classmethod
    def reconnect(cls) -> Remedy:
        """Drops the connection to the phone and makes a new one."""
        return cls("reconnect")

    def describe(self) -> str:
        if self.target is not None:
            told = self.target if isinstance(self.target, str) else self.target.describe()
            return f"{self.kind} {told}"
        return f"{self.kind} {self.value}".rstrip()


@dataclass(frozen=True)
class Recovery:
    """What a policy proposes for a failure: do ``before``, then try again as ``strategy`` says.

    ``state_refresh`` looks again, and goes on from where it failed; ``re_resolve`` finds the target anew,
    ``target`` in its place where one is given; ``alternate_candidate`` takes ``target``, one of the failure's
    candidates; ``retry_adjustment`` does the same in another way, which ``params`` name (``mode``), and only where
    the failure is retryable; ``step_back`` enters the action again from its beginning. What ``params`` mean is the
    action's own: ``mode`` ("keys" types one by one, "next" is a control's next way), ``settle`` ("longer" gives a
    moving target more time), ``semantics`` ("raw" leaves derived roles out). ``reason`` is for the reader of the
    trace: the evidence. ``policy`` is the name to put beside it.
    """

    strategy: RecoveryStrategy
    before: tuple[Remedy, ...] = ()
    target: str | Element | Selector | None = None
    params: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""
    policy: str = ""
