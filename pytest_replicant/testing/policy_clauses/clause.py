"""What a clause is, and what it is given."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ...model import Element, Failure, FailureCode, RecoveryState, Selector, shortened
from ...session import SessionSettings
from .battery import battery
from .witness import Witness

HOOK = "pytest_replicant_recover"
_TOLD = 100  # characters of an answer in a message


@dataclass(frozen=True)
class Scene:
    """A policy, and the failures that it is asked about. See ``check_policy`` for what the fields mean."""

    policy: Any
    occasions: Sequence[Failure]
    codes: Collection[FailureCode]
    settings: SessionSettings
    resolved: Mapping[Selector, Element]
    acts: list[str] = field(default_factory=list)
    """What was called on the session that changes or checks something."""

    @property
    def function(self) -> Callable[..., Any]:
        """Of a plugin its hook; else the policy itself."""
        found: Callable[..., Any] = getattr(self.policy, HOOK, self.policy)
        return found

    def ask(self, failure: Failure, state: RecoveryState | None = None) -> Any:
        """The answer, as the hook would be called: with those of its arguments that it wants."""
        given = {
            "session": Witness(self.settings, self.resolved, failure, self.acts),
            "failure": failure,
            "state": state or RecoveryState.initial(failure.code, retry_allowed=failure.retryable),
        }
        wanted = inspect.signature(self.function).parameters
        return self.function(**{name: given[name] for name in wanted})

    def foreign(self) -> Iterator[Failure]:
        """Those that are not its business."""
        return (failure for failure in battery() if failure.code not in self.codes)

    def everything(self) -> Iterator[Failure]:
        """All of them; those that it is for also with one thing after the other unknown."""
        yield from battery()
        for failure in self.occasions:
            yield failure
            yield from hollowed(failure)


def hollowed(failure: Failure) -> Iterator[Failure]:
    """The same failure, of which less is known each time."""
    unknown: dict[str, Any] = {"snapshot": None, "element": None, "target": None, "blocker": None, "error": None}
    for name, nothing in {**unknown, "candidates": (), "app": "", "action_type": ""}.items():
        if getattr(failure, name) != nothing:
            yield replace(failure, **{name: nothing})
    yield replace(failure, may_retry=False)


@dataclass(frozen=True)
class Clause:
    """``check`` raises where the ``claim`` does not hold."""

    name: str
    claim: str
    check: Callable[[Scene], None]
    needs_occasion: bool = False

    def applies_to(self, scene: Scene) -> bool:
        return bool(scene.occasions) or not self.needs_occasion

    def __str__(self) -> str:
        return self.name


def told(failure: Failure) -> str:
    """A failure in few words, by what sets it apart from the others that are asked."""
    known = [name for name in ("snapshot", "element", "error", "blocker") if getattr(failure, name) is not None]
    return f"{failure.code} of {failure.action_type or 'an action'} ({', '.join(known) or 'nothing'} known)"


def shown(answer: object) -> str:
    return shortened(repr(answer), _TOLD)
