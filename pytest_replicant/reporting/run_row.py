"""What became of one test, as its run keeps it: its row, and the targets that were found again in it."""

from __future__ import annotations

import os
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from ..drivers import device_name
from ..errors import ReplicantError
from ..kept import Healed, OpenAction, RecordedAttempt, RunRow, SlowStep, hash_of, masked, signal_of, toast_signal
from ..model import (
    ActionResult,
    AnyDict,
    Element,
    ElementRecord,
    Redactor,
    SnapshotRecord,
    Strings,
    TestFacts,
    TestTrace,
    TraceEvent,
    first_line,
)
from ..redaction import masked_record
from .artifacts.folder_names import shown_id
from .artifacts.recorded import recorded
from .findings import NOTES, open_actions
from .printable import phone_name, seen_from
from .trace_files import TraceFiles
from .triage.cause import cause_of, kind_and_label
from .triage.divergence import Divergence

if TYPE_CHECKING:
    from ..snapshots import Snapshot

OPEN_ACTIONS = 5
"""How many of a test's unverified actions are named; all of them are counted."""

SLOW_STEPS = 3
"""How many steps of each test compete for the slowest of the run."""

MOST_SCREENS = 24
"""Screens of one test that are known as usable."""

LONGEST_MESSAGE = 2_000
"""Characters of a failure's message that travel with its row; the trace has all of it."""


def run_row(
    trace: TestTrace,
    files: TraceFiles | None,
    run_folder: Path,
    redactor: Redactor,
    run: RecordedAttempt | None = None,
    parted: Divergence | None = None,
) -> RunRow:
    """The row of a test. ``files`` is None where traces are off or were not kept; ``run`` is the same trace as a
    reader of its document sees it, where that is at hand, ``parted`` how it differs from the last pass."""
    clean = redactor.text
    message = clean(trace.failures[0].message) if trace.failures else ""
    cause = cause_of(run or recorded(trace, redactor), parted) if trace.failures else None
    longest = sorted(trace.events, key=lambda event: -event.duration_ms)[:SLOW_STEPS]

    def title(event: TraceEvent) -> str:
        return clean(event.title)[:160]

    unlooked = open_actions(trace)
    row = replace(
        bare_row(trace.test, redactor),
        device=clean(device_name(trace.device)),
        phone=clean(phone_name(trace.device)),
        reconnects=sum("reconnect" in one.before for one in trace.recoveries if one.recovered),
        failure=first_line(message)[:500],
        worker=os.environ.get("PYTEST_XDIST_WORKER", ""),
        message=message[:LONGEST_MESSAGE],
        cause=cause,
        steps=len(trace.events),
        slowest=tuple(SlowStep(title(event), event.duration_ms, event.id) for event in longest),
        unverified_actions=len(unlooked),
        open_actions=tuple(
            OpenAction(title(event), clean(event.source)[:300], event.id) for event in unlooked[:OPEN_ACTIONS]
        ),
        looks=screen_hashes(trace),
        signals=signal_hashes(trace, redactor),
        healed=healed(trace, redactor),
    )
    noted: AnyDict = {note.name: masked_record(note.of(trace), redactor) for note in NOTES}
    row = replace(row, **noted)
    return with_files(row, files, run_folder, redactor) if files else row


def screen_hashes(trace: TestTrace) -> Strings:
    """The screens on which an action found its target, each once, the first of them."""
    used = dict.fromkeys(
        event.met_on
        for event in trace.events
        if event.kind == "action" and event.target is not None and event.failure is None and event.met_on
    )
    records = (trace.snapshots[one] for one in list(used)[:MOST_SCREENS] if one in trace.snapshots)
    return tuple(dict.fromkeys(record.structure for record in records if record.structure))


MOST_SIGNALS = 40
"""Different lines and toasts of one test that are known to have come in it."""


def signal_hashes(trace: TestTrace, redactor: Redactor) -> Strings:
    """What the app itself said, numbers apart: its own warnings and errors, and toasts."""
    lines = map(signal_of, trace.logs)
    toasts = (toast_signal(toast) for event in trace.events for toast in event.toasts)
    said = dict.fromkeys(hash_of(redactor.text(one)) for one in (*lines, *toasts) if one)
    return tuple(said)[:MOST_SIGNALS]


def with_files(row: RunRow, files: TraceFiles, run_folder: Path, redactor: Redactor) -> RunRow:
    """The row, and where its trace is."""
    return replace(
        row,
        trace=seen_from(files.trace_html, run_folder),
        trace_json=seen_from(files.trace_json, run_folder),
        trace_zip=seen_from(files.trace_zip, run_folder),
        screenshot=seen_from(files.screenshots[-1][1], run_folder) if files.screenshots else "",
        warnings=tuple(map(redactor.text, files.warnings)),
    )


def bare_row(facts: TestFacts, redactor: Redactor) -> RunRow:
    """The certain facts of a test whose trace could not be read."""
    shown = shown_id(facts.nodeid, redactor.text(facts.nodeid))
    return RunRow(
        shown,
        facts.attempt,
        facts.outcome,
        facts.started_at,
        facts.duration_ms,
        "",
        test=shown,
        location=redactor.text(facts.location),
        requeues=facts.requeues,
        lost=redactor.text(facts.lost)[:LONGEST_MESSAGE],
    )


# --- targets that were found again by another description, and the selector that would hold ----------------

MOST_HEALED = 20
"""Of one test."""
_FURTHER = 3  # screens that a selector is tried out on as well
_FOUND_AGAIN = frozenset({"re_resolve", "alternate_candidate"})


def healed(trace: TestTrace, redactor: Redactor) -> tuple[Healed, ...]:
    """The actions whose target a recovery found again, and the elements that bear another name by now
    than when the test got hold of them."""
    again = {one.action_id for one in trace.recoveries if one.recovered and one.strategy in _FOUND_AGAIN}
    found: list[Healed] = []
    for event in trace.events:
        action = event.result
        if len(found) == MOST_HEALED or action is None or action.target.resolved is None or not action.success:
            continue
        said = _said(action, action.target.resolved, recovered=action.action_id in again)
        if said:
            code = _lasting(action.target.resolved, trace, event)
            shown = (said, kind_and_label(ElementRecord.of(action.target.resolved)), code, event.source)
            target, now, selector, source = (redactor.text(text)[:300] for text in shown)
            found.append(Healed(target, now, selector, source, action.action_id))
    return tuple(found)


def _said(action: ActionResult, now: Element, *, recovered: bool) -> str:
    """What the test had meant, where that is not what it says any more; else ""."""
    said, was = action.target.selector, action.target.named
    renamed = was is not None and masked(was.label) != masked(now.label)
    return said if renamed or recovered else ""


def _lasting(now: Element, trace: TestTrace, event: TraceEvent) -> str:
    """Tried out on the screen that it was found on and on others of the same; "" if none is unique."""
    record = trace.snapshots.get(event.met_on or "")
    if record is None:
        return ""
    others = [
        one for one in trace.snapshots.values() if one.screen_key == record.screen_key and one.id != record.id
    ]
    try:
        snapshot = parsed(record)
        there = [one for one in snapshot.elements if (one.bounds, one.class_name) == (now.bounds, now.class_name)]
        if len(there) != 1:
            return ""
        proposal = snapshot.selector(there[0].ref, also=[parsed(one) for one in islice(others, _FURTHER)])
    except ReplicantError:
        return ""
    return proposal.code if proposal.unique_on else ""


def parsed(record: SnapshotRecord) -> Snapshot:
    """The screen as it was read. Raises ``SnapshotError``."""
    from ..snapshots import Snapshot

    return Snapshot.parse(record.source, id=record.id, size=record.size, scale=record.scale)
