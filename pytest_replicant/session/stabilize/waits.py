"""``wait_for`` and its kin: they synchronise and verify nothing. Each wait is an event of the trace."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from ...errors import DeviceError, DeviceTimeout, ReplicantError, TargetError
from ...model import Failure, TraceEvent
from ..actionability import resolve
from ..arguments import describe
from ..recording.failures import failure_record
from ..screen_text import format_screen
from ..step import StageFailed
from .reads import AGREEING_READS, Reads

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ...model import Element, FailureCode, FailureRecord
    from ...snapshots import Snapshot, SnapshotDiff
    from ..arguments import Target
    from ..step import SessionContext
    from .observer import Reading


class _Wait:
    """One wait while it lasts. ``met`` describes its end, "" until then; ``last`` is the last screen read."""

    def __init__(self, reads: Reads) -> None:
        self.reads = reads
        self.met = ""
        self.last: Snapshot | None = None


@contextmanager
def _recorded(context: SessionContext, verb: str, awaited: str, timeout: float) -> Iterator[_Wait]:
    """Records a wait in the trace, however it ends."""
    log = context.recorder.begin_check("")
    before = context.observer.latest
    wait = _Wait(Reads(context, timeout))
    error, result = "", "met"
    record: FailureRecord | None = None
    try:
        yield wait
    except ReplicantError as failed:
        error, result = str(failed), "unreadable" if isinstance(failed, DeviceError) else "timed out"
        page = context.recorder.report_page
        if page and isinstance(failed, TargetError):
            failed.args = (f"{failed}\nOpen: {page}",)
        record = failed.failure = failed.failure or _record_of(failed, verb, wait.last)
        raise
    finally:
        details = {
            "awaited": awaited,
            "result": result,
            "observed": wait.met,
            "reads": wait.reads.good,
            "failed_reads": wait.reads.failed,
            "waited_ms": round(wait.reads.elapsed * 1000),
        }
        names = [one.id if one is not None else None for one in (before, wait.last)]
        event = TraceEvent(
            "wait",
            f"{verb} {awaited}",
            0,
            0,
            before=names[0],
            after=names[1],
            error=error,
            details=details,
            failure=record,
        )
        if wait.last is not None:
            context.recorder.keep_screenshot(wait.last)
        context.recorder.keep(event, log)


def _record_of(error: ReplicantError, verb: str, last: Snapshot | None) -> FailureRecord:
    code: FailureCode = "TIMEOUT" if isinstance(error, (TargetError, DeviceTimeout)) else "UNKNOWN"
    device = error if isinstance(error, DeviceError) else None
    failed = Failure(code, "", action_type=verb, stage="verify", snapshot=last, error=device)
    return failure_record(failed, type(error).__name__)


def await_any(
    context: SessionContext,
    branches: Mapping[str, Target],
    timeout: float,
    verb: str = "wait_for",
    *,
    several: bool = False,
) -> tuple[str, Element]:
    """The first branch whose target is on two consecutive reads, and its element. Raises ``TargetError``
    with the last outline where none came in time, ``DeviceError`` where nothing could be read. Where
    ``several`` will do, the first of them stands for all."""
    wanted = " or ".join(describe(target) for target in branches.values())
    with _recorded(context, verb, wanted, timeout) as wait:
        reads = wait.reads
        waiting = [reads.reuse(reading) for reading in context.observer.recent()]
        counts = dict.fromkeys(branches, 0)
        trouble: StageFailed | None = None
        granted = False  # once the time is over, a branch that is there gets its second read, and no more
        while True:
            reading = waiting.pop(0) if waiting else reads.next()
            if reading is None:
                counts = dict.fromkeys(branches, 0)
            else:
                wait.last = reading.snapshot
                for name, target in branches.items():
                    try:
                        element = _there(context, reading.snapshot, target, several)
                    except StageFailed as failed:
                        counts[name], trouble = 0, failed
                        continue
                    counts[name] += 1
                    if counts[name] >= AGREEING_READS:
                        wait.met = f"{name}: {element.describe()}" if name else element.describe()
                        return name, element
            if not waiting and reads.out_of_time:
                if (granted or not any(counts.values())) and (trouble is not None or reads.failed):
                    break
                granted = True
        reads.raise_if_no_read(1 if trouble is not None else AGREEING_READS)
        assert trouble is not None
        only = next(iter(branches.values())) if len(branches) == 1 else None
        raise trouble.as_target_error(
            verb, only, f"waited for {wanted} on {context.driver.uri} ({reads.describe()})\n"
        )


def _there(context: SessionContext, snapshot: Snapshot, target: Target, several: bool) -> Element:
    try:
        return resolve(context.observer, snapshot, target)
    except StageFailed as failed:
        if several and failed.failure.code == "AMBIGUOUS_TARGET" and failed.failure.candidates:
            return failed.failure.candidates[0]
        raise


def await_change(context: SessionContext, timeout: float) -> SnapshotDiff:
    """The change since the last read before this call, so that a change that is over already counts.

    Two consecutive reads must show it and agree on it, or go on changing for a whole window. A volatile region is
    no change. Raises ``TargetError`` where nothing changed in time."""
    base = context.observer.latest
    with _recorded(context, "wait_for_change", "a change", timeout) as wait:
        reads = wait.reads
        row: list[Reading] = []  # consecutive reads that show a change
        while True:
            reading = reads.next()
            if reading is None:
                row = []
            else:
                wait.last = reading.snapshot
                base = base or reading.snapshot
                row = [*row, reading] if _differs(context, base, reading.snapshot) else []
                if _is_settled(context, row):
                    diff = reading.snapshot.diff(base)
                    wait.met = diff.summary
                    return diff
            if reads.out_of_time and not row:
                break
        reads.raise_if_no_read()
        assert base is not None
        raise _unchanged(context, base, wait)


def _differs(context: SessionContext, base: Snapshot, snapshot: Snapshot) -> bool:
    return not context.observer.volatile.alike(base, snapshot) and not snapshot.diff(base).empty


def _is_settled(context: SessionContext, row: list[Reading]) -> bool:
    if len(row) < AGREEING_READS:
        return False
    if context.observer.volatile.alike(row[-2].snapshot, row[-1].snapshot):
        return True
    return row[-1].received_at - row[0].requested_at >= context.settings.window


def _unchanged(context: SessionContext, base: Snapshot, wait: _Wait) -> TargetError:
    last = wait.last or base
    resting = context.observer.volatile.masked(base, last)
    but = f" but its volatile regions: {', '.join(resting)}" if resting else ""
    message = (
        f"TIMEOUT  wait_for_change on {context.driver.uri} ({wait.reads.describe()}): "
        f"nothing differs from {base.id}, the screen as it was last read before{but}.\n"
        "Next: wait_for(...) the element to appear; mobile.changes(since=...) lists changes read already.\n"
        f"{format_screen(last)}"
    )
    return TargetError(message, code="TIMEOUT", outline=last.outline())
