"""The built-in recovery policies, written against the public hook.

A policy answers from evidence, or not at all. They are asked in the order of ``POLICIES`` and the first answer
wins: first the phone, then the app, then obstructions; another look before another target, another target before
another way, and all of these before an action is repeated.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias, get_args

from pluggy import HookimplMarker

from ..model import Failure, FailureClass, Recovery, RecoveryState
from .another_target import ambiguous, stale
from .another_try import drift, flaky, mismatch, semantics
from .in_the_way import anr_dialog, keyboard, permission_prompt, system_dialog, toast
from .lost import app_crash, reconnect

if TYPE_CHECKING:
    from pluggy import PluginManager

    from ..model import RecoveryStrategy
    from ..session import RecoveryContext

_ANY: tuple[FailureClass, ...] = get_args(FailureClass)
_Answers: TypeAlias = "Callable[[RecoveryContext, Failure, RecoveryState], Recovery | None]"


@dataclass(frozen=True)
class Policy:
    """A built-in policy, which is a plugin: what ``answers``, by what strategy, and the classes of failures."""

    answers: _Answers
    strategy: RecoveryStrategy
    classes: tuple[FailureClass, ...] = _ANY

    @property
    def name(self) -> str:
        return self.answers.__name__

    @property
    def plugin_name(self) -> str:
        """The name to switch it off by: ``-p no:replicant-recover-toast``."""
        return f"replicant-recover-{self.name.replace('_', '-')}"

    @HookimplMarker("pytest")(trylast=True)
    def pytest_replicant_recover(
        self, session: RecoveryContext, failure: Failure, state: RecoveryState
    ) -> Recovery | None:
        answer = self.answers(session, failure, state)
        return replace(answer, policy=self.name) if answer is not None else None


POLICIES = (
    Policy(reconnect, "state_refresh"),
    Policy(app_crash, "step_back"),
    Policy(anr_dialog, "state_refresh"),
    Policy(permission_prompt, "state_refresh"),
    Policy(system_dialog, "state_refresh"),
    Policy(keyboard, "state_refresh"),
    Policy(toast, "state_refresh"),
    Policy(drift, "state_refresh"),
    Policy(flaky, "retry_adjustment", ("ExecutionFailure", "ControlConvergenceFailure")),
    Policy(stale, "re_resolve", ("TargetResolutionFailure",)),
    Policy(semantics, "re_resolve", ("SemanticMismatchFailure",)),
    Policy(ambiguous, "alternate_candidate", ("TargetResolutionFailure",)),
    Policy(mismatch, "step_back", ("VerificationFailure",)),
)
"""In the order in which they are asked."""


def policies_for(failure_class: FailureClass) -> tuple[Policy, ...]:
    """The policies that answer failures of a class, in the order in which they are asked."""
    return tuple(policy for policy in POLICIES if failure_class in policy.classes)


def register(pluginmanager: PluginManager) -> None:
    """Registers each policy under its plugin name, once, except those that are switched off. Of implementations
    marked ``trylast``, pluggy asks the one that was registered first."""
    for policy in POLICIES:
        names = {policy.plugin_name, f"replicant-recover-{policy.name}"}  # an underscore is as good as a hyphen
        if not any(pluginmanager.is_blocked(name) or pluginmanager.has_plugin(name) for name in names):
            pluginmanager.register(policy, policy.plugin_name)


def builtin(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
    """The answer of the built-in policies, if there is no pytest to ask them through."""
    for policy in POLICIES:
        answer: Recovery | None = policy.pytest_replicant_recover(session, failure, state)
        if answer is not None:
            return answer
    return None
