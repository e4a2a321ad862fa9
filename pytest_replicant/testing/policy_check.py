"""``check_policy``: whether a policy keeps the contract of ``pytest_replicant_recover``, clause by clause.

In a test of your own policy::

    def test_my_policy_keeps_the_contract():
        survey = Snapshot.parse(SURVEY)
        check_policy(conftest, occasions=[Failure("ELEMENT_NOT_FOUND", "", snapshot=survey)])

or one test a clause, with ``@pytest.mark.parametrize("clause", POLICY_CLAUSES, ids=str)`` and
``clause.check(scene)``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

from ..drivers import Key
from ..model import (
    Element,
    Failure,
    FailureCode,
    Recovery,
    RecoveryState,
    RecoveryStrategy,
    Remedy,
    RemedyKind,
    Selector,
)
from ..session import SessionSettings
from ..snapshots import is_ref
from .contract import ContractBroken, Verdict, check_clauses, must
from .policy_scene import PolicyClause, PolicyScene, describe, shown

ARGUMENTS = ("session", "failure", "state")


def _takes_what_the_hook_gives(scene: PolicyScene) -> None:
    must(callable(scene.function), f"{scene.policy!r} is no function, and has no hook of that name")
    unknown = [name for name in inspect.signature(scene.function).parameters if name not in ARGUMENTS]
    must(not unknown, f"it wants {', '.join(unknown)}; there are {', '.join(ARGUMENTS)}")


def _is_silent(scene: PolicyScene) -> None:
    for failure in scene.foreign():
        answer = scene.ask(failure)
        must(answer is None, f"to {describe(failure)} it answers {shown(answer)}, on no evidence")


def _answers(scene: PolicyScene) -> None:
    for failure in scene.occasions:
        must(scene.ask(failure) is not None, f"to {describe(failure)}, which it is for, it has no answer")


def _raises_nothing(scene: PolicyScene) -> None:
    for failure in scene.everything():
        try:
            scene.ask(failure)
        except Exception as error:  # whatever it is, it would end the test in place of the failure
            raise AssertionError(f"{type(error).__name__} at {describe(failure)}: {error}") from error


def _touches_nothing(scene: PolicyScene) -> None:
    for failure in scene.everything():
        del scene.acts[:]
        try:
            scene.ask(failure)
        finally:
            called = ", ".join(f"session.{name}" for name in scene.acts)
            must(not called, f"at {describe(failure)} it calls {called}; it may only answer")


def _is_deterministic(scene: PolicyScene) -> None:
    for failure in scene.everything():
        first, second = scene.ask(failure), scene.ask(failure)
        must(first == second, f"to {describe(failure)} it answers {shown(first)}, and then {shown(second)}")


def _gives_up(scene: PolicyScene) -> None:
    """Remedies may be needed again on a new screen; a mere retry that was tried has had its chance."""
    for failure in scene.everything():
        state = RecoveryState.initial(failure.code, retry_allowed=failure.retryable)
        given: list[Any] = []
        for _ in range(state.max_recovery_attempts):
            answer = scene.ask(failure, state)
            if not isinstance(answer, Recovery):
                break
            repeated = answer in given and not answer.before
            must(
                not repeated,
                f"{describe(failure)}: {shown(answer)} was tried, and changed nothing, and is given again",
            )
            given.append(answer)
            state = _tried(state, answer)


def _tried(state: RecoveryState, answer: Recovery) -> RecoveryState:
    return replace(
        state,
        recovery_strategy=answer.strategy,
        recovery_attempts=state.recovery_attempts + 1,
        attempted=(*state.attempted, answer.strategy),
    )


ASKING = (
    PolicyClause(
        "signature", "takes session, failure and state by name, or fewer of them", _takes_what_the_hook_gives
    ),
    PolicyClause("silent", "says nothing where there is no evidence for what it fixes", _is_silent),
    PolicyClause("answers", "answers the failures that it is for", _answers, needs_occasion=True),
    PolicyClause("raises-nothing", "raises nothing, however little is known of a failure", _raises_nothing),
    PolicyClause("touches-nothing", "neither acts nor checks on the session: it only answers", _touches_nothing),
    PolicyClause("deterministic", "answers the same question in the same way", _is_deterministic),
    PolicyClause("gives-up", "does not offer a retry again that was tried and changed nothing", _gives_up),
)


NEED_A_TARGET = ("tap", "wait_gone")


def _answers_of(scene: PolicyScene) -> Iterator[tuple[Failure, Recovery]]:
    """Answers that are recoveries; any other answer is the business of one clause."""
    for failure in scene.everything():
        answer = scene.ask(failure)
        if isinstance(answer, Recovery):
            yield failure, answer


def _each(judge: Callable[[Failure, Recovery], str]) -> Callable[[PolicyScene], None]:
    """A check of every answer; ``judge`` returns its fault, "" for none."""

    def check(scene: PolicyScene) -> None:
        for failure, answer in _answers_of(scene):
            wrong = judge(failure, answer)
            must(not wrong, f"to {describe(failure)} it answers {shown(answer)}: {wrong}")

    return check


def _is_a_recovery(scene: PolicyScene) -> None:
    for failure in scene.everything():
        answer = scene.ask(failure)
        right = answer is None or isinstance(answer, Recovery)
        must(right, f"to {describe(failure)} it answers {shown(answer)}: neither a Recovery nor None")


def _strategy(failure: Failure, answer: Recovery) -> str:
    known = get_args(RecoveryStrategy)
    return "" if answer.strategy in known else f"there is no such strategy; there are {', '.join(known)}"


def _candidate(failure: Failure, answer: Recovery) -> str:
    if answer.strategy != "alternate_candidate":
        return ""
    chosen = answer.target
    if isinstance(chosen, Element) and any(chosen.identity == each.identity for each in failure.candidates):
        return ""
    return "its target is none of the failure's candidates"


def _gate(failure: Failure, answer: Recovery) -> str:
    allowed = answer.strategy != "retry_adjustment" or failure.retryable
    return "" if allowed else "this failure is not retryable"


def _target(failure: Failure, answer: Recovery) -> str:
    targets = [answer.target, *(each.target for each in answer.before if isinstance(each, Remedy))]
    strange = [each for each in targets if each is not None and not _is_target(each)]
    return f"{strange[0]!r} is no ref, element or selector" if strange else ""


def _is_target(target: object) -> bool:
    return isinstance(target, (Element, Selector)) or (isinstance(target, str) and is_ref(target))


def _remedies(failure: Failure, answer: Recovery) -> str:
    if not isinstance(answer.before, tuple) or not all(isinstance(each, Remedy) for each in answer.before):
        return "before is a tuple of remedies: Remedy.tap(...), Remedy.reconnect(), ..."
    for remedy in answer.before:
        if remedy.kind not in get_args(RemedyKind):
            return f"there is no remedy {remedy.kind!r}; there are {', '.join(get_args(RemedyKind))}"
        if remedy.kind in NEED_A_TARGET and remedy.target is None:
            return f"{remedy.kind} needs a target"
        if remedy.kind == "press_key" and remedy.value not in get_args(Key):
            return f"there is no key {remedy.value!r}; there are {', '.join(get_args(Key))}"
    return ""


def _params(failure: Failure, answer: Recovery) -> str:
    named = isinstance(answer.params, Mapping) and all(isinstance(name, str) for name in answer.params)
    return "" if named else "params is a mapping of names"


def _reason(failure: Failure, answer: Recovery) -> str:
    said = isinstance(answer.reason, str) and answer.reason.strip()
    return "" if said else "a reason is what the reader of a red build goes by, and it has none"


ANSWERING = (
    PolicyClause("recovery", "answers with a Recovery, or None", _is_a_recovery),
    PolicyClause("strategy", "names a known strategy", _each(_strategy)),
    PolicyClause("candidate", "takes as another candidate only one of the failure's", _each(_candidate)),
    PolicyClause("retryable", "retries in another way only retryable failures", _each(_gate)),
    PolicyClause("target", "names targets as tests do: a ref, an element, a selector", _each(_target)),
    PolicyClause("remedies", "asks beforehand only for remedies that a session has", _each(_remedies)),
    PolicyClause("params", "names its parameters", _each(_params)),
    PolicyClause("reason", "says why", _each(_reason)),
)


POLICY_CLAUSES: tuple[PolicyClause, ...] = (*ASKING, *ANSWERING)


class PolicyCheckFailed(ContractBroken):
    """Clauses of the contract that the policy breaks, in ``broken``."""

    by = "the policy"


def check_policy(
    policy: Any,
    *,
    occasions: Sequence[Failure] = (),
    codes: Collection[FailureCode] = (),
    settings: SessionSettings | None = None,
    resolved: Mapping[Selector, Element] | None = None,
    clauses: Sequence[PolicyClause] = POLICY_CLAUSES,
) -> tuple[Verdict, ...]:
    """Asks the policy about failures of every kind, and judges what it says; raises ``PolicyCheckFailed``.

    ``policy`` is the function, or a plugin that has it. ``occasions`` are failures that it is for, and answers;
    ``codes`` those that are evidence enough for it by themselves. To every other failure it must say nothing.
    ``settings`` are what the session works by, such as what it allows; ``resolved`` is what selectors meant
    earlier in the test. No phone is needed.
    """
    scene = PolicyScene(policy, tuple(occasions), frozenset(codes), settings or SessionSettings(), resolved or {})
    return check_clauses(clauses, scene, PolicyCheckFailed)
