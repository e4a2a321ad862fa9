"""``Check``: one condition that an ``expect_*`` asserts, and waiting until it holds.

A check holds when it held on two consecutive fresh reads, or through one whole window for a state
that must last. Most are about the screen: the action's own reads count and cost no further dump.
Some ask the phone for its log or its apps, and need no dump at all. ``explain`` makes the message
of one that failed: expected and observed, its reads, near misses, what changed, the screen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar, Literal, NamedTuple

from ...errors import DeviceError, DeviceOffline, ReplicantError, SnapshotError, UndecidableText
from ...model import (
    NOTHING_MORE,
    AnyMapping,
    CheckFacts,
    Element,
    Explanation,
    Failure,
    FailureCode,
    Line,
    LooksRecord,
    Read,
    Undecided,
    one_line,
    written,
)
from ...snapshots import Snapshot
from ..arguments import Target
from ..device_log.evidence import died_meanwhile, with_failed_request
from ..reachability import hides_the_app
from ..stabilize.observer import Observer, agree
from ..stabilize.reads import AGREEING_READS, Reads
from ..step import SessionContext

NOT_COMPARED: Literal["not compared"] = "not compared"
"""The problem of a sample that found nothing to compare with."""
_MOST_READS = 6  # in the message of a failed check
_LONGEST = 80  # characters of one of them
# lines of what the action changed: its answer; of more, most are of another screen
_MOST_CHANGED = 5
_MOST_LATE = 3  # failed reads after the time-out of a check that held on every good one


Ended = Literal["passed", "failed", "error", "not compared"]


@dataclass(frozen=True)
class CheckInput:
    """The screen that a check judges, and the action before it: ``before`` is the screen then,
    ``acted`` its element. ``now`` is False for a screen of the past, of which nothing more can be
    asked."""

    snapshot: Snapshot
    observer: Observer
    before: Snapshot | None = None
    acted: Element | None = None
    now: bool = True


@dataclass(frozen=True)
class _Sample:
    """A verdict. ``facts`` is what was observed by name, for the trace; ``snapshot`` the screen
    that was looked at, if the check took one itself."""

    held: ClassVar[bool]
    observed: Line
    facts: AnyMapping = field(default_factory=dict, compare=False)
    snapshot: Snapshot | None = None
    problem: str = ""
    more: Explanation = field(default=NOTHING_MORE, compare=False)
    final: bool = False
    excused: bool = False


class Held(_Sample):
    """The verdict of a condition that holds."""

    held = True


class Failed(_Sample):
    """The verdict of a condition that does not hold. ``more`` explains it, and ``problem`` is a
    word for it if that is not the check's own. ``final``: no later read can show anything else.
    ``excused``: it fails no test, as it was not compared at all."""

    held = False


Verdict = Held | Failed | Undecided


def verdict(
    held: bool, observed: Line, facts: AnyMapping = MappingProxyType({}), **parts: Any
) -> Verdict:
    """``Held``, or ``Failed`` with these parts."""
    return Held(observed, facts) if held else Failed(observed, facts, **parts)


def undecided(why: Line, *, more: Explanation = NOTHING_MORE, **facts: Any) -> Undecided:
    """The verdict of a read that says neither yes nor no, as of one that leaves out what the check
    is about."""
    return Undecided(why, more, facts)


class Judged(NamedTuple):
    """A verdict with the time of its read, in seconds of the session's clock."""

    verdict: Verdict
    requested_at: float
    received_at: float
    snapshot: Snapshot | None = None


def under_system(snapshot: Snapshot) -> Undecided:
    """The verdict on a target that a window of the system's lacks: the app that it lies over is in
    front, and cannot be read."""
    return undecided(
        f"a window of the system lies over {snapshot.over}, whose screen it hides",
        more=Explanation(advice=("answer it, or turn on Do Not Disturb if it is a notification",)),
    )


@dataclass(frozen=True)
class Check(CheckFacts):
    """One condition, with everything that the session, policies and reports need to know about it.

    ``holds`` says when it holds: on two consecutive reads ("settled"), through one whole window
    ("window"), or on any single read ("once"); for ``stays`` seconds at least. ``test`` judges a
    screen; where ``ask`` is given, no screen is judged, and each read is one call of that, and
    ``then`` says of a screen of the past whether it held. ``compares``: judges the difference from
    the screen before the action. ``looks`` is what was compared of pictures, given how the check
    ended. ``came`` says that it held, of one that did so too late. ``explains`` is asked of the
    last screen of a check that did not hold.
    """

    test: Callable[[CheckInput], Verdict] = lambda _: Failed("not on any screen")
    ask: Callable[[SessionContext], Verdict] | None = None
    holds: Literal["settled", "window", "once"] = "settled"
    code: FailureCode = "VERIFICATION_FAILED"
    target: Target | None = None
    compares: bool = False
    stays: float = 0.0
    then: Callable[[Snapshot], bool | None] | None = None
    looks: Callable[[Ended], LooksRecord | None] | None = None
    came: str = "it held"
    explains: Callable[[CheckInput], Explanation] | None = None

    @property
    def facts(self) -> CheckFacts:
        """The facts alone, for policies and the trace."""
        return CheckFacts(**{item.name: getattr(self, item.name) for item in fields(CheckFacts)})


@dataclass(frozen=True)
class Baseline:
    """The action that a check is about: its id ("" for none), the screen before it and the element
    it acted on. ``idempotent``: repeating it does no harm."""

    action_id: str = ""
    before: Snapshot | None = None
    acted: Element | None = None
    idempotent: bool = False


@dataclass(frozen=True)
class CheckOutcome:
    """The end of the wait for a check. ``reads`` lists runs of equal samples once, ``count`` is how
    many reads there were; ``snapshot`` is the last screen, None if none could be read. ``error`` is
    the phone's trouble where too little could be read to know. ``waits_since``: a window hides what
    it is about, and it may go on with a wait that began then."""

    verdict: Verdict
    reads: tuple[Read, ...] = ()
    count: int = 0
    elapsed: float = 0.0
    snapshot: Snapshot | None = None
    error: ReplicantError | None = None
    waits_since: float | None = None

    @property
    def held(self) -> bool:
        return self.verdict.held

    @property
    def observed(self) -> str:
        return written(self.verdict.observed)

    @property
    def held_since(self) -> float:
        """Seconds from the first read to that from which on it held."""
        since = 0.0
        for read in reversed(self.reads):
            if not read.held:
                break
            since = read.at
        return since

    @property
    def steady(self) -> bool:
        """Whether the last two reads showed the same, and the condition did not hold on the last
        one."""
        same = len(self.reads) < 2 or self.reads[-1].observed == self.reads[-2].observed
        return same and not (self.reads and self.reads[-1].held)


def _read(context: SessionContext, check: Check, reads: Reads, baseline: Baseline) -> Judged | None:
    """The next verdict; None if the read failed."""
    if check.ask is not None:
        return reads.attempt(partial(_asked, context, check.ask))
    reading = reads.next()
    if reading is None:
        return None
    try:
        found = _judged(
            check, CheckInput(reading.snapshot, context.observer, baseline.before, baseline.acted)
        )
    except DeviceOffline:
        raise
    except DeviceError as error:  # of a further question, such as the activity in front
        reads.record_failure(error)
        return None
    return Judged(found, reading.requested_at, reading.received_at, reading.snapshot)


def _judged(check: Check, look: CheckInput) -> Verdict:
    try:
        found = check.test(look)
    except UndecidableText as error:
        return undecided(error.why)
    claims_absence = check.proves_absence or check.absent or "count" in check.wanted
    if not look.snapshot.over or (found.held and not claims_absence):
        return found
    return under_system(look.snapshot)


def _asked(context: SessionContext, ask: Callable[[SessionContext], Verdict]) -> Judged:
    now = context.clock.now
    requested_at = now()
    found = ask(context)
    return Judged(found, requested_at, now(), found.snapshot)


def await_check(
    context: SessionContext,
    check: Check,
    timeout: float,
    baseline: Baseline,
    *,
    asks: bool = False,
    since: float | None = None,
) -> CheckOutcome:
    """Reads until the check holds or the time is over.

    Two reads are granted however slow a dump is. A check that holds when the time is over gets what
    it still lacks: its second read, or the rest of its window or of ``stays``, which starts again
    after a read that failed. If it ``asks``, the wait ends for the policies once a window is known
    to hide what it is about; ``since`` is when one began that goes on. Raises ``DeviceError`` if
    too few reads succeeded to know.
    """
    wait = _Wait(context, check, timeout, since)
    while True:
        judged = _read(context, check, wait.reads, baseline)
        if judged is None:
            wait.note_failure()
        elif wait.holds(judged):
            return wait.outcome(judged.verdict, judged.snapshot or context.observer.latest)
        if wait.is_over(judged):
            return wait.ended()
        if asks and judged is not None and not judged.verdict.held and wait.is_under_window(judged):
            return replace(wait.ended(), waits_since=wait.reads.started)


class _Wait:
    """One wait for a check: ``row`` are the consecutive reads on which it held."""

    def __init__(
        self, context: SessionContext, check: Check, timeout: float, since: float | None
    ) -> None:
        self.reads = Reads(
            context, timeout, context.observer.recent() if check.ask is None else (), since
        )
        self._context = context
        self._check = check
        self._needed = 1 if check.holds == "once" else AGREEING_READS
        self._history: list[Read] = []
        self._row: list[Judged] = []
        self._latest: Judged | None = None
        self._late = 0  # reads that failed after the time-out

    def note_failure(self) -> None:
        """A read failed: agreement starts again."""
        reads = self.reads
        self._row = []
        self._late += reads.out_of_time
        self._history.append(
            Read(round(reads.elapsed, 3), reads.trouble, False, failed=not reads.interrupted)
        )

    def holds(self, judged: Judged) -> bool:
        """Whether it holds, with this read."""
        self._latest, found = judged, judged.verdict
        at = max(judged.received_at - self.reads.started, 0.0)
        self._history.append(Read(round(at, 3), written(found.observed), found.held))
        self._row = row = [*self._row, judged] if found.held else []
        window = self._context.settings.window if self._check.holds == "window" else 0.0
        least = max(self._check.stays, window)
        return len(row) >= self._needed and row[-1].received_at - row[0].requested_at >= least

    @property
    def _held_so_far(self) -> bool:
        return self._latest is not None and self._latest.verdict.held

    def is_over(self, judged: Judged | None) -> bool:
        """Whether no further read is due after this one."""
        if judged is not None and judged.verdict.final:
            return True
        if not self.reads.out_of_time:
            return False
        lacks_one = judged is not None and self.reads.good < self._needed
        return not lacks_one and not (self._held_so_far and self._late < _MOST_LATE)

    def is_under_window(self, judged: Judged) -> bool:
        """Whether two reads in a row show a window that hides what the check looks for."""
        seen, check, observer = judged.snapshot, self._check, self._context.observer
        if seen is None or seen.dialog is None:
            return False
        if (
            check.proves_absence
            or not check.about_screen
            or not observer.volatile.agreed(observer.row)
        ):
            return False
        return hides_the_app(seen) or judged.verdict.problem == "covered"

    def ended(self) -> CheckOutcome:
        """The outcome of a check that did not come to hold. Raises ``DeviceError`` if that is not
        known."""
        latest = self._latest
        if latest is None or not latest.verdict.final:
            self.reads.raise_if_no_read(self.reads.good + 1 if self._held_so_far else self._needed)
        assert latest is not None
        found = latest.verdict
        if isinstance(found, Held):  # not for as long as it had to
            found = Failed(found.observed, found.facts)
        seen, observer = latest.snapshot, self._context.observer
        if seen is None:  # the screen for the message of a check that judges none
            with suppress(DeviceError, SnapshotError):
                seen = observer.fresh().snapshot
        return self.outcome(found, seen or observer.latest)

    def outcome(self, found: Verdict, seen: Snapshot | None) -> CheckOutcome:
        return CheckOutcome(
            found, _runs(self._history), len(self._history), self.reads.elapsed, seen
        )


def held_before(
    context: SessionContext, check: Check, baseline: Baseline, seen: Snapshot | None = None
) -> bool | None:
    """Whether the check held on the screen before the action; None if that is not known. What no
    hierarchy says, as the activity, was the same if ``seen``, the screen on which it held, is the
    same one."""
    before = baseline.before
    if before is not None and check.then is not None:
        return check.then(before)
    then = judged_then(context, check, baseline)
    if then is None:
        return None
    if not isinstance(then, Undecided):
        return then.held
    if before is None or seen is None:
        return None
    return True if agree(seen, before) or seen.screen_key == before.screen_key else None


def judged_then(context: SessionContext, check: Check, baseline: Baseline) -> Verdict | None:
    """The verdict on the screen of a baseline, of which nothing more can be asked; None if no
    screen tells."""
    before = baseline.before
    if before is None or check.ask is not None or check.compares:
        return None
    return _judged(check, CheckInput(before, context.observer, before, baseline.acted, now=False))


def _runs(history: list[Read]) -> tuple[Read, ...]:
    """The history with each run of equal samples as one line, where it began; and the last one."""
    return tuple(
        read
        for index, read in enumerate(history)
        if index == 0 or read.observed != history[index - 1].observed or index == len(history) - 1
    )


# --- the message of one that failed ---------------------------------------------------------------


def explained(
    context: SessionContext,
    check: Check,
    outcome: CheckOutcome,
    baseline: Baseline,
    failure: Failure,
) -> Failure:
    """The failure with what says more of it: the app's death, else a request that failed and what
    came near; its reads, and what the action changed."""
    death = died_meanwhile(context) if not check.reports_crash else ""
    differing = len(outcome.reads) > 1 and any(
        read.observed != outcome.observed for read in outcome.reads
    )
    failure = replace(
        failure,
        meanwhile=(death,),
        details=(_history(outcome),) if differing else (),
        changed=tuple(_compared(context, check, outcome, baseline)),
    )
    if death:  # a near miss on the home screen says nothing
        return failure
    found, more = outcome.verdict, outcome.verdict.more
    seen = None if more else outcome.snapshot
    if check.explains is not None and seen is not None:
        with suppress(ReplicantError):  # the failure itself matters more
            look = CheckInput(seen, context.observer, baseline.before, baseline.acted)
            more = check.explains(look)
    if isinstance(found, Undecided):
        doubtful = replace(failure, undecided=replace(found, more=more))
        return doubtful.explained(replace(more, advice=()))
    return with_failed_request(context, failure.explained(more))


def _history(outcome: CheckOutcome) -> str:
    """The samples with their times; of a long history its beginning and end."""
    shown = [f"{read.at:.1f} {one_line(read.observed, _LONGEST)}" for read in outcome.reads]
    if len(shown) > _MOST_READS:
        left_out = len(shown) - _MOST_READS
        shown[2 : 2 + left_out] = [f"… {left_out} more …"]
    return "  " + "   ".join(shown)


def _compared(
    context: SessionContext, check: Check, outcome: CheckOutcome, baseline: Baseline
) -> Iterator[str]:
    """Whether the check held before the action, and what the action changed, as far as that is an
    answer: of another screen, all of which is new, the outline says it."""
    if baseline.before is None or outcome.snapshot is None or check.compares:
        return
    held = held_before(context, check, baseline)
    if held is not None:
        yield "It held before the action." if held else "It did not hold before the action either."
    diff = outcome.snapshot.diff(baseline.before)
    yield f"The action changed: {diff.summary}"
    lines = diff.lines if diff.same_screen else ()
    yield from (f"  {line}" for line in lines[:_MOST_CHANGED])
    if len(lines) > _MOST_CHANGED:
        yield f"  … and {len(lines) - _MOST_CHANGED} more"
