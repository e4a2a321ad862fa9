"""Clauses about what a policy does when it is asked."""

from __future__ import annotations

import inspect
from dataclasses import replace
from typing import Any

from ...model import Recovery, RecoveryState
from ..driver_clauses.clause import must
from .clause import Clause, Scene, shown, told

ARGUMENTS = ("session", "failure", "state")


def _takes_what_the_hook_gives(scene: Scene) -> None:
    must(callable(scene.function), f"{scene.policy!r} is no function, and has no hook of that name")
    unknown = [name for name in inspect.signature(scene.function).parameters if name not in ARGUMENTS]
    must(not unknown, f"it wants {', '.join(unknown)}; there are {', '.join(ARGUMENTS)}")


def _is_silent(scene: Scene) -> None:
    for failure in scene.foreign():
        answer = scene.ask(failure)
        must(answer is None, f"to {told(failure)} it answers {shown(answer)}, on no evidence")


def _answers(scene: Scene) -> None:
    for failure in scene.occasions:
        must(scene.ask(failure) is not None, f"to {told(failure)}, which it is for, it has no answer")


def _raises_nothing(scene: Scene) -> None:
    for failure in scene.everything():
        try:
            scene.ask(failure)
        except Exception as error:  # whatever it is, it would end the test in place of the failure
            raise AssertionError(f"{type(error).__name__} at {told(failure)}: {error}") from error


def _touches_nothing(scene: Scene) -> None:
    for failure in scene.everything():
        del scene.acts[:]
        try:
            scene.ask(failure)
        finally:
            called = ", ".join(f"session.{name}" for name in scene.acts)
            must(not called, f"at {told(failure)} it calls {called}; it may only answer")


def _is_deterministic(scene: Scene) -> None:
    for failure in scene.everything():
        first, second = scene.ask(failure), scene.ask(failure)
        must(first == second, f"to {told(failure)} it answers {shown(first)}, and then {shown(second)}")


def _gives_up(scene: Scene) -> None:
    """What is done first may need doing again on a new screen; a mere retry that was tried has had its chance."""
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
                f"{told(failure)}: {shown(answer)} was tried, and changed nothing, and is given again",
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
    Clause("signature", "takes session, failure and state by name, or fewer of them", _takes_what_the_hook_gives),
    Clause("silent", "says nothing where there is no evidence for what it mends", _is_silent),
    Clause("answers", "answers the failures that it is for", _answers, needs_occasion=True),
    Clause("raises-nothing", "raises nothing, however little is known of a failure", _raises_nothing),
    Clause("touches-nothing", "neither acts nor checks on the session: it only answers", _touches_nothing),
    Clause("deterministic", "answers the same question in the same way", _is_deterministic),
    Clause("gives-up", "does not offer a retry again that was tried and changed nothing", _gives_up),
)
