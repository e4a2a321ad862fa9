"""Waiting until a claim holds, and telling how it went.

A claim holds when it held on two consecutive fresh reads, or through one whole window for what must stay so.
What the action's own reads have shown already costs no further dump. The claims themselves are in ``claims``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ..errors import is_told
from ..model.trace import Read
from .stabilize import AGREEING_READS, Reads

if TYPE_CHECKING:
    from ..model.element import Element
    from ..model.failure import FailureCode
    from ..snapshots.snapshot import Snapshot
    from .observe import Observer, Reading
    from .step import Parts

__tracebackhide__ = is_told


@dataclass(frozen=True)
class Look:
    """What a predicate may look at: one screen, and what went before it. ``now`` is False for a screen of the
    past, of which nothing more can be asked."""

    snapshot: Snapshot
    observer: Observer
    before: Snapshot | None = None
    acted: Element | None = None
    now: bool = True


@dataclass(frozen=True)
class Verdict:
    held: bool
    observed: str


Predicate = Callable[[Look], Verdict]


@dataclass(frozen=True)
class Claim:
    """What is claimed. ``how`` says what counts as holding: two consecutive reads ("settled"), one whole
    window ("window"), or any single sighting ("once")."""

    kind: str
    expected: str
    test: Predicate
    how: Literal["settled", "window", "once"] = "settled"
    verifies: bool = True
    code: FailureCode = "VERIFICATION_FAILED"


@dataclass(frozen=True)
class Judged:
    """How waiting for a claim ended. ``reads`` tells runs of equal sightings once, ``count`` is how many reads
    there were; ``snapshot`` is the screen of the last one, None where none succeeded."""

    held: bool
    observed: str
    reads: tuple[Read, ...]
    count: int
    elapsed: float
    snapshot: Snapshot | None


def await_claim(
    parts: Parts, claim: Claim, timeout: float, before: Snapshot | None, acted: Element | None
) -> Judged:
    """Reads until the claim holds or the time is over; two reads are granted however slow a dump is. Raises
    ``DeviceError`` where not one read succeeded."""
    reads = Reads(parts, timeout)
    history: list[Read] = []
    row: list[tuple[Reading, bool]] = []  # consecutive reads and whether the claim held on them
    waiting = [reads.reuse(reading) for reading in parts.observer.recent()]
    latest: tuple[Verdict, Snapshot] | None = None
    while True:
        reading = waiting.pop(0) if waiting else reads.next()
        if reading is None:
            row = []
            history.append(Read(reads.elapsed, f"read failed: {reads.trouble}", False))
        else:
            verdict = claim.test(Look(reading.snapshot, parts.observer, before, acted))
            latest = (verdict, reading.snapshot)
            history.append(Read(max(reading.received_at - reads.started, 0.0), verdict.observed, verdict.held))
            row = [*row, (reading, True)] if verdict.held else []
            if _holds(claim, row, parts.settings.window):
                return Judged(
                    True, verdict.observed, _told(history), len(history), reads.elapsed, reading.snapshot
                )
        if not waiting and reads.out_of_time and (reads.good >= AGREEING_READS or reading is None):
            earned_another = claim.how == "settled" and len(row) == 1
            if not earned_another:
                break
    reads.raise_if_blind(AGREEING_READS)
    assert latest is not None
    return Judged(False, latest[0].observed, _told(history), len(history), reads.elapsed, latest[1])


def _holds(claim: Claim, row: list[tuple[Reading, bool]], window: float) -> bool:
    if not row:
        return False
    if claim.how == "once":
        return True
    if len(row) < AGREEING_READS:
        return False
    if claim.how == "settled":
        return True
    return row[-1][0].received_at - row[0][0].requested_at >= window


def _told(history: list[Read]) -> tuple[Read, ...]:
    """The history with runs of equal sightings as one line: where each began."""
    return tuple(
        read
        for index, read in enumerate(history)
        if index == 0 or read.observed != history[index - 1].observed or index == len(history) - 1
    )
