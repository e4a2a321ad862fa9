"""``Reads`` with a deadline, and ``settle``: read until two consecutive reads agree, within a
window (RFC 010)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ...errors import DeviceError, DeviceOffline, ProtocolError, SnapshotError, what_happened
from ...model import AnyDict, Clock, Element, Strings
from ...snapshots import Snapshot
from ..step import Interrupt, SessionContext
from .observer import Reading, agree, changed_alone

_SHORTEST = 0.05  # seconds; shorter waits print as 0.0
_MOST_REASONS = 6


class WaitLog:
    """Reasons of a wait, in the order in which they came up, with the time of each, for the trace
    and messages."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._spent: dict[str, float] = {}
        self._what: str | None = None
        self._since = clock.now()

    def on(self, what: str | None) -> None:
        """Waits for that from now on; for nothing, with None."""
        now = self._clock.now()
        if self._what is not None:
            self._spent[self._what] = self._spent.get(self._what, 0.0) + now - self._since
        self._what, self._since = what, now

    @property
    def several(self) -> bool:
        """Whether there was more than one reason."""
        return len(self._reasons()) > 1

    def describe(self) -> str:
        """``disabled 1.2 s, then moving 0.3 s``; "" if nothing was waited for."""
        return ", then ".join(self._reasons()[:_MOST_REASONS])

    def _reasons(self) -> list[str]:
        self.on(None)
        return [
            f"{what} {seconds:.1f} s"
            for what, seconds in self._spent.items()
            if seconds >= _SHORTEST
        ]


AGREEING_READS = 2
T = TypeVar("T")


_A_MOMENT = 0.01
MOST_FORGIVEN = 3
FORGIVEN_SECONDS = 5.0  # a read; a phone that lets every question time out is in trouble, not slow


@dataclass(frozen=True)
class Settled:
    """The result of a wait for a stable screen: the last one read, and whether the last two reads
    agreed."""

    snapshot: Snapshot
    reads: int
    agreed: bool
    waited: float
    failed_reads: int = 0
    waited_for: str = ""
    masked: Strings = ()  # names in volatile regions, which were ignored

    def notes(self) -> AnyDict:
        """For the trace."""
        notes: AnyDict = {
            "reads": self.reads,
            "agreed": self.agreed,
            "waited_ms": round(self.waited * 1000),
            "snapshot": self.snapshot.id,
        }
        if self.failed_reads:
            notes["failed_reads"] = self.failed_reads
        if self.waited_for:
            notes["waited_for"] = self.waited_for
        if self.masked:
            notes["masked"] = ", ".join(self.masked)
        if not self.agreed:
            loading = "it went on loading" if self.snapshot.loading else ""
            notes.update(
                result="retry", reason=loading or "no two reads in a row agreed within the window"
            )
        return notes


class Reads:
    """Paced reading with a deadline: failed reads are counted, reset agreement, and are evidence of
    nothing; the time that the first few of them took is given back."""

    def __init__(
        self,
        context: SessionContext,
        timeout: float,
        known: Sequence[Reading] = (),
        since: float | None = None,
    ) -> None:
        """``known`` are readings that are there already, and count first. ``since`` is when the
        time-out began, if that was before now."""
        self._context = context
        self._known = list(known)
        self.started = context.clock.now() if since is None else since
        self.deadline = self.started + timeout
        self.good = 0
        self.last: Snapshot | None = None  # the last screen that was read
        self.failed = 0
        self.forgiven = False  # the last failed read, wholly
        self.pause = context.settings.pause  # from the last read's request to the next
        self._requested = float("-inf")
        self._error: Exception | None = None
        self.interrupted = ""  # the title of an announced interruption that the last read showed

    @property
    def elapsed(self) -> float:
        return self._context.clock.now() - self.started

    @property
    def out_of_time(self) -> bool:
        """Whether the time is over, and nothing that is known is left to be judged."""
        return not self._known and self._context.clock.now() >= self.deadline

    def pace(self, pause: float) -> None:
        """Seconds from the request of one read to that of the next, from now on."""
        self.pause = pause

    def describe(self) -> str:
        """``3 reads, 5.0 s``, and how many failed."""
        good = "1 read" if self.good == 1 else f"{self.good} reads"
        failed = f", {self.failed} failed" if self.failed else ""
        return f"{good}{failed}, {self.elapsed:.1f} s"

    def __iter__(self) -> Iterator[Reading | None]:
        """Reads until the time is over, at least once: None for a read that failed."""
        while True:
            yield self.next()
            if self.out_of_time:
                return

    def next(self) -> Reading | None:
        """One more read of the screen; None if it failed, or was interrupted."""
        if self._known:
            known = self._known.pop(0)
            self._requested, self.last = known.requested_at, known.snapshot
            self.good += 1
            return known
        self.interrupted = ""
        reading = self.attempt(self._context.observer.read)
        if not reading:
            return None
        # not for a policy, which answers, and does nothing
        waiting = [] if self._context.is_asking else self._context.interrupts
        for one in waiting:
            if one.shows(reading.snapshot):
                self._interrupt(one, reading)
                return None
        self.last = reading.snapshot
        return reading

    def _interrupt(self, one: Interrupt, reading: Reading) -> None:
        """Handles an interruption: the read does not count, and the deadline moves by the time it
        took."""
        clock = self._context.clock
        began = clock.now()
        one.meet(reading.snapshot)
        now, least = clock.now(), max(self._context.settings.pause, _A_MOMENT)
        self.good -= 1
        self.started += now - began
        self.deadline = max(self.deadline + now - began, now + least)
        self.interrupted = one.title

    def attempt(self, read: Callable[[], T]) -> T | None:
        """Asks once more, a pause after the last was requested; None if that failed."""
        clock = self._context.clock
        clock.sleep(self._requested + self.pause - clock.now())
        self._requested = clock.now()
        try:
            answer = read()
        except DeviceOffline:
            raise
        except (SnapshotError, DeviceError) as error:
            if not error.recoverable:
                raise
            self._error = error
            self.failed += 1
            spent, few = clock.now() - self._requested, self.failed <= MOST_FORGIVEN
            self.forgiven = few and spent <= FORGIVEN_SECONDS
            if few:
                self.deadline += min(spent, FORGIVEN_SECONDS)
            return None
        self.good += 1
        return answer

    def record_failure(self, error: DeviceError) -> None:
        """Counts the last read as failed after all."""
        self._error = error
        self.good -= 1
        self.failed += 1

    @property
    def trouble(self) -> str:
        """The reason why the last read does not count: an interruption, or the first line of its
        error."""
        return self.interrupted or f"read failed: {what_happened(self._error)}"

    def raise_if_no_read(self, needed: int = 1) -> None:
        """Raises ``DeviceError`` if fewer reads than ``needed`` succeeded: the app is then
        unknown."""
        if self.good >= needed or self._error is None:
            return
        if isinstance(self._error, DeviceError) and not isinstance(self._error, ProtocolError):
            raise self._error
        raise ProtocolError(
            f"the screen could not be read: {self.failed} of {self.failed + self.good} reads in "
            f"{self.elapsed:.1f} s failed; the last: {self._error}",
            exchange=getattr(self._error, "exchange", ""),
            device=self._context.driver.uri,
        ) from self._error


def read_now(context: SessionContext, *, again: bool = False) -> Reading:
    """The last reading where it still counts, else a new one, within the window: one that fails is
    made again. With ``again`` it is a new one in any case. Raises ``DeviceError`` if none
    succeeded."""
    reads = Reads(context, context.settings.window, () if again else context.observer.recent()[-1:])
    while (reading := reads.next()) is None:
        if reads.out_of_time:
            reads.raise_if_no_read()
    return reading


def settled_now(context: SessionContext, *, printed: bool = False) -> Snapshot:
    """The screen as it stands, without a dump where two recent reads agree on it. ``printed``: for
    the test to see all of it."""
    recent, observer = context.observer.recent(), context.observer
    if observer.volatile.agreed(recent):
        if not (printed and observer.pictures.take(recent[-1].snapshot, printed=True)):
            return recent[-1].snapshot
        reading = Reads(context, 0.0).next()  # which confirms the pictures
        if reading and observer.volatile.agreed([recent[-1], reading]):
            return reading.snapshot
    return settle(context, printed=printed).snapshot


def settle(
    context: SessionContext,
    before: Snapshot | None = None,
    *,
    acted: Element | None = None,
    started: str = "",
    printed: bool = False,
) -> Settled:
    """Reads after a gesture until two consecutive reads agree, or the window is over.

    At least two reads in a row are always granted, and again after each of the first few that fail.
    A screen that looks as it did before the gesture is watched for ``quiet`` seconds, since an
    effect may take a moment to begin: not one of ``started``, an app that was ended before. A
    loading screen is not settled: it is waited for up to the time-out of actions, unless it was
    loading before. Known volatile regions of this screen are ignored.

    Where ``acted``, the element of the gesture, has changed in its place, and nothing else has, the
    control took its state and nothing is in motion: then the next read may follow sooner than
    usual.
    """
    run = _Run(context, before, acted, started, printed)
    while True:
        reading = run.reads.next()
        settled = run.failed() if not reading else run.look(reading)
        if settled:
            return settled


@dataclass
class _Run:
    """One wait for a screen to settle: ``_row`` are the reads since the last one that failed."""

    _context: SessionContext
    _before: Snapshot | None
    _acted: Element | None
    _started: str
    _printed: bool

    def __post_init__(self) -> None:
        context = self._context
        self.reads = Reads(context, context.settings.window)
        self._timeout = context.settings.action_timeout
        self._volatile = context.observer.volatile
        self._waited = WaitLog(context.clock)
        self._row: list[Reading] = []
        self._began = (
            self.reads.started
        )  # of the window: what loads begins to settle when it has loaded
        self._granted = 0  # good reads since then

    def failed(self) -> Settled | None:
        """After a failed read: agreement starts again."""
        self._row = []
        self.reads.pace(self._context.settings.pause)
        if self.reads.interrupted:
            self._began, self._granted = self._context.clock.now(), 0
            self._waited.on(None)
            return None
        self._waited.on("unreadable")
        if self.reads.forgiven and self.reads.good:
            # on a slow phone the window may be over by now, and one read agrees with none
            self._granted = 0
        elif self.reads.out_of_time and self._is_window_over():
            self.reads.raise_if_no_read()
            if self.reads.last:
                return self._settled(agreed=False)
        return None

    def look(self, reading: Reading) -> Settled | None:
        """After a good read: the result, None if another read is due."""
        snapshot = reading.snapshot
        self._row.append(reading)
        self._granted += 1
        agreed = self._agreed()
        loading = self._volatile.loads(snapshot)
        quiet = self._before is not None and self._volatile.alike(self._before, snapshot)
        early = self.reads.elapsed < self._context.settings.quiet
        idle = all((quiet, early, not self._started == snapshot.app != ""))
        if loading:
            self._waited.on("loading")
        elif not agreed and len(self._row) >= AGREEING_READS:
            self._waited.on("changing")
        elif idle:
            self._waited.on("no effect")
        elif agreed:
            return self._settled(agreed=True)
        else:
            self._waited.on(None)
        if self._is_over(snapshot, loading):
            return self._given_up(snapshot, loading)
        self.reads.pace(self._pause(snapshot))
        taken = None
        if self._printed:  # in the pause that has to be made anyway
            taken = self._context.observer.pictures.take(snapshot, printed=True)
        self._context.screens.keep_picture(snapshot, taken)
        return None

    def _agreed(self) -> bool:
        """Whether the last two reads agree: all of them where the one followed sooner than
        usual."""
        sooner = self.reads.pause < self._context.settings.pause
        if sooner and len(self._row) >= AGREEING_READS:
            return agree(self._row[-2].snapshot, self._row[-1].snapshot)
        return self._volatile.agreed(self._row)

    def _pause(self, snapshot: Snapshot) -> float:
        """Until the next read. What moves, comes or goes is watched for the whole of the usual
        pause: an animation may show two frames alike."""
        pauses = self._context.settings.pauses
        if len(pauses) == 1 or not self._acted or not self._before:
            return pauses[-1]
        calm = changed_alone(self._acted, self._before, snapshot)
        return pauses[min(self._granted, len(pauses)) - 1 if calm else -1]

    def _is_over(self, snapshot: Snapshot, loading: bool) -> bool:
        before = self._before
        loaded = before is not None and before.loading and before.screen_key == snapshot.screen_key
        if loading and not loaded and self.reads.elapsed < self._timeout:
            self._began, self._granted = self._context.clock.now(), 0
            return False
        if loading and self.reads.elapsed >= self._timeout:
            return self.reads.good >= AGREEING_READS
        return self._granted >= AGREEING_READS and self._is_window_over()

    def _is_window_over(self) -> bool:
        return self._context.clock.now() - self._began >= self._context.settings.window

    def _given_up(self, snapshot: Snapshot, loading: bool) -> Settled:
        """The window is over: learns the volatile regions, where only these kept the reads from
        agreeing."""
        if loading:
            if self.reads.elapsed >= self._timeout:  # it loads for ever, and was awaited in vain
                self._volatile.loading.add(snapshot.screen_key)
            return self._settled(agreed=False)
        self._volatile.learn([reading.snapshot for reading in self._row])
        return self._settled(agreed=self._volatile.agreed(self._row))

    def _settled(self, *, agreed: bool) -> Settled:
        assert self.reads.last is not None
        previous = self._row[-2].snapshot if len(self._row) >= AGREEING_READS else None
        masked = self._volatile.masked(previous, self.reads.last)
        return Settled(
            self.reads.last,
            self.reads.good,
            agreed,
            self.reads.elapsed,
            failed_reads=self.reads.failed,
            waited_for=self._waited.describe(),
            masked=masked if agreed else (),
        )
