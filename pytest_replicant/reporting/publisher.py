"""From what the sessions of an attempt recorded to a trace on disk and a row of the run."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ..cassettes import Header
from ..drivers import device_name
from ..errors import ReplicantError
from ..kept_runs import (
    Healed,
    OpenAction,
    RecordedAttempt,
    RunRow,
    SlowStep,
    hash_of,
    masked,
    recorded,
    signal_of,
    toast_signal,
)
from ..model import (
    UNSOUND,
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
    plain,
)
from ..model.printable import date_of, phone_name, seen_from
from ..options.marks import case_id
from ..redaction import masked_record
from ..running import (
    EARLIER_ATTEMPTS,
    LOSS,
    OPTIONS,
    REPLAYED_PHONES,
    RUN_ID,
    SECRETS,
    TAPE,
    TestSession,
    attempt_number,
    chosen,
    new_tape,
    session_settings,
    source_digest,
    tapes_of,
)
from ..snapshots import Snapshot
from .artifacts.pictures import PicturePacking
from .artifacts.storage import NEWS, ArtifactBound, never_raises, shown_id
from .attempts.attempt import Attempt, Phase
from .findings import NOTES, open_actions
from .report_rows import environment_of, place_of, rerun_command
from .trace_files import TapeParts, TraceFiles, write_cassette, write_trace
from .triage.baseline import Baselines
from .triage.cause import cause_of, kind_and_label
from .triage.divergence import Divergence

if TYPE_CHECKING:
    import pytest

    from ..cassettes import Recording


@dataclass(frozen=True)
class Published:
    """What one session of an attempt left behind. ``trace`` is not redacted; ``files`` is None if
    nothing was written."""

    trace: TestTrace
    files: TraceFiles | None
    row: RunRow


class Publisher:
    """One in each process that runs tests with phones. ``folder`` is the run's."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._options = config.stash[OPTIONS]
        self._secrets = config.stash[SECRETS]
        self.folder = self._options.output / config.stash[RUN_ID]
        workers = getattr(config, "workerinput", {}).get("workercount", 1)
        self._bound = ArtifactBound(self._options.max_artifacts_mb, workers)
        self._pictures = PicturePacking()
        self.take_picture, self.close = self._pictures.begin, self._pictures.close

    def publish(self, attempt: Attempt) -> list[Published]:
        """Writes the trace of each session, again if there is more of it. Never raises."""
        if attempt.sessions:
            return [self._published(attempt, entry) for entry in attempt.sessions]
        return [self._without_phone(attempt)] if attempt.is_about_phones else []

    def keep_pass(self, attempt: Attempt) -> None:
        """The pass that a later failure is compared with. A recovered one is no measure."""
        if self._options.trace == "off":
            return
        result = attempt.result()
        if result.outcome != "passed":
            return
        for entry in attempt.sessions:
            with suppress(Exception):  # a later failure then says that no pass is at hand
                trace = entry.recorder.finish(_facts(attempt.item, result, entry))
                self._baselines.keep(trace, self._secrets)

    def _published(self, attempt: Attempt, entry: TestSession) -> Published:
        redactor, result = self._secrets, attempt.result()
        facts = _facts(attempt.item, result, entry)
        trace, row = TestTrace(facts, failures=result.failures), bare_row(facts, redactor)
        files = run = divergence = None
        problems: list[str] = []
        with never_raises(problems, f"{row.nodeid} not recorded in full"):
            trace = entry.recorder.finish(facts, result.failures)
            if trace.failures or result.outcome in UNSOUND:
                run = recorded(trace, redactor)
            if run and self._options.trace != "off" and result.outcome in UNSOUND:
                with never_raises(problems, "not compared with the last pass"):
                    divergence = self._baselines.compare(facts.nodeid, run, redactor)
            row = run_row(trace, redactor, run, divergence)
            recording = attempt.item.stash.get(TAPE, None) if entry is attempt.sessions[0] else None
            tape = self._tape_parts(attempt, recording, facts) if recording is not None else None
            files = self._write(trace, divergence, tape)
            if files:
                row = with_files(row, files, self.folder, redactor)
            if divergence is not None and (divergence.baseline or self._baselines.asked_for):
                row = replace(row, divergence=divergence.sentence)
        row = replace(row, test=shown_id(attempt.item.nodeid, redactor))
        return Published(trace, files, self._about_test(row, attempt, problems))

    def _without_phone(self, attempt: Attempt) -> Published:
        """A test that asked for a phone and never had one: skipped, or none could be had."""
        result, loss = attempt.result(), attempt.item.stash.get(LOSS, None)
        facts = _facts(attempt.item, result)
        device = {"uri": loss.uri} if loss is not None else {}
        trace = TestTrace(facts, device, failures=result.failures)
        problems: list[str] = []
        with never_raises(problems, "it has no cassette"):
            # Of a test that used no phone itself: where it failed, or stands on fixtures that used
            # one.
            kept = self._options.trace if facts.outcome != "skipped" else "off"
            if kept != "off" and REPLAYED_PHONES not in self._config.stash:
                tape = self._tape_parts(attempt, new_tape(attempt.item), facts)
                if tape.header.failures or (kept == "on" and tape.segments):
                    problems += write_cassette(tape, self.folder, self._secrets, self._bound)
        row = self._about_test(run_row(trace, self._secrets), attempt, problems)
        return Published(trace, None, row)

    def _about_test(self, row: RunRow, attempt: Attempt, problems: Sequence[str]) -> RunRow:
        """The row with facts of the test that no trace has. The command to run it again is without
        the phone, which is named by the process that was given them."""
        redactor = self._secrets
        parameters = getattr(getattr(attempt.item, "callspec", None), "id", "")
        return replace(
            row,
            case_id=redactor.text(case_id(attempt.item)),
            known_flaky=redactor.text(attempt.known_flaky) if row.outcome == "known flaky" else "",
            rerun=rerun_command(self._config, attempt.item.nodeid, redactor, parameters),
            warnings=(*row.warnings, *map(redactor.text, problems)),
        )

    @cached_property
    def _baselines(self) -> Baselines:
        cache: pytest.Cache | None = getattr(self._config, "cache", None)
        folder = None
        if cache is not None:  # as it is with -p no:cacheprovider
            with suppress(OSError):  # which pytest itself warns of
                folder = cache.mkdir("replicant")
        return Baselines(self._options.baseline, folder)

    def _tape_parts(self, attempt: Attempt, recording: Recording, facts: TestFacts) -> TapeParts:
        item, tapes = attempt.item, tapes_of(self._config)
        header = Header(
            item.nodeid,
            facts.outcome,
            facts.started_at,
            recording.began_ms,
            facts.attempt,
            source_digest(item),
            facts=self._facts_of_run,
            settings=chosen(session_settings(self._options)),
            failures=tuple(attempt.failures_on_tape),
            ends=tapes.ends,
            skips=any(phase.outcome == "skipped" for phase in attempt.phases),
        )
        segments = tapes.segments_for(item, recording, attempt.broken_fixtures)
        values = tapes.values_for(item, attempt.broken_fixtures)
        return TapeParts(recording, header, segments, values)

    @cached_property
    def _facts_of_run(self) -> dict[str, str]:
        """What it was made with, and the phones by which ``--replicant-matrix`` names its tests."""
        facts, options = environment_of(self._config), self._options
        if options.matrix:
            facts["matrix"] = " ".join(uri.masked for uri in options.devices)
        return facts

    def _write(
        self, trace: TestTrace, divergence: Divergence | None, tape: TapeParts | None
    ) -> TraceFiles | None:
        options = self._options
        news = trace.test.outcome in NEWS
        if options.trace == "off":
            return None
        if options.trace == "retain-on-failure" and not news and not trace.test.attempt:
            return None  # the pass of a test that failed first is what its failure is compared with
        if options.screenshot == "only-on-failure" and not news:
            trace = replace(trace, screenshots={})
        if tape is not None:
            has_pictures = options.screenshot == "on" or (options.screenshot != "off" and news)
            tape = replace(tape, pictures=has_pictures)
        return write_trace(
            trace,
            options.output,
            self.folder.name,
            self._secrets,
            plain(divergence),
            bound=self._bound,
            packed=self._pictures.packed,
            tape=tape,
        )


def _facts(item: pytest.Item, result: Phase, entry: TestSession | None = None) -> TestFacts:
    """Those of one of its phones; with none, those of the test itself."""
    nodeid, attempt, began, took = item.nodeid, attempt_number(item), time.time(), 0
    loss = item.stash.get(LOSS, None)
    if entry is not None:
        recorder, nodeid, attempt = entry.recorder, entry.nodeid, entry.attempt
        began, took = recorder.began_ms / 1000, recorder.elapsed_ms
        if loss is not None and loss.named != recorder.device.get("uri"):
            loss = None
    return TestFacts(
        nodeid, attempt, result.outcome, date_of(began), took, place_of(item.location),
        requeues=int(EARLIER_ATTEMPTS in item.stash),
        lost=loss.reason if loss is not None else "",
    )  # fmt: skip


# --- the row of a test, and the targets that were found again in it -------------------------------

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
    redactor: Redactor,
    run: RecordedAttempt | None = None,
    parted: Divergence | None = None,
) -> RunRow:
    """The row of a test, without its files. ``run`` is the same trace as a reader of its document
    sees it, if that is at hand, ``parted`` how it differs from the last pass."""
    clean = redactor.text
    message, cause = "", None
    if trace.failures:
        message = clean(trace.failures[0].message)
        cause = cause_of(run or recorded(trace, redactor), parted)
    longest = sorted(trace.events, key=lambda event: -event.duration_ms)[:SLOW_STEPS]

    def title(event: TraceEvent) -> str:
        return clean(event.title)[:160]

    unlooked = open_actions(trace)
    noted: AnyDict = {note.name: masked_record(note.of(trace), redactor) for note in NOTES}
    return replace(
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
            OpenAction(title(event), clean(event.source)[:300], event.id)
            for event in unlooked[:OPEN_ACTIONS]
        ),
        looks=screen_hashes(trace),
        signals=signal_hashes(trace, redactor),
        healed=healed(trace, redactor),
        **noted,
    )


def screen_hashes(trace: TestTrace) -> Strings:
    """The screens on which an action found its target, each once, the first of them."""
    used = dict.fromkeys(
        event.met_on
        for event in trace.events
        if event.kind == "action"
        and event.target is not None
        and event.failure is None
        and event.met_on
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
    shown = shown_id(facts.nodeid, redactor)
    texts = {"nodeid": shown, "location": redactor.text(facts.location)}
    return RunRow(
        **{**vars(facts), **texts, "lost": redactor.text(facts.lost)[:LONGEST_MESSAGE]},
        device="",
        test=shown,
    )


# --- targets that were found again by another description, and the selector that would hold -------

MOST_HEALED = 20
"""Of one test."""
_FURTHER = 3  # screens that a selector is tried out on as well
_FOUND_AGAIN = frozenset({"re_resolve", "alternate_candidate"})


def healed(trace: TestTrace, redactor: Redactor) -> tuple[Healed, ...]:
    """The actions whose target a recovery found again, and the elements that bear another name by
    now than when the test got hold of them."""
    again = {
        one.action_id for one in trace.recoveries if one.recovered and one.strategy in _FOUND_AGAIN
    }
    found: list[Healed] = []
    for event in trace.events:
        action = event.result
        if (
            len(found) == MOST_HEALED
            or action is None
            or action.target.resolved is None
            or not action.success
        ):
            continue
        was, now = action.target.named, action.target.resolved
        renamed = was is not None and masked(was.label) != masked(now.label)
        said = action.target.selector
        if said and (renamed or action.action_id in again):  # it had meant a step that has gone
            code = _lasting(now, trace, event)
            shown = (said, kind_and_label(ElementRecord.of(now)), code, event.source)
            target, label, selector, source = (redactor.text(text)[:300] for text in shown)
            found.append(Healed(target, label, selector, source, action.action_id))
    return tuple(found)


def _lasting(now: Element, trace: TestTrace, event: TraceEvent) -> str:
    """Tried out on the screen that it was found on and on others of the same; "" if none is
    unique."""
    record = trace.snapshots.get(event.met_on or "")
    if record is None:
        return ""
    others = [one for one in trace.snapshots.values() if one.screen_key == record.screen_key]
    others.remove(record)
    try:
        snapshot = parsed(record)
        there = [
            one
            for one in snapshot.elements
            if (one.bounds, one.class_name) == (now.bounds, now.class_name)
        ]
        if len(there) != 1:
            return ""
        proposal = snapshot.selector(there[0].ref, also=list(map(parsed, others[:_FURTHER])))
    except ReplicantError:
        return ""
    return proposal.code if proposal.unique_on else ""


def parsed(record: SnapshotRecord) -> Snapshot:
    """The screen as it was read. Raises ``SnapshotError``."""
    return Snapshot.parse(record.source, id=record.id, size=record.size, scale=record.scale)
