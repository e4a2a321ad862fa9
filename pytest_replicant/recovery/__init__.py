"""The built-in recovery policies, one file each, written against the public hook.

A policy answers from evidence, or not at all. They are asked in the order of ``POLICIES`` and the first answer
wins: first the phone, then the app, then obstructions; another look before another target, another target before
another way, and all of these before an action is repeated.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

from ..model import FailureClass
from . import (
    ambiguous,
    anr_dialog,
    app_crash,
    drift,
    flaky,
    keyboard,
    mismatch,
    permission_prompt,
    reconnect,
    semantics,
    stale,
    system_dialog,
    toast,
)

if TYPE_CHECKING:
    from types import ModuleType

    from pluggy import PluginManager

    from ..model import Failure, Recovery, RecoveryState, RecoveryStrategy
    from ..session import RecoveryContext

_ANY: tuple[FailureClass, ...] = get_args(FailureClass)


@dataclass(frozen=True)
class Policy:
    """A built-in policy: its plugin, the strategy of its answers, and the classes of failures that it answers."""

    plugin: ModuleType
    strategy: RecoveryStrategy
    classes: tuple[FailureClass, ...] = _ANY

    @property
    def name(self) -> str:
        return self.plugin.__name__.rpartition(".")[2]

    @property
    def plugin_name(self) -> str:
        """The name to switch it off by: ``-p no:replicant-recover-toast``."""
        return f"replicant-recover-{self.name.replace('_', '-')}"


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
            pluginmanager.register(policy.plugin, policy.plugin_name)


def builtin(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
    """The answer of the built-in policies, where there is no pytest to ask them through."""
    for policy in POLICIES:
        answer: Recovery | None = policy.plugin.pytest_replicant_recover(session, failure, state)
        if answer is not None:
            return answer
    return None
