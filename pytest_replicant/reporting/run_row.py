"""What became of one test, as its run keeps it."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from .artifacts.folder_names import shown_id
from .findings import open_actions, recoverable, recovered, unverified, vacuous_checks
from .printable import device_name, phone_name
from .triage.cause import cause_of
from .triage.healing import healed
from .triage.recorded_run import recorded
from .triage.run_record import OpenAction, RunRow, SlowStep

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ..model import Redactor, TestFacts, TestTrace, TraceEvent
    from .trace_files import TraceFiles
    from .triage.recorded_run import RecordedRun

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
    run: RecordedRun | None = None,
) -> RunRow:
    """The row of a test. ``files`` is None where traces are off or were not kept; ``run`` is the same trace as a
    reader of its document sees it, where that is at hand."""
    message = redactor.text(trace.failures[0].message) if trace.failures else ""
    cause = cause_of(run or recorded(trace, redactor)) if trace.failures else None
    shown = shown_id(trace.test.nodeid, redactor.text(trace.test.nodeid))
    unlooked = open_actions(trace)
    row = RunRow(
        nodeid=shown,
        attempt=trace.test.attempt,
        outcome=trace.test.outcome,
        started_at=trace.test.started_at,
        duration_ms=trace.test.duration_ms,
        device=redactor.text(device_name(trace.device)),
        phone=redactor.text(phone_name(trace.device)),
        lost=redactor.text(trace.test.lost)[:LONGEST_MESSAGE],
        requeues=trace.test.requeues,
        reconnects=sum("reconnect" in one.before for one in trace.recoveries if one.recovered),
        failure=message.partition("\n")[0][:500],
        unverified=redactor.text(unverified(trace)),
        vacuous=tuple(redactor.text(line) for line in vacuous_checks(trace)),
        recovered=tuple(redactor.text(line) for line in recovered(trace)),
        deaths=tuple(redactor.text(death.text) for death in trace.deaths),
        recoverable=tuple(redactor.text(line) for line in recoverable(trace)),
        location=redactor.text(trace.test.location),
        worker=os.environ.get("PYTEST_XDIST_WORKER", ""),
        message=message[:LONGEST_MESSAGE],
        cause=cause,
        steps=len(trace.events),
        slowest=_slowest(trace, redactor),
        test=shown,
        unverified_actions=len(unlooked),
        open_actions=_open_actions(unlooked, redactor),
        looks=screen_hashes(trace),
        healed=healed(trace, redactor),
    )
    return with_files(row, files, run_folder, redactor) if files else row


def screen_hashes(trace: TestTrace) -> tuple[str, ...]:
    """The screens on which an action found its target, each once, the first of them."""
    used = dict.fromkeys(
        event.before
        for event in trace.events
        if event.kind == "action" and event.target is not None and event.failure is None and event.before
    )
    records = (trace.snapshots[one] for one in list(used)[:MOST_SCREENS] if one in trace.snapshots)
    return tuple(dict.fromkeys(record.structure for record in records if record.structure))


def with_files(row: RunRow, files: TraceFiles, run_folder: Path, redactor: Redactor) -> RunRow:
    """The row, and where its trace is."""
    return replace(
        row,
        trace=_seen_from(run_folder, files.trace_html),
        trace_json=_seen_from(run_folder, files.trace_json),
        trace_zip=_seen_from(run_folder, files.trace_zip),
        screenshot=_seen_from(run_folder, files.screenshots[-1][1] if files.screenshots else None),
        warnings=tuple(redactor.text(line) for line in files.warnings),
    )


def _open_actions(events: Sequence[TraceEvent], redactor: Redactor) -> tuple[OpenAction, ...]:
    """Their titles and lines, the first few."""
    return tuple(
        OpenAction(redactor.text(event.title)[:160], redactor.text(event.source)[:300], event.id)
        for event in events[:OPEN_ACTIONS]
    )


def _slowest(trace: TestTrace, redactor: Redactor) -> tuple[SlowStep, ...]:
    longest = sorted(trace.events, key=lambda event: -event.duration_ms)[:SLOW_STEPS]
    return tuple(SlowStep(redactor.text(event.title)[:160], event.duration_ms, event.id) for event in longest)


def bare_row(facts: TestFacts, redactor: Redactor) -> RunRow:
    """The certain facts of a test whose trace could not be read."""
    shown = shown_id(facts.nodeid, redactor.text(facts.nodeid))
    row = RunRow(shown, facts.attempt, facts.outcome, facts.started_at, facts.duration_ms, "")
    return replace(row, requeues=facts.requeues, lost=redactor.text(facts.lost)[:LONGEST_MESSAGE])


def _seen_from(folder: Path, path: Path | None) -> str:
    return "" if path is None else os.path.relpath(path, folder).replace(os.sep, "/")
