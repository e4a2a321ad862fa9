"""``Check``: one condition that an ``expect_*`` asserts, and waiting until it holds.

A check holds when it held on two consecutive fresh reads, or through one whole window for a state that must
last. Most are about the screen: the action's own reads count and cost no further dump. Some ask the phone for its
log or its apps, and need no dump at all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Literal

from ...errors import DeviceError, DeviceOffline, SnapshotError, Unsupported
from ...model import CheckFacts, Read
from ..stabilize.reads import AGREEING_READS, Reads

if TYPE_CHECKING:
    from ...model import Element, FailureCode
    from ...snapshots import Snapshot
    from ..arguments import Target
    from ..stabilize.observer import Observer
    from ..step import SessionContext

_MOST_LATE = 3  # failed reads after the time-out of a check that held on every good one


@dataclass(frozen=True)
class CheckInput:
    """The screen that a check judges, and the action before it: ``before`` is the screen then, ``acted`` its
    element. ``now`` is False for a screen of the past, of which nothing more can be asked."""

    snapshot: Snapshot
    observer: Observer
    before: Snapshot | None = None
    acted: Element | None = None
    now: bool = True


@dataclass(frozen=True)
class Sample:
    """The result of one read.

    ``final``: no later read can show anything else. ``decided`` is False for a screen of the past that lacks what
    the check asks the phone for. ``facts`` is what was observed by name, for the trace; ``problem`` a word for the
    failure where it is not the check's own. ``more`` makes further lines for the message. The wait fills in the
    last three.
    """

    held: bool
    observed: str
    final: bool = False
    decided: bool = True
    facts: Mapping[str, Any] = field(default_factory=dict, compare=False)
    problem: str = ""
    more: Callable[[], str] | None = field(default=None, compare=False)
    snapshot: Snapshot | None = None
    requested_at: float = 0.0
    received_at: float = 0.0


def _no_screen(_: CheckInput) -> Sample:
    return Sample(False, "not on any screen")


@dataclass(frozen=True)
class Check(CheckFacts):
    """One condition, with everything that the session, policies and reports need to know about it.

    ``holds`` says when it holds: on two consecutive reads ("settled"), through one whole window ("window"), or on
    any single read ("once"). ``test`` judges a screen; where ``ask`` is given, no screen is judged, and each read
    is one call of that. ``compares``: judges the difference from the screen before the action.
    """

    test: Callable[[CheckInput], Sample] = _no_screen
    ask: Callable[[SessionContext], Sample] | None = None
    holds: Literal["settled", "window", "once"] = "settled"
    code: FailureCode = "VERIFICATION_FAILED"
    target: Target | None = None
    compares: bool = False

    @property
    def facts(self) -> CheckFacts:
        """The facts alone, for policies and the trace."""
        return CheckFacts(**{item.name: getattr(self, item.name) for item in fields(CheckFacts)})

    @property
    def judges_any_screen(self) -> bool:
        """Whether the screen before the action can be judged as well as the one after it."""
        return self.ask is None and self.holds != "once" and not self.compares


@dataclass(frozen=True)
class Baseline:
    """The action that a check is about: its id ("" for none), the screen before it and the element it acted on.
    ``idempotent``: repeating it does no harm."""

    action_id: str = ""
    before: Snapshot | None = None
    acted: Element | None = None
    idempotent: bool = False


@dataclass(frozen=True)
class CheckOutcome:
    """The end of the wait for a check. ``reads`` lists runs of equal samples once, ``count`` is how many reads
    there were; ``snapshot`` is the last screen, None where none could be read. ``error`` is the phone's trouble
    where too little could be read to know."""

    sample: Sample
    reads: tuple[Read, ...] = ()
    count: int = 0
    elapsed: float = 0.0
    snapshot: Snapshot | None = None
    error: DeviceError | None = None

    @property
    def held(self) -> bool:
        return self.sample.held

    @property
    def observed(self) -> str:
        return self.sample.observed

    @property
    def steady(self) -> bool:
        """Whether the last two reads showed the same, and the condition did not hold on the last one."""
        same = len(self.reads) < 2 or self.reads[-1].observed == self.reads[-2].observed
        return same and not (self.reads and self.reads[-1].held)


class _Sampler:
    """Takes the samples of one check."""

    def __init__(
        self, context: SessionContext, check: Check, reads: Reads, before: Snapshot | None, acted: Element | None
    ) -> None:
        self._context = context
        self._check = check
        self._reads = reads
        self._before = before
        self._acted = acted
        recent = context.observer.recent() if check.ask is None else []
        self._waiting = [reads.reuse(reading) for reading in recent]

    @property
    def is_waiting(self) -> bool:
        """Whether there are reads from before the check that are not judged yet."""
        return bool(self._waiting)

    def next(self) -> Sample | None:
        """The next sample; None where the read failed."""
        if self._check.ask is not None:
            return self._reads.attempt(self._asked)
        reading = self._waiting.pop(0) if self._waiting else self._reads.next()
        if reading is None:
            return None
        try:
            sample = self._check.test(
                CheckInput(reading.snapshot, self._context.observer, self._before, self._acted)
            )
        except (DeviceOffline, Unsupported):
            raise
        except DeviceError as error:  # of a further question, such as the activity in front
            self._reads.record_failure(error)
            return None
        return replace(
            sample,
            snapshot=reading.snapshot,
            requested_at=reading.requested_at,
            received_at=reading.received_at,
        )

    def _asked(self) -> Sample:
        assert self._check.ask is not None
        now = self._context.clock.now
        requested_at = now()
        return replace(self._check.ask(self._context), requested_at=requested_at, received_at=now())


def await_check(
    context: SessionContext, check: Check, timeout: float, before: Snapshot | None, acted: Element | None
) -> CheckOutcome:
    """Reads until the check holds or the time is over.

    Two reads are granted however slow a dump is. A check that holds when the time is over gets what it still
    lacks: its second read, or the rest of its window, which starts again after a read that failed. Raises
    ``DeviceError`` where too few reads succeeded to know.
    """
    reads = Reads(context, timeout)
    sampler = _Sampler(context, check, reads, before, acted)
    needed = 1 if check.holds == "once" else AGREEING_READS
    history: list[Read] = []
    row: list[Sample] = []  # consecutive samples on which the check held
    latest: Sample | None = None
    late = 0  # reads that failed after the time-out
    while True:
        sample = sampler.next()
        if sample is None:
            row = []
            late += reads.out_of_time
            history.append(Read(reads.elapsed, reads.trouble, False))
        else:
            latest = sample
            history.append(Read(max(sample.received_at - reads.started, 0.0), sample.observed, sample.held))
            row = [*row, sample] if sample.held else []
            if _holds(check, row, context.settings.window):
                seen = sample.snapshot or context.observer.latest
                return CheckOutcome(sample, _runs(history), len(history), reads.elapsed, seen)
            if sample.final and not sample.held:
                break
        held_so_far = latest is not None and latest.held
        granted = (reads.good < needed and sample is not None) or (held_so_far and late < _MOST_LATE)
        if reads.out_of_time and not sampler.is_waiting and not granted:
            break
    if latest is None or not latest.final:
        reads.raise_if_no_read(reads.good + 1 if latest is not None and latest.held else needed)
    assert latest is not None
    seen = latest.snapshot or _screen_now(context)
    return CheckOutcome(replace(latest, held=False), _runs(history), len(history), reads.elapsed, seen)


def held_before(context: SessionContext, check: Check, baseline: Baseline) -> bool | None:
    """Whether the check held on the screen before the action; None where that is not known."""
    before = baseline.before
    if before is None or not check.judges_any_screen:
        return None
    sample = check.test(CheckInput(before, context.observer, before, baseline.acted, now=False))
    return sample.held if sample.decided else None


def _screen_now(context: SessionContext) -> Snapshot | None:
    """The screen for the message of a check that judges none, as far as it can be read."""
    try:
        return context.observer.fresh().snapshot
    except (DeviceError, SnapshotError):
        return context.observer.latest


def _holds(check: Check, row: list[Sample], window: float) -> bool:
    if not row:
        return False
    if check.holds == "once":
        return True
    if len(row) < AGREEING_READS:
        return False
    return check.holds == "settled" or row[-1].received_at - row[0].requested_at >= window


def _runs(history: list[Read]) -> tuple[Read, ...]:
    """The history with each run of equal samples as one line, where it began; and the last one."""
    return tuple(
        read
        for index, read in enumerate(history)
        if index == 0 or read.observed != history[index - 1].observed or index == len(history) - 1
    )
