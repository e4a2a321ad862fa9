"""Clauses about what a policy answers with."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import get_args

from ...drivers import Key
from ...model import Element, Failure, Recovery, RecoveryStrategy, Remedy, RemedyKind, Selector
from ...snapshots import is_ref
from ..driver_clauses.clause import must
from .clause import Clause, Scene, shown, told

NEED_A_TARGET = ("tap", "wait_gone")


def _answers_of(scene: Scene) -> Iterator[tuple[Failure, Recovery]]:
    """All that it says; what is no ``Recovery`` is the business of one clause."""
    for failure in scene.everything():
        answer = scene.ask(failure)
        if isinstance(answer, Recovery):
            yield failure, answer


def _each(judge: Callable[[Failure, Recovery], str]) -> Callable[[Scene], None]:
    """A check of every answer; ``judge`` says what is wrong with one, "" for nothing."""

    def check(scene: Scene) -> None:
        for failure, answer in _answers_of(scene):
            wrong = judge(failure, answer)
            must(not wrong, f"to {told(failure)} it answers {shown(answer)}: {wrong}")

    return check


def _is_a_recovery(scene: Scene) -> None:
    for failure in scene.everything():
        answer = scene.ask(failure)
        right = answer is None or isinstance(answer, Recovery)
        must(right, f"to {told(failure)} it answers {shown(answer)}: neither a Recovery nor None")


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
    Clause("recovery", "answers with a Recovery, or None", _is_a_recovery),
    Clause("strategy", "names a strategy that there is", _each(_strategy)),
    Clause("candidate", "takes as another candidate only one of the failure's", _each(_candidate)),
    Clause("retryable", "retries in another way only what is retryable", _each(_gate)),
    Clause("target", "names targets as tests do: a ref, an element, a selector", _each(_target)),
    Clause("remedies", "has done before only what a session can do", _each(_remedies)),
    Clause("params", "names its parameters", _each(_params)),
    Clause("reason", "says why", _each(_reason)),
)
