"""From what the sessions of an attempt recorded to a trace on disk and a row of the run."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from functools import cached_property
from typing import TYPE_CHECKING

from ..cassettes import Header
from ..kept import RecordedAttempt, RunRow
from ..marks import case_id
from ..model import UNSOUND, Redactor, TestFacts, TestTrace, plain
from ..options import usual
from ..stash import (
    EARLIER_ATTEMPTS,
    LOSS,
    OPTIONS,
    REPLAYED_PHONES,
    RUN_ID,
    SECRETS,
    TAPE,
    TestSession,
    attempt_number,
)
from ..tapes import new_tape, no_part_of_the_test, session_settings, source_digest, tape_of, tapes_of
from .artifacts.folder_names import folder_name, shown_id
from .artifacts.pictures import PicturePacking
from .artifacts.recorded import recorded
from .artifacts.storage import NEWS, ArtifactBound, never_raises
from .attempts.attempt import Attempt, Phase
from .printable import as_seen_from
from .report_rows import environment_of, place_of
from .rerun import rerun_command
from .run_row import bare_row, run_row, with_files
from .trace_files import TraceFiles, write_cassette, write_trace
from .triage.baseline import Baselines
from .triage.divergence import Divergence

if TYPE_CHECKING:
    import pytest

    from ..cassettes import Recording
    from ..pool import Loss
    from .cassette_file import TapeParts


@dataclass(frozen=True)
class Published:
    """What one session of an attempt left behind. ``trace`` is not redacted; ``files`` is None if nothing was
    written."""

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
        self._seen_from = config.invocation_params.dir
        workers = getattr(config, "workerinput", {}).get("workercount", 1)
        self._bound = ArtifactBound(self._options.max_artifacts_mb, workers)
        self._pictures = PicturePacking()
        self.take_picture = self._pictures.begin

    def publish(self, attempt: Attempt, *, interrupted: bool = False) -> list[Published]:
        """Writes the trace of each session, again if there is more of it. Never raises."""
        if attempt.sessions:
            if (tape := tape_of(attempt.item)) is not None:
                tape.phase("report")  # reads from now on are for the report
            return [self._published(attempt, entry, interrupted) for entry in attempt.sessions]
        return [self._without_phone(attempt)] if attempt.is_about_phones else []

    def keep_pass(self, attempt: Attempt) -> None:
        """The pass that a later failure is compared with. A recovered one is no measure."""
        if self._options.trace == "off" or not attempt.sessions:
            return
        result = attempt.result()
        if result.outcome != "passed":
            return
        for entry in attempt.sessions:
            with suppress(Exception):  # a later failure then says that no pass is at hand
                trace = entry.recorder.finish(_facts_on(entry, attempt.item, result))
                self._baselines.keep(trace, entry.recorder.redactor)

    def close(self) -> None:
        self._pictures.close()

    def page_of(self, nodeid: str, attempt: int, redactor: Redactor) -> str:
        """Where a test's page will be, as a message names it before it is written; "" if none will be."""
        if self._options.trace == "off":
            return ""
        path = self.folder / folder_name(nodeid, redactor.text(nodeid), attempt) / "trace.html"
        return as_seen_from(path, self._seen_from).as_posix()

    def _published(self, attempt: Attempt, entry: TestSession, interrupted: bool) -> Published:
        redactor = entry.recorder.redactor
        result = attempt.result()
        if not interrupted and attempt.recorded_before < 0 and result.outcome != "infra":
            from ..session import keep_log  # heavy, and of no use before a phone was used

            with no_part_of_the_test(attempt.item):
                keep_log(entry.session)
        facts = _facts_on(entry, attempt.item, result)
        trace, files, row = TestTrace(facts, failures=result.failures), None, bare_row(facts, redactor)
        problems: list[str] = []
        with never_raises(problems, f"{row.nodeid} not recorded in full"):
            trace = entry.recorder.finish(facts, result.failures)
            run = recorded(trace, redactor) if trace.failures or result.outcome in UNSOUND else None
            divergence = self._compared(trace, run, redactor, problems)
            row = run_row(trace, None, self.folder, redactor, run, divergence)
            recording = attempt.item.stash.get(TAPE, None) if entry is attempt.sessions[0] else None
            tape = self._tape_parts(attempt, recording, facts) if recording is not None else None
            files = self._write(trace, redactor, divergence, tape)
            row = with_files(row, files, self.folder, redactor) if files else row
            if divergence is not None and (divergence.baseline or self._baselines.asked_for):
                row = replace(row, divergence=divergence.sentence)
        warnings = (*row.warnings, *(redactor.text(line) for line in problems))
        nodeid = attempt.item.nodeid
        row = replace(row, test=shown_id(nodeid, redactor.text(nodeid)), warnings=warnings)
        return Published(trace, files, self._about_test(row, attempt, redactor))

    def _without_phone(self, attempt: Attempt) -> Published:
        """A test that asked for a phone and never had one: skipped, or none could be had."""
        result = attempt.result()
        item = attempt.item
        loss = item.stash.get(LOSS, None)
        facts = _facts(item, result, time.time(), loss)
        trace = TestTrace(facts, {"uri": loss.uri} if loss is not None else {}, failures=result.failures)
        row = run_row(trace, None, self.folder, self._secrets)
        problems: list[str] = []
        with never_raises(problems, "it has no cassette"):
            problems += self._write_cassette(attempt, facts)
        row = replace(row, warnings=(*row.warnings, *map(self._secrets.text, problems)))
        return Published(trace, None, self._about_test(row, attempt, self._secrets))

    def _write_cassette(self, attempt: Attempt, facts: TestFacts) -> Sequence[str]:
        """Of a test that used no phone itself: where it failed, or stands on fixtures that used one."""
        trace = self._options.trace
        if trace == "off" or REPLAYED_PHONES in self._config.stash or facts.outcome == "skipped":
            return ()
        tape = self._tape_parts(attempt, new_tape(attempt.item), facts)
        if not tape.header.failures and not (trace == "on" and tape.segments):
            return ()
        return write_cassette(tape, self.folder, self._secrets, self._bound)

    def _about_test(self, row: RunRow, attempt: Attempt, redactor: Redactor) -> RunRow:
        """The row with facts of the test that no trace has. The command to run it again is without the phone,
        which is named by the process that was given them."""
        called = getattr(attempt.item, "callspec", None)
        parameters = called.id if called is not None else ""
        return replace(
            row,
            case_id=redactor.text(case_id(attempt.item)),
            known_flaky=redactor.text(attempt.known_flaky) if row.outcome == "known flaky" else "",
            rerun=rerun_command(self._config, attempt.item.nodeid, redactor, parameters),
        )

    @cached_property
    def _baselines(self) -> Baselines:
        cache: pytest.Cache | None = getattr(self._config, "cache", None)  # None with -p no:cacheprovider
        folder = None
        with suppress(OSError):  # which pytest itself warns of
            folder = cache.mkdir("replicant") if cache is not None else None
        return Baselines(self._options.baseline, folder)

    def _compared(
        self, trace: TestTrace, run: RecordedAttempt | None, redactor: Redactor, problems: list[str]
    ) -> Divergence | None:
        """How a failure differs from the last pass of its test."""
        if self._options.trace == "off" or trace.test.outcome not in UNSOUND or run is None:
            return None
        with never_raises(problems, "not compared with the last pass"):
            return self._baselines.compare(trace.test.nodeid, run, redactor)
        return None

    def _tape_parts(self, attempt: Attempt, recording: Recording, facts: TestFacts) -> TapeParts:
        from .cassette_file import TapeParts

        item, tapes = attempt.item, tapes_of(self._config)
        unset = session_settings(usual())
        settings = {name: one for name, one in session_settings(self._options).items() if one != unset[name]}
        header = Header(
            item.nodeid,
            facts.outcome,
            facts.started_at,
            recording.epoch_ms,
            facts.attempt,
            source_digest(item),
            facts=self._facts_of_run,
            settings=settings,
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
        options = self._options
        matrix = {"matrix": " ".join(uri.masked for uri in options.devices)} if options.matrix else {}
        return {**environment_of(self._config), **matrix}

    def _write(
        self, trace: TestTrace, redactor: Redactor, divergence: Divergence | None, tape: TapeParts | None
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
            redactor,
            plain(divergence),
            bound=self._bound,
            packed=self._pictures.packed,
            tape=tape,
        )


def _facts_on(entry: TestSession, item: pytest.Item, result: Phase) -> TestFacts:
    """Those of one of its phones."""
    recorder, loss = entry.recorder, item.stash.get(LOSS, None)
    is_lost = loss is not None and loss.named == recorder.device.get("uri")
    facts = _facts(item, result, recorder.began_ms / 1000, loss if is_lost else None)
    return replace(facts, nodeid=entry.nodeid, attempt=entry.attempt, duration_ms=recorder.elapsed_ms)


def _facts(item: pytest.Item, result: Phase, began: float, loss: Loss | None) -> TestFacts:
    """``began`` is in seconds of the epoch."""
    return TestFacts(
        item.nodeid,
        attempt_number(item),
        result.outcome,
        datetime.fromtimestamp(began, timezone.utc).isoformat(timespec="milliseconds"),
        0,
        place_of(item.location),
        requeues=int(EARLIER_ATTEMPTS in item.stash),
        lost=loss.reason if loss is not None else "",
    )
