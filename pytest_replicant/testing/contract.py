"""Clause by clause: what every ``check_*`` of a contract does, whatever the contract is about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, TypeVar

S = TypeVar("S", contravariant=True)


class Checkable(Protocol[S]):
    """One clause, as it is run; ``scene`` is what it is checked on."""

    @property
    def claim(self) -> str: ...

    def applies_to(self, scene: S) -> bool: ...

    def check(self, scene: S) -> None: ...


@dataclass(frozen=True)
class Broken:
    """A clause that does not hold, and what was raised instead."""

    clause: Checkable[Any]
    error: Exception

    def __str__(self) -> str:
        return f"{self.clause}: {self.clause.claim}\n    {type(self.error).__name__}: {self.error}"


class ContractBroken(AssertionError):
    """Clauses of a contract that are broken, in ``broken``; ``by`` says what breaks them."""

    by: ClassVar[str] = "it"

    def __init__(self, broken: tuple[Broken, ...], checked: int) -> None:
        self.broken = broken
        lines = "\n".join(f"  {each}" for each in broken)
        super().__init__(f"{self.by} breaks {len(broken)} of {checked} clauses of the contract:\n{lines}")


@dataclass(frozen=True)
class Verdict:
    """What became of a clause: ``error`` is what it broke with."""

    clause: Checkable[Any]
    asked: bool = True
    error: Exception | None = None

    @property
    def kept(self) -> bool:
        return self.asked and self.error is None


def judge(clauses: Iterable[Checkable[S]], scene: S) -> Iterator[Verdict]:
    """Checks each clause that applies, whatever the others raise."""
    for clause in clauses:
        if not clause.applies_to(scene):
            yield Verdict(clause, asked=False)
            continue
        try:
            clause.check(scene)
        except Exception as error:
            yield Verdict(clause, error=error)
        else:
            yield Verdict(clause)


def check_clauses(clauses: Iterable[Checkable[S]], scene: S, failure: type[ContractBroken]) -> None:
    """Raises ``failure`` where one does not hold."""
    asked = [verdict for verdict in judge(clauses, scene) if verdict.asked]
    broken = tuple(Broken(each.clause, each.error) for each in asked if each.error is not None)
    if broken:
        raise failure(broken, len(asked))
