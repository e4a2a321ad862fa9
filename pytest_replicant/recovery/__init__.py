"""The built-in recovery policies, written against the public hook.

A policy answers from evidence, or not at all. They are asked in the order of ``POLICIES`` and the
first answer wins: first the phone, then the app, then obstructions; another look before another
target, another target before another way, and all of these before an action is repeated.
"""

# mypy: implicit-reexport
from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import Failure, Recovery, RecoveryState
from .policies import POLICIES, Policy

if TYPE_CHECKING:
    from pluggy import PluginManager

    from ..session import RecoveryContext


def register(pluginmanager: PluginManager) -> None:
    """Registers each policy under its plugin name, once, except those that are switched off. Of
    implementations marked ``trylast``, pluggy asks the one that was registered first."""
    for policy in POLICIES:
        names = {
            policy.plugin_name,
            f"replicant-recover-{policy.name}",
        }  # an underscore is as good as a hyphen
        if not any(
            pluginmanager.is_blocked(name) or pluginmanager.has_plugin(name) for name in names
        ):
            pluginmanager.register(policy, policy.plugin_name)


def builtin(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
    """The answer of the built-in policies, if there is no pytest to ask them through."""
    for policy in POLICIES:
        answer: Recovery | None = policy.pytest_replicant_recover(session, failure, state)
        if answer:
            return answer
    return None
