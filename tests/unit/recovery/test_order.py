"""Who is asked when, what each of them may answer, and how one is switched off."""

from __future__ import annotations

import inspect
from typing import Any

import pytest
from pluggy import HookimplMarker, PluginManager

from pytest_replicant.errors import DeviceOffline
from pytest_replicant.model import FailureClass, Recovery, RecoveryState
from pytest_replicant.plugin import hookspecs
from pytest_replicant.recovery import POLICIES, builtin, register
from tests.unit.snapshots.screens import SHOP, parse

from .failures import Session, failed, prompt

HOOK = "pytest_replicant_recover"
FIRST = [
    "reconnect",
    "app_crash",
    "anr_dialog",
    "permission_prompt",
    "system_dialog",
    "keyboard",
    "toast",
    "drift",
]


def test_they_are_asked_in_this_order() -> None:
    assert [policy.name for policy in POLICIES] == [
        *FIRST,
        "flaky",
        "stale",
        "semantics",
        "ambiguous",
        "mismatch",
    ]


@pytest.mark.parametrize(
    ("failure_class", "last"),
    [
        (
            "TargetResolutionFailure",
            [("stale", "re_resolve"), ("ambiguous", "alternate_candidate")],
        ),
        ("ExecutionFailure", [("flaky", "retry_adjustment")]),
        ("VerificationFailure", [("mismatch", "step_back")]),
        ("ControlConvergenceFailure", [("flaky", "retry_adjustment")]),
        ("SemanticMismatchFailure", [("semantics", "re_resolve")]),
    ],
)
def test_another_look_comes_before_another_try(
    failure_class: FailureClass, last: list[tuple[str, str]]
) -> None:
    order = [
        (policy.name, policy.strategy) for policy in POLICIES if failure_class in policy.classes
    ]
    assert [name for name, _ in order] == [*FIRST, *(name for name, _ in last)]
    assert order[len(FIRST) :] == last
    assert {strategy for name, strategy in order[: len(FIRST)] if name != "app_crash"} == {
        "state_refresh"
    }


def test_each_is_a_plugin_with_one_hook_that_comes_last() -> None:
    for policy in POLICIES:
        hook: Any = getattr(policy, HOOK)
        assert hook.pytest_impl["trylast"]
        assert list(inspect.signature(hook).parameters) == ["session", "failure", "state"]


def manager(*blocked: str) -> PluginManager:
    made = PluginManager("pytest")
    made.add_hookspecs(hookspecs)
    for name in blocked:
        made.set_blocked(name)
    register(made)
    return made


def test_they_are_registered_in_that_order() -> None:
    made = manager()
    assert [policy.plugin_name for policy in POLICIES] == [
        name for name, _ in made.list_name_plugin()
    ]
    asked = [
        implementation.plugin
        for implementation in reversed(made.hook.pytest_replicant_recover.get_hookimpls())
    ]
    assert asked == list(POLICIES)


def test_a_policy_of_somebodys_own_is_asked_before_them() -> None:
    class Own:
        @HookimplMarker("pytest")
        def pytest_replicant_recover(self, failure: Any) -> Recovery:
            return Recovery("state_refresh", policy="own")

    made = manager()
    made.register(Own())
    assert ask(made, failed("UNKNOWN", None, error=DeviceOffline("gone"))) == "own"


def ask(made: PluginManager, failure: Any) -> str:
    state = RecoveryState.initial(failure.code)
    answer = made.hook.pytest_replicant_recover(session=Session(), failure=failure, state=state)
    return answer.policy if answer is not None else ""


@pytest.mark.parametrize(
    "spelt", ["replicant-recover-permission-prompt", "replicant-recover-permission_prompt"]
)
def test_one_can_be_switched_off(spelt: str) -> None:
    failure = failed("ELEMENT_NOT_FOUND", parse(prompt("permission_deny_button")), steady=False)
    assert ask(manager(), failure) == "permission_prompt"
    assert ask(manager(spelt), failure) == "drift"


def test_without_pytest_they_are_asked_in_the_same_order() -> None:
    session: Any = Session()
    state = RecoveryState.initial("ELEMENT_NOT_FOUND")
    failure = failed("ELEMENT_NOT_FOUND", parse(prompt("permission_deny_button")), steady=False)
    answer = builtin(session, failure, state)
    assert answer is not None
    assert answer.policy == "permission_prompt"
    unsteady = builtin(session, failed("ELEMENT_NOT_FOUND", parse(SHOP), steady=False), state)
    assert unsteady is not None
    assert unsteady.policy == "drift"
    assert builtin(session, failed("ELEMENT_NOT_FOUND", parse(SHOP)), state) is None
