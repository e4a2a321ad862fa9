"""Waiting until a check holds.

A check holds when it held on two consecutive fresh reads, or through one whole window for a state that must
last. Most are about the screen: the action's own reads count and cost no further dump. Some ask the phone for its
log or its apps, and need no dump at all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from ...errors import DeviceError, DeviceOffline, SnapshotError, Unsupported
from ...model import Read
from ..stabilize.reads import AGREEING_READS, Reads

if TYPE_CHECKING:
    from ...model import Element, FailureCode
    from ...snapshots import Snapshot
    from ..arguments import Target
    from ..stabilize.observer import Observer
    from ..step import SessionContext

_MOST_LATE = 3  # failed reads, once the time is over, of what held on every good one


@dataclass(frozen=True)
class CheckInput:
    """What a predicate may look at: one screen, and what went before it. ``now`` is False for a screen of the
    past, of which nothing more can be asked."""

    snapshot: Snapshot
    observer: Observer
    before: Snapshot | None = None
    acted: Element | None = None
    now: bool = True


@dataclass(frozen=True)
class Verdict:
    """What one read showed. ``final`` says that no later one can show anything else; ``more`` are further lines
    for the message of a failed check, made only there."""

    held: bool
    observed: str
    final: bool = False
    more: Callable[[], str] | None = field(default=None, compare=False)


Predicate = Callable[[CheckInput], Verdict]


def _shows_nothing(_: CheckInput) -> Verdict:
    return Verdict(False, "not on any screen")


@dataclass(frozen=True)
class Check:
    """What is claimed. ``how`` says what counts as holding: two consecutive reads ("settled"), one whole
    window ("window"), or any single sighting ("once"). ``test`` judges a screen; where ``ask`` is given the claim
    is about no screen, and each read of it is one call of that."""

    kind: str
    expected: str
    test: Predicate = _shows_nothing
    how: Literal["settled", "window", "once"] = "settled"
    verifies: bool = True
    code: FailureCode = "VERIFICATION_FAILED"
    ask: Callable[[SessionContext], Verdict] | None = None
    target: Target | None = None  # what it is about, where that is named


@dataclass(frozen=True)
class Judged:
    """How waiting for a claim ended. ``reads`` tells runs of equal sightings once, ``count`` is how many reads
    there were; ``snapshot`` is the screen of the last one, None where none succeeded; ``more`` what is to be said
    beyond that."""

    held: bool
    observed: str
    reads: tuple[Read, ...]
    count: int
    elapsed: float
    snapshot: Snapshot | None
    more: Callable[[], str] | None = field(default=None, compare=False)


@dataclass(frozen=True)
class _Sight:
    """One successful read, judged."""

    verdict: Verdict
    requested_at: float
    received_at: float
    snapshot: Snapshot | None


class _Watch:
    """Reads for one claim, and judges each."""

    def __init__(
        self, context: SessionContext, claim: Check, reads: Reads, before: Snapshot | None, acted: Element | None
    ) -> None:
        self._context = context
        self._claim = claim
        self._reads = reads
        self._before = before
        self._acted = acted
        looks = claim.ask is None
        self._waiting = [reads.reuse(reading) for reading in context.observer.recent()] if looks else []

    @property
    def is_waiting(self) -> bool:
        """Whether there are reads that were made before the check and are not judged yet."""
        return bool(self._waiting)

    def next(self) -> _Sight | None:
        """None where the read failed."""
        if self._claim.ask is not None:
            return self._reads.attempt(self._asked)
        reading = self._waiting.pop(0) if self._waiting else self._reads.next()
        if reading is None:
            return None
        look = CheckInput(reading.snapshot, self._context.observer, self._before, self._acted)
        try:
            verdict = self._claim.test(look)
        except (DeviceOffline, Unsupported):
            raise
        except DeviceError as error:  # what it asked for besides, such as the activity in front
            self._reads.record_failure(error)
            return None
        return _Sight(verdict, reading.requested_at, reading.received_at, reading.snapshot)

    def _asked(self) -> _Sight:
        assert self._claim.ask is not None
        requested_at = self._context.clock.now()
        verdict = self._claim.ask(self._context)
        return _Sight(verdict, requested_at, self._context.clock.now(), None)


def await_check(
    context: SessionContext, claim: Check, timeout: float, before: Snapshot | None, acted: Element | None
) -> Judged:
    """Reads until the claim holds or the time is over. Two reads are granted however slow a dump is, and one that
    holds when the time is over is given what it still lacks: its second read, or the rest of its window, from the
    beginning after a read that failed. Raises ``DeviceError`` where too few reads succeeded to know."""
    reads = Reads(context, timeout)
    watch = _Watch(context, claim, reads, before, acted)
    needed = 1 if claim.how == "once" else AGREEING_READS
    history: list[Read] = []
    row: list[_Sight] = []  # consecutive reads on which the claim held
    latest: _Sight | None = None
    late = 0  # reads that failed when the time was over
    while True:
        sight = watch.next()
        if sight is None:
            row = []
            late += reads.out_of_time
            history.append(Read(reads.elapsed, reads.trouble, False))
        else:
            latest, verdict = sight, sight.verdict
            history.append(Read(max(sight.received_at - reads.started, 0.0), verdict.observed, verdict.held))
            row = [*row, sight] if verdict.held else []
            if _holds(claim, row, context.settings.window):
                seen = sight.snapshot or context.observer.latest
                return Judged(True, verdict.observed, _told(history), len(history), reads.elapsed, seen)
            if verdict.final and not verdict.held:
                break
        held_so_far = latest is not None and latest.verdict.held
        granted = reads.good < needed and sight is not None
        if reads.out_of_time and not watch.is_waiting and not granted and not (held_so_far and late < _MOST_LATE):
            break
    if latest is None or not latest.verdict.final:
        reads.raise_if_no_read(reads.good + 1 if latest is not None and latest.verdict.held else needed)
    assert latest is not None
    seen = latest.snapshot or _screen_now(context)
    judged = latest.verdict
    return Judged(False, judged.observed, _told(history), len(history), reads.elapsed, seen, judged.more)


def _screen_now(context: SessionContext) -> Snapshot | None:
    """For the message of a claim that is about no screen: what is on it, as far as that can be told."""
    try:
        return context.observer.fresh().snapshot
    except (DeviceError, SnapshotError):
        return context.observer.latest


def _holds(claim: Check, row: list[_Sight], window: float) -> bool:
    if not row:
        return False
    if claim.how == "once":
        return True
    if len(row) < AGREEING_READS:
        return False
    if claim.how == "settled":
        return True
    return row[-1].received_at - row[0].requested_at >= window


def _told(history: list[Read]) -> tuple[Read, ...]:
    """The history with runs of equal sightings as one line: where each began."""
    return tuple(
        read
        for index, read in enumerate(history)
        if index == 0 or read.observed != history[index - 1].observed or index == len(history) - 1
    )
