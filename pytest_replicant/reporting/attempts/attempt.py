"""One attempt of one test, while pytest runs it: how its phases ended, and what is told of it already."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from ...model import BROKEN
from ...stash import SESSIONS

if TYPE_CHECKING:
    from ...errors import ExpectationFailed
    from ...model import RaisedError, TestOutcome
    from ...stash import TestSession

PHONES = "mobile_pool"
"""The fixture that every other one of ours stands on: who asks for it is about a phone."""


@dataclass(frozen=True)
class Phase:
    """How setup, call or teardown ended, and what failed it, the raised one first."""

    outcome: TestOutcome
    failures: tuple[RaisedError, ...] = ()


@dataclass
class Attempt:
    """``calling`` is true while the test itself runs: reports that come meanwhile are those of subtests, and
    ``within`` is how those ended that failed.

    ``besides`` are soft failures that the current phase's error stands before. ``recorded_before`` is how much the
    recorders held when the trace was written, -1 before that.
    """

    item: pytest.Item
    calling: bool = False
    within: list[Phase] = field(default_factory=list)
    phases: list[Phase] = field(default_factory=list)
    besides: tuple[RaisedError, ...] = ()
    recorded_before: int = -1
    _reported: set[int] = field(default_factory=set)

    @property
    def sessions(self) -> list[TestSession]:
        return self.item.stash.get(SESSIONS, [])

    @property
    def asked_for_a_phone(self) -> bool:
        return PHONES in getattr(self.item, "fixturenames", ())

    @property
    def recorded(self) -> int:
        """How much the sessions hold: actions, checks and attachments."""
        recorders = [entry.recorder for entry in self.sessions]
        return sum(each.size for each in recorders)

    def unreported(self) -> list[ExpectationFailed]:
        """The soft failures that no report holds yet; the caller sees to it that one does."""
        failures = [failure for entry in self.sessions for failure in entry.recorder.soft_failures]
        fresh = [failure for failure in failures if id(failure) not in self._reported]
        self._reported.update(map(id, fresh))  # the recorders keep them alive, and with them their ids
        return fresh

    def result(self) -> Phase:
        """All phases as one: what broke first, else what was out of the ordinary, with every failure."""
        outcomes = [phase.outcome for phase in self.phases]
        broken = [outcome for outcome in outcomes if outcome in BROKEN]
        special = [outcome for outcome in outcomes if outcome != "passed"]
        failures = tuple(raised for phase in self.phases for raised in phase.failures)
        healthy: TestOutcome = "recovered" if self.recovered else "passed"
        return Phase((*broken, *special, healthy)[0], failures)

    def with_subtests(self, phase: Phase) -> Phase:
        """The test's own phase, that failed where a subtest did: pytest says so only after the report is made."""
        if not self.within:
            return phase
        failures = tuple(raised for one in self.within for raised in one.failures)
        outcome = phase.outcome if phase.outcome in BROKEN else self.within[0].outcome
        return Phase(outcome, (*phase.failures, *failures))

    @property
    def recovered(self) -> bool:
        """Whether anything failed at first and was mended: such a test is never a plain pass."""
        return any(one.mended for entry in self.sessions for one in entry.recorder.recoveries)


_ATTEMPT = pytest.StashKey[Attempt]()


def attempt_of(item: pytest.Item) -> Attempt:
    """The attempt that is under way; a new one after ``end``."""
    return item.stash.setdefault(_ATTEMPT, Attempt(item))


def end(item: pytest.Item) -> None:
    """Forgets the attempt and its sessions: the same item may be run again."""
    for entry in item.stash.get(SESSIONS, []):
        entry.recorder.close()
    if SESSIONS in item.stash:
        del item.stash[SESSIONS]
    if _ATTEMPT in item.stash:
        del item.stash[_ATTEMPT]
