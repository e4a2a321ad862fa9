"""``wait_for`` and its kin: they synchronise and verify nothing. Each wait is an event of the trace."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from ...errors import DeviceError, DeviceTimeout, TargetError
from ...model import Element, Failure, FailureCode, FailureRecord, TraceEvent
from ...snapshots import Snapshot, SnapshotDiff
from ..actionability import resolve
from ..advice import advised
from ..arguments import Target, describe
from ..recording.failures import failure_record
from ..step import SessionContext, StageFailed
from .observer import Reading
from .reads import AGREEING_READS, Reads


@contextmanager
def _recorded(
    context: SessionContext, verb: str, awaited: str, reads: Reads, branches: Mapping[str, Target]
) -> Iterator[dict[str, Any]]:
    """Records a wait in the trace, however it ends; its body notes what was ``observed``. Any error that is not
    its own, such as a test's time-out or Ctrl-C, interrupts it: whether it would have been met is not known."""
    log = context.recorder.begin_check("", f"{verb} {awaited}")
    before = context.observer.latest
    notes: dict[str, Any] = {"awaited": awaited, "result": "met", "observed": ""}
    error = ""
    record: FailureRecord | None = None
    raised: BaseException | None = None
    try:
        try:
            yield notes
        finally:
            if reads.last is not None:
                context.recorder.keep_screenshot(reads.last)
    except BaseException as failed:
        error, notes["result"] = str(failed) or type(failed).__name__, _result_of(failed)
        raised, record = failed, _record_of(context, failed, verb, branches, reads.last)
        raise
    finally:
        notes.update(reads=reads.good, failed_reads=reads.failed, waited_ms=round(reads.elapsed * 1000))
        event = TraceEvent(
            "wait",
            f"{verb} {awaited}",
            0,
            0,
            before=before.id if before is not None else None,
            after=reads.last.id if reads.last is not None else None,
            error=error,
            details=notes,
            failure=record,
        )
        context.recorder.keep(event, log, raised)


def _result_of(error: BaseException) -> str:
    if isinstance(error, DeviceError):
        return "unreadable"
    return "timed out" if isinstance(error, TargetError) else "interrupted"


def _record_of(
    context: SessionContext, error: BaseException, verb: str, branches: Mapping[str, Target], last: Snapshot | None
) -> FailureRecord:
    """What the error holds, else what the wait knows; of several branches, each in ``wanted``."""
    record = context.recorder.record_of(error)
    if record is None:
        code: FailureCode = "TIMEOUT" if isinstance(error, (TargetError, DeviceTimeout)) else "UNKNOWN"
        device = error if isinstance(error, DeviceError) else None
        target = next(iter(branches.values())) if len(branches) == 1 else None
        failed = Failure(code, "", action_type=verb, stage="verify", target=target, snapshot=last, error=device)
        record = failure_record(failed, type(error).__name__)
    if record.kind != verb or len(branches) < 2:
        return record
    return replace(record, wanted={name: describe(target) for name, target in branches.items()})


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
    reads = Reads(context, timeout, context.observer.recent())
    with _recorded(context, verb, wanted, reads, branches) as notes:
        counts = dict.fromkeys(branches, 0)
        trouble: StageFailed | None = None
        granted = False  # once the time is over, a branch that is there gets its second read, and no more
        while True:
            reading = reads.next()
            if reading is None:
                counts = dict.fromkeys(branches, 0)
            else:
                for name, target in branches.items():
                    try:
                        element = _there(context, reading.snapshot, target, several)
                    except StageFailed as failed:
                        counts[name], trouble = 0, failed
                        continue
                    counts[name] += 1
                    if counts[name] >= AGREEING_READS:
                        context.hand(reading.snapshot)
                        notes["observed"] = f"{name}: {element.describe()}" if name else element.describe()
                        return name, element
            if reads.out_of_time:
                if (granted or not any(counts.values())) and (trouble is not None or reads.failed):
                    break
                granted = True
        reads.raise_if_no_read(1 if trouble is not None else AGREEING_READS)
        assert trouble is not None
        only = next(iter(branches.values())) if len(branches) == 1 else None
        if trouble.snapshot is not None:
            better = advised(context.observer, trouble.snapshot, only, trouble.failure)
            trouble = StageFailed(better, trouble.snapshot)
        call = f"waited for {wanted} on {context.phone} ({reads.describe()})"
        raise trouble.as_target_error(verb, only, call, context.recorder.open_line())


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
    reads = Reads(context, timeout)
    with _recorded(context, "wait_for_change", "a change", reads, {}) as notes:
        row: list[Reading] = []  # consecutive reads that show a change
        while True:
            reading = reads.next()
            if reading is None:
                row = []
            else:
                base = base or reading.snapshot
                row = [*row, reading] if _differs(context, base, reading.snapshot) else []
                if _is_settled(context, row):
                    diff = reading.snapshot.diff(base)
                    notes["observed"] = diff.summary
                    context.hand(reading.snapshot)
                    return diff
            if reads.out_of_time and not row:
                break
        reads.raise_if_no_read()
        assert base is not None
        raise _unchanged(context, base, reads)


def _differs(context: SessionContext, base: Snapshot, snapshot: Snapshot) -> bool:
    return not context.observer.volatile.alike(base, snapshot) and not snapshot.diff(base).empty


def _is_settled(context: SessionContext, row: list[Reading]) -> bool:
    if context.observer.volatile.agreed(row):
        return True
    return len(row) >= AGREEING_READS and row[-1].received_at - row[0].requested_at >= context.settings.window


def _unchanged(context: SessionContext, base: Snapshot, reads: Reads) -> TargetError:
    last = reads.last or base
    resting = context.observer.volatile.masked(base, last)
    but = f" but its volatile regions: {', '.join(resting)}" if resting else ""
    failure = Failure(
        "TIMEOUT",
        f"nothing differs from {base.id}, the screen as it was last read before{but}.",
        asked=f"wait_for_change on {context.phone} ({reads.describe()})",
        advice=(
            f'wait for the element that is to appear; changes(since="{base.id}") lists what was read already',
        ),
        snapshot=last,
        page=context.recorder.open_line(),
    )
    return TargetError(failure, outline=last.outline())
