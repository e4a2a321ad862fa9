"""Read until reads agree (RFC 010): two consecutive ones, whatever a dump takes, within a bounded window."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import DeviceError, DeviceOffline, ProtocolError, SnapshotError, is_told

if TYPE_CHECKING:
    from ..snapshots.snapshot import Snapshot
    from .observe import Reading
    from .step import Parts

__tracebackhide__ = is_told

AGREEING_READS = 2


@dataclass(frozen=True)
class Settled:
    """The last reading, how many it took, and whether the last two agreed."""

    reading: Reading
    previous: Reading | None
    reads: int
    agreed: bool
    waited: float

    @property
    def snapshot(self) -> Snapshot:
        return self.reading.snapshot


class Reads:
    """Paced reading with a deadline: failed reads are counted, reset agreement, and are evidence of nothing."""

    def __init__(self, parts: Parts, timeout: float) -> None:
        self._parts = parts
        self.started = parts.clock.now()
        self.deadline = self.started + timeout
        self.good = 0
        self.failed = 0
        self._requested = float("-inf")
        self._error: Exception | None = None

    @property
    def elapsed(self) -> float:
        return self._parts.clock.now() - self.started

    @property
    def out_of_time(self) -> bool:
        return self._parts.clock.now() >= self.deadline

    def told(self) -> str:
        """``3 reads, 5.0 s``, and how many failed."""
        good = "1 read" if self.good == 1 else f"{self.good} reads"
        failed = f", {self.failed} failed" if self.failed else ""
        return f"{good}{failed}, {self.elapsed:.1f} s"

    def reuse(self, reading: Reading) -> Reading:
        """Counts a reading that is already there as the first."""
        self._requested = reading.requested_at
        self.good += 1
        return reading

    def next(self) -> Reading | None:
        """One more read, an interval after the last was requested; None where it failed."""
        clock = self._parts.clock
        clock.sleep(self._requested + self._parts.settings.interval - clock.now())
        self._requested = clock.now()
        try:
            reading = self._parts.observer.read()
        except DeviceOffline:
            raise
        except (SnapshotError, DeviceError) as error:
            self._error = error
            self.failed += 1
            return None
        self.good += 1
        return reading

    @property
    def trouble(self) -> str:
        """The first line of what the last failed read said."""
        return str(self._error).split("\n", 1)[0]

    def raise_if_blind(self, needed: int = 1) -> None:
        """Where fewer reads than ``needed`` succeeded nothing is known about the app: that is tool trouble."""
        if self.good >= needed or self._error is None:
            return
        if isinstance(self._error, DeviceError):
            raise self._error
        raise ProtocolError(
            f"the screen could not be read: {self.failed} of {self.failed + self.good} reads in "
            f"{self.elapsed:.1f} s failed; the last: {self._error}",
            device=self._parts.driver.uri,
        ) from self._error


def settle(parts: Parts, before: Snapshot | None) -> Settled:
    """Reads after a gesture until two consecutive reads agree, or the window is over.

    At least two reads are always granted. A screen that looks as it did before the gesture is watched for
    ``quiet`` seconds, since an effect may take a moment to begin. A loading screen is not settled.
    """
    settings = parts.settings
    reads = Reads(parts, settings.window)
    latest: Reading | None = None
    previous: Reading | None = None  # None again after a failed read: agreement starts anew
    while True:
        reading = reads.next()
        if reading is None:
            previous = None
            if reads.out_of_time:
                reads.raise_if_blind()
                if latest is not None:
                    return Settled(latest, None, reads.good, agreed=False, waited=reads.elapsed)
            continue
        latest = reading
        agreed = previous is not None and agree(previous.snapshot, reading.snapshot)
        unchanged = before is not None and agree(before, reading.snapshot)
        waiting_for_effect = unchanged and reads.elapsed < settings.quiet
        if agreed and not waiting_for_effect and not reading.snapshot.loading:
            return Settled(reading, previous, reads.good, agreed=True, waited=reads.elapsed)
        if reads.out_of_time and reads.good >= AGREEING_READS:
            return Settled(reading, previous, reads.good, agreed=agreed, waited=reads.elapsed)
        previous = reading
        parts.recorder.keep_screenshot(reading.snapshot)  # in the pause that has to be made anyway


def agree(one: Snapshot, other: Snapshot) -> bool:
    """The same content in the same places; ticking clocks apart, which the fingerprint masks."""
    if one is other:
        return True
    return one.fingerprint == other.fingerprint and _places(one) == _places(other)


def _places(snapshot: Snapshot) -> list[object]:
    return [(element.identity, element.bounds) for element in snapshot.elements]
