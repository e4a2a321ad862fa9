"""The built-in recovery policies, written against the hook that is everybody's: one file each.

A policy answers from evidence, or not at all. They are asked one after the other and the first answer wins, so
that their order decides: first what is wrong with the phone, then with the app, then what is in the way; another
look before another target, another target before another way, and all of these before an action is done again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    from collections.abc import Mapping
    from types import ModuleType

    from pluggy import PluginManager

    from ..model import Failure, FailureClass, Recovery, RecoveryState, RecoveryStrategy
    from ..session import RecoveryContext

POLICIES: Mapping[str, ModuleType] = {
    "reconnect": reconnect,
    "app_crash": app_crash,
    "anr_dialog": anr_dialog,
    "permission_prompt": permission_prompt,
    "system_dialog": system_dialog,
    "keyboard": keyboard,
    "toast": toast,
    "drift": drift,
    "flaky": flaky,
    "stale": stale,
    "semantics": semantics,
    "ambiguous": ambiguous,
    "mismatch": mismatch,
}
"""By name, in the order in which they are asked."""

_IN_THE_WAY = ("anr_dialog", "permission_prompt", "system_dialog", "keyboard", "toast")
_ANYWHERE = ("reconnect", "app_crash", *_IN_THE_WAY, "drift")

ORDER: Mapping[FailureClass, tuple[str, ...]] = {
    "TargetResolutionFailure": (*_ANYWHERE, "stale", "ambiguous"),
    "ExecutionFailure": (*_ANYWHERE, "flaky"),
    "VerificationFailure": (*_ANYWHERE, "mismatch"),
    "ControlConvergenceFailure": (*_ANYWHERE, "flaky"),
    "SemanticMismatchFailure": (*_ANYWHERE, "semantics"),
}
"""Which of them have an answer to a failure of a class, in the order in which they are asked."""

STRATEGIES: Mapping[str, RecoveryStrategy] = {
    **dict.fromkeys(("reconnect", *_IN_THE_WAY, "drift"), "state_refresh"),
    "app_crash": "step_back",
    "flaky": "retry_adjustment",
    "stale": "re_resolve",
    "semantics": "re_resolve",
    "ambiguous": "alternate_candidate",
    "mismatch": "step_back",
}
"""What each of them answers with."""


def plugin_name(policy: str) -> str:
    """The name to switch one off by: ``-p no:replicant-recover-toast``."""
    return f"replicant-recover-{policy.replace('_', '-')}"


def register(pluginmanager: PluginManager) -> None:
    """Registers each under a name of its own, but those that are switched off. Of implementations that are marked
    ``trylast`` the one that was registered first is asked first."""
    for name, plugin in POLICIES.items():
        names = {plugin_name(name), f"replicant-recover-{name}"}  # an underscore is as good as a hyphen
        if not any(map(pluginmanager.is_blocked, names)):
            pluginmanager.register(plugin, plugin_name(name))


def builtin(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
    """What the built-in policies answer, where there is no pytest to ask them through."""
    for plugin in POLICIES.values():
        answer: Recovery | None = plugin.pytest_replicant_recover(session, failure, state)
        if answer is not None:
            return answer
    return None
